"""Checks the fields of an input row against the schema the model was trained with."""

import sys
from collections.abc import Callable, Mapping
from typing import Any

from modelwright_runtime.columns import AmountColumn, Column, DateColumn, Problem
from modelwright_runtime.date_parsing import EXAMPLES, moment_of

WIDEST = sys.float_info.max
MAX_NAMED_FIELDS = 8
"""Further missing fields that are named."""


def _is_whole(value: Any) -> bool:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return value == value // 1 and abs(value) <= WIDEST


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= WIDEST


def _is_date(value: Any) -> bool:
    if not isinstance(value, str):
        return False
    try:
        moment_of(value)
    except (ValueError, OverflowError):
        return False
    return True


TYPES: Mapping[str, tuple[Callable[[Any], bool], str]] = {
    "integer": (_is_whole, "an integer"),
    "float": (_is_number, "a number"),
    "boolean": (lambda value: isinstance(value, bool), "true or false"),
    "string": (lambda value: isinstance(value, str), "a string"),
    "date": (_is_date, "an ISO 8601 date or date-time string"),
}


def find_problem(columns: tuple[Column, ...], row: Mapping[str, Any]) -> Problem | None:
    """Returns the first field that is missing or of a wrong type; unknown fields are ignored.

    Args:
        columns: The columns that the model takes.
        row: Values by the names of the columns.

    Returns:
        What is wrong with it, or None.
    """
    for column in columns:
        value = row.get(column.name)
        if value is None:
            if not column.gaps:
                return _missing(columns, row)
        elif not TYPES[column.type][0](value) or not _is_read(column, value):
            return _wrong(column, value)
    return None


def _is_read(column: Column, value: Any) -> bool:
    """Returns whether a string is a date or a number as the training data writes it."""
    if isinstance(column, AmountColumn):
        try:
            column.one(value)
        except ValueError:
            return False
        return True
    if not isinstance(column, DateColumn) or column.order is None:
        return True
    try:
        column.moment_or_gap(value)
    except (ValueError, OverflowError):
        return False
    return True


def _wanted(column: Column) -> str:
    if isinstance(column, AmountColumn):
        return f"a string such as {column.written.example()}, as in the training data"
    if isinstance(column, DateColumn) and column.order:
        return f"a date such as {EXAMPLES[column.order]}, as in the training data"
    return TYPES[column.type][1]


def _missing(columns: tuple[Column, ...], row: Mapping[str, Any]) -> Problem:
    first, *others = [one.name for one in columns if not one.gaps and row.get(one.name) is None]
    message = f"`{first}` is required: the training data never lacks it"
    if others:
        more = len(others) - MAX_NAMED_FIELDS
        named = ", ".join(f"`{name}`" for name in others[:MAX_NAMED_FIELDS])
        verb = "is" if len(others) == 1 else "are"
        message += f"; so {verb} {named}{f' and {more} more' if more > 0 else ''}"
    return Problem(first, "missing", message)


def _number(value: float) -> str:
    if abs(value) <= WIDEST:
        return f"the number {value:.6g}"
    # NaN is neither smaller nor larger.
    return "a number too large" if abs(value) > WIDEST else "NaN (a gap is None)"


def _wrong(column: Column, value: Any) -> Problem:
    given = {
        "bool": "a boolean", "str": "a string", "int": "an integer", "float": "a number",
        "list": "an array", "dict": "an object",
    }.get(type(value).__name__, type(value).__name__)  # fmt: skip
    if isinstance(value, str) and isinstance(column, DateColumn | AmountColumn):
        given = "another string"
    elif not isinstance(value, bool) and isinstance(value, int | float):
        given = _number(value)
    message = f"`{column.name}` must be {_wanted(column)}, not {given}"
    # A text such as 0000-00-00 or n/a stands where nothing is known.
    if isinstance(value, str) and column.gaps:
        message += "; null says that there is none"
    return Problem(column.name, "type", message)
