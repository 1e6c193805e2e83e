"""Shapes in which programs write tables as JSON, made into records.

A table of pandas has five of them (`orient`), and rows may be lists.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import count
from typing import Any

from modelwright_runtime.record_fields import Record

_SPLIT = {"columns", "index", "data", "index_names", "column_names"}


def table_in(value: Mapping[str, Any]) -> tuple[list[Record], str] | None:
    """Gives the rows of a table that is one object, and what is to be said; None for a record.

    Args:
        value: A JSON object.

    Returns:
        Records and a sentence, or None.
    """
    if {"columns", "data"} <= value.keys() <= _SPLIT and _is_split(value):
        names = [str(name) for name in value["columns"]]
        rows = [dict(zip(names, row, strict=True)) for row in value["data"]]
        return rows, "The file is a table of pandas (orient='split')."
    parts = list(value.values())
    if len(parts) == 0 or not all(isinstance(part, dict) and part for part in parts):
        return None
    keys = [tuple(part) for part in parts]
    counted = [str(number) for number, _ in zip(count(), keys[0], strict=False)]
    if list(keys[0]) == counted and all(key == keys[0] for key in keys):
        rows = [{name: part[key] for name, part in value.items()} for key in keys[0]]
        return rows, "The file is a table of pandas (orient='columns')."
    if list(value) == [str(number) for number in range(len(parts))] and len(parts) > 1:
        return parts, "The file is a table of pandas (orient='index')."
    return None


def _is_split(value: Mapping[str, Any]) -> bool:
    names, rows = value["columns"], value["data"]
    return (
        isinstance(names, list)
        and isinstance(rows, list)
        and all(isinstance(row, list) and len(row) == len(names) for row in rows)
    )


def records_of_lists(rows: Iterator[Any]) -> Iterator[Record]:
    """Makes records of rows that are lists; names are made up unless the first row is of names.

    Args:
        rows: Lists of values, one at least.

    Yields:
        A record.
    """
    first = next(rows)
    second = next(rows, None)
    named = _are_names(first, second)
    names = (
        [str(name) for name in first] if named else [f"column_{n + 1}" for n in range(len(first))]
    )
    for row in [*([] if named else [first]), *([] if second is None else [second])]:
        yield _record(names, row)
    for row in rows:
        yield _record(names, row)


def _are_names(first: Sequence[Any], second: object) -> bool:
    words = all(isinstance(name, str) for name in first) and len(set(first)) == len(first)
    return words and isinstance(second, list) and not all(isinstance(one, str) for one in second)


def _record(names: Sequence[str], row: object) -> Any:
    """Gives a row with its names; what is no such row stays, to be refused."""
    fits = isinstance(row, list) and len(row) == len(names)
    return dict(zip(names, row, strict=True)) if isinstance(row, list) and fits else row
