"""Records as they are uploaded, made into the fields that a table has: nested ones become flat.

A file's records are read so when they are uploaded, and rows when they are predicted: what was
uploaded can be sent as it is.
"""

import json
from collections.abc import Collection, Mapping
from typing import Any

from modelwright_runtime.text_keys import composed

MOST_DEPTH = 8
"""Records nested deeper than this are kept as JSON text."""
COUNT = ".count"
"""Ends the name of the column that counts a list."""
WIDTHLESS = "\u200b\u200c\u2060\ufeff\u00ad\u061c\u200e\u200f\u2066\u2067\u2068\u2069"
"""Characters that nobody sees."""
PLACE = ("longitude", "latitude", "altitude")
"""The columns of a point of GeoJSON."""
_NESTED = (dict, list)

Record = dict[str, Any]
encode_nested = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
"""Writes a list or an object as the text that stands in a table for it."""


def flat(record: Mapping[str, Any]) -> Record:
    """Makes one level of a record: `{"user": {"age": 3}}` has the field `user.age`.

    Lists are kept and counted: `tags` has `tags.count` beside it. Features of GeoJSON have the
    fields of their properties, and their point.

    Args:
        record: A JSON object.

    Returns:
        Values by the names of fields, without objects among them.
    """
    if record.get("type") == "Feature" and isinstance(record.get("geometry"), dict | None):
        return flat(_of_feature(record))
    found: Record = {}
    _flatten(record, "", found, 0)
    return found


def fields_of(row: Mapping[str, Any], nested: Collection[str]) -> Mapping[str, Any]:
    """Returns a row with the fields that an upload of it would have, beside its own.

    Args:
        row: a row as it was sent.
        nested: the columns in which training had lists or objects, written as JSON.

    Returns:
        The row itself where it is flat and its names are composed, else another one.
    """
    if not all(type(name) is str for name in row):
        return row
    if all(map(str.isascii, row)) and not any(map(_is_nested, row.values())):
        return row
    found = {composed(name).strip(WIDTHLESS).strip(): one for name, one in flat(row).items()}
    texts = {
        name: composed(encode_nested(found[name])) for name in nested if _is_nested(found.get(name))
    }
    return {**row, **found, **texts}


def _is_nested(value: object) -> bool:
    return isinstance(value, _NESTED)


def _flatten(value: Mapping[str, Any], before: str, found: Record, depth: int) -> None:
    for name, one in value.items():
        whole = f"{before}{name}"
        if isinstance(one, dict) and one and depth < MOST_DEPTH:
            _flatten(one, f"{whole}.", found, depth + 1)
        else:
            # A name that holds a dot itself is told apart by its place.
            found[_told_apart(whole, found)] = one
            if isinstance(one, list):
                found.setdefault(whole + COUNT, len(one))


def _told_apart(name: str, found: Record) -> str:
    apart, number = name, 2
    while apart in found:
        apart, number = f"{name}_{number}", number + 1
    return apart


def _of_feature(feature: Mapping[str, Any]) -> Record:
    found = dict(feature.get("properties") or {})
    identity = feature.get("id")
    if identity is not None and found.setdefault("id", identity) != identity:
        found[_told_apart("id", found)] = identity
    geometry = feature.get("geometry") or {}
    place = geometry.get("coordinates")
    if geometry.get("type") == "Point" and isinstance(place, list) and len(place) > 1:
        point = dict(zip(PLACE, place, strict=False))
        apart = {
            f"properties.{name}" if name in point else name: one for name, one in found.items()
        }
        return apart | point
    return found | ({"geometry": json.dumps(geometry)} if geometry else {})
