"""What an artifact's JSON and arrays say, made into columns and tables, each place checked."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from modelwright_runtime.additive import Additive
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
from modelwright_runtime.model import Model
from modelwright_runtime.network import DEEPER, INPUTS, WEIGHTS, Inputs, Network
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


def encoder_of(told: dict[str, Any], arrays: Arrays) -> Encoder:
    """Makes the encoder; refuses (`ValueError`) columns that no row could be encoded by."""
    columns = tuple(_column(one, arrays) for one in told["columns"])
    names = {column.name: column for column in columns}
    pairs = tuple((first, second) for first, second in told["durations"])
    dated = {name for name, column in names.items() if isinstance(column, DateColumn)}
    fit = len(names) == len(columns) and all(dated.issuperset(pair) for pair in pairs)
    if not fit or len(told.get("places", ())) > MAX_PAIRS:
        _refuse("the columns do not fit together")
    places = tuple(_place(one, names) for one in told.get("places", ()))
    encoder = Encoder(columns, pairs, places)
    if not 0 < encoder.width <= MAX_WIDTH:
        _refuse(f"there are {encoder.width} slots, not 1 to {MAX_WIDTH}")
    return encoder


def _place(told: dict[str, Any], columns: Mapping[str, Column]) -> LatLon:
    latitude, longitude, narrowing = told["latitude"], told["longitude"], told["narrowing"]
    degrees = columns[latitude], columns[longitude]
    if not all(isinstance(one, NumberColumn | NominalIntegerColumn) for one in degrees):
        _refuse("a place is told by columns that are no numbers")
    if not isinstance(narrowing, float) or not 0 <= narrowing <= 1:
        _refuse("a degree of longitude is longer than one of latitude")
    return LatLon(latitude, longitude, narrowing)


def _column(told: dict[str, Any], arrays: Arrays) -> Column:
    name, kind, gaps = told["name"], told["type"], told["gaps"]
    if not isinstance(name, str) or not isinstance(gaps, bool) or kind not in TYPES[told["kind"]]:
        _refuse(f"the column {name!r} is of no kind that is known")
    if told["kind"] == "category":
        return _category(name, kind, gaps, told["levels"], arrays[f"table.{told['place']}"])
    if told["kind"] == "coded":
        if any(level != _digits(level) for level in told["levels"]):
            _refuse(f"the levels of {name!r} are no whole numbers")
        coded = _category(name, kind, gaps, told["levels"], arrays[f"table.{told['place']}"])
        return NominalIntegerColumn(NumberColumn(name, kind, gaps), coded)
    if told["kind"] == "date":
        return _date(name, kind, gaps, told["start"], told.get("order"))
    if told["kind"] == "amount":
        written = _written(name, told["form"], told["unit"], told.get("words", []))
        return AmountColumn(name, kind, gaps, written)
    if told["kind"] == "text":
        place = told["place"]
        text = _text(name, gaps, told["terms"], arrays[f"idf.{place}"], arrays[f"words.{place}"])
        return replace(text, counted=told.get("counted") is True)
    return NumberColumn(name, kind, gaps, origin=_origin(name, told.get("origin", 0.0)))


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


def additive_of(arrays: Arrays, encoder: Encoder, width: int) -> Additive | None:
    """Makes the additive part, if there is one; refuses tables that it would read outside of."""
    if "additive.weights" not in arrays:
        return None
    parts: dict[str, Any] = {name: arrays[f"additive.{name}"] for name in Additive.__slots__}
    found = Additive(**{**parts, "terms_at": int(parts["terms_at"])})
    size, smooth, levels = len(found.weights), len(found.smooth), len(found.level)
    shapes = [
        (found.weights, (size, width)), (found.bias, (width,)), (found.smooth, (smooth,)),
        (found.knots, (smooth, found.knots.shape[-1])), (found.counts, (smooth,)),
        (found.smooth_at, (smooth,)), (found.level, (levels,)), (found.level_at, (levels,)),
    ]  # fmt: skip
    if any(part.shape != shape for part, shape in shapes):
        _refuse("the arrays of the additive part do not fit together")
    whole = found.smooth, found.counts, found.smooth_at, found.level, found.level_at
    if any(part.dtype != np.int64 for part in whole):
        _refuse("the places of the additive part are no whole numbers")
    terms = sum(len(one.words.index) for one in encoder.columns if isinstance(one, TextColumn))
    inside = [
        _inside(found.smooth, 0, encoder.width),
        _inside(found.counts, 1, found.knots.shape[1] + 1),
        _inside(found.smooth_at, 0, size) and _inside(found.smooth_at + found.counts, 0, size),
        _levels_fit(found, encoder, size),
        0 <= found.terms_at <= size - terms,
    ]
    known = np.arange(found.knots.shape[1]) < found.counts[:, None]
    numbers = found.weights, found.bias, found.knots[known]
    if not all(inside) or not all(np.isfinite(part).all() for part in numbers):
        _refuse("the additive part reads places or numbers that there are not")
    return found


def _levels_fit(part: Additive, encoder: Encoder, size: int) -> bool:
    """Returns whether every level feature is a category's code and all its levels have a weight."""
    sizes = _sizes(encoder)
    places = zip(part.level.tolist(), part.level_at.tolist(), strict=True)
    return all(feature in sizes and 0 <= at <= size - sizes[feature] for feature, at in places)


def _sizes(encoder: Encoder) -> dict[int, int]:
    """Returns how many levels the code of each category has, by its feature."""
    sizes, at = {}, 0
    for column in encoder.parts():
        if isinstance(column, CategoryColumn):
            sizes[at] = len(column.table)
        at += column.width
    return sizes


def networks_of(count: int, arrays: Arrays, encoder: Encoder, width: int) -> tuple[Network, ...]:
    """Makes the networks; refuses those that would read outside of a row or of their weights."""
    return tuple(_network(f"network.{place}", arrays, encoder, width) for place in range(count))


def _network(place: str, arrays: Arrays, encoder: Encoder, width: int) -> Network:
    read: dict[str, Any] = {name: arrays[f"{place}.{name}"] for name in INPUTS}
    _check_inputs(read, encoder)
    inputs = Inputs(**read)
    weights: dict[str, Any] = {name: arrays[f"{place}.{name}"] for name in WEIGHTS}
    nothing = np.zeros((0, 0, 0))
    deeper: dict[str, Any] = {name: arrays.get(f"{place}.{name}", nothing) for name in DEEPER}
    if any(part.ndim != nothing.ndim for part in deeper.values()):
        _refuse("the layers of a network do not fit together")
    many, hidden = inputs.width, len(weights["start"])
    networks, _, last = deeper["middle"].shape
    shapes: dict[str, tuple[float, ...]] = {
        "inner": (many, hidden), "start": (hidden,),
        "middle": (networks, hidden / networks, last) if networks else (0, 0, 0),
        "begin": (networks, 1, last) if networks else (0, 0, 0),
        "outer": (networks * last if networks else hidden, width),
        "straight": (many, width), "bias": (width,), "means": (many,),
    }  # fmt: skip
    for name, part in (weights | deeper).items():
        if part.shape != shapes[name] or part.dtype != np.float64 or not np.isfinite(part).all():
            _refuse("the weights of a network do not fit its inputs")
    return Network(inputs, **weights, **deeper)


def _check_inputs(read: dict[str, Any], encoder: Encoder) -> None:
    smooth, level, sizes, stepped = (read[name] for name in ("smooth", "level", "sizes", "stepped"))
    if any(one.dtype != np.int64 or one.ndim != 1 for one in (smooth, level, sizes, stepped)):
        _refuse("the places of a network are no whole numbers")
    knots, steps, centre, spread = (read[name] for name in ("knots", "steps", "centre", "spread"))
    shapes = [
        (centre, smooth.shape), (spread, smooth.shape), (knots, (len(smooth), knots.shape[-1])),
        (read["scores"], knots.shape), (steps, (len(stepped), steps.shape[-1])),
    ]  # fmt: skip
    if any(one.shape != shape or one.dtype != np.float64 for one, shape in shapes):
        _refuse("the inputs of a network do not fit together")
    numbers = centre, spread, read["scores"], knots[:, :1], steps[:, :1]
    known = _sizes(encoder)
    levels = zip(level.tolist(), sizes.tolist(), strict=True)
    inside = [
        _inside(smooth, 0, encoder.width) and _inside(stepped, 0, encoder.width),
        knots.shape[1] > 1 and steps.shape[1] > 0,
        all(np.isfinite(one).all() for one in numbers),
        bool((spread > 0).all() and (knots[:, 1:] >= knots[:, :-1]).all()),
        all(known.get(feature) == size for feature, size in levels),
    ]
    if not all(inside):
        _refuse("a network reads places or numbers that there are not")


def _inside(values: NDArray[np.int64], low: int, high: int) -> bool:
    return bool((values >= low).all() and (values < high).all())


def centre_of(told: dict[str, Any], model: Model) -> dict[str, Any]:
    """Reads the means that explanations start from; refuses those of another model."""
    if model.additive is None:
        return {}
    parts = np.array(told["parts"], dtype=np.float64)
    terms = [np.array(one, dtype=np.float64) for one in told["terms"]]
    width, features = model.goal.width, len(model.additive.smooth) + len(model.additive.level)
    shapes = [one.shape for one in terms]
    if parts.shape != (features, width) or shapes != [(width,)] * len(model.texts()):
        _refuse("the centre does not fit the additive part")
    return {"parts": parts, "terms": terms}


def _refuse(sentence: str) -> NoReturn:
    raise ValueError(sentence)
