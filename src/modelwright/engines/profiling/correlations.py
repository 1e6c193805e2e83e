"""How strongly two columns go together, each pair by the measure of its kinds.

- number-number: Pearson's r over the rows where both are there, on all rows;
- category-category: Cramér's V (Cramér 1946), without correction;
- category-number: the correlation ratio η (Fisher 1925), 0 to 1.

Categories are texts and truths of 2 to 50 values. Their pairs are counted on at most 250,000
rows, evenly spread (a standard error of 0.002); a pair tells how many rows it
stands on. The rows come in blocks.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

from modelwright.engines.profiling.column_statistics import ColumnStats, Numbers
from modelwright.engines.profiling.source import Source

Floats = NDArray[np.float64]
Measure = Literal["pearson", "cramers_v", "correlation_ratio"]
MOST_VALUES = 50
"""Values of a category: tables of more are mostly empty."""
MOST_NUMBERS = 100
"""Number columns whose pairs are measured: 100 make 4,950 pairs."""
MOST_CATEGORIES = 50
"""Categories whose pairs are measured."""
MOST_PAIRS = 1000
"""Pairs that are told."""
COUNTED_ROWS = 250_000
"""Rows on which pairs with categories are counted: a standard error of 0.002."""
LEAST_ROWS = 3
"""Rows below which two columns always go together."""


@dataclass(frozen=True, slots=True)
class Pair:
    """Two columns and how strongly they go together, -1 to 1 or 0 to 1."""

    feature1: str
    feature2: str
    correlation: float
    measure: Measure
    rows: int
    """Rows it was measured on: those where both columns have a value."""


def _numbers_of(columns: Sequence[ColumnStats]) -> list[ColumnStats]:
    """Chooses the number columns that vary.

    Args:
        columns: All columns.

    Returns:
        The first of them, at most `MOST_NUMBERS`.
    """
    varied = [one for one in columns if one.numbers and _is_varied(one.numbers)]
    return varied[:MOST_NUMBERS]


def _is_varied(told: Numbers) -> bool:
    return bool(told.std) and math.isfinite(told.mean + (told.std or 0.0))


def _categories_of(columns: Sequence[ColumnStats]) -> list[ColumnStats]:
    """Chooses the columns whose values are categories.

    Args:
        columns: All columns.

    Returns:
        The first of them, at most `MOST_CATEGORIES`.
    """
    kinds = {"string", "boolean"}
    return [
        one
        for one in columns
        if one.type in kinds and 1 < one.distinct <= min(MOST_VALUES, one.present / 2, len(one.top))
    ][:MOST_CATEGORIES]


def measure_pairs(
    source: Source, columns: Sequence[ColumnStats], *, of_categories: bool
) -> list[Pair]:
    """Measures every pair of columns, strongest first, at most `MOST_PAIRS`.

    Args:
        source: The table.
        columns: Its columns.
        of_categories: Whether pairs with categories are measured too.

    Returns:
        Pairs of columns that vary.
    """
    numbers = _numbers_of(columns)
    categories = _categories_of(columns) if of_categories else []
    # Several threads wait for each other longer than products as narrow as these take.
    with threadpool_limits(1, user_api="blas"):
        found = [*_of_numbers(source, numbers), *_with_categories(source, numbers, categories)]
    found.sort(key=lambda pair: (-abs(pair.correlation), pair.feature1, pair.feature2))
    return found[:MOST_PAIRS]


def _of_numbers(source: Source, numbers: Sequence[ColumnStats]) -> Iterator[Pair]:
    if len(numbers) < 2:  # noqa: PLR2004 - a pair is two
        return
    sums = _Products(len(numbers))
    listed = ", ".join(_standardised(one) for one in numbers)
    for block in source.blocks(f"select {listed} from t"):  # noqa: S608 - places and numbers
        sums.add(np.stack(block))
    yield from sums.pearson(numbers)


def _with_categories(
    source: Source, numbers: Sequence[ColumnStats], categories: Sequence[ColumnStats]
) -> Iterator[Pair]:
    if not categories or len(numbers) + len(categories) < 2:  # noqa: PLR2004 - a pair is two
        return
    counts = _Counts(numbers, categories)
    codes = [f"coalesce(list_position(${place}, {one.sql}), 0)::bigint - 1"
             for place, one in enumerate(categories, start=1)]  # fmt: skip
    listed = ", ".join([*codes, *(_standardised(one) for one in numbers)])
    every = math.ceil(source.rows / COUNTED_ROWS)
    asked = f"select {listed} from t where place % {every} = 0"  # noqa: S608 - places and numbers
    for block in source.blocks(asked, [[value for value, _ in one.top] for one in categories]):
        counts.add(block[: len(categories)], block[len(categories) :])
    yield from counts.cramers_v()
    yield from counts.correlation_ratio()


def _standardised(column: ColumnStats) -> str:
    """Returns a number as SQL: its distance to the mean in deviations, NaN where there is none."""
    assert column.numbers is not None  # noqa: S101 - asked of numbers that vary
    plain = f"({column.sql}::double - {column.numbers.mean!r}) / {column.numbers.std!r}"
    return f"case when isfinite({column.sql}::double) then {plain} else 'nan'::double end"


class _Products:
    """What Pearson's r is made of, added up block by block."""

    def __init__(self, size: int) -> None:
        self.products, self.sums, self.squares, self.counts = (
            np.zeros((size, size)) for _ in range(4)
        )

    def add(self, values: Floats) -> None:
        """Takes the next rows of standardised numbers, a line a column."""
        there = ~np.isnan(values)
        filled, known = np.where(there, values, 0.0), there.astype(np.float64)
        self.products += filled @ filled.T
        self.sums += filled @ known.T
        self.squares += filled**2 @ known.T
        self.counts += known @ known.T

    def pearson(self, numbers: Sequence[ColumnStats]) -> Iterator[Pair]:
        """Measures numbers against numbers."""
        for one, other in combinations(range(len(numbers)), 2):
            rows = self.counts[one, other]
            mean_one, mean_other = self.sums[one, other], self.sums[other, one]
            shared = rows * self.products[one, other] - mean_one * mean_other
            spread = (rows * self.squares[one, other] - mean_one**2) * (
                rows * self.squares[other, one] - mean_other**2
            )
            if rows >= LEAST_ROWS and spread > 0:
                value = float(np.clip(shared / math.sqrt(spread), -1, 1))
                yield _pair(numbers[one], numbers[other], value, "pearson", rows)


class _Counts:
    """What the measures of categories are made of, added up block by block."""

    def __init__(self, numbers: Sequence[ColumnStats], categories: Sequence[ColumnStats]) -> None:
        self.numbers, self.categories = numbers, categories
        self.tables = {
            (one, other): np.zeros((categories[one].distinct, categories[other].distinct))
            for one, other in combinations(range(len(categories)), 2)
        }
        self.groups = [np.zeros((3, one.distinct, len(numbers))) for one in categories]

    def add(self, codes: Sequence[NDArray[np.int64]], values: Sequence[Floats]) -> None:
        """Takes the next rows: places of categories (-1 for none), and standardised numbers."""
        for (one, other), table in self.tables.items():
            both = (codes[one] >= 0) & (codes[other] >= 0)
            cells = codes[one][both] * table.shape[1] + codes[other][both]
            counted = np.bincount(cells, minlength=table.size)
            self.tables[one, other] += counted.reshape(table.shape)
        if not values:
            return
        numbers = np.stack(values, axis=1)
        there = ~np.isnan(numbers)
        filled, known = np.where(there, numbers, 0.0), there.astype(np.float64)
        for place, code in enumerate(codes):
            belongs = np.zeros((len(code), self.categories[place].distinct))
            belongs[np.flatnonzero(code >= 0), code[code >= 0]] = 1.0
            self.groups[place] += np.stack(
                [belongs.T @ known, belongs.T @ filled, belongs.T @ filled**2]
            )

    def cramers_v(self) -> Iterator[Pair]:
        """Measures categories against categories."""
        for (one, other), counted in self.tables.items():
            table = counted[counted.sum(axis=1) > 0][:, counted.sum(axis=0) > 0]
            rows, smaller = table.sum(), min(table.shape) - 1
            if rows < LEAST_ROWS or smaller < 1:
                continue
            expected = np.outer(table.sum(axis=1), table.sum(axis=0)) / rows
            value = math.sqrt(((table - expected) ** 2 / expected).sum() / rows / smaller)
            wide, narrow = sorted(
                (self.categories[one], self.categories[other]), key=lambda it: -it.distinct
            )
            yield _pair(wide, narrow, min(value, 1.0), "cramers_v", rows)

    def correlation_ratio(self) -> Iterator[Pair]:
        """Measures categories against numbers."""
        for column, (counts, sums, squares) in zip(self.categories, self.groups, strict=True):
            for place, number in enumerate(self.numbers):
                held = counts[:, place] > 0
                rows, total = counts[held, place].sum(), sums[held, place].sum()
                if rows < LEAST_ROWS:
                    continue
                whole = squares[held, place].sum() - total**2 / rows
                between = (sums[held, place] ** 2 / counts[held, place]).sum() - total**2 / rows
                if whole > 0:
                    value = math.sqrt(max(0.0, min(1.0, between / whole)))
                    yield _pair(column, number, value, "correlation_ratio", rows)


def _pair(one: ColumnStats, other: ColumnStats, value: float, measure: Measure, rows: Any) -> Pair:
    return Pair(one.name, other.name, round(value, 6), measure, int(rows))
