"""Turns result rows into JSON without losing anything that JSON can say.

Integers of any size are numbers with all their digits; decimals are numbers where a double holds
them, as readers of JSON use doubles, else their digits are a text; NaN and infinities are null;
dates and times are ISO 8601, TIMESTAMPTZ with the offset of the session's time zone ("Z" for UTC);
intervals and nanosecond times are DuckDB's text, UUIDs text, blobs base64, lists and arrays
arrays, structs and maps objects.
"""

import re
import struct
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

import msgspec

from modelwright.engines.json_values import json_decimal

if TYPE_CHECKING:
    from duckdb.sqltypes import DuckDBPyType

Converter = Callable[[Any], Any]

LOSSY = {
    "INTERVAL": "VARCHAR",
    "TIMESTAMP_NS": "VARCHAR",
    "TIMESTAMPTZ_NS": "VARCHAR",
    "TIME_NS": "VARCHAR",
    "GEOMETRY": "VARCHAR",
}
"""Types whose Python values say less than their text."""
LOSSY_NAMES = re.compile(rf"\b({'|'.join(LOSSY)})\b(\([^)]*\))?")
NESTED = frozenset(("list", "array", "struct", "tuple", "map"))
UTC = "timestamp with time zone"

encode = msgspec.json.Encoder(decimal_format="number").encode


def type_name(column_type: "DuckDBPyType") -> str:
    """Names a column's type.

    Args:
        column_type: The type as DuckDB gives it.

    Returns:
        The name, an ENUM's without its values.
    """
    return "ENUM" if column_type.id == "enum" else str(column_type).strip('"')


def casts_for_json(sql: str, types: Sequence["DuckDBPyType"]) -> str | None:
    """Wraps the statement so that lossy columns come as text.

    >>> casts_for_json("SELECT a, i FROM t", [bigint, interval])
    SELECT #1, CAST(#2 AS VARCHAR) FROM (…)

    Args:
        sql: The statement.
        types: The types of its columns.

    Returns:
        The wrapped statement, or None where it can be read as it is.
    """
    texts = [_as_text(str(one)) for one in types]
    if not any(texts):
        return None
    parts = (
        f"CAST(#{place} AS {text})" if text else f"#{place}" for place, text in enumerate(texts, 1)
    )
    return f"SELECT {', '.join(parts)} FROM (\n{sql}\n)"  # noqa: S608 - the guarded statement itself


def _as_text(name: str) -> str | None:
    parts = name.split('"')
    changed = [
        part if index % 2 else LOSSY_NAMES.sub(lambda found: LOSSY[found[1]], part)
        for index, part in enumerate(parts)
    ]
    return '"'.join(changed) if changed != parts and not name.startswith("ENUM") else None


def converters(types: Sequence["DuckDBPyType"]) -> list[tuple[int, Converter]]:
    """Picks the columns whose values need more than the encoder does.

    Args:
        types: The types of the columns.

    Returns:
        Their places, each with the function that converts a value.
    """
    found = ((place, _converter(one)) for place, one in enumerate(types))
    return [(place, convert) for place, convert in found if convert]


def render(row: Sequence[Any], conversions: Sequence[tuple[int, Converter]]) -> bytes:
    """Writes one row as a JSON array.

    Args:
        row: The row as DuckDB's client gave it.
        conversions: What `converters` picked.

    Returns:
        JSON in UTF-8.
    """
    if not conversions:
        return encode(row)
    values = list(row)
    for place, convert in conversions:
        if values[place] is not None:
            values[place] = convert(values[place])
    return encode(values)


def _converter(column_type: "DuckDBPyType") -> Converter | None:
    kind = column_type.id
    if kind in NESTED:
        return _nested(
            kind, [one for _, one in column_type.children if not isinstance(one, int | list)]
        )
    plain: dict[str, Converter] = {
        "float": _short,
        "decimal": json_decimal,
        "bignum": lambda digits: msgspec.Raw(str(digits).encode()),
        UTC: _utc,
        "variant": _plain,
        "union": _plain,
    }
    return plain.get(kind)


def _nested(kind: str, children: list["DuckDBPyType"]) -> Converter | None:
    inner = [_converter(child) for child in children]
    if kind == "map":
        return _mapping(children[0].id in NESTED, inner[1])
    if not any(inner):
        return None
    if kind in {"list", "array"}:
        return lambda values: [_apply(inner[0], value) for value in values]
    if kind == "struct":
        return lambda values: {
            name: _apply(each, value)
            for each, (name, value) in zip(inner, values.items(), strict=True)
        }
    return lambda values: [_apply(each, value) for each, value in zip(inner, values, strict=True)]


def _mapping(nested_keys: bool, inner: Converter | None) -> Converter:
    def convert(values: Any) -> Any:
        unhashable = nested_keys and set(values) == {"key", "value"}
        pairs = zip(values["key"], values["value"], strict=True) if unhashable else values.items()
        return {_key(key): _apply(inner, value) for key, value in pairs}

    return convert


def _key(key: Any) -> str:
    return key if isinstance(key, str) else encode(_plain(key)).decode().strip('"')


def _apply(convert: Converter | None, value: Any) -> Any:
    return value if convert is None or value is None else convert(value)


def _plain(value: Any) -> Any:
    """A value of no declared type: its maps get text for keys."""
    if isinstance(value, dict):
        return {_key(key): _plain(member) for key, member in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(member) for member in value]
    return value


def _short(value: float) -> float:
    """The shortest decimal that is this 32-bit float; 0.1 is not 0.10000000149011612."""
    try:
        single = struct.pack("f", value)
        for digits in range(6, 10):
            short = float(f"{value:.{digits}g}")
            if struct.pack("f", short) == single:
                return short
    except OverflowError:
        pass
    return value


def _utc(value: Any) -> Any:
    return value.isoformat() + "Z" if isinstance(value, datetime) and not value.tzinfo else value
