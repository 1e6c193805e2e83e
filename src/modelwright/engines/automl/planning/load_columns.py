"""Parquet tables into typed numpy columns; only the child process that fits reads them.

Plan and training read a column by the same functions: a number that one of them took for a text
would shift every feature behind it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from numpy.typing import NDArray

from modelwright.engines.automl.planning.label_normalisation import Spellings, rewritten
from modelwright.engines.automl.planning.plan import NUMERIC_CLASSES
from modelwright_runtime.columns import MAX_NUMBER
from modelwright_runtime.date_parsing import NO_DATE, ORDERS, Order, microseconds, order_of
from modelwright_runtime.missing_values import says_nothing
from modelwright_runtime.number_parsing import (
    BARE,
    FORMS,
    MAX_CHARACTERS,
    MAX_DIGITS,
    POINT,
    Form,
    NumberFormat,
    form_of,
    form_of_decimals,
    written_in,
)
from modelwright_runtime.text_keys import places_by_key, spelling_key

Kind = Literal["number", "category", "date", "text"] | Order | Form
"""An order of year, month and day, or a form of numbers, is that of strings that write them."""

MAX_WORD_SHARE = 0.05
"""Where no larger share of rows has words, the others write numbers."""
MAX_WORDS = 100
"""Words that are kept of such a column at most."""
ROWS_PER_READ = 1 << 18
"""Rows that are read at a time."""


@dataclass(frozen=True, slots=True)
class RawColumn:
    """One column as read: floats, level numbers (-1 missing), microseconds or strings."""

    kind: Kind
    values: NDArray[Any]
    levels: tuple[str, ...] = ()
    order: Order | None = None
    """How dates were written that are not ISO."""
    written: NumberFormat | None = None
    """How numbers were written that are strings."""


Frame = Mapping[str, RawColumn]


def read_table(tables: Sequence[Path], names: Sequence[str]) -> pa.Table:
    """Reads columns of several Parquet files as one table; a file without a column has gaps.

    Args:
        tables: Parquet files, one after the other.
        names: The columns.

    Returns:
        All rows; moments are in UTC.
    """
    parts = []
    for path in tables:
        there = set(pq.read_schema(path).names)
        rows = pq.read_table(path, columns=[name for name in names if name in there])
        parts.append(_in_utc(rows))
    return pa.concat_tables(parts, promote_options="permissive")


def read_rows(tables: Sequence[Path], names: Sequence[str], rows: NDArray[np.intp]) -> pa.Table:
    """Reads some rows of stacked Parquet files, told by their rising numbers, piece by piece.

    Args:
        tables: Parquet files, one after the other.
        names: The columns.
        rows: Numbers of rows in rising order.

    Returns:
        These rows; moments are in UTC.
    """
    parts, first = [], 0
    for path in tables:
        file = pq.ParquetFile(path)
        there = set(file.schema_arrow.names)
        for batch in file.iter_batches(
            ROWS_PER_READ, columns=[name for name in names if name in there]
        ):
            low, high = np.searchsorted(rows, [first, first + batch.num_rows])
            some = _in_utc(pa.Table.from_batches([batch]))
            whole = high - low == batch.num_rows
            parts.append(some if whole else some.take(rows[low:high] - first))
            first += batch.num_rows
    return pa.concat_tables(parts, promote_options="permissive")


def _in_utc(rows: pa.Table) -> pa.Table:
    """Takes the zone off moments: models learn from what the clocks of UTC show."""
    plain = [
        field.with_type(pa.timestamp(field.type.unit))
        if pa.types.is_timestamp(field.type) and field.type.tz
        else field
        for field in rows.schema
    ]
    return rows.cast(pa.schema(plain))


def raw_column(column: pa.ChunkedArray, kind: Kind) -> RawColumn:
    """Turns one Arrow column into numpy, by kind.

    Args:
        column: An Arrow column, n rows.
        kind: How it is read.

    Returns:
        Values, shape (n,).
    """
    if kind == "number":
        return RawColumn(kind, full_numbers(column))
    if kind == "date":
        stamps = pc.cast(column, pa.timestamp("us"), safe=False)
        whole = pc.cast(stamps, pa.int64())
        return RawColumn(kind, pc.fill_null(whole, int(NO_DATE)).to_numpy())
    for order in ORDERS:
        if kind == order:
            return RawColumn("date", stamps_of(column, order), order=order)
    for form in FORMS:
        if kind == form:
            values, written = _amounts_of(column, form)
            return RawColumn("number", values, written=written)
    words = pc.cast(column, pa.string())
    if kind == "text":
        return RawColumn(kind, np.array(pc.fill_null(words, "").to_pylist(), dtype=object))
    coded = pc.dictionary_encode(words).combine_chunks()
    if isinstance(coded, pa.ChunkedArray):
        coded = (
            coded.chunk(0) if coded.num_chunks else pa.array([], pa.string()).dictionary_encode()
        )
    codes = pc.fill_null(pc.cast(coded.indices, pa.int32()), -1).to_numpy(zero_copy_only=False)
    return _one_spelling(RawColumn(kind, codes, tuple(coded.dictionary.to_pylist())))


def _one_spelling(raw: RawColumn) -> RawColumn:
    """Reads levels that differ in case or blanks alone as the commonest of them."""
    counts = np.bincount(raw.values + 1, minlength=len(raw.levels) + 1)[1:]
    order = np.argsort(-counts, kind="stable")
    places = places_by_key(raw.levels[at] for at in order)
    if len(places) == len(raw.levels):
        return raw
    first = [order[places[spelling_key(level)]] for level in raw.levels]
    kept, codes = np.unique(first, return_inverse=True)
    values = np.append(codes, -1)[raw.values].astype(np.int32)
    return RawColumn(raw.kind, values, tuple(raw.levels[at] for at in kept))


def stamps_of(column: pa.ChunkedArray, order: Order) -> NDArray[np.int64]:
    """Returns microseconds since 1970 of strings in this order; what is no date is missing.

    Args:
        column: Strings, n rows.
        order: The order of year, month and day.

    Returns:
        Shape (n,).
    """
    texts, places = _coded(column)
    stamps = np.array([*(_stamp(text, order) for text in texts), NO_DATE], dtype=np.int64)
    return np.asarray(stamps[places])


def _amounts_of(column: pa.ChunkedArray, form: Form) -> tuple[NDArray[np.float64], NumberFormat]:
    """Returns the numbers that strings write in this form, and their unit; others are missing.

    Args:
        column: Strings, n rows.
        form: How the numbers are written.

    Returns:
        Numbers, shape (n,), NaN where missing, and form with unit.
    """
    texts, places = _coded(column)
    written = written_in(form, texts)
    known = np.array([*(_amount(text, written) for text in texts), np.nan])
    words = {text.strip() for text in texts if _is_word(text)}
    return np.asarray(known[places]), replace(written, words=tuple(sorted(words)[:MAX_WORDS]))


def written_kind(column: pa.ChunkedArray) -> Order | Form | None:
    """Returns the order or form in which all strings of a column are dates or numbers, if any.

    Those that say that nothing is known do not count.

    Args:
        column: Strings.

    Returns:
        An order, a form, or None.
    """
    texts = pc.unique(column.drop_null()).to_pylist()
    dated = order_of([text for text in texts if not says_nothing(text)])
    form = form_of(texts) or form_of_decimals(texts)
    return dated or form or _form_beside_words(column, texts)


def words_beside(column: pa.ChunkedArray) -> dict[str, int]:
    """Counts the words in a column of strings.

    Args:
        column: Strings, mostly numbers.

    Returns:
        How often each word occurs.
    """
    counted = column.drop_null().value_counts().to_pylist()
    return {one["values"]: one["counts"] for one in counted if _is_word(one["values"])}


def _form_beside_words(column: pa.ChunkedArray, texts: list[str]) -> Form | None:
    """Returns the form of numbers that nearly all rows have, where the others have only words."""
    numbers = [text for text in texts if not _is_word(text) and not says_nothing(text)]
    if not NUMERIC_CLASSES < len(numbers) < len(texts) or any(map(_is_code, numbers)):
        return None
    words = sum(words_beside(column).values())
    if not 0 < words <= MAX_WORD_SHARE * (len(column) - column.null_count):
        return None
    return form_of(numbers) or (POINT if all(map(BARE.fullmatch, numbers)) else None)


def _is_word(text: str) -> bool:
    return (
        not says_nothing(text) and len(text) <= MAX_CHARACTERS and not any(map(str.isdigit, text))
    )


def _is_code(text: str) -> bool:
    """Returns whether digits are no number: with a zero before them, or very many."""
    digits = text.strip().lstrip("-").partition(".")[0]
    return digits.isdigit() and (digits[0] == "0" != digits or len(digits) > MAX_DIGITS)


def as_written(column: pa.ChunkedArray, kind: Order | Form) -> pa.Array:
    """Returns the moments or numbers that strings write so; others are missing.

    Args:
        column: Strings, n rows.
        kind: The order of dates or the form of numbers.

    Returns:
        Timestamps or float64, n rows.
    """
    raw = raw_column(column, kind)
    if raw.kind == "date":
        stamps = pa.array(raw.values, mask=raw.values == NO_DATE)
        return stamps.cast(pa.timestamp("us"))
    return pa.array(raw.values.astype(np.float64), from_pandas=True)


def _coded(column: pa.ChunkedArray) -> tuple[list[str], NDArray[np.int64]]:
    """Returns distinct strings and which of them each row has; a gap has the one after the last."""
    coded = pc.dictionary_encode(pc.cast(column, pa.string())).combine_chunks()
    texts = coded.dictionary.to_pylist()
    places = pc.fill_null(pc.cast(coded.indices, pa.int64()), len(texts))
    return texts, places.to_numpy(zero_copy_only=False)


def _amount(text: str, written: NumberFormat) -> float:
    try:
        return written.read(text)
    except ValueError:
        return float("nan")


def _stamp(text: str, order: Order) -> int:
    try:
        return microseconds(text, order)
    except (ValueError, OverflowError):
        return NO_DATE


def target_values(
    column: pa.ChunkedArray, form: Form | None, spellings: Spellings
) -> pa.ChunkedArray:
    """Returns a target as it is learnt: numbers of strings in a form, the finite ones of others.

    Args:
        column: The target, n rows.
        form: How its strings write numbers, if they do.
        spellings: How its classes are read.

    Returns:
        The target, n rows.
    """
    if form:
        return pa.chunked_array([as_written(column, form)])
    return rewritten(finite(column), spellings)


def finite(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Returns a column without the numbers that are none, or too large to be reckoned with.

    Args:
        column: A column, n rows.

    Returns:
        The column with gaps in their place.
    """
    if not pa.types.is_floating(column.type):
        return column
    known = pc.less_equal(pc.abs(column), pa.scalar(MAX_NUMBER, column.type))
    return pc.if_else(known, column, pa.scalar(None, column.type))


def full_numbers(column: pa.ChunkedArray) -> NDArray[np.float64]:
    """Returns float64 with NaN for gaps; booleans become 0 and 1.

    Args:
        column: Numbers or booleans, n rows.

    Returns:
        Shape (n,).
    """
    if pa.types.is_boolean(column.type):
        column = pc.cast(column, pa.int8())
    floats = pc.fill_null(pc.cast(column, pa.float64(), safe=False), float("nan"))
    return np.asarray(floats.to_numpy(), dtype=np.float64)
