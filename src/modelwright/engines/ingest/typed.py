"""Columns that come with their types (Parquet) as the kinds of values that are kept."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import types

from modelwright.engines.ingest.kinds import STORED, Kind
from modelwright.engines.ingest.table import BrokenFile
from modelwright.engines.ingest.texts import normalised
from modelwright.engines.json_values import json_number

_NO_FRACTION = r"\.0+$"
"""What a clock shows of no fraction of a second."""
_CONTROL = "[\\x00-\\x08\\x0e-\\x1a]"
"""Characters that texts do not hold, but bytes."""
MOST_DIGITS = 38
"""Longer decimals are texts, because no database holds them."""


@dataclass(frozen=True, slots=True)
class Typed:
    """Some consecutive values of one column, of any Arrow type.

    Decimals stay what they are, up to 38 digits, and whole numbers beyond 64 bits become such;
    date-times are brought to microseconds, and to UTC where they have a zone; durations become
    seconds, nested values JSON text. Bytes are texts where all of a column are, else hexadecimal
    digits. NaN is missing.
    """

    array: pa.Array
    longest: int
    """Bytes of the longest text that is let through."""

    def kind(self) -> Kind:
        """Returns the kind that the type asks for; string for numbers that are too large for it.

        Returns:
            The kind.
        """
        kind = _asked(self.array.type)
        if self.fit(kind) is not None:
            return kind
        exact: Kind = "huge" if _is_whole(self.array.type) else "decimal"
        if self.fit(exact) is not None:
            return exact
        return "bytes" if _is_bytes(self.array.type) else "string"

    def fit(self, kind: Kind) -> pa.Array | None:
        """Returns the values as the kind, or None when one of them isn't of that kind.

        Args:
            kind: The kind.

        Returns:
            As many values as there are cells, or None.
        """
        array = self.array
        if kind in {"decimal", "huge"}:
            return _decimals(array)
        if kind in {"string", "bytes"}:
            return self._texts(kind)
        if array.null_count == len(array):
            return pa.nulls(len(array), STORED[kind])
        try:
            return _cast(array, kind)
        except pa.ArrowInvalid:
            return None

    def _texts(self, kind: Kind) -> pa.Array | None:
        """Spells the values; None for bytes that are to be texts and are none."""
        if kind == "bytes":
            texts = _spelt(self.array.cast(pa.binary()), _hexadecimal)
        elif _is_bytes(self.array.type):
            texts = _decoded(self.array.cast(pa.binary()))
            if texts is None:
                return None
        else:
            texts = _texts(self.array)
        texts = normalised(texts)
        if (pc.max(pc.binary_length(texts)).as_py() or 0) > self.longest:
            raise too_long(self.longest)
        return texts


def too_long(longest: int) -> BrokenFile:
    """Makes the refusal of a cell that is too long.

    Args:
        longest: Bytes that a cell may have.

    Returns:
        The refusal, to be raised.
    """
    limit = f"{longest / 2**20:g} MiB"
    return BrokenFile(f"A cell is longer than {limit}.", expected=f"at most {limit}")


def _is_whole(given: pa.DataType) -> bool:
    return bool(types.is_integer(given) or (types.is_decimal(given) and given.scale <= 0))


def _is_fraction(given: pa.DataType) -> bool:
    return bool(types.is_floating(given) or types.is_duration(given))


_ASKED: tuple[tuple[Callable[[pa.DataType], bool], Kind], ...] = (
    (types.is_null, "empty"),
    (types.is_boolean, "boolean"),
    (_is_whole, "integer"),
    (types.is_decimal, "decimal"),
    (_is_fraction, "float"),
    (types.is_date, "date"),
    (lambda given: types.is_timestamp(given) and given.tz is not None, "instant"),
    (types.is_timestamp, "datetime"),
)


def _asked(given: pa.DataType) -> Kind:
    """Names the kind that a type asks for."""
    plain = given.value_type if types.is_dictionary(given) else given
    return next((kind for holds, kind in _ASKED if holds(plain)), "string")


def _cast(array: pa.Array, kind: Kind) -> pa.Array:
    wanted = STORED[kind]
    if types.is_dictionary(array.type):
        return _cast(array.dictionary_decode(), kind)
    if types.is_timestamp(array.type):
        return array.cast(wanted, safe=array.type.unit != "ns")
    if types.is_duration(array.type):
        microseconds = array.cast(pa.duration("us"), safe=False).cast(pa.int64())
        return pc.divide(microseconds.cast(pa.float64(), safe=False), 1_000_000.0)
    values = array.cast(wanted, safe=kind != "float")
    if kind == "float":
        return pc.if_else(pc.is_nan(values), pa.scalar(None, wanted), values)
    return values


def _decimals(array: pa.Array) -> pa.Array | None:
    """Gives decimals of up to 38 digits as they are, in the one type that holds all of these."""
    if types.is_dictionary(array.type):
        return _decimals(array.dictionary_decode())
    try:
        if _is_whole(array.type):
            return array.cast(STORED["huge"])
        if not types.is_decimal(array.type) or array.type.precision > MOST_DIGITS:
            return None
        return array.cast(
            pa.decimal128(max(array.type.precision, array.type.scale), array.type.scale)
        )
    except pa.ArrowInvalid:
        return None


def _texts(array: pa.Array) -> pa.Array:
    given = array.type
    if isinstance(array, pa.ExtensionArray):
        return _texts(array.storage)
    if types.is_dictionary(given):
        return _texts(array.dictionary_decode())
    if types.is_nested(given):
        return _nested(array)
    try:
        texts = array.cast(pa.string())
        return (
            pc.replace_substring_regex(texts, _NO_FRACTION, "") if types.is_time(given) else texts
        )
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
        return _spelt(array, str)


def _nested(array: pa.Array) -> pa.Array:
    """Spells nested values as JSON; maps are objects where no key of them comes twice."""
    try:
        values = array.to_pylist(maps_as_pydicts="strict")
        texts = [None if one is None else _json(one) for one in values]
    except (KeyError, TypeError):  # a key that comes twice, or is no text
        return _spelt(array, _json)
    return pa.array(texts, pa.string())


def _is_bytes(given: pa.DataType) -> bool:
    plain = given.value_type if types.is_dictionary(given) else given
    return bool(
        types.is_binary(plain) or types.is_large_binary(plain) or types.is_fixed_size_binary(plain)
    )


def _decoded(array: pa.Array) -> pa.Array | None:
    try:
        texts = array.cast(pa.string())
    except pa.ArrowInvalid:
        return None
    control = pc.any(pc.match_substring_regex(texts, _CONTROL), min_count=0).as_py()
    return None if control else texts


def _spelt(array: pa.Array, spell: Callable[[Any], str]) -> pa.Array:
    texts = [None if one is None else spell(one) for one in array.to_pylist()]
    return pa.array(texts, pa.string())


def _hexadecimal(value: bytes) -> str:
    return value.hex()


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=_plain)


def _plain(value: object) -> object:
    if isinstance(value, bytes):
        return _hexadecimal(value)
    if isinstance(value, Decimal):
        return json_number(value)
    return str(value)
