"""The cells of a sheet that its owner names, as spreadsheets write them: `Data!A1:F20`.

The libraries that read workbooks each count rows and columns in their own way; ranges are
translated here once.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

LAST_COLUMN = 16_383
"""The last column of a sheet, XFD, counted from 0 (ECMA-376)."""
LAST_ROW = 1_048_576
"""The last row of a sheet, counted from 1 (ECMA-376)."""
LETTERS = 26
"""Letters by which sheets name their columns."""
_RANGE = re.compile(
    r"(?:(?P<sheet>.*)!)?\$?(?P<left>[A-Z]{1,3})\$?(?P<top>[1-9]\d{0,6})?"
    r":\$?(?P<right>[A-Z]{1,3})\$?(?P<bottom>[1-9]\d{0,6})?",
    re.IGNORECASE,
)
Row = dict[int, object]
"""The values of a row that has any, by the number of their column, from 0; None for errors."""


@dataclass(frozen=True, slots=True)
class CellRange:
    """Some columns and rows of a sheet."""

    left: int
    right: int
    """The first and the last column, counted from 0."""
    top: int = 1
    bottom: int = LAST_ROW
    """The first and the last row, counted from 1."""

    def within(self, rows: Iterator[tuple[int, Row]]) -> Iterator[tuple[int, Row]]:
        """Yields what lies in the range of rows, each with its number.

        Args:
            rows: Rows with their numbers, from 1.

        Yields:
            Rows that have any value there.
        """
        for number, row in rows:
            if self.top <= number <= self.bottom:
                found = {at: one for at, one in row.items() if self.left <= at <= self.right}
                if found:
                    yield number, found


def range_of(wanted: str) -> tuple[str | None, CellRange | None]:
    """Reads the name of a sheet with its cells.

    Args:
        wanted: What the owner of the file says, such as `Data!A1:F20`, `A:F` or `Data`.

    Returns:
        The sheet (None where only cells are named), and the cells (None where there are none).
    """
    found = _RANGE.fullmatch(wanted.strip())
    if found is None:
        return wanted, None
    columns = sorted(map(column_of, (found["left"].upper(), found["right"].upper())))
    top, bottom = int(found["top"] or 1), int(found["bottom"] or LAST_ROW)
    sheet = (found["sheet"] or "").strip()
    if len(sheet) > 1 and sheet[0] == sheet[-1] == "'":
        sheet = sheet[1:-1].replace("''", "'")
    return sheet or None, CellRange(columns[0], columns[1], min(top, bottom), max(top, bottom))


@lru_cache(LAST_COLUMN)
def column_of(letters: str) -> int:
    """Returns the number of a column.

    Args:
        letters: Its letters, such as `AB`.

    Returns:
        Its number, from 0.
    """
    number = 0
    for letter in letters:
        number = number * LETTERS + ord(letter) - ord("A") + 1
    return number - 1


def letters_of(column: int) -> str:
    """Returns the letters of a column, as sheets name it.

    Args:
        column: Its number, from 0.

    Returns:
        Letters such as `AB`.
    """
    letters, number = "", column + 1
    while number:
        number, rest = divmod(number - 1, LETTERS)
        letters = chr(ord("A") + rest) + letters
    return letters
