"""Scores Arrow batches with a predictor. Child processes only: it imports pyarrow.

What is in a file need not be typed as JSON is: values that spell the schema's type are read as it.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from modelwright.engines.number_units import said_of_other_units, unit_written
from modelwright_runtime import columns
from modelwright_runtime.date_parsing import EPOCH, MICROSECOND, NO_DATE, microseconds
from modelwright_runtime.input_validation import BARE, WIDEST, find_problem
from modelwright_runtime.prediction_batch import PredictionBatch
from modelwright_runtime.predictor import CHUNK_ROWS, Predictor, spelt

BOOLEANS = {"true": 1.0, "false": 0.0}
PREDICTION = "prediction"
ENDS = ("interval_low", "interval_high")
Added = list[tuple[str, pa.Array]]
CategoryCodes = tuple[list[Any], NDArray[np.intp]]
"""Distinct values, and which of them each row has."""


class RowTypeError(ValueError):
    """A value that the model cannot take; the sentence names its row and column."""


class Scorer:
    """Adds columns to batches; `include` may name `probabilities`, `interval`, `explanation`."""

    def __init__(self, predictor: Predictor, include: Sequence[str] = ()) -> None:
        self._predictor = predictor
        self._include = include
        self._columns = predictor.columns
        self._classes = pa.array(predictor.classes) if predictor.classes else None
        self._probabilities = [f"probability_{spelt(one)}" for one in predictor.classes]

    def score(self, batch: pa.RecordBatch, first: int) -> Added:
        """Returns the columns to add to a batch that begins with row `first` of its table.

        Refuses (RowTypeError) a missing column, and the first value that is missing or mistyped.

        Args:
            batch: Rows of a table.
            first: Number of its first row in the table.

        Returns:
            Names with Arrow arrays, as long as the batch.

        Raises:
            RowTypeError: A column is missing, or a value, the first one, is missing or mistyped.
        """
        read = {one.name: self._sound(one, batch, first) for one in self._columns}
        features, texts = self._encode(read)
        answers = self._answers(features, texts)
        added = [(PREDICTION, self._told(answers))]
        if "probabilities" in self._include:
            probabilities = map(pa.array, np.ascontiguousarray(answers.probabilities.T))
            added += zip(self._probabilities, probabilities, strict=False)
        if "interval" in self._include:
            ends = self._predictor.ends(answers.raw_prediction) or ()
            added += zip(ENDS, map(pa.array, ends), strict=False)
        if "explanation" in self._include:
            added += self._explained(read, answers)
        return added

    def other_units(self, given: Mapping[str, str]) -> list[str]:
        """Says which columns of a table are in another unit than the texts the model learnt from.

        Args:
            given: Units by the names of the table's columns, where they are known.

        Returns:
            A sentence without a full stop for each.
        """
        amounts = [one for one in self._columns if isinstance(one, columns.AmountColumn)]
        learnt = {one.name: unit_written(*one.written.unit) for one in amounts}
        return list(said_of_other_units(learnt, given))

    def _answers(
        self, features: columns.Features, texts: Mapping[str, CategoryCodes]
    ) -> PredictionBatch:
        """Answers chunk by chunk: what a blend holds in between grows with its rows."""
        raw_prediction = np.empty((len(features), self._predictor.goal.width))
        for at in range(0, len(features), CHUNK_ROWS):
            some = features[at : at + CHUNK_ROWS]
            read = partial(_some, texts, at)
            raw_prediction[at : at + CHUNK_ROWS] = self._predictor.raw_predictions_of(some, read)
        return self._predictor.answers(raw_prediction)

    def _told(self, answers: PredictionBatch) -> pa.Array:
        if self._classes is None:
            return pa.array(answers.told)
        return self._classes.take(pa.array(answers.told))

    def faults(self, batch: pa.RecordBatch) -> dict[int, str]:
        """Returns what keeps rows of a batch from being predicted, by their number in it.

        Args:
            batch: Rows of a table.

        Returns:
            Sentences by the number of the row.
        """
        found: dict[int, str] = {}
        for column in self._columns:
            given, _, bad = _read(column, batch)
            for row in np.flatnonzero(bad.to_numpy(zero_copy_only=False)).tolist():
                found.setdefault(row, _told_of(column, given[row].as_py()))
        return found

    @staticmethod
    def _sound(column: columns.Column, batch: pa.RecordBatch, first: int) -> pa.Array:
        given, typed, bad = _read(column, batch)
        row = pc.index(bad, True).as_py()
        if row >= 0:
            reason = _told_of(column, given[row].as_py())
            raise RowTypeError(f"row {first + row} (counted from 0): {reason}")
        return typed

    def _encode(
        self, read: dict[str, pa.Array]
    ) -> tuple[columns.Features, dict[str, CategoryCodes]]:
        encoder = self._predictor.encoder
        rows = len(next(iter(read.values()), ()))
        features = np.empty((rows, encoder.width), dtype=np.float32)
        texts: dict[str, CategoryCodes] = {}
        at = 0
        for column in self._columns:
            features[:, at : at + column.width] = _features(column, read[column.name])
            if isinstance(column, columns.TextColumn):
                texts[column.name] = _coded(read[column.name])
            at += column.width
        for earlier, later in encoder.durations:
            features[:, at] = _elapsed(read[earlier], read[later])
            at += 1
        return encoder.locate(features), texts

    def _explained(self, read: dict[str, pa.Array], answers: PredictionBatch) -> Added:
        rows = _rows(self._columns, read)
        explanations = self._predictor.explain_many(rows, self._predictor.predictions(answers))
        added = [
            ("explanation_base", pa.array([one["base"] for one in explanations], pa.float64()))
        ]
        for column in self._columns:
            values = [one["contributions"][column.name] for one in explanations]
            added.append((f"contribution_{column.name}", pa.array(values, pa.float64())))
        return added


def _read(column: columns.Column, batch: pa.RecordBatch) -> tuple[pa.Array, pa.Array, pa.Array]:
    """Returns the values as they are and as the model takes them.

    And which of them it can't take.
    """
    place = batch.schema.get_field_index(column.name)
    if place < 0:
        raise RowTypeError(f"the column `{column.name}` is missing; the model needs it")
    given = _plain(batch.column(place))
    typed = _typed(column, given)
    bad = pc.and_(pc.is_valid(given), pc.is_null(typed))
    if not column.gaps and given.null_count:
        bad = pc.or_(bad, pc.is_null(given))
    return given, typed, bad


def _told_of(column: columns.Column, value: Any) -> str:
    problem = find_problem((column,), {column.name: value})
    if problem is None:
        return f"`{column.name}` cannot be read"
    if column.type in BARE and isinstance(value, str) and any(map(str.isdigit, value)):
        hint = f"name the type {column.type} of this column in types, where the upload keeps texts"
        return f"{problem.message}; or {hint}"
    return problem.message


def _plain(given: pa.Array) -> pa.Array:
    """Undoes dictionaries and decimals; NaN is a gap, as training reads it."""
    if pa.types.is_dictionary(given.type):
        given = given.dictionary_decode()
    if pa.types.is_decimal(given.type):
        given = pc.cast(given, pa.float64())
    if pa.types.is_floating(given.type):
        given = pc.if_else(pc.is_nan(given), pa.scalar(None, given.type), given)
    return given


def _typed(column: columns.Column, given: pa.Array) -> pa.Array:
    """Reads values as the column's type, null where they are not; dates as microseconds."""
    if isinstance(column, columns.DateColumn):
        return _dates(given, column)
    if isinstance(column, columns.AmountColumn):
        return _numbers(given, partial(_amount, column))
    if column.type == "string":
        return pc.cast(given, pa.string())
    if column.type == "boolean":
        return _truths(given)
    values = _numbers(given, _number)
    if column.type == "float" and pa.types.is_floating(given.type):
        return _cut(values)
    fits = pc.less_equal(pc.abs(values), WIDEST)
    if column.type == "integer":
        fits = pc.and_(fits, pc.equal(values, pc.floor(values)))
    return pc.if_else(fits, values, pa.scalar(None, pa.float64()))


def _cut(values: pa.Array) -> pa.Array:
    """Cuts infinities, which files may have, to the largest numbers, as training does."""
    least = pc.max_element_wise(values, -columns.MAX_NUMBER, skip_nulls=False)
    return pc.min_element_wise(least, columns.MAX_NUMBER, skip_nulls=False)


def _dates(given: pa.Array, column: columns.DateColumn) -> pa.Array:
    if pa.types.is_timestamp(given.type) or pa.types.is_date(given.type):
        return pc.cast(pc.cast(given, pa.timestamp("us"), safe=False), pa.int64())
    return _read_as(given, partial(_moment, column), pa.int64())


def _truths(given: pa.Array) -> pa.Array:
    if pa.types.is_boolean(given.type):
        return pc.cast(pc.cast(given, pa.int8()), pa.float64())
    return _read_as(given, _truth, pa.float64())


def _numbers(given: pa.Array, read: Callable[[str], float | None]) -> pa.Array:
    if pa.types.is_integer(given.type) or pa.types.is_floating(given.type):
        return pc.cast(given, pa.float64(), safe=False)
    return _read_as(given, read, pa.float64())


def _read_as(given: pa.Array, read: Callable[[str], Any], kind: pa.DataType) -> pa.Array:
    """Reads texts, each distinct one once; nothing else can be read so."""
    if not (pa.types.is_string(given.type) or pa.types.is_large_string(given.type)):
        return pa.nulls(len(given), kind)
    coded = given.dictionary_encode()
    values = [read(text.strip()) for text in coded.dictionary.to_pylist()]
    return pa.array(values, kind).take(coded.indices)


def _number(text: str) -> float | None:
    try:
        return float(text) if "_" not in text else None
    except ValueError:
        return None


def _amount(column: columns.AmountColumn, text: str) -> float | None:
    try:
        return float(column.one(text)[0])
    except ValueError:
        return None


def _truth(text: str) -> float | None:
    return BOOLEANS.get(text.lower())


def _moment(column: columns.DateColumn, text: str) -> int | None:
    try:
        stamp = microseconds(text, column.order)
    except (ValueError, OverflowError):
        return None
    return stamp if column.gaps or stamp != NO_DATE else None


def _features(column: columns.Column, read: pa.Array) -> columns.Features:
    if isinstance(column, columns.DateColumn):
        return column.parts(_stamps(read))
    if isinstance(
        column, columns.CategoryColumn | columns.NominalIntegerColumn | columns.TextColumn
    ):
        values, places = _coded(read)
        return np.asarray(column.many(values)[places])
    floats = pc.fill_null(read, float("nan")).to_numpy(zero_copy_only=False)
    if isinstance(column, columns.NumberColumn):
        return column.features(floats)
    return np.asarray(
        np.clip(floats, -columns.MAX_NUMBER, columns.MAX_NUMBER).astype(np.float32)[:, None]
    )


def _coded(read: pa.Array) -> CategoryCodes:
    coded = read.dictionary_encode()
    values = [*coded.dictionary.to_pylist(), None]
    places = pc.fill_null(pc.cast(coded.indices, pa.int64()), len(values) - 1)
    return values, places.to_numpy(zero_copy_only=False)


def _some(texts: Mapping[str, CategoryCodes], at: int, name: str) -> list[Any]:
    values, places = texts[name]
    return [values[place] for place in places[at : at + CHUNK_ROWS]]


def _stamps(read: pa.Array) -> NDArray[np.int64]:
    return np.asarray(pc.fill_null(read, NO_DATE).to_numpy(zero_copy_only=False))


def _elapsed(earlier: pa.Array, later: pa.Array) -> NDArray[np.float64]:
    first, second = _stamps(earlier), _stamps(later)
    seconds = (second - first) // 1000 / 1000
    seconds[(first == NO_DATE) | (second == NO_DATE)] = np.nan
    return seconds


def _rows(inputs: Sequence[columns.Column], read: dict[str, pa.Array]) -> list[dict[str, Any]]:
    """Returns rows as they would come in JSON."""
    lists = []
    for column in inputs:
        values = read[column.name].to_pylist()
        if isinstance(column, columns.DateColumn):
            values = [None if one in {None, NO_DATE} else _iso(one) for one in values]
        lists.append(values)
    names = [column.name for column in inputs]
    return [dict(zip(names, row, strict=True)) for row in zip(*lists, strict=True)]


def _iso(stamp: int) -> str:
    return (EPOCH + stamp * MICROSECOND).isoformat()
