"""Tells by the data alone whether a column's values stand for subjects that have several rows.

A kind, such as a colour, tells little of the other columns. A subject (a patient, a firm, a match)
is known again by them: either several columns are the same in all its rows and their nearest
neighbours are rows of the same subject; or another column, such as a visit, numbers its rows, so
that the two never meet twice though by chance they would.

Where nothing but the target repeats, a subject is told from a kind only where its rows were gone
through one after the other, and its values are keys: they have digits, as names of towns or
departments do not. How many rows a value has does not tell alone: hours of a calendar have equally
many, and zip codes few.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from modelwright.engines.facts import ColumnFacts
from modelwright_runtime.date_parsing import month_called
from modelwright_runtime.forest import Ints
from modelwright_runtime.objective import Floats

_WORD = re.compile(r"[^\W\d_]+")
MAX_ROWS = 1200
"""Rows that are looked at: of all values that fit in, chosen at random, all rows."""
MAX_ROWS_OF_VALUE = 60
"""Rows of one value that are looked at for numbers of its rows."""
MAX_ROWS_KNOWN_AGAIN = 12
"""Rows of one value that are looked at for what they have alike: few, so that many values are."""
MIN_SUBJECTS = 20
"""Subjects of which there must be so many at least."""
MAX_COLUMNS = 40
"""Columns that are looked at beside the one in question."""
MAX_WORDS = 20
"""Commonest values of a column of words, as which it is compared."""
SAME_IN_ALL_ROWS = 0.8
"""From this intraclass correlation on, a column is nearly the same in all rows of a subject."""
MIN_SAME_COLUMNS = 2
"""Columns that are so, at least: one alone may be a group that kinds belong to."""
MIN_SHARE_KNOWN_AGAIN = 0.5
"""From this share on of rows whose nearest neighbour is of the same value, values are subjects."""
MIN_MEETINGS_BY_CHANCE = 20.0
"""Pairs of rows that would be alike in both columns by chance: that none is has the probability of
its negative exponential."""
MIN_GRID_FILLED = 0.25
"""Share of the meetings of subjects and their numbers that there are, at least."""
SMOOTH_RATIO = 0.25
"""Below this ratio of von Neumann, means change slowly from one value to the next."""
MIN_SHARE_WITH_DIGITS = 0.9
"""From this share on of values with a digit, strings are keys."""
EQUAL_SIZES = -4.0
"""Standard errors below what chance makes from which on values have equally many rows."""
MIN_RISING = 0.25
"""Share of values that are followed by a higher one where a table is not sorted downwards."""
MAX_RISING = 0.75
"""The same share where a table is not sorted upwards."""
NEAR_UNIQUE_SHARE = 0.9
"""A column of words of which more rows differ describes rows."""


@dataclass(frozen=True, slots=True)
class Attribute:
    """What a column says of rows, to be compared from row to row."""

    values: Floats
    """Shape (n,): ranks from 0 to 1, with -1 for a gap, or a code for each word."""
    is_number: bool


def stands_for_subjects(
    facts: ColumnFacts, others: Sequence[ColumnFacts], rows: pa.Table, target: Floats
) -> bool:
    """Returns whether the values of a column stand for subjects, whatever it is called.

    Args:
        facts: The column, of words or whole numbers.
        others: The other columns that may be learnt from.
        rows: All rows whose target is known.
        target: The target of these rows, shape (n, columns).

    Returns:
        False for kinds and for quantities.
    """
    there = np.flatnonzero(pc.is_valid(rows[facts.name]).to_numpy())
    whole = _codes(rows[facts.name].take(pa.array(there)), by_value=True)
    if int(whole.max(initial=-1)) + 1 < MIN_SUBJECTS:
        return False
    in_order = facts.type == "integer"
    beside = rows.select([one.name for one in others[:MAX_COLUMNS]])
    chosen = _of_some_values(whole, MAX_ROWS_KNOWN_AGAIN)
    if _known_again(_places(whole[chosen]), beside.take(there[chosen]), in_order=in_order):
        return True
    if in_order and _changes_slowly(whole, target[there, 0]):  # a quantity, or a time
        return False
    if not in_order and not _are_keys(rows[facts.name]):
        return False
    chosen = _of_some_values(whole, MAX_ROWS_OF_VALUE)
    return gone_through(whole) or _numbered_rows(_places(whole[chosen]), beside.take(there[chosen]))


def _places(groups: Ints) -> Ints:
    """Numbers the values that there are, in their order."""
    return np.unique(groups, return_inverse=True)[1]


def gone_through(groups: Ints) -> bool:
    """Returns whether rows lie as those of subjects do, which were gone through one by one.

    The rows of each value are together, and either these are not sorted, or they have equally many
    rows, more so than drawing makes them (the index of dispersion, by Wilson and Hilferty's root of
    chi-square). Equally many alone are hours of a calendar too.

    Args:
        groups: A code for each row, in the order of values, shape (n,) in the order of the table.

    Returns:
        Whether they are.
    """
    places = np.arange(float(len(groups)))[:, None]
    if intraclass(groups, places) <= SAME_IN_ALL_ROWS:
        return False
    first = np.unique(groups, return_index=True)[1]
    rising = float((np.diff(np.argsort(first)) > 0).mean())
    return MIN_RISING < rising < MAX_RISING or _equally_many(np.bincount(groups).astype(float))


def _equally_many(sizes: Floats) -> bool:
    mean, free = float(sizes.mean()), len(sizes) - 1
    error = (2 / (9 * free)) ** 0.5
    dispersion = float(((sizes - mean) ** 2).sum()) / mean / free
    return bool((dispersion ** (1 / 3) - (1 - error**2)) / error < EQUAL_SIZES)


def _are_keys(column: pa.ChunkedArray) -> bool:
    """Returns whether strings are keys, such as `P0034` or hashes, neither words nor months."""
    values = pc.unique(column.drop_null()).to_pylist()
    with_digits = sum(any(map(str.isdigit, one)) for one in values)
    months = sum(any(map(month_called, _WORD.findall(one))) for one in values)
    return max(with_digits - months, 0) >= MIN_SHARE_WITH_DIGITS * len(values)


def _of_some_values(groups: Ints, rows_each: int) -> Ints:
    """Chooses values at random and returns the places of their rows, about `MAX_ROWS`."""
    maker = np.random.default_rng(0)
    sizes = np.minimum(np.bincount(groups), rows_each)
    order = maker.permutation(len(sizes))
    many = int(np.searchsorted(np.cumsum(sizes[order]), MAX_ROWS, side="right"))
    chosen = np.zeros(len(sizes), dtype=bool)
    chosen[order[: max(many, MIN_SUBJECTS)]] = True
    rows = maker.permutation(np.flatnonzero(chosen[groups]))
    rows = rows[np.argsort(groups[rows], kind="stable")]
    starts = np.flatnonzero(np.diff(groups[rows], prepend=-1))
    place = np.arange(len(rows)) - np.repeat(starts, np.diff(starts, append=len(rows)))
    return np.sort(rows[place < rows_each])


def _known_again(groups: Ints, sample: pa.Table, *, in_order: bool) -> bool:
    """Returns whether rows are nearest to rows of their own value, by what these have alike."""
    alike: list[Attribute] = []
    for name in sample.column_names:
        attribute = _attribute(sample[name], groups)
        if attribute is not None and _is_same(groups, attribute):
            alike.append(attribute)
    if len(alike) < MIN_SAME_COLUMNS:
        return False
    numbers = [one for one in alike if one.is_number]
    slow = sum(_changes_slowly(groups, one.values) for one in numbers)
    if in_order and numbers and 2 * slow >= len(numbers):  # a quantity, such as hours
        return False
    return _share_known_again(groups, alike) >= MIN_SHARE_KNOWN_AGAIN


def _attribute(column: pa.ChunkedArray, groups: Ints) -> Attribute | None:
    """Returns a column as it is compared; None where it only is another name of the values.

    Decimal numbers are no names, however exactly they tell the values.
    """
    codes = _codes(column)
    distinct = int(codes.max()) + 1
    if distinct == 1:
        return None
    pairs = len(np.unique(codes * (int(groups.max()) + 1) + groups))
    is_number = _is_number(column)
    is_repeated = distinct <= NEAR_UNIQUE_SHARE * len(codes)
    if pairs == distinct and is_repeated and not pa.types.is_floating(column.type):
        return None
    if is_number:
        return Attribute(_ranks(column), is_number=True)
    return Attribute(codes.astype(np.float64), is_number=False) if is_repeated else None


def _is_number(column: pa.ChunkedArray) -> bool:
    kind = column.type
    types = pa.types
    return any(
        is_kind(kind)
        for is_kind in (types.is_integer, types.is_floating, types.is_decimal, types.is_temporal)
    )


def _ranks(column: pa.ChunkedArray) -> Floats:
    """Returns the order of values among those that differ, from 0 to 1; -1 for a gap."""
    codes = _codes(column, by_value=True)
    there = pc.is_valid(column).to_numpy()
    most = max(int(codes[there].max(initial=0)), 1)
    return np.where(there, codes / most, -1.0)


def _is_same(groups: Ints, attribute: Attribute) -> bool:
    if attribute.is_number:
        return intraclass(groups, attribute.values[:, None]) > SAME_IN_ALL_ROWS
    codes = attribute.values.astype(np.int64)
    common = np.argsort(-np.bincount(codes), kind="stable")[:MAX_WORDS]
    indicators = (codes[:, None] == common).astype(np.float64)
    return intraclass(groups, indicators) > SAME_IN_ALL_ROWS


def _share_known_again(groups: Ints, alike: Sequence[Attribute]) -> float:
    """Returns the share of rows whose nearest neighbours are of the same value, ties in parts."""
    distances = np.zeros((len(groups), len(groups)), dtype=np.float32)
    for one in alike:
        values = one.values.astype(np.float32)
        apart = values[:, None] - values
        distances += np.abs(apart) if one.is_number else apart != 0
    np.fill_diagonal(distances, np.inf)
    nearest = distances <= distances.min(axis=1, keepdims=True) + np.float32(1e-6)
    same = (nearest & (groups[:, None] == groups)).sum(axis=1) / nearest.sum(axis=1)
    return float(same[np.bincount(groups)[groups] > 1].mean())


def _numbered_rows(groups: Ints, sample: pa.Table) -> bool:
    """Returns whether a column numbers the rows of each value: the two never meet twice."""
    rows, many = len(groups), int(groups.max()) + 1
    sizes = np.bincount(groups)
    alike = float((sizes * (sizes - 1)).sum()) / (rows * (rows - 1))
    for name in sample.column_names:
        codes = _codes(sample[name])
        distinct = int(codes.max()) + 1
        # Of two that cross, such as days and hours, what there are fewer of numbers the others.
        if not 1 < distinct < many or rows < MIN_GRID_FILLED * many * distinct:
            continue
        by_chance = rows * (rows - 1) / 2 * alike * float(((np.bincount(codes) / rows) ** 2).sum())
        is_surprising = by_chance >= MIN_MEETINGS_BY_CHANCE
        if is_surprising and len(np.unique(groups * distinct + codes)) == rows:
            return True
    return False


def _changes_slowly(groups: Ints, values: Floats) -> bool:
    """Returns whether means change little from one value to the next: a quantity, not a name."""
    means = np.bincount(groups, values) / np.bincount(groups)
    spread = float(means.var())
    return spread > 0 and float((np.diff(means) ** 2).mean()) / 2 < SMOOTH_RATIO * spread


def _codes(column: pa.ChunkedArray, *, by_value: bool = False) -> Ints:
    """Returns a code for each row, a gap being a value; `by_value` in the order of values."""
    coded = pc.dictionary_encode(column.combine_chunks(), null_encoding="encode")
    codes = np.asarray(coded.indices.to_numpy(zero_copy_only=False), np.int64)
    if not by_value:
        return codes
    order = pc.array_sort_indices(coded.dictionary).to_numpy()
    place = np.empty(len(order), dtype=np.int64)
    place[order] = np.arange(len(order))
    return np.asarray(place[codes])


def intraclass(groups: Ints, values: Floats) -> float:
    """Returns the intraclass correlation of one-way analysis of variance (Shrout and Fleiss, 1979).

    `groups` holds a code for each row, `values` has the shape (rows, columns), whose squares are
    summed. 0 is chance, 1 is rows of a group wholly alike.

    Args:
        groups: A code for each row, shape (n,).
        values: Shape (n, columns).

    Returns:
        At most 1.
    """
    sizes = np.bincount(groups)
    many, rows = np.count_nonzero(sizes), len(groups)
    if many in (1, rows):
        return 0.0
    centred = values - values.mean(axis=0)
    sums = [np.bincount(groups, column) for column in centred.T]
    between = sum(float((total**2 / np.maximum(sizes, 1)).sum()) for total in sums)
    within = max(float((centred**2).sum()) - between, 0.0) / (rows - many)
    usual = usual_size(sizes)
    spread = between / (many - 1)
    whole = spread + (usual - 1) * within
    return (spread - within) / whole if whole > 0 else 0.0


def usual_size(sizes: Ints) -> float:
    """Returns the size of a group that stands for unlike ones.

    Args:
        sizes: Rows of each group.

    Returns:
        At least 1.
    """
    rows, many = int(sizes.sum()), np.count_nonzero(sizes)
    return float(rows - (sizes**2).sum() / rows) / (many - 1)
