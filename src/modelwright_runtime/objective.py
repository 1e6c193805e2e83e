"""Links, losses and their inverses: what members are blended on and judged by. Only numpy."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Task = Literal["binary", "multiclass", "regression"]
Floats = NDArray[np.float64]
FLOOR = 1e-15
"""No probability is taken as smaller than this in a log loss."""


@dataclass(frozen=True, slots=True)
class Scale:
    """How a numeric target becomes the link scale: log1p where it wins, then centred and scaled."""

    mean: float = 0.0
    spread: float = 1.0
    log: bool = False
    low: float = -np.inf
    high: float = np.inf

    @classmethod
    def of(cls, values: Floats, *, log: bool) -> "Scale":
        """Measures the values; `log` is for values that are never below zero."""
        moved = np.log1p(values) if log else values
        spread = float(moved.std()) or 1.0
        return cls(float(moved.mean()), spread, log, float(values.min()), float(values.max()))

    def link(self, values: Floats) -> Floats:
        """Carries values of the target to the link scale."""
        moved = np.log1p(np.maximum(values, 0.0)) if self.log else values
        return (moved - self.mean) / self.spread

    def within(self, link: Floats) -> Floats:
        """Cuts links to those of the range seen."""
        low, high = self.link(np.array([self.low, self.high]))
        return np.asarray(np.clip(link, low, high))

    def back(self, link: Floats) -> Floats:
        """Carries the link scale to values of the target, clipped to the range seen."""
        moved = link * self.spread + self.mean
        if self.log:
            moved = np.expm1(np.minimum(moved, 700.0))
        return np.minimum(np.maximum(moved, self.low), self.high)


@dataclass(frozen=True, slots=True)
class Goal:
    """The task with what is needed to read a link: the number of classes or the target's scale."""

    task: Task
    classes: int = 0
    scale: Scale = Scale()

    @property
    def width(self) -> int:
        """The number of columns of a link: one for each class above two, else a single one."""
        return self.classes if self.task == "multiclass" else 1

    def probabilities(self, link: Floats) -> Floats:
        """Turns links (n, width) into class probabilities (n, classes)."""
        if self.task == "binary":
            one = 1.0 / (1.0 + np.exp(-np.minimum(np.maximum(link, -700.0), 700.0)))
            return np.concatenate([1.0 - one, one], axis=1)
        raised = np.exp(link - link.max(axis=1, keepdims=True))
        return np.asarray(raised / raised.sum(axis=1, keepdims=True))

    def named(self, link: Floats, offset: Floats) -> NDArray[np.intp]:
        """Names the class by links (n, width); `offset` is added to the classes' logarithms."""
        if self.task == "binary":
            return np.asarray(link[:, 0] > offset[0] - offset[1], dtype=np.intp)
        return np.asarray((link + offset).argmax(axis=1))

    def loss(self, link: Floats, truth: Floats) -> float:
        """Log loss, or the RMSE in the units of the target; `truth` is the class or the value."""
        if self.task == "regression":
            return float(np.sqrt(np.mean((self.scale.back(link[:, 0]) - truth) ** 2)))
        if self.task == "binary":
            margin = np.where(truth > 0, link[:, 0], -link[:, 0])
            return float(np.mean(np.logaddexp(0.0, -margin)))
        top = link.max(axis=1)
        total = top + np.log(np.exp(link - top[:, None]).sum(axis=1))
        return float(np.mean(total - link[np.arange(len(link)), truth.astype(np.intp)]))

    def link_of(self, probabilities: Floats) -> Floats:
        """Turns class probabilities (n, classes) into links, none of them infinite."""
        safe = np.minimum(np.maximum(probabilities, FLOOR), 1.0)
        if self.task == "binary":
            return np.log(safe[:, 1:] / safe[:, :1])
        return np.log(safe)
