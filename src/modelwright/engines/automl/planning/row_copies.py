"""Rows that are there more than once: copies, or rows that few values make alike by chance.

What is not learnt from does not count: rows that differ in their number alone are copies.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from modelwright.engines.facts import ColumnFacts
from modelwright.engines.quoting import quoted

MAX_CELLS_COMPARED = 5_000_000
"""Values that are compared for copies of rows, about; copies are chosen together or not at all."""
PAIR_PROBABILITY = 0.5
"""The probability with which chance may have made a single pair of equal rows."""
CHANCE_COPY_SHARE = 0.01
"""Of copies chance may have made this share."""
TAIL_PROBABILITY = 0.01
"""The probability with which a count lies beyond either bound that is taken for it."""
MIN_REPEATED_KINDS = 7
"""So many kinds of rows at least do not all come in the same multiples by chance: 1 in 128."""
MAX_TIMES = 60
"""Rows that are there more often than this are not told apart by how often they are."""


@dataclass(frozen=True, slots=True)
class RowCopies:
    """What was found of rows that are the same in every column."""

    looked: int
    """Rows that were compared."""
    again: int = 0
    """Rows that are copies of an earlier one; 0 where chance may have made them alike."""
    repetitions: int = 1
    """How many times the whole table is there."""


def find_copies(target: ColumnFacts, features: Sequence[ColumnFacts], whole: pa.Table) -> RowCopies:
    """Counts rows that are copies of an earlier one, if chance cannot have made them alike.

    Either so many values hardly meet twice, or the rows are there in multiples that rows drawn one
    by one never come in, however few their values are and however these depend on each other.

    Args:
        target: The column to predict.
        features: The columns that are learnt from.
        whole: The rows.

    Returns:
        How many copies there are, and how many times the whole table is.
    """
    names = [target.name, *(one.name for one in features)]
    counts = _how_often(whole, names)
    looked = int(counts.sum())
    again = looked - len(counts)
    if not again:
        return RowCopies(looked)
    repetitions = _repetitions(counts)
    chance = looked * whole.num_rows / 2 * 0.5 ** sum(map(_bits, (target, *features)))
    is_rare = chance <= max(PAIR_PROBABILITY, CHANCE_COPY_SHARE * again)
    if is_rare or repetitions > 1 or not drawn_one_by_one(counts):
        return RowCopies(looked, again, repetitions)
    return RowCopies(looked)


def _how_often(whole: pa.Table, names: Sequence[str]) -> NDArray[np.int64]:
    """Counts how often each row is there; of very many cells, of rows that their values choose."""
    import duckdb  # noqa: PLC0415 - heavy, kept out of start-up

    columns = ", ".join(map(quoted, names))
    every = -(-whole.num_rows * len(names) // MAX_CELLS_COMPARED)
    with duckdb.connect() as db:
        chosen = db.from_arrow(whole).filter(f"hash({columns}) % {every} = 0")
        counted = chosen.aggregate("count(*) as n", columns)
        return np.asarray(counted.fetchnumpy()["n"], dtype=np.int64)


def _bits(column: ColumnFacts) -> float:
    """Tells how rarely two rows are alike in a column: by one pair in two to the power of this."""
    if not column.distinct:
        return 0.0
    gaps = column.missing / column.rows
    if len(column.top) < column.distinct:
        alike = (1 - gaps) ** 2 / column.distinct
    else:
        alike = sum((count / column.rows) ** 2 for _, count in column.top)
    return -math.log2(alike + gaps**2)


def _repetitions(counts: NDArray[np.int64]) -> int:
    """Returns of how many alike parts a table is made: what divides how often each row is there."""
    return int(np.gcd.reduce(counts)) if len(counts) >= MIN_REPEATED_KINDS else 1


def drawn_one_by_one(counts: NDArray[np.int64]) -> bool:
    """Returns whether rows may have been drawn independently from any distribution whatever.

    How many kinds of rows are there k times, m(k), are then moments of a mixture of Poisson laws
    but for a factor: k! m(k) is log-convex in k (Cauchy and Schwarz). Copies break that: a table
    that is there twice has kinds that are there two times and none that are there one or three.

    Args:
        counts: How often each kind of row is there.

    Returns:
        False where that is all but impossible.

    >>> drawn_one_by_one(np.array([2] * 100)), drawn_one_by_one(np.array([1] * 90 + [2] * 10))
    (False, True)
    """
    from scipy.special import gammaincinv  # noqa: PLC0415 - heavy, kept out of start-up

    kinds = np.bincount(counts, minlength=3)[: MAX_TIMES + 2].astype(np.float64)
    kinds = np.append(kinds, 0.0)
    least = np.where(kinds > 0, gammaincinv(np.maximum(kinds, 1), TAIL_PROBABILITY), 0.0)
    most = gammaincinv(kinds + 1, 1 - TAIL_PROBABILITY)
    times = np.arange(2, len(kinds) - 1)
    bound = (times + 1) / times * most[times - 1] * most[times + 1]
    return bool((least[times] ** 2 <= bound).all())


def row_numbers(table: pa.Table) -> NDArray[np.intp]:
    """Numbers rows, alike ones alike.

    Args:
        table: The columns that rows are compared by.

    Returns:
        A number for each row from 0 on, shape (n,).
    """
    numbers = np.zeros(table.num_rows, dtype=np.intp)
    for column in table.columns:
        coded = pc.dictionary_encode(column.combine_chunks(), null_encoding="encode")
        codes = coded.indices.to_numpy(zero_copy_only=False).astype(np.intp)
        joint = numbers * (int(codes.max(initial=0)) + 1) + codes
        numbers = np.unique(joint, return_inverse=True)[1].astype(np.intp)
    return numbers


def first_of_each(table: pa.Table, repetitions: int) -> NDArray[np.intp]:
    """Finds the rows that are no copy of an earlier one.

    Args:
        table: The columns that rows are compared by.
        repetitions: How many times the whole table is there.

    Returns:
        Their places in rising order, shape (rows that are no copies,).
    """
    alike = numbered(row_numbers(table), repetitions)
    return np.sort(np.unique(alike, return_index=True)[1]).astype(np.intp)


def numbered(rows: NDArray[np.intp], repetitions: int) -> NDArray[np.intp]:
    """Numbers the copies of each row alike; where a whole table is repeated, one set after another.

    Rows of few values are alike in the table that was repeated too. These are no copies: the sets
    of a kind of row may lie on different sides of a split, as its rows would in that table.

    Args:
        rows: A number for each row, alike ones alike, shape (n,).
        repetitions: How many times the whole table is there.

    Returns:
        A number for each row, the same for copies, shape (n,).
    """
    if repetitions == 1:
        return rows
    order = np.argsort(rows, kind="stable")
    starts = np.flatnonzero(np.diff(rows[order], prepend=-1))
    lengths = np.diff(starts, append=len(rows))
    place = np.empty(len(rows), dtype=np.intp)
    place[order] = np.arange(len(rows)) - np.repeat(starts, lengths)
    sets = place // repetitions
    joint = rows * (int(sets.max(initial=0)) + 1) + sets
    return np.asarray(np.unique(joint, return_inverse=True)[1], dtype=np.intp)
