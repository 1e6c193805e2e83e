"""Reads JSON, and says of what is none why it is none."""

import re
from typing import Any

import msgspec

from modelwright.core.errors import InvalidRequest

_NO_NUMBER = re.compile(rb"[:\[,]\s*-?(?:NaN|Infinity)\b")


def decoded(body: bytes) -> Any:
    """Reads JSON; refuses what is none."""
    try:
        return msgspec.json.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as fault:
        raise not_json(body, fault) from None


def not_json(body: bytes, fault: Exception) -> InvalidRequest:
    """Says why a body is no JSON, as the reader's fault tells it."""
    if not body.strip():
        return InvalidRequest("The body is empty; send JSON.")
    if isinstance(fault, RecursionError):
        return InvalidRequest("The body is nested too deeply.")
    if _NO_NUMBER.search(body):
        message = "The body is not valid JSON, which has no NaN or Infinity; a gap is null."
        return InvalidRequest(message)
    why = str(fault).removeprefix("JSON is malformed: ")
    return InvalidRequest(f"The body is not valid JSON: {why}.")
