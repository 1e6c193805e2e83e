"""Explains single predictions of a model by column: trees, networks, additive part and terms."""

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from modelwright_runtime.columns import Features
from modelwright_runtime.forest import Forest, Ints, trees_of_leaves, unpack
from modelwright_runtime.model import Model, smoothed
from modelwright_runtime.objective import Floats
from modelwright_runtime.path_attribution import Traced
from modelwright_runtime.shapley_exact import (
    Paths,
    expected,
    rescaled,
    tree_contributions,
    unfold,
)

CHUNK_ROWS = 250
"""Rows that are explained together."""
MAX_EXACT_LEAVES = 2000
"""Shapley values visit every leaf; a forest of more leaves than this is explained by its paths."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """Contributions that sum, with the base, to the raw predictions of rows."""

    base: Floats
    parts: Floats
    """Shape (n, columns, width)."""


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

    def contributions(self, features: Features, columns: int) -> Floats:
        """Returns what each column adds for encoded rows, shape (n, columns, outputs)."""
        told = self.forest, self.paths, self.targets
        rows = [features[at : at + 1] for at in range(len(features))]
        return np.stack([tree_contributions(*told, row, columns, len(self.start)) for row in rows])


def _grown(forest: Forest, owners: Sequence[int], outputs: int) -> Grown | Traced:
    few = len(forest.values) <= MAX_EXACT_LEAVES
    return Grown.of(forest, owners, outputs) if few else Traced.of(forest, owners, outputs)


class Explainer:
    """Explains rows of one model. `centre` is the mean of the additive parts in training."""

    def __init__(self, model: Model, trees: bytes, centre: Mapping[str, Sequence[Any]]) -> None:
        self.model = model
        self.names = [column.name for column in model.encoder.columns]
        self.shared = model.encoder.shared()
        owners = model.encoder.owners()
        sums, means = unpack(trees, sys.maxsize)
        self.sums = _grown(sums, owners, model.goal.width) if sums else None
        outputs = model.goal.classes
        self.means = [_grown(one, owners, outputs) for one in means]
        self.owners = np.array(owners)
        self.parts_centre = np.array(centre.get("parts", []), dtype=np.float64)
        self.terms_centre = [np.array(one, dtype=np.float64) for one in centre.get("terms", [])]

    def explain(self, rows: Sequence[Mapping[str, Any]]) -> Explanation:
        """Explains rows that passed the check, one at least."""
        features = self.model.encoder.many(rows)
        base = np.array(self.model.base)
        parts = np.zeros((len(rows), self._tellers(), len(base)))
        if self.sums:
            base += self.sums.start
            parts += self.sums.contributions(features, self._tellers())
        for mean, grown in zip(self.model.means, self.means, strict=True):
            start, added = self._of_chances(grown, features)
            base, parts = base + mean.weight * start, parts + mean.weight * added
        for network in self.model.networks:
            base += network.base()
            parts += network.contributions(features, self.owners, self._tellers())
        if self.model.additive:
            base = base + self._add(features, rows, parts)
        return Explanation(base, self._shared_out(parts))

    def _tellers(self) -> int:
        """Counts the columns, and what some of them tell together."""
        return len(self.names) + len(self.shared)

    def _shared_out(self, parts: Floats) -> Floats:
        """Returns every column its equal share of what it tells together with others."""
        own = parts[:, : len(self.names)]
        for place, columns in enumerate(self.shared, len(self.names)):
            own[:, columns] += parts[:, place, None] / len(columns)
        return own

    def tell(
        self,
        rows: Sequence[Mapping[str, Any]],
        places: Sequence[int],
        raw_predictions: Sequence[float],
        classes: Sequence[Any],
    ) -> list[dict[str, Any]]:
        """Explains rows in words and numbers.

        `places` name what of each raw prediction is explained.
        """
        pieces = (
            self.explain(rows[at : at + CHUNK_ROWS]) for at in range(0, len(rows), CHUNK_ROWS)
        )
        each = ((one.base, parts) for one in pieces for parts in one.parts)
        goal = self.model.goal
        numeric, scale = goal.task == "regression", goal.scale
        first = int(goal.task == "binary")
        factor, shift = (scale.spread, scale.mean) if numeric else (1.0, 0.0)
        value = (scale.log and "log1p(value)") or "value"
        return [
            {
                "link": {"binary": "log_odds", "multiclass": "score"}.get(goal.task, value),
                "of": None if numeric else classes[place + first],
                "base": float(base[place] * factor + shift),
                "contributions": dict(
                    zip(self.names, (parts[:, place] * factor).tolist(), strict=True)
                ),
                "sum": float(raw_prediction * factor + shift),
            }
            for place, (base, parts), raw_prediction in zip(
                places, each, raw_predictions, strict=True
            )
        ]

    def _of_chances(self, grown: Grown | Traced, features: Features) -> tuple[Floats, Floats]:
        parts = grown.contributions(features, self._tellers())
        end = grown.start + parts.sum(axis=1)
        before = smoothed(self.model.goal, grown.start[None])[0]
        after = smoothed(self.model.goal, end)
        shown = parts[:, :, 1:] if self.model.goal.task == "binary" else parts
        return before, rescaled(shown, before, after)

    def _add(self, features: Features, rows: Sequence[Mapping[str, Any]], parts: Floats) -> Floats:
        additive = self.model.additive
        if additive is None:
            raise ValueError("the model has no additive part")
        off = additive.parts(features) - self.parts_centre
        owners = self.owners[np.concatenate([additive.smooth, additive.level])]
        for place, owner in enumerate(owners.tolist()):
            parts[:, owner] += off[:, place]
        base = additive.bias + self.parts_centre.sum(axis=0)
        for (column, first), mean in zip(self.model.texts(), self.terms_centre, strict=True):
            found = self.model.terms(column, first, [row.get(column.name) for row in rows])
            parts[:, self.names.index(column.name)] += found - mean
            base = base + mean
        return np.asarray(base)
