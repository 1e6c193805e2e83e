"""Numbers whose points may mean something else: thousands, or the parts of a version."""

import re
from collections.abc import Sequence

from modelwright.engines.ingest.quoted_length import QUOTED_LENGTH
from modelwright.engines.ingest.read_options import ReadOptions
from modelwright_runtime.missing_values import says_nothing

_PARTED = re.compile(r"-?[1-9]\d{0,2}(\.\d{3})?")
"""A number whose point may part thousands."""
_NUMBER = re.compile(r"-?\d+(\.\d+)?")
_PADDED = re.compile(r"-?\d+\.\d+0")
_SHORTENED = re.compile(r"-?[1-9](\.\d{1,5})?E\+(1[1-9]|2\d)")
"""A whole number of more than eleven digits, as a spreadsheet shows it."""
_SHORTER = re.compile(r"-?\d+\.\d*[1-9]")


def said_of_points(
    names: Sequence[str], rows: Sequence[Sequence[str]], delimiter: str, options: ReadOptions
) -> tuple[str, ...]:
    """Says which columns are read as numbers although their points may be none of decimals.

    Args:
        names: The names of the columns.
        rows: The first rows of data, each a list of cells.
        delimiter: What stands between cells.
        options: What the owner of the file says of it.

    Returns:
        Sentences.
    """
    told = []
    for place, name in enumerate(names):
        if options.types.get(name):
            continue
        cells = [row[place].strip() for row in rows if place < len(row)]
        cells = [cell for cell in cells if not says_nothing(cell)]
        if cells and all(map(_SHORTENED.fullmatch, cells)):
            told.append(
                f"{name:.{QUOTED_LENGTH}} ({cells[0]!r}) holds numbers as spreadsheets shorten long"
                " ones: if they are identifiers, their last digits are lost. Export the column as"
                " text."
            )
        if not any("." in cell for cell in cells) or not all(map(_NUMBER.fullmatch, cells)):
            continue
        example = next(cell for cell in cells if "." in cell)
        if delimiter != "," and options.decimal is None and all(map(_PARTED.fullmatch, cells)):
            told.append(
                f"In {name:.{QUOTED_LENGTH}}, {example!r} is read with a decimal point; say that"
                " decimal is a comma if points part thousands."
            )
        elif (padded := next(filter(_PADDED.fullmatch, cells), None)) and any(
            _decimals(cell) < _decimals(padded) and _SHORTER.fullmatch(cell) for cell in cells
        ):
            told.append(
                f"{name:.{QUOTED_LENGTH}} is read as numbers, in which {padded!r} and"
                f" {padded.rstrip('0')!r} are the same: name the type string in types if it holds"
                " versions or codes."
            )
    return tuple(told)


def _decimals(cell: str) -> int:
    """Counts the digits behind the point."""
    return len(cell.partition(".")[2])
