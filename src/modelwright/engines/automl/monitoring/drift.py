"""Says how far counts have moved from the shares of the training data, and whether by chance.

The measure is the population stability index. Without any drift it is distributed as
(1/n + 1/m) times chi-squared with one degree of freedom less than there are bins, for n rows now
and m in training (Yurdakul and Naranjo 2020, Journal of Risk Model Validation); less than that is
never called a move.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import log, sqrt
from statistics import NormalDist

MIN_ROWS = 100
"""Rows below which nothing is said."""
PSI_WATCH = 0.1
"""Above this index a distribution is to be watched, by usage."""
PSI_MOVED = 0.25
"""Above this one it has drifted, by usage."""
FALSE_ALARM_RATE = 0.001
"""How often a version whose input is as in training may be called moved, over all its columns."""
PSEUDO_COUNT = 0.5
"""Rows added to every bin, so that an empty one does not make the index infinite."""


class DriftStatus(StrEnum):
    """What is said of a distribution."""

    NOT_ENOUGH = "not_enough_data"
    STABLE = "stable"
    WATCH = "watch"
    MOVED = "moved"


@dataclass(frozen=True, slots=True)
class DriftResult:
    """How far a distribution is from training; `noise` is what chance alone may make of it."""

    psi: float | None
    noise: float | None
    verdict: DriftStatus


def shift(shares: Sequence[float], rows: int, counts: Sequence[int], among: int) -> DriftResult:
    """Compares counts with shares of training rows, as one of `among` comparisons.

    Args:
        shares: Shares of the training rows in each bin.
        rows: How many training rows there were.
        counts: Rows of now in each bin.
        among: How many comparisons are made at once (Bonferroni).

    Returns:
        The index, what chance alone reaches, and a status.
    """
    seen = sum(counts)
    if seen < MIN_ROWS:
        return DriftResult(None, None, DriftStatus.NOT_ENOUGH)
    known = [share * rows for share in shares]
    used = [place for place, had in enumerate(known) if had > 0 or counts[place]]
    psi = population_stability_index(
        [known[place] for place in used], [counts[place] for place in used]
    )
    sure = 1 - FALSE_ALARM_RATE / max(among, 1)
    noise = (1 / seen + 1 / max(rows, 1)) * chi_squared(max(len(used) - 1, 1), sure)
    if psi <= max(noise, PSI_WATCH):
        return DriftResult(psi, noise, DriftStatus.STABLE)
    return DriftResult(psi, noise, DriftStatus.MOVED if psi > PSI_MOVED else DriftStatus.WATCH)


def population_stability_index(expected: Sequence[float], seen: Sequence[float]) -> float:
    """Returns the population stability index of two vectors of counts.

    Args:
        expected: Counts in each bin before.
        seen: Counts in each bin now.

    Returns:
        0 where they are the same; above 0.25 is a large shift by the usual rule.
    """
    before, now = _shares(expected), _shares(seen)
    return sum((b - a) * log(b / a) for a, b in zip(before, now, strict=True))


def _shares(counts: Sequence[float]) -> list[float]:
    total = sum(counts) + PSEUDO_COUNT * len(counts)
    return [(count + PSEUDO_COUNT) / total for count in counts]


def chi_squared(degrees: int, below: float) -> float:
    """Returns a quantile of chi-squared by its nearly normal cube root (Wilson-Hilferty).

    Args:
        degrees: Degrees of freedom, 1 or more.
        below: The probability below the quantile.

    Returns:
        The quantile.
    """
    part = 2 / (9 * degrees)
    root = 1 - part + NormalDist().inv_cdf(below) * sqrt(part)
    return float(degrees * max(root, 0.0) ** 3)
