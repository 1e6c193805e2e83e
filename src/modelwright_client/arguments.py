"""Refuses arguments that would be misread or passed over without a word."""

from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from typing import Any

AS_ROWS = "of a data frame give frame.to_dict('records')"


def refuse_unknown(call: str, given: Mapping[str, Any], known: type) -> None:
    """Refuses keywords that an operation does not know, as a function of Python does.

    Args:
        call: The name of the method, for the message.
        given: The keywords as they came.
        known: The typed dictionary of those that the operation takes.

    Raises:
        TypeError: For the first unknown keyword; it names the nearest known one.
    """
    names = list(known.__annotations__)
    for name in given:
        if name not in names:
            near = get_close_matches(name, names, 1)
            meant = f"; did you mean {near[0]!r}?" if near else f"; it takes {', '.join(names)}"
            raise TypeError(f"{call}() got an unexpected keyword argument {name!r}{meant}")


def checked_row(row: Any, where: str = "row") -> dict[str, Any]:
    """Returns a row as a dictionary.

    Args:
        row: Field names and their values.
        where: What the message calls the row.

    Returns:
        A copy of the row.

    Raises:
        TypeError: For what is no mapping of field names to values, such as a data frame.
    """
    if not isinstance(row, Mapping):
        kind = type(row).__name__
        raise TypeError(f"{where} must map field names to values, not be a {kind}; {AS_ROWS}")
    return dict(row)


def checked_rows(rows: Any) -> list[dict[str, Any]]:
    """Returns rows as dictionaries, in their order.

    Args:
        rows: A list of rows, each field names and their values.

    Returns:
        Copies of the rows.

    Raises:
        TypeError: For what is no sequence of mappings: one row alone, a frame, columns of values.
    """
    if isinstance(rows, Mapping | str | bytes) or not isinstance(rows, Sequence):
        kind = type(rows).__name__
        raise TypeError(f"rows must be a list of mappings, not a {kind}; {AS_ROWS}")
    return [checked_row(row, f"rows[{place}]") for place, row in enumerate(rows)]
