"""What pydantic finds wrong of a value, as a clause that says what the value must be."""

from collections.abc import Mapping
from typing import Any

_MUST_BE = {
    "string_type": "must be a string",
    "bool_type": "must be true or false",
    "bool_parsing": "must be true or false",
    "int_type": "must be a whole number",
    "int_parsing": "must be a whole number",
    "int_parsing_size": "must be a whole number of fewer digits",
    "int_from_float": "must be a whole number",
    "float_type": "must be a number",
    "float_parsing": "must be a number",
    "finite_number": "must be a finite number",
    "dict_type": "must be an object",
    "model_attributes_type": "must be an object",
    "model_type": "must be an object",
    "list_type": "must be an array",
    "literal_error": "must be {expected}",
    "enum": "must be {expected}",
    "greater_than": "must be greater than {gt}",
    "greater_than_equal": "must be at least {ge}",
    "less_than": "must be less than {lt}",
    "less_than_equal": "must be at most {le}",
    "string_pattern_mismatch": "must match the pattern {pattern}",
    "datetime_type": "must be a date with a time, such as 2026-01-31T12:00:00Z",
    "datetime_parsing": "must be a date with a time, such as 2026-01-31T12:00:00Z",
    "datetime_from_date_parsing": "must be a date with a time, such as 2026-01-31T12:00:00Z",
}
"""By pydantic's word for what is wrong; its own sentences speak of inputs and of parsing."""
_LENGTHS = {
    "too_short": ("least", "min_length"),
    "string_too_short": ("least", "min_length"),
    "too_long": ("most", "max_length"),
    "string_too_long": ("most", "max_length"),
}


def what_it_must_be(found: Mapping[str, Any]) -> str:
    """Says what a value must be.

    Args:
        found: One of the errors that pydantic lists.

    Returns:
        A clause that begins in small letters and ends with a full stop.
    """
    kind, known = str(found["type"]), found.get("ctx", {})
    if kind in _LENGTHS:
        side, name = _LENGTHS[kind]
        unit = "character" if isinstance(found["input"], str) else "item"
        said = f"must have at {side} {known[name]} {unit}{'' if known[name] == 1 else 's'}"
    elif kind in _MUST_BE:
        said = _MUST_BE[kind].format_map({name: _spelt(one) for name, one in known.items()})
    else:
        said = str(found["msg"]).removeprefix("Value error, ").replace("Input should", "must")
    return said[:1].lower() + said[1:] + ("" if said.endswith(".") else ".")


def _spelt(bound: object) -> object:
    return int(bound) if isinstance(bound, float) and bound.is_integer() else bound
