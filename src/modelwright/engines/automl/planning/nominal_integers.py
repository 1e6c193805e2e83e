"""Integers that name things, as a branch's or a person's number does, told from those that count.

What a value says of the target is learnt from one half of the rows and judged on the other: from
the values beside it, by windows and by a tree of few leaves, or from its own rows besides, drawn to
the former as a category's statistic is. A number that counts gains nothing by the latter.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from modelwright_runtime.objective import Floats

MIN_LEVELS = 25
"""So many values a tree can take apart by itself."""
MAX_EXACT_INTEGER = 2**24
"""Integers up to this one are exact in a feature."""
MAX_ROWS = 50_000
"""About so many rows are looked at at most."""
WINDOWS = 1, 2, 5, 10, 20, 50
"""Values on either side of one."""
LEAVES = (8, 32)
"""Leaves of the trees that values are compared with."""
MIN_ROWS_PER_LEAF = 5
"""Rows of a leaf at least."""
PRIOR_STRENGTHS = 3.0, 10.0, 30.0
"""Rows by which a value's mean is drawn to that of its neighbours."""
MIN_GAIN = 0.01
"""The share of the squared error that own means must save."""
MIN_SHARE = 0.12
"""Of all that the values save, the share that own means must save."""
STANDARD_ERRORS = 4.0
"""Standard errors that the saving must exceed."""


def names_things(values: Floats, targets: Floats, seed: int) -> bool:
    """Returns whether an integer column, NaN where missing, is to be read as a category too.

    `targets` (n, outputs) are what a category's statistics are means of.

    Args:
        values: Whole numbers, shape (n,).
        targets: Shape (n, outputs).
        seed: What the halves are drawn by.

    Returns:
        Whether the value's own rows tell more than those of its neighbours.
    """
    known = np.flatnonzero(~np.isnan(values))
    known = known[:: max(1, len(known) // MAX_ROWS)]
    levels, codes = np.unique(values[known], return_inverse=True)
    if (
        not MIN_LEVELS < len(levels) <= len(known) / 2
        or np.abs(levels[[0, -1]]).max() > MAX_EXACT_INTEGER
    ):
        return False
    seen = targets[known] / np.maximum(targets[known].std(axis=0), 1e-12)
    half = np.random.default_rng(seed).random(len(known)) < 0.5  # noqa: PLR2004 - a half
    halves = [Half.of(levels, codes, seen, learnt) for learnt in (half, ~half)]
    by_windows = [one.windows() for one in halves]
    return _sure(halves, by_windows) and _sure(
        halves,
        [guesses + one.trees() for one, guesses in zip(halves, by_windows, strict=True)],
    )


def same_groups(values: Floats, codes: NDArray[np.int32]) -> bool:
    """Returns whether a category, by the codes of its levels, groups rows just as the values do.

    Args:
        values: Whole numbers, shape (n,).
        codes: Codes of levels, shape (n,).

    Returns:
        Whether the groups are the same.
    """
    levels, own = np.unique(values, return_inverse=True)
    pairs = np.unique(own * (int(codes.max(initial=0)) + 2) + codes)
    return len(pairs) == len(levels) == len(np.unique(codes))


@dataclass(frozen=True, slots=True)
class Half:
    """What one half of the rows tells of each level, and the other half that judges it."""

    levels: NDArray[Any]
    count: Floats
    """Rows of each level, shape (levels, 1)."""
    total: Floats
    """Their summed targets, shape (levels, outputs)."""
    learnt: tuple[NDArray[Any], Floats]
    """The codes and the targets of the rows that are learnt from."""
    judged: tuple[NDArray[Any], Floats]

    @classmethod
    def of(
        cls, levels: NDArray[Any], codes: NDArray[Any], seen: Floats, learnt: NDArray[np.bool_]
    ) -> "Half":
        """Takes the rows apart.

        Args:
            levels: The different values in rising order, shape (levels,).
            codes: The level of each row, shape (n,).
            seen: Targets, shape (n, outputs).
            learnt: Which rows are learnt from; the others judge, shape (n,).

        Returns:
            One half that learns beside one that judges.
        """
        mine, known = codes[learnt], seen[learnt]
        sums = [np.bincount(mine, weights=one, minlength=len(levels)) for one in known.T]
        count = np.bincount(mine, minlength=len(levels))[:, None].astype(np.float64)
        parts = (mine, known), (codes[~learnt], seen[~learnt])
        return cls(levels, count, np.stack(sums, axis=1), *parts)

    def alike(self) -> list[Floats]:
        """Guesses the mean of all rows for every level.

        Returns:
            One guess, shape (levels, outputs).
        """
        return [np.repeat(self.total.sum(axis=0)[None] / self.count.sum(), len(self.total), axis=0)]

    def windows(self) -> list[Floats]:
        """Guesses a level's mean by the levels beside it, itself among them.

        Returns:
            Guesses, shape (levels, outputs) each, one for each width.
        """
        least = min(PRIOR_STRENGTHS)
        before = np.pad(np.concatenate([self.count, self.total], axis=1), [(1, 0), (0, 0)])
        before = before.cumsum(axis=0)
        [prior], places = self.alike(), np.arange(len(self.levels))
        found = [prior]
        for width in WINDOWS:
            first, last = np.maximum(places - width, 0), np.minimum(places + width + 1, len(places))
            inside = before[last] - before[first]
            found.append((inside[:, 1:] + least * prior) / (inside[:, :1] + least))
        return found

    def trees(self) -> list[Floats]:
        """Guesses a level's mean by trees over the values.

        Returns:
            Guesses, shape (levels, outputs) each, one for each number of leaves.
        """
        from sklearn.tree import DecisionTreeRegressor  # noqa: PLC0415 - heavy

        codes, seen = self.learnt
        found = []
        for leaves in LEAVES:
            tree = DecisionTreeRegressor(
                max_leaf_nodes=leaves, min_samples_leaf=MIN_ROWS_PER_LEAF, random_state=0
            ).fit(self.levels[codes][:, None], seen)
            found.append(tree.predict(self.levels[:, None]).reshape(len(self.levels), -1))
        return found

    def own(self, guesses: list[Floats]) -> list[Floats]:
        """Guesses a level's mean by its own rows, drawn to each of other guesses.

        Args:
            guesses: Guesses, shape (levels, outputs) each.

        Returns:
            Guesses, shape (levels, outputs) each.
        """
        return [
            (self.total + phantoms * guess) / (self.count + phantoms)
            for guess in guesses
            for phantoms in PRIOR_STRENGTHS
        ]

    def errors(self, guesses: list[Floats]) -> Floats:
        """Returns the squared errors of the rows that judge, by the best of some guesses.

        Args:
            guesses: Guesses, shape (levels, outputs) each.

        Returns:
            Shape (rows that judge,).
        """
        codes, seen = self.judged
        errors = [np.square(guess[codes] - seen).sum(axis=1) for guess in guesses]
        return min(errors, key=np.sum)


def _sure(halves: list[Half], guesses: list[list[Floats]]) -> bool:
    """Returns whether own rows save enough of what the values beside them leave over."""
    pairs = list(zip(halves, guesses, strict=True))
    flat = np.concatenate([one.errors(one.alike()) for one in halves])
    left = np.concatenate([one.errors(some) for one, some in pairs])
    own = np.concatenate([one.errors(one.own(some)) for one, some in pairs])
    saved, noise = left - own, (left - own).std() / len(own) ** 0.5
    least = max(MIN_GAIN * left.mean(), MIN_SHARE * (flat - own).mean(), STANDARD_ERRORS * noise)
    return bool(saved.mean() > least)
