"""Rows without anything in them that stand between others, and the sentence that tells them.

Nobody can tell a gap from the end of one table and the beginning of another, so they are counted
and told. Those above the first row and below the last one say nothing.
"""

from collections.abc import Sequence

import pyarrow as pa
import pyarrow.compute as pc

from modelwright.engines.ingest.quoted_length import MOST_NAMED

LEAST_COLUMNS = 2
"""In a table of a single column a blank row is a gap."""


class BlankRows:
    """Counts blank rows, by the rows that stand above them."""

    def __init__(self) -> None:
        self.count = 0
        """So many were seen."""
        self._places: list[int] = []
        """The first rows that have a blank one below them, counted from 1."""
        self._last = self._below_last = 0

    def see(self, above: int, number: int = 1) -> None:
        """Takes blank rows.

        Args:
            above: How many rows that are not blank stand above them.
            number: How many blank rows there are.
        """
        if above <= 0:
            return
        if above != self._last:
            self._last, self._below_last = above, 0
            if len(self._places) <= MOST_NAMED:
                self._places.append(above)
        self._below_last += number
        self.count += number

    def between(self, rows: int) -> tuple[int, list[int]]:
        """Counts the blank rows that have rows on both sides.

        Args:
            rows: How many rows are not blank.

        Returns:
            How many are blank, and the first rows that stand right above one, from 1.
        """
        count = self.count - (self._below_last if self._last >= rows else 0)
        return count, [place for place in self._places if place < rows]


def said_of_blanks(count: int, places: Sequence[int], what: str, then: str) -> list[str]:
    """Says that blank rows were passed over, and where.

    Args:
        count: How many.
        places: The first rows that stand right above one.
        what: What is blank, such as `line`.
        then: What to do if what is below is another table.

    Returns:
        One sentence, or none.
    """
    if not count:
        return []
    named = ", ".join(f"{place:,}" for place in places[:MOST_NAMED])
    more = " and more" * (len(places) > MOST_NAMED)
    row = "row" if len(places) == 1 else "rows"
    blank = f"1 blank {what} is" if count == 1 else f"{count:,} blank {what}s are"
    said = f"{blank} left out between the others (below {row} {named}{more} of the data)"
    return [f"{said}, and all is read as one table: {then}"]


def blanks_among(columns: Sequence[pa.Array]) -> pa.Array | None:
    """Tells which rows have no value in any column.

    Args:
        columns: Columns of one piece.

    Returns:
        A truth for each row, or None where every row has a value.
    """
    if len(columns) < LEAST_COLUMNS or not all(column.null_count for column in columns):
        return None
    blank = columns[0].is_null()
    for column in columns[1:]:
        blank = pc.and_(blank, column.is_null())
        if not pc.any(blank).as_py():
            return None
    return blank
