"""How strongly two columns go together, each pair by the measure of its kinds.

- number-number: Pearson's r over the rows where both are there, on all rows;
- category-category: Cramér's V (Cramér 1946), without correction;
- category-number: the correlation ratio η (Fisher 1925), 0 to 1.

Categories are texts and truths of 2 to 50 values. Their pairs are counted on at most 250,000
rows, evenly spread (a standard error of 0.002); a pair tells how many rows it
stands on. The table is read once, in blocks.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Literal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

from modelwright.engines.profile.counting import Column
from modelwright.engines.profile.source import Source

Floats = NDArray[np.float64]
Measure = Literal["pearson", "cramers_v", "correlation_ratio"]
MOST_VALUES = 50
MOST_NUMBERS, MOST_CATEGORIES = 100, 50
MOST_PAIRS = 1000
COUNTED_ROWS = 250_000
BLOCK = 65_536
LEAST_ROWS = 3


@dataclass(frozen=True, slots=True)
class Pair:
    """Two columns and how strongly they go together, -1 to 1 or 0 to 1."""

    feature1: str
    feature2: str
    correlation: float
    measure: Measure
    rows: int
    """Rows it was measured on: those where both columns have a value."""


def numbers_of(columns: Sequence[Column]) -> list[Column]:
    """Chooses the number columns that vary."""
    varied = [one for one in columns if one.numbers and one.numbers.std]
    return varied[:MOST_NUMBERS]


def categories_of(columns: Sequence[Column]) -> list[Column]:
    """Chooses the columns whose values are categories."""
    kinds = {"string", "boolean"}
    return [
        one
        for one in columns
        if one.type in kinds and 1 < one.distinct <= min(MOST_VALUES, one.present / 2)
    ][:MOST_CATEGORIES]


def pairs(source: Source, columns: Sequence[Column], *, of_categories: bool) -> list[Pair]:
    """Measures every pair of columns, strongest first, at most `MOST_PAIRS`."""
    places = {column.sql: place for place, column in enumerate(columns)}
    numbers = numbers_of(columns)
    categories = categories_of(columns) if of_categories else []
    if len(numbers) + len(categories) < 2:  # noqa: PLR2004 - a pair is two
        return []
    sums = _Sums(source.rows, numbers, categories)
    wanted = [places[column.sql] for column in (*numbers, *categories)]
    # Several threads wait for each other longer than products as narrow as these take.
    with threadpool_limits(1, user_api="blas"), pq.ParquetFile(source.path) as file:
        schema_names = file.schema_arrow.names
        for block in file.iter_batches(BLOCK, columns=[schema_names[place] for place in wanted]):
            sums.add({name: block.column(name) for name in block.schema.names})
    found = [*sums.pearson(), *sums.cramers_v(), *sums.correlation_ratio()]
    found.sort(key=lambda pair: (-abs(pair.correlation), pair.feature1, pair.feature2))
    return found[:MOST_PAIRS]


class _Sums:
    """What all measures are made of, added up block by block."""

    def __init__(self, rows: int, numbers: Sequence[Column], categories: Sequence[Column]) -> None:
        self.numbers, self.categories = numbers, categories
        self.every = max(1, math.ceil(rows / COUNTED_ROWS))
        self.seen = 0
        told = [column.numbers for column in numbers]
        self.means = np.array([one.mean for one in told if one])
        self.scales = np.array([one.std for one in told if one])
        size = len(numbers)
        self.products, self.sums, self.squares, self.counts = (
            np.zeros((size, size)) for _ in range(4)
        )
        self.sets = [pa.array([value for value, _ in one.top]) for one in categories]
        self.tables = {
            (one, other): np.zeros((categories[one].distinct, categories[other].distinct))
            for one, other in combinations(range(len(categories)), 2)
        }
        self.groups = [np.zeros((3, one.distinct, size)) for one in categories]

    def add(self, block: dict[str, pa.Array]) -> None:
        """Takes the next rows."""
        values = self._standardised(block)
        there = ~np.isnan(values)
        filled = np.where(there, values, 0.0)
        known = there.astype(np.float64)
        self.products += filled.T @ filled
        self.sums += filled.T @ known
        self.squares += (filled**2).T @ known
        self.counts += known.T @ known
        if self.categories:
            first = -self.seen % self.every
            self._count(block, filled[first :: self.every], known[first :: self.every], first)
        self.seen += len(values)

    def _standardised(self, block: dict[str, pa.Array]) -> Floats:
        rows = len(next(iter(block.values())))
        values = np.empty((rows, len(self.numbers)))
        for place, column in enumerate(self.numbers):
            cast = pc.cast(block[column.name], pa.float64(), safe=False)
            values[:, place] = cast.to_numpy(zero_copy_only=False)
        values[np.isinf(values)] = np.nan
        return np.asarray((values - self.means) / self.scales)

    def _count(self, block: dict[str, pa.Array], filled: Floats, known: Floats, first: int) -> None:
        codes = []
        chosen = pa.array(np.arange(first, len(block[self.categories[0].name]), self.every))
        for column, values in zip(self.categories, self.sets, strict=True):
            found = pc.index_in(block[column.name].take(chosen), value_set=values)
            codes.append(pc.fill_null(found, -1).to_numpy(zero_copy_only=False).astype(np.int64))
        for (one, other), table in self.tables.items():
            both = (codes[one] >= 0) & (codes[other] >= 0)
            cells = codes[one][both] * table.shape[1] + codes[other][both]
            counted = np.bincount(cells, minlength=table.size)
            self.tables[one, other] += counted.reshape(table.shape)
        for place, code in enumerate(codes):
            belongs = np.zeros((len(code), self.categories[place].distinct))
            belongs[np.flatnonzero(code >= 0), code[code >= 0]] = 1.0
            self.groups[place] += np.stack(
                [belongs.T @ known, belongs.T @ filled, belongs.T @ filled**2]
            )

    def pearson(self) -> Iterator[Pair]:
        """Measures numbers against numbers."""
        for one, other in combinations(range(len(self.numbers)), 2):
            rows = self.counts[one, other]
            mean_one, mean_other = self.sums[one, other], self.sums[other, one]
            shared = rows * self.products[one, other] - mean_one * mean_other
            spread = (rows * self.squares[one, other] - mean_one**2) * (
                rows * self.squares[other, one] - mean_other**2
            )
            if rows >= LEAST_ROWS and spread > 0:
                value = float(np.clip(shared / math.sqrt(spread), -1, 1))
                yield _pair(self.numbers[one], self.numbers[other], value, "pearson", rows)

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


def _pair(one: Column, other: Column, value: float, measure: Measure, rows: Any) -> Pair:
    return Pair(one.name, other.name, round(value, 6), measure, int(rows))
