"""Networks of one or two hidden layers."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

import numpy as np

from modelwright_runtime import WITH_NETWORKS
from modelwright_runtime.archive import Arrays
from modelwright_runtime.batch_network import FoldedNetwork
from modelwright_runtime.components.component import ArraysUnder, Component, Json, Stored, register
from modelwright_runtime.components.evaluation import (
    NUMBER_BYTES,
    EncodedRows,
    Evaluator,
    ExplainedRows,
)
from modelwright_runtime.encoder import Encoder
from modelwright_runtime.forest import is_within
from modelwright_runtime.lookup_network import LookupNetwork
from modelwright_runtime.network import DEEPER, INPUTS, WEIGHTS, Inputs, Network
from modelwright_runtime.objective import Floats, Objective


@register
@dataclass(frozen=True, slots=True, eq=False)
class NeuralNetwork(Component):
    """A network."""

    network: Network

    kind: ClassVar[str] = "network"
    position: ClassVar[int] = 30
    format: ClassVar[int] = WITH_NETWORKS

    def evaluator(self, goal: Objective, encoder: Encoder) -> Evaluator:
        """Looks up what is read of values that the network knows."""
        del goal, encoder
        return self._evaluator(LookupNetwork.of(self.network))

    def batch_evaluator(self, goal: Objective, encoder: Encoder) -> Evaluator:
        """Looks up what is read of categories."""
        del goal
        return self._evaluator(FoldedNetwork.of(self.network, encoder))

    def _evaluator(self, laid_out: Network | LookupNetwork | FoldedNetwork) -> Evaluator:
        def add(rows: EncodedRows, total: Floats) -> None:
            total += laid_out.raw_prediction(rows.features)

        numbers = self.network.inputs.width + 2 * len(self.network.start)
        return Evaluator(add, bytes_a_row=NUMBER_BYTES * numbers)

    def contributions(self, rows: ExplainedRows, parts: Floats) -> Floats:
        """Adds sampled Shapley values."""
        parts += self.network.contributions(rows.features, rows.owners, rows.count)
        return self.network.base()

    def scaled(self, weight: float) -> Self:
        """Returns the network with its raw prediction multiplied."""
        return replace(self, network=self.network.scaled(weight))

    def to_arrays(self) -> tuple[Json, Arrays]:
        """Returns its inputs and weights."""
        found = {name: getattr(self.network, name) for name in WEIGHTS + DEEPER}
        return {}, found | {name: getattr(self.network.inputs, name) for name in INPUTS}

    @classmethod
    def from_arrays(cls, document: Json, arrays: Arrays, goal: Objective, encoder: Encoder) -> Self:
        """Makes one; refuses (`ValueError`) what would read outside of a row or of its weights."""
        del document
        read: dict[str, Any] = {name: arrays[name] for name in INPUTS}
        _check_inputs(read, encoder)
        inputs = Inputs(**read)
        weights: dict[str, Any] = {name: arrays[name] for name in WEIGHTS}
        nothing = np.zeros((0, 0, 0))
        deeper: dict[str, Any] = {name: arrays.get(name, nothing) for name in DEEPER}
        if any(part.ndim != nothing.ndim for part in deeper.values()):
            raise ValueError("the layers of a network do not fit together")
        _check_weights(weights | deeper, inputs, goal.width)
        return cls(Network(inputs, **weights, **deeper))

    @classmethod
    def store(cls, components: Sequence[Self], stored: Stored) -> None:
        """Writes the networks, and their number as `networks` if there are any."""
        if components:
            stored.document["networks"] = len(components)
        for place, component in enumerate(components):
            for name, one in component.to_arrays()[1].items():
                stored.arrays[f"network.{place}.{name}"] = one

    @classmethod
    def restore(cls, stored: Stored, goal: Objective, encoder: Encoder) -> list[Self]:
        """Reads as many networks as there are said to be."""
        found = []
        for place in range(stored.document.get("networks", 0)):
            arrays = ArraysUnder(f"network.{place}", stored.arrays)
            found.append(cls.from_arrays({}, arrays, goal, encoder))
        return found


def _check_weights(weights: dict[str, Any], inputs: Inputs, width: int) -> None:
    many, hidden = inputs.width, len(weights["start"])
    networks, _, last = weights["middle"].shape
    shapes: dict[str, tuple[float, ...]] = {
        "inner": (many, hidden), "start": (hidden,),
        "middle": (networks, hidden / networks, last) if networks else (0, 0, 0),
        "begin": (networks, 1, last) if networks else (0, 0, 0),
        "outer": (networks * last if networks else hidden, width),
        "straight": (many, width), "bias": (width,), "means": (many,),
    }  # fmt: skip
    for name, part in weights.items():
        if part.shape != shapes[name] or part.dtype != np.float64 or not np.isfinite(part).all():
            raise ValueError("the weights of a network do not fit its inputs")


def _check_inputs(read: dict[str, Any], encoder: Encoder) -> None:
    """Refuses arrays that do not fit together, or that read what there is not."""
    smooth, level, sizes, stepped = (read[name] for name in ("smooth", "level", "sizes", "stepped"))
    if any(one.dtype != np.int64 or one.ndim != 1 for one in (smooth, level, sizes, stepped)):
        raise ValueError("the places of a network are no whole numbers")
    knots, steps, centre, spread = (read[name] for name in ("knots", "steps", "centre", "spread"))
    shapes = [
        (centre, smooth.shape), (spread, smooth.shape), (knots, (len(smooth), knots.shape[-1])),
        (read["scores"], knots.shape), (steps, (len(stepped), steps.shape[-1])),
    ]  # fmt: skip
    if any(one.shape != shape or one.dtype != np.float64 for one, shape in shapes):
        raise ValueError("the inputs of a network do not fit together")
    numbers = centre, spread, read["scores"], knots[:, :1], steps[:, :1]
    known = encoder.level_counts()
    levels = zip(level.tolist(), sizes.tolist(), strict=True)
    inside = [
        is_within(smooth, 0, encoder.width) and is_within(stepped, 0, encoder.width),
        knots.shape[1] > 1 and steps.shape[1] > 0,
        all(np.isfinite(one).all() for one in numbers),
        bool((spread > 0).all() and (knots[:, 1:] >= knots[:, :-1]).all()),
        all(known.get(feature) == size for feature, size in levels),
    ]
    if not all(inside):
        raise ValueError("a network reads places or numbers that there are not")
