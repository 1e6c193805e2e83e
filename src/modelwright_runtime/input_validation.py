"""Checks the fields of an input row against the schema the model was trained with."""

import sys
from collections.abc import Callable, Collection, Mapping
from difflib import get_close_matches
from itertools import islice
from types import MappingProxyType
from typing import Any

from modelwright_runtime.columns import AmountColumn, Column, DateColumn, Problem
from modelwright_runtime.date_parsing import EXAMPLES, moment_of

WIDEST = sys.float_info.max
BARE = {"integer": "12", "float": "12.5"}
"""Numbers by their type, as a request writes them."""
LONGEST_UNIT = 20
"""Characters of a unit that a message repeats."""
MAX_NAMED_FIELDS = 8
"""Further missing fields that are named."""
MAX_COMPARED_FIELDS = 10
"""Missing fields that are compared with members that are no field."""
MAX_COMPARED_MEMBERS = 50
"""Such members that they are compared with."""
ALIKE = 0.75
"""How alike an unknown name is to that of a missing field, of 1, for one to be meant for it."""


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
    "date": (_is_date, "a date or date-time as 2024-12-31 or 2024-12-31T08:30"),
}


def find_problem(
    columns: tuple[Column, ...],
    row: Mapping[str, Any],
    domains: Mapping[str, Any] = MappingProxyType({}),
) -> Problem | None:
    """Returns the first field that is missing or of a wrong type; unknown fields are ignored.

    Args:
        columns: The columns that the model takes.
        row: Values by the names of the columns.
        domains: By column, the `unit` of its training values, where it is known.

    Returns:
        What is wrong with it, or None.
    """
    for column in columns:
        value = row.get(column.name)
        if value is None:
            if not column.gaps:
                return _missing(columns, row)
        elif not TYPES[column.type][0](value) or not _is_read(column, value):
            return _wrong(column, value, _unit(domains.get(column.name)))
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
    known = {one.name for one in columns}
    unknown = list(islice((name for name in row if name not in known), MAX_COMPARED_MEMBERS))
    missing = [first, *others][:MAX_COMPARED_FIELDS]
    return Problem(first, "missing", message + _meant(unknown, missing, row))


def _meant(unknown: Collection[str], missing: Collection[str], row: Mapping[str, Any]) -> str:
    """Says which unknown member stands where missing fields should, if one does."""
    for name in unknown:
        inner = row[name]
        held = inner[0] if isinstance(inner, list) and inner else inner
        if isinstance(held, Mapping) and not held.keys().isdisjoint(missing):
            return f". `{name}` is no field of this model: send what is in it, without `{name}`"
    spelt = {_squeezed(name): name for name in unknown}
    for wanted in missing:
        alike = get_close_matches(_squeezed(wanted), spelt, n=1, cutoff=ALIKE)
        if alike:
            return f". `{spelt[alike[0]]}` is no field of this model: `{wanted}` may be meant"
    return ""


def _squeezed(name: str) -> str:
    return "".join(filter(str.isalnum, name.casefold()))


def _number(value: float) -> str:
    if abs(value) <= WIDEST:
        return f"the number {value:.6g}"
    # NaN is neither smaller nor larger.
    return "a number too large" if abs(value) > WIDEST else "NaN (a gap is None)"


def _unit(domain: Any) -> str:
    """Returns how a message names the unit that training knows of a column."""
    unit = domain.get("unit") if isinstance(domain, Mapping) else None
    return f" in {unit[:LONGEST_UNIT]}" if isinstance(unit, str) and unit else ""


def _wrong(column: Column, value: Any, unit: str) -> Problem:
    given = {
        "bool": "a boolean", "str": "a string", "int": "an integer", "float": "a number",
        "list": "an array", "dict": "an object",
    }.get(type(value).__name__, type(value).__name__)  # fmt: skip
    if isinstance(value, str) and isinstance(column, DateColumn | AmountColumn):
        given = "another string"
    elif not isinstance(value, bool) and isinstance(value, int | float):
        given = _number(value)
    said = unit if column.type in BARE else ""
    message = f"`{column.name}` must be {_wanted(column)}{said}, not {given}"
    if column.type in BARE and isinstance(value, str) and any(map(str.isdigit, value)):
        message += f": write it bare, such as {BARE[column.type]}, without quotes and unit"
    # A text such as 0000-00-00 or n/a stands where nothing is known.
    if isinstance(value, str) and column.gaps:
        message += "; null says that there is none"
    return Problem(column.name, "type", message)
