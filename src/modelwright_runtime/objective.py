"""Link functions, losses and their inverses.

What members are blended on and judged by. Only numpy.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Task = Literal["binary", "multiclass", "regression"]
Floats = NDArray[np.float64]
MIN_PROBABILITY = 1e-15
"""No probability is taken as smaller than this in a log loss."""


@dataclass(frozen=True, slots=True)
class TargetTransform:
    """How a numeric target becomes the scale of raw predictions: log1p where it wins.

    Then centred and scaled.
    """

    mean: float = 0.0
    spread: float = 1.0
    log: bool = False
    low: float = -np.inf
    high: float = np.inf

    @classmethod
    def of(cls, values: Floats, *, log: bool) -> "TargetTransform":
        """Measures the values; `log` is for values that are never below zero.

        Args:
            values: Values of the target, shape (n,).
            log: Whether their logarithms are learnt; then none is below zero.

        Returns:
            The transform.
        """
        moved = np.log1p(values) if log else values
        spread = float(moved.std()) or 1.0
        return cls(float(moved.mean()), spread, log, float(values.min()), float(values.max()))

    def transform(self, values: Floats) -> Floats:
        """Carries values of the target to the scale of raw predictions.

        Args:
            values: Values of the target, shape (n,).

        Returns:
            Shape (n,).
        """
        moved = np.log1p(np.maximum(values, 0.0)) if self.log else values
        return (moved - self.mean) / self.spread

    def clip(self, raw_prediction: Floats) -> Floats:
        """Cuts raw predictions to those of the range seen.

        Args:
            raw_prediction: Any shape.

        Returns:
            The same shape.
        """
        low, high = self.transform(np.array([self.low, self.high]))
        return np.asarray(np.clip(raw_prediction, low, high))

    def inverse(self, raw_prediction: Floats) -> Floats:
        """Carries the scale of raw predictions to values of the target.

        Clipped to the range seen.

        Args:
            raw_prediction: Any shape.

        Returns:
            The same shape, in the unit of the target.
        """
        moved = raw_prediction * self.spread + self.mean
        if self.log:
            moved = np.expm1(np.minimum(moved, 700.0))
        return np.minimum(np.maximum(moved, self.low), self.high)


@dataclass(frozen=True, slots=True)
class Objective:
    """The task with what is needed to read a raw prediction.

    The number of classes or the target's scale.
    """

    task: Task
    classes: int = 0
    scale: TargetTransform = TargetTransform()

    @property
    def width(self) -> int:
        """The number of columns of a raw prediction: one for each class above two.

        Else a single one.
        """
        return self.classes if self.task == "multiclass" else 1

    def inverse_link(self, raw_prediction: Floats) -> Floats:
        """Turns raw predictions (n, width) into class probabilities (n, classes).

        Args:
            raw_prediction: Shape (n, 1) for two classes, else (n, classes).

        Returns:
            Probabilities.
        """
        if self.task == "binary":
            one = 1.0 / (1.0 + np.exp(-np.minimum(np.maximum(raw_prediction, -700.0), 700.0)))
            return np.concatenate([1.0 - one, one], axis=1)
        raised = np.exp(raw_prediction - raw_prediction.max(axis=1, keepdims=True))
        return np.asarray(raised / raised.sum(axis=1, keepdims=True))

    def predict_class(self, raw_prediction: Floats, offset: Floats) -> NDArray[np.intp]:
        """Names the class by raw predictions (n, width).

        `offset` is added to the classes' logarithms.

        Args:
            raw_prediction: Shape (n, 1) for two classes, else (n, classes).
            offset: What is added to the logarithm of each class, shape (classes,).

        Returns:
            Numbers of classes, shape (n,).
        """
        if self.task == "binary":
            return np.asarray(raw_prediction[:, 0] > offset[0] - offset[1], dtype=np.intp)
        return np.asarray((raw_prediction + offset).argmax(axis=1))

    def loss(self, raw_prediction: Floats, y: Floats) -> float:
        """Log loss, or the RMSE in the units of the target; `y` is the class or the value.

        Args:
            raw_prediction: Shape (n, width).
            y: Numbers of classes or values of the target, shape (n,).

        Returns:
            The mean loss; lower is better.
        """
        if self.task == "regression":
            return float(np.sqrt(np.mean((self.scale.inverse(raw_prediction[:, 0]) - y) ** 2)))
        if self.task == "binary":
            margin = np.where(y > 0, raw_prediction[:, 0], -raw_prediction[:, 0])
            return float(np.mean(np.logaddexp(0.0, -margin)))
        top = raw_prediction.max(axis=1)
        total = top + np.log(np.exp(raw_prediction - top[:, None]).sum(axis=1))
        return float(
            np.mean(total - raw_prediction[np.arange(len(raw_prediction)), y.astype(np.intp)])
        )

    def link(self, probabilities: Floats) -> Floats:
        """Turns class probabilities (n, classes) into raw predictions, none of them infinite.

        Args:
            probabilities: Shape (n, classes).

        Returns:
            Shape (n, 1) for two classes, else (n, classes).
        """
        safe = np.minimum(np.maximum(probabilities, MIN_PROBABILITY), 1.0)
        if self.task == "binary":
            return np.log(safe[:, 1:] / safe[:, :1])
        return np.log(safe)
