"""Numbers whose points may mean something else: thousands, or the parts of a version.

Whoever writes 1.234 may mean a number with decimals, one above a thousand, or a version. The table
alone cannot tell, so it is read as decimals, and the owner is told where that may be wrong.
"""

import re
from collections.abc import Iterator, Sequence

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
    may_part = delimiter != "," and options.decimal is None
    told: list[str] = []
    for place, name in enumerate(names):
        if options.types.get(name):
            continue
        cells = [row[place].strip() for row in rows if place < len(row)]
        cells = [cell for cell in cells if not says_nothing(cell)]
        told += _said_of_column(f"{name:.{QUOTED_LENGTH}}", cells, may_part=may_part)
    return tuple(told)


def _said_of_column(name: str, cells: Sequence[str], *, may_part: bool) -> Iterator[str]:
    """Says of one column what its points may be.

    Args:
        name: The name, as it is shown.
        cells: Its cells, without those that say nothing.
        may_part: Whether points may part thousands.

    Yields:
        Sentences.
    """
    if cells and all(map(_SHORTENED.fullmatch, cells)):
        yield (
            f"{name} ({cells[0]!r}) holds numbers as spreadsheets shorten long ones: if they are"
            " identifiers, their last digits are lost. Export the column as text."
        )
    example = next((cell for cell in cells if "." in cell), None)
    if example is None or not all(map(_NUMBER.fullmatch, cells)):
        return
    if may_part and all(map(_PARTED.fullmatch, cells)):
        yield (
            f"In {name}, {example!r} is read with a decimal point; say that decimal is a comma if"
            " points part thousands."
        )
    elif padded := _padded_beside_shorter(cells):
        yield (
            f"{name} is read as numbers, in which {padded!r} and {padded.rstrip('0')!r} are the"
            " same: name the type string in types if it holds versions or codes."
        )


def _padded_beside_shorter(cells: Sequence[str]) -> str | None:
    """Returns a number that ends in zeros where another has fewer decimals: 1.10 beside 1.2."""
    padded = next(filter(_PADDED.fullmatch, cells), None)
    if padded is None:
        return None
    are_shorter = (
        _decimals(cell) < _decimals(padded) and _SHORTER.fullmatch(cell) for cell in cells
    )
    return padded if any(are_shorter) else None


def _decimals(cell: str) -> int:
    """Counts the digits behind the point."""
    return len(cell.partition(".")[2])
