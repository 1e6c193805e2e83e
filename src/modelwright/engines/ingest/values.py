"""Columns of values that already have a type (JSON, Excel) as texts and where they come from."""

import math
import re
from collections.abc import Callable

import pyarrow as pa

from modelwright.engines.ingest.table import BrokenFile
from modelwright.engines.ingest.texts import Origin, Texts, normalised
from modelwright_runtime.missing_values import says_nothing
from modelwright_runtime.record_fields import encode_nested

_NUMBERS = {int, float}
_PLAIN = re.compile(r"-?(0|[1-9][0-9]{0,14})(\.[0-9]+)?")


def cells_of(
    values: list[object], *, spelt: bool = False, gaps: frozenset[str] | None = None
) -> Texts:
    """Makes cells of values: texts, numbers, truths, None, and lists and dicts of them.

    Numbers and texts stay apart: the text `12` is no number, unless it is `spelt` among numbers, as
    sheets have it by oversight. Words that say that a value is missing
    do not count beside numbers and truths. Lists and dicts become JSON text. `gaps` are texts that
    say that there is no value, and the numbers that they spell.

    Args:
        values: Values of one column.
        spelt: Whether texts among numbers may be numbers.
        gaps: Texts that say that there is no value.

    Returns:
        As many cells.
    """
    if gaps:
        numbers = set(map(float, filter(_PLAIN.fullmatch, gaps)))
        values = [None if _is_gap(one, gaps, numbers) else one for one in values]
    types = set(map(type, values)) - {type(None)}
    if types == {str}:
        return Texts(_strings(values), "text")
    read = _says_number if spelt and types - {str} <= _NUMBERS else _says_nothing
    if str in types and types - {str} and all(map(read, values)):
        types.discard(str)
    origin = _origin(types)
    write = _WRITERS[origin]
    return Texts(_strings([None if value is None else write(value) for value in values]), origin)


def _is_gap(value: object, gaps: frozenset[str], numbers: set[float]) -> bool:
    if isinstance(value, int | float):
        return type(value) is not bool and value in numbers
    return isinstance(value, str) and value in gaps


def _origin(types: set[type]) -> Origin:
    if types <= _NUMBERS:
        return "number"
    if types == {bool}:
        return "truth"
    return "mixed"


def _says_nothing(value: object) -> bool:
    return not isinstance(value, str) or says_nothing(value)


def _says_number(value: object) -> bool:
    return _says_nothing(value) or _PLAIN.fullmatch(str(value).strip()) is not None


def _number(value: object) -> str | None:
    if isinstance(value, float) and math.isnan(value):
        return None
    return value if isinstance(value, str) else repr(value)


def _text(value: object) -> str | None:
    if isinstance(value, str):
        return value
    if isinstance(value, float):
        return _number(value)
    return encode_nested(value)


def _truth(value: object) -> str | None:
    return value if isinstance(value, str) else str(value).lower()


_WRITERS: dict[Origin, Callable[[object], str | None]] = {
    "number": _number,
    "truth": _truth,
    "mixed": _text,
}


def _strings(texts: list[object]) -> pa.Array:
    try:
        return normalised(pa.array(texts, pa.string()))
    except UnicodeEncodeError:  # half of a character, which JSON can spell out
        whole = [text and str(text).encode("utf-8", "backslashreplace").decode() for text in texts]
        return normalised(pa.array(whole, pa.string()))
    except pa.ArrowCapacityError as error:
        raise BrokenFile("The file holds too long texts: split it into smaller files.") from error
