"""What an artifact's JSON and arrays say of columns, made into an encoder, each place checked."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NoReturn

import numpy as np

from modelwright_runtime.archive import Arrays
from modelwright_runtime.columns import (
    AmountColumn,
    CategoryColumn,
    Column,
    DateColumn,
    NominalIntegerColumn,
    NumberColumn,
    TextColumn,
)
from modelwright_runtime.date_parsing import ORDERS
from modelwright_runtime.encoder import Encoder
from modelwright_runtime.geo_features import MAX_PAIRS, LatLon
from modelwright_runtime.number_parsing import FORMS, NumberFormat
from modelwright_runtime.text_features import Vocabulary

TYPES = {
    "number": {"integer", "float", "boolean"},
    "amount": {"string"},
    "category": {"string"},
    "coded": {"integer"},
    "text": {"string"},
    "date": {"date", "string"},
}
MAX_WIDTH = 1_000_000
"""Slots of an encoder at most."""
MAX_START_MS = 10**15
"""Milliseconds since 1970 that a date column may begin at."""
MAX_ORIGIN = 2.0**53
"""An origin that numbers are told from at most."""


def encoder_of(stored: dict[str, Any], arrays: Arrays) -> Encoder:
    """Makes the encoder that an artifact tells of.

    Args:
        stored: What `model.json` says, not trusted.
        arrays: The arrays of the artifact by their names.

    Returns:
        The encoder.

    Raises:
        ValueError: No row could be encoded by the columns.
    """
    columns = tuple(_column(one, arrays) for one in stored["columns"])
    names = {column.name: column for column in columns}
    pairs = tuple((first, second) for first, second in stored["durations"])
    dated = {name for name, column in names.items() if isinstance(column, DateColumn)}
    fit = len(names) == len(columns) and all(dated.issuperset(pair) for pair in pairs)
    if not fit or len(stored.get("places", ())) > MAX_PAIRS:
        _refuse("the columns do not fit together")
    places = tuple(_place(one, names) for one in stored.get("places", ()))
    encoder = Encoder(columns, pairs, places)
    if not 0 < encoder.width <= MAX_WIDTH:
        _refuse(f"there are {encoder.width} slots, not 1 to {MAX_WIDTH}")
    return encoder


def _place(stored: dict[str, Any], columns: Mapping[str, Column]) -> LatLon:
    latitude, longitude, narrowing = stored["latitude"], stored["longitude"], stored["narrowing"]
    degrees = columns[latitude], columns[longitude]
    if not all(isinstance(one, NumberColumn | NominalIntegerColumn) for one in degrees):
        _refuse("a place is told by columns that are no numbers")
    if not isinstance(narrowing, float) or not 0 <= narrowing <= 1:
        _refuse("a degree of longitude is longer than one of latitude")
    return LatLon(latitude, longitude, narrowing)


def _column(stored: dict[str, Any], arrays: Arrays) -> Column:
    """Reads one column of an artifact; members that later formats added may be absent."""
    name, kind, gaps = stored["name"], stored["type"], stored["gaps"]
    if not isinstance(name, str) or not isinstance(gaps, bool) or kind not in TYPES[stored["kind"]]:
        _refuse(f"the column {name!r} is of no kind that is known")
    if stored["kind"] == "category":
        return _category(name, kind, gaps, stored["levels"], arrays[f"table.{stored['place']}"])
    if stored["kind"] == "coded":
        if any(level != _digits(level) for level in stored["levels"]):
            _refuse(f"the levels of {name!r} are no whole numbers")
        coded = _category(name, kind, gaps, stored["levels"], arrays[f"table.{stored['place']}"])
        return NominalIntegerColumn(NumberColumn(name, kind, gaps), coded)
    if stored["kind"] == "date":
        return _date(name, kind, gaps, stored["start"], stored.get("order"))
    if stored["kind"] == "amount":
        written = _written(name, stored["form"], stored["unit"], stored.get("words", []))
        return AmountColumn(name, kind, gaps, written)
    if stored["kind"] == "text":
        place = stored["place"]
        text = _text(name, gaps, stored["terms"], arrays[f"idf.{place}"], arrays[f"words.{place}"])
        return replace(text, counted=stored.get("counted") is True)
    return NumberColumn(name, kind, gaps, origin=_origin(name, stored.get("origin", 0.0)))


def _origin(name: str, origin: Any) -> float:
    if not isinstance(origin, float) or not abs(origin) <= MAX_ORIGIN:
        _refuse(f"the origin of {name!r} is no number, or too large")
    return origin


def _date(name: str, kind: str, gaps: bool, start: Any, order: Any) -> DateColumn:
    if not isinstance(start, int) or abs(start) > MAX_START_MS:
        _refuse(f"the column {name!r} begins at no date")
    if order not in (ORDERS if kind == "string" else (None,)):
        _refuse(f"the dates of {name!r} are written in no order that is known")
    return DateColumn(name, kind, gaps, start, order)


def _written(name: str, form: Any, unit: Any, words: Any) -> NumberFormat:
    before, after = unit
    if form not in FORMS or not all(isinstance(one, str) for one in (before, after, *words)):
        _refuse(f"the numbers of {name!r} are written in no form that is known")
    return NumberFormat(form, (before, after), tuple(words))


def _digits(level: Any) -> str | None:
    """Returns a whole number as it is written, None for what is none."""
    try:
        return str(int(level))
    except (TypeError, ValueError):
        return None


def _category(
    name: str, kind: str, gaps: bool, levels: Sequence[str], table: Any
) -> CategoryColumn:
    fits = table.ndim == 2 and table.dtype == np.float32 and len(table) == len(levels) + 2  # noqa: PLR2004
    if not fits or table.shape[1] < 1 or not np.isfinite(table).all():
        _refuse(f"the table of {name!r} does not fit its levels")
    if not _are_words(levels) or (table[:, 0] != np.arange(len(table))).any():
        _refuse(f"the levels of {name!r} are not in order")
    return CategoryColumn(name, kind, gaps, tuple(levels), table)


def _text(name: str, gaps: bool, terms: Sequence[str], idf: Any, words: Any) -> TextColumn:
    fits = idf.shape == (len(terms),) and words.ndim == 2 and len(words) == len(terms)  # noqa: PLR2004
    if not fits or (idf.dtype, words.dtype) != (np.float64, np.float32):
        _refuse(f"the weights of {name!r} do not fit its terms")
    if not _are_words(terms) or not np.isfinite(idf).all() or not np.isfinite(words).all():
        _refuse(f"the terms of {name!r} are not as they must be")
    places = {term: place for place, term in enumerate(terms)}
    return TextColumn(name, "string", gaps, Vocabulary(places, idf, words))


def _are_words(words: Sequence[Any]) -> bool:
    return all(isinstance(word, str) for word in words) and len(set(words)) == len(words)


def _refuse(sentence: str) -> NoReturn:
    raise ValueError(sentence)
