"""What a sheet shows of its cells beside their values: numbers filled with zeros, hidden parts.

A workbook stores 7 where people see 007, and keeps rows that nobody sees: the first is read as it
is shown, and the second is told.
"""

from dataclasses import dataclass, field

from modelwright.engines.ingest.cell_range import LAST_COLUMN, LAST_ROW

WHOLE = 10**15
"""Up to here a float tells whole numbers apart."""
MOST_PADDED = 1_000_000
"""Where more numbers have zeros before them, all are read as numbers: each takes memory."""


class PaddedNumber(str):
    """A whole number that its sheet shows with zeros before it, as it is shown."""

    __slots__ = ()


@dataclass(slots=True)
class ShownCells:
    """What is known of a sheet beside the values of its cells."""

    padded: dict[tuple[int, int], int] = field(default_factory=dict)
    """To how many digits numbers are filled with zeros, by rows, from 1, and columns, from 0."""
    hidden_rows: set[int] = field(default_factory=set)
    hidden_columns: set[int] = field(default_factory=set)
    notices: list[str] = field(default_factory=list)
    """What is not known, and has to be told."""
    is_full: bool = False
    """Whether there were too many numbers with zeros before them, which are not looked for then."""
    _columns_left: int = LAST_COLUMN + 1

    def pad(self, row: int, column: int, digits: int) -> None:
        """Notes that a number is filled with zeros.

        Args:
            row: Its row, from 1.
            column: Its column, from 0.
            digits: To how many digits it is filled.
        """
        if self.is_full:
            return
        self.padded[row, column] = digits
        if len(self.padded) > MOST_PADDED:
            self.is_full = True
            self.padded.clear()
            self.notices.append(
                f"The sheet shows more than {MOST_PADDED:,} numbers with zeros before them, too"
                " many to keep these: they are read as plain numbers. Format them as text in the"
                " workbook if they are codes."
            )

    def hide_rows(self, first: int, number: int = 1) -> None:
        """Notes that rows are hidden.

        Args:
            first: The first of them, from 1.
            number: How many there are.
        """
        self.hidden_rows.update(range(first, min(first + number, LAST_ROW + 1)))

    def hide_columns(self, first: int, last: int) -> None:
        """Notes that columns are hidden; of a sheet that names them again and again, only some.

        Args:
            first: The first of them, from 0.
            last: The last of them.
        """
        last = min(last, LAST_COLUMN, first + self._columns_left - 1)
        self.hidden_columns.update(range(first, last + 1))
        self._columns_left -= max(0, last - first + 1)


def padded(number: int, digits: int) -> int | PaddedNumber:
    """Returns a whole number as it is shown where zeros are put before it.

    Args:
        number: The number.
        digits: To how many digits it is filled.

    Returns:
        The text that is shown, or the number where it has as many digits itself.
    """
    is_shorter = digits > 1 and 0 <= number < 10 ** (digits - 1)
    return PaddedNumber(f"{number:0{digits}}") if is_shorter else number
