"""Reads JSON, and says of what is none why it is none."""

import re
from codecs import BOM_UTF8
from typing import Any

import msgspec

from modelwright.core.errors import InvalidRequest, PayloadTooLarge

MAX_JSON_CONTAINERS = 1_000_000
"""Objects and arrays of rows at most: reading them keeps all other threads waiting."""
_COMPRESSED = (b"\x1f\x8b", b"\x28\xb5\x2f\xfd")
"""How gzip and zstd begin."""
_NO_NUMBER = re.compile(rb"[:\[,]\s*-?(?:NaN|Infinity)\b")


def decode_json(body: bytes) -> Any:
    """Reads JSON, such as rows; refuses what is none, and more objects and arrays than may be."""
    check_part_count(body, b"[{", MAX_JSON_CONTAINERS)
    try:
        return msgspec.json.decode(body.removeprefix(BOM_UTF8))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as fault:
        raise invalid_json_error(body, fault) from None


def check_part_count(body: bytes, marks: bytes, most: int) -> None:
    """Refuses a body with too many of some characters, wherever they stand: it takes long."""
    if sum(body.count(mark) for mark in marks) > most:
        raise PayloadTooLarge(f"The body has more than {most:,} parts; send fewer at a time.")


def invalid_json_error(body: bytes, fault: Exception) -> InvalidRequest:
    """Says why a body is no JSON, as the reader's fault tells it."""
    if not body.strip():
        return InvalidRequest("The body is empty; send JSON.")
    if body.startswith(_COMPRESSED):
        return InvalidRequest("The body is compressed; send it as it is, without encoding.")
    if isinstance(fault, RecursionError):
        return InvalidRequest("The body is nested too deeply.")
    if _NO_NUMBER.search(body):
        message = "The body is not valid JSON, which has no NaN or Infinity; a gap is null."
        return InvalidRequest(message)
    why = str(fault).removeprefix("JSON is malformed: ").partition(" - at ")[0]
    return InvalidRequest(f"The body is not valid JSON: {why}.")
