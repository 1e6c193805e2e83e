"""The different values of a number or date column in order, each with how often it occurs.

They come in blocks: one, sorted by numpy, where the column fits into memory, else as many as DuckDB
hands on of a sort that spills to disk. Dates are microseconds since 1970.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from math import ceil, floor

import numpy as np
from numpy.typing import NDArray

from modelwright.engines.profiling.source import Source, SourceField

Values = NDArray[np.int64] | NDArray[np.float64]
Whole = NDArray[np.int64]
MAX_FREQUENT_VALUES = 1000
"""The most frequent values that are kept of a column."""
VALUES_AT_EACH_END = 4
"""Values that are kept at either end, for sentinels to be found among them."""
QUANTILES = (0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99)
"""Shares of the values below each quantile that is told."""
MEDIAN = 0.5
"""The share of the values below the middle."""
BYTES_A_ROW = 96
"""Memory that a row of a column takes while it is sorted and counted in one block."""


@dataclass(frozen=True, slots=True)
class Outline:
    """What one look along the values tells; exact."""

    present: int
    infinite: int
    distinct: int
    mean: float
    quantiles: tuple[float, ...]
    """At `QUANTILES`, linear between neighbours, as numpy's default."""
    top: tuple[tuple[float, int], ...]
    """The most frequent values, most frequent first, at most `MAX_FREQUENT_VALUES`."""
    lowest: tuple[tuple[float, int], ...]
    highest: tuple[tuple[float, int], ...]
    """The `VALUES_AT_EACH_END` values at either end, from the outside in."""


@dataclass(frozen=True, slots=True)
class Spread:
    """What a second look tells, once the mean and the range to show are known."""

    second: float
    third: float
    """Sums of the squared and cubed distances to the mean."""
    beyond: int
    bins: Whole


class SortedValues:
    """One column in order; infinities are counted apart."""

    def __init__(self, source: Source, field: SourceField) -> None:
        self._source = source
        value = f"epoch_us({field.sql})" if field.type == "date" else field.sql
        is_finite = "true" if field.type == "integer" else f"isfinite({field.sql})"
        self._finite = f"select {value} as v from t where {is_finite} and v is not null"  # noqa: S608 - a place
        self._held: tuple[Values, Whole] | None = None
        if source.rows * BYTES_A_ROW <= source.bounds.memory_bytes:
            self._held = _grouped(source.db.execute(self._finite).fetchnumpy()["v"])
            self.present = int(self._held[1].sum())
        else:
            (self.present,) = source.one(f"select count(*) from ({self._finite})")  # noqa: S608 - above
        self.infinite = 0
        if field.type == "float":
            (self.infinite,) = source.one(f"select count(*) from t where isinf({field.sql})")  # noqa: S608 - a place

    def __iter__(self) -> Iterator[tuple[Values, Whole]]:
        if self._held:
            yield self._held
            return
        grouped = f"select v, count(*) as n from ({self._finite}) group by 1 order by 1"  # noqa: S608 - above
        yield from ((values, counts) for values, counts in self._source.blocks(grouped))

    def outline(self) -> Outline:
        """Looks along the values; there must be some.

        Returns:
            Counts, mean, quantiles, the most frequent values and those at either end.
        """
        places = [share * (self.present - 1) for share in QUANTILES]
        ranks = np.array([rank for place in places for rank in (floor(place), ceil(place))])
        at = np.zeros(len(ranks))
        seen, distinct, total = 0, 0, 0.0
        top: list[tuple[float, int]] = []
        lowest: list[tuple[float, int]] = []
        highest: list[tuple[float, int]] = []
        for values, counts in self:
            upto = np.cumsum(counts)
            here = (seen <= ranks) & (ranks < seen + upto[-1])
            at[here] = values[np.searchsorted(upto, ranks[here] - seen, side="right")]
            seen, distinct = seen + int(upto[-1]), distinct + len(values)
            with np.errstate(over="ignore", invalid="ignore"):
                total += float(np.multiply(values, counts, dtype=np.float64).sum())
            top = sorted([*top, *_most(values, counts)], key=lambda one: -one[1])[
                :MAX_FREQUENT_VALUES
            ]
            lowest = [*lowest, *_listed(values[:VALUES_AT_EACH_END], counts[:VALUES_AT_EACH_END])][
                :VALUES_AT_EACH_END
            ]
            highest = [
                *highest,
                *_listed(values[-VALUES_AT_EACH_END:], counts[-VALUES_AT_EACH_END:]),
            ][-VALUES_AT_EACH_END:]
        shares = [place - floor(place) for place in places]
        return Outline(
            present=self.present,
            infinite=self.infinite,
            distinct=distinct,
            mean=total / self.present,
            quantiles=tuple(
                low if low == high else low * (1 - share) + high * share
                for share, low, high in zip(
                    shares, at[::2].tolist(), at[1::2].tolist(), strict=True
                )
            ),
            top=tuple(top),
            lowest=tuple(lowest),
            highest=tuple(highest[::-1]),
        )

    def spread(
        self, mean: float, usual: tuple[float, float] | None, edges: NDArray[np.float64]
    ) -> Spread:
        """Looks again: how far from the mean, how many outside the usual, how many in each bin.

        Args:
            mean: The mean of the values.
            usual: The fences; values outside them are counted.
            edges: Edges of bins in rising order, shape (bins + 1,); may be empty.

        Returns:
            Sums of squared and cubed distances from the mean, and counts.
        """
        second = third = 0.0
        beyond, bins = 0, np.zeros(max(len(edges) - 1, 0), np.int64)
        for values, counts in self:
            with np.errstate(over="ignore", invalid="ignore"):
                far = values - mean
                squared = far * far * counts
                second += float(squared.sum())
                third += float((squared * far).sum())
            upto = np.concatenate(([0], np.cumsum(counts)))
            if usual:
                low, high = (np.searchsorted(values, usual[0], side="left"),
                             np.searchsorted(values, usual[1], side="right"))  # fmt: skip
                beyond += int(upto[low] + upto[-1] - upto[high])
            if len(edges):
                bins += np.diff(upto[np.searchsorted(values, edges)])
        return Spread(second, third, beyond, bins)


def _grouped(values: Values) -> tuple[Values, Whole]:
    values.sort()
    starts = np.flatnonzero(np.concatenate((values[:1] == values[:1], values[1:] != values[:-1])))
    return values[starts], np.diff(starts, append=len(values))


def _most(values: Values, counts: Whole) -> list[tuple[float, int]]:
    if len(counts) > MAX_FREQUENT_VALUES:
        least = np.partition(counts, -MAX_FREQUENT_VALUES)[-MAX_FREQUENT_VALUES]
        above, level = (
            np.flatnonzero(counts > least),
            np.flatnonzero(counts == least)[:MAX_FREQUENT_VALUES],
        )
        places = np.concatenate((above, level))
        values, counts = values[places], counts[places]
    order = np.argsort(-counts, kind="stable")[:MAX_FREQUENT_VALUES]
    return _listed(values[order], counts[order])


def _listed(values: Values, counts: Whole) -> list[tuple[float, int]]:
    return list(zip(values.tolist(), counts.tolist(), strict=True))
