"""Learns the compiled columns from a frame, and encodes frames as training matrices."""

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from modelwright.engines.automl.features.text_features import fit_vocabulary
from modelwright.engines.automl.planning.load_columns import Frame, RawColumn
from modelwright_runtime.columns import (
    MAX_NUMBER,
    AmountColumn,
    CategoryColumn,
    Column,
    DateColumn,
    Features,
    NominalIntegerColumn,
    NumberColumn,
    TextColumn,
)
from modelwright_runtime.date_parsing import NO_DATE
from modelwright_runtime.encoder import Encoder
from modelwright_runtime.geo_features import POLE_DEGREES, LatLon, named_places

MAX_LEVELS = 10_000
"""A category keeps at most this many levels; the others count as unseen."""
MAX_ONE_HOT = 25
"""Up to this many levels, each of them has a feature of its own."""
MIN_LARGE_NUMBER = 2.0**24
"""Numbers above this one are not exact as 32-bit floats."""
MAX_EXACT_DOUBLE = 2.0**53
"""Up to this one they are exact as 64-bit floats."""
MIN_DISTINCT_FACTOR = 1.05
"""An origin is worth it that tells so many times as many values apart."""
MAX_DURATIONS = 10
"""At most this many pairs of dates get a duration."""

Block = Callable[[], Features]
"""Encodes a column when it is called, shape (n, width)."""


@dataclass(frozen=True, slots=True)
class CategoryCodes:
    """A category as learnt: the row of its table that each training row reads."""

    column: int
    at: int
    rows: NDArray[np.int32]
    levels: int


@dataclass(frozen=True, slots=True)
class Encoded:
    """Training rows as features, with the categories whose target statistics are still to come."""

    encoder: Encoder
    features: Features
    coded: tuple[CategoryCodes, ...]


def fit_encoder(
    frame: Frame,
    types: Mapping[str, str],
    statistics: int,
    known: NDArray[np.intp],
    naming: Collection[str] = (),
) -> Encoded:
    """Learns every column from the known rows of a frame and encodes all of its rows.

    `statistics` target statistics are left blank for each category of more than two levels; see
    `statistics.py` for what fills them. The integers in `naming` are read as categories too.

    Args:
        frame: Columns by their name, n rows.
        types: Types of the columns, in the contract's words.
        statistics: Target statistics that a category has.
        known: Numbers of the rows to learn from; all rows are encoded.
        naming: Names of integers that name things.

    Returns:
        The encoder with features of all rows, float32, shape (n, width).
    """
    columns: list[Column] = []
    blocks: list[Block] = []
    coded: list[CategoryCodes] = []
    at = 0
    for name, raw in frame.items():
        column, block, rows = _learn(name, types[name], raw, statistics, known)
        first = at
        blocks.append(block)
        if name in naming and isinstance(column, NumberColumn):
            category, more, rows = _learn_category(
                name, types[name], _as_levels(raw), statistics, known
            )
            column = NominalIntegerColumn(column, category)
            blocks.append(more)
            first += 1
        if rows is not None and len(_levels(column)) > 2:  # noqa: PLR2004 - two levels need one slot
            coded.append(CategoryCodes(len(columns), first, rows, len(_levels(column))))
        columns.append(column)
        at += column.width
    durations = _durations(frame)
    blocks.extend(partial(_seconds, frame, *pair) for pair in durations)
    encoder = Encoder(tuple(columns), durations, _places(columns, frame, known))
    features = _filled(blocks, encoder, len(next(iter(frame.values())).values) if frame else 0)
    return Encoded(encoder, encoder.locate(features), tuple(coded))


def _filled(blocks: Sequence[Block], encoder: Encoder, count: int) -> Features:
    """Encodes block after block in their place: all beside the whole would be twice the memory."""
    features = np.zeros((count, encoder.width), np.float32)
    at = 0
    for block in blocks:
        made = block()
        features[:, at : at + made.shape[1]] = made
        at += made.shape[1]
    return features


def _learn(
    name: str, kind: str, raw: RawColumn, statistics: int, known: NDArray[np.intp]
) -> tuple[Column, Block, NDArray[np.int32] | None]:
    """Learns how a column is encoded; returns it with what makes its features."""
    if raw.kind == "number":
        gaps = bool(np.isnan(raw.values).any())
        if raw.written:
            return AmountColumn(name, kind, gaps, raw.written), partial(_amounts, raw), None
        number = NumberColumn(name, kind, gaps, origin=_origin(raw.values[known]))
        return number, partial(number.features, raw.values), None
    if raw.kind == "date":
        stamps = raw.values[known]
        there = stamps[stamps != NO_DATE]
        start = int(there.min()) // 1000 if len(there) else 0
        date = DateColumn(name, kind, len(there) < len(stamps), start, raw.order)
        return date, partial(date.parts, raw.values), None
    if raw.kind == "text":
        gaps = bool((raw.values == "").any())
        text = TextColumn(name, kind, gaps, fit_vocabulary(raw.values[known]), counted=True)
        return text, lambda: text.many(raw.values.tolist()), None
    return _learn_category(name, kind, raw, statistics, known)


def _amounts(raw: RawColumn) -> Features:
    return np.asarray(np.clip(raw.values, -MAX_NUMBER, MAX_NUMBER)[:, None], dtype=np.float32)


def _origin(values: NDArray[np.float64]) -> float:
    """Returns the middle of large numbers, where they differ by less than float32 keeps, else 0."""
    values = values[~np.isnan(values)]
    if not MIN_LARGE_NUMBER < np.abs(values).max(initial=0.0) <= MAX_EXACT_DOUBLE:
        return 0.0
    middle = float(np.rint(np.median(values)))
    there, moved = (len(np.unique((values - one).astype(np.float32))) for one in (0.0, middle))
    return middle if moved > MIN_DISTINCT_FACTOR * there else 0.0


def _levels(column: Column) -> tuple[str, ...]:
    return column.levels if isinstance(column, CategoryColumn | NominalIntegerColumn) else ()


def _as_levels(raw: RawColumn) -> RawColumn:
    """Returns whole numbers as a category's levels."""
    values, codes = np.unique(raw.values, return_inverse=True)
    missing = int(np.isnan(values).any())
    levels = tuple(str(int(value)) for value in values[: len(values) - missing])
    return RawColumn("category", np.where(codes < len(levels), codes, -1), levels)


def _learn_category(
    name: str, kind: str, raw: RawColumn, statistics: int, known: NDArray[np.intp]
) -> tuple[CategoryColumn, Block, NDArray[np.int32]]:
    counts = np.bincount(raw.values[known] + 1, minlength=len(raw.levels) + 1)
    missing, counts = int(counts[0]), counts[1:]
    order = np.argsort(-counts, kind="stable")
    rare = 2 if (counts == 1).sum() > MAX_ONE_HOT else 1
    kept = [int(level) for level in order if counts[level] >= rare][:MAX_LEVELS]
    place = np.full(len(raw.levels) + 1, len(kept) + 1, dtype=np.int32)
    place[-1] = len(kept)
    place[kept] = np.arange(len(kept))
    levels = tuple(raw.levels[level] for level in kept)
    column = CategoryColumn(name, kind, missing > 0, levels, _table(len(kept), statistics))
    rows = place[raw.values]
    return column, partial(column.table.__getitem__, rows), rows


def _table(levels: int, statistics: int) -> Features:
    """Lays out one row a level, missing, unseen: code by frequency, one-hot, statistics."""
    code = np.arange(levels + 2, dtype=np.float32)[:, None]
    if levels <= 2:  # noqa: PLR2004 - two levels need one slot
        return code
    hot = np.eye(levels + 2, levels, dtype=np.float32) if levels <= MAX_ONE_HOT else code[:, :0]
    return np.concatenate([code, hot, np.zeros((levels + 2, statistics), np.float32)], axis=1)


def with_tables(encoder: Encoder, tables: Mapping[int, Features]) -> Encoder:
    """Returns the encoder with the tables of some of its categories replaced.

    Args:
        encoder: The encoder.
        tables: Tables, shape (levels + 1, width), by the number of their column.

    Returns:
        A copy.
    """
    columns: list[Any] = list(encoder.columns)
    for place, table in tables.items():
        columns[place] = columns[place].with_table(table)
    return replace(encoder, columns=tuple(columns))


def _places(columns: Sequence[Column], frame: Frame, known: NDArray[np.intp]) -> tuple[LatLon, ...]:
    numbers = [one.name for one in columns if isinstance(one, NumberColumn | NominalIntegerColumn)]
    found = []
    for latitude, longitude in named_places(numbers):
        degrees = frame[latitude].values[known]
        degrees = degrees[np.abs(degrees) <= POLE_DEGREES]
        middle = float(np.median(degrees)) if len(degrees) else 0.0
        found.append(LatLon(latitude, longitude, math.cos(math.radians(middle))))
    return tuple(found)


def _durations(frame: Frame) -> tuple[tuple[str, str], ...]:
    dates = [name for name, raw in frame.items() if raw.kind == "date"]
    return tuple(combinations(dates, 2))[:MAX_DURATIONS]


def _seconds(frame: Frame, earlier: str, later: str) -> NDArray[np.float32]:
    first, second = frame[earlier].values, frame[later].values
    seconds = ((second - first) // 1000 / 1000).astype(np.float32)
    seconds[(first == NO_DATE) | (second == NO_DATE)] = np.nan
    return np.asarray(seconds[:, None])
