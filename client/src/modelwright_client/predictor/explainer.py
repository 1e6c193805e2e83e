"""Explains single predictions of a model by column: trees, additive part and terms together."""

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from modelwright_client.predictor.columns import Slots
from modelwright_client.predictor.explaining import (
    Paths,
    expected,
    rescaled,
    tree_contributions,
    unfold,
)
from modelwright_client.predictor.forest import Forest, Ints, trees_of_leaves, unpack
from modelwright_client.predictor.goals import Floats
from modelwright_client.predictor.model import Model, smoothed
from modelwright_client.predictor.tracing import Traced

EXACT = 2000
"""Shapley values visit every leaf; a forest of more leaves than this is explained by its paths."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """Contributions that sum, with the base, to the link of one row."""

    base: Floats
    parts: Floats
    """Shape (columns, width)."""


@dataclass(frozen=True, slots=True)
class Grown:
    """A forest with its unfolded paths and the output of each leaf."""

    forest: Forest
    paths: Paths
    targets: Ints
    start: Floats

    @classmethod
    def of(cls, forest: Forest, owners: Sequence[int], width: int) -> "Grown":
        """Unfolds a forest."""
        paths = unfold(forest, owners)
        targets = forest.targets[trees_of_leaves(forest)]
        return cls(forest, paths, targets, expected(forest, paths, targets, width))

    def contributions(self, slots: Slots, columns: int) -> Floats:
        """Gives what each column adds, shape (columns, outputs)."""
        return tree_contributions(
            self.forest, self.paths, self.targets, slots, columns, len(self.start)
        )


def _grown(forest: Forest, owners: Sequence[int], outputs: int) -> Grown | Traced:
    few = len(forest.values) <= EXACT
    return Grown.of(forest, owners, outputs) if few else Traced.of(forest, owners, outputs)


class Explainer:
    """Explains rows of one model. `centre` is the mean of the additive parts in training."""

    def __init__(self, model: Model, trees: bytes, centre: Mapping[str, Sequence[Any]]) -> None:
        self.model = model
        self.names = [column.name for column in model.encoder.columns]
        owners = model.encoder.owners()
        sums, means = unpack(trees, sys.maxsize)
        self.sums = _grown(sums, owners, model.goal.width) if sums else None
        outputs = model.goal.classes
        self.means = [_grown(one, owners, outputs) for one in means]
        self.owners = np.array(owners)
        self.parts_centre = np.array(centre.get("parts", []), dtype=np.float64)
        self.terms_centre = [np.array(one, dtype=np.float64) for one in centre.get("terms", [])]

    def explain(self, row: Mapping[str, Any]) -> Explanation:
        """Explains one row that passed the check."""
        slots = self.model.encoder.one(row)
        base = np.array(self.model.base)
        parts = np.zeros((len(self.names), len(base)))
        if self.sums:
            base += self.sums.start
            parts += self.sums.contributions(slots, len(self.names))
        for mean, grown in zip(self.model.means, self.means, strict=True):
            start, added = self._of_chances(grown, slots)
            base, parts = base + mean.weight * start, parts + mean.weight * added
        if self.model.additive:
            base = base + self._add(slots, row, parts)
        return Explanation(base, parts)

    def _of_chances(self, grown: Grown | Traced, slots: Slots) -> tuple[Floats, Floats]:
        parts = grown.contributions(slots, len(self.names))
        end = grown.start + parts.sum(axis=0)
        before = smoothed(self.model.goal, grown.start[None])[0]
        after = smoothed(self.model.goal, end[None])[0]
        shown = parts[:, 1:] if self.model.goal.task == "binary" else parts
        return before, rescaled(shown, before, after)

    def _add(self, slots: Slots, row: Mapping[str, Any], parts: Floats) -> Floats:
        additive = self.model.additive
        if additive is None:
            raise ValueError("the model has no additive part")
        off = additive.parts(slots)[0] - self.parts_centre
        np.add.at(parts, self.owners[np.concatenate([additive.smooth, additive.level])], off)
        base = additive.bias + self.parts_centre.sum(axis=0)
        for (column, first), mean in zip(self.model.texts(), self.terms_centre, strict=True):
            found = self.model.terms(column, first, [row.get(column.name)])[0]
            parts[self.names.index(column.name)] += found - mean
            base = base + mean
        return np.asarray(base)
