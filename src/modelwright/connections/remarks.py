"""What is to be said of columns while a database's rows are read: each a notice with a name."""

from collections import Counter
from collections.abc import Sequence

MOST_SAID = 50
"""Notices that one table may have; a further one says how many more there are."""
NAME_SHOWN = 60
"""Characters of a column's name that a notice shows."""
BYTES = "The bytes in {name} are kept as hexadecimal digits."
NO_DAY = (
    "In {name}, {rows} no day of the calendar of the years 1 to 9999"
    " (such as 0000-00-00 or infinity): empty there."
)
NO_NUMBER = "In {name}, {rows} not a number or infinite, which no decimal can be: empty there."
TOO_MANY_DIGITS = (
    "The numbers in {name} need more than 38 digits and are kept as texts with all their digits;"
    " a query that casts them to a shorter decimal brings them in as numbers."
)
MIXED_BYTES = "In {name}, {rows} bytes among other values: kept as X'…' in hexadecimal digits."
MIXED_TEXTS = "{name} is read as text because {rows} text among numbers."
DAMAGED_TEXTS = (
    "In {name}, {rows} text that is not UTF-8: its damaged characters are shown as \ufffd."
)
NO_ENCODING = (
    "The database names no encoding (SQL_ASCII), and in {rows} not UTF-8: read as Windows-1252;"
    " a query with convert_from(column::bytea, 'encoding') brings others in."
)
ROUNDED = (
    "In {name}, {rows} a whole number of more than 15 digits among fractions: rounded to the"
    " nearest double."
)
MOMENTS = "The times in {name} are moments; they are kept in UTC."


class Remarks:
    """Sentences about columns, each said once, with the number of rows that it is about."""

    def __init__(self) -> None:
        self._rows: Counter[tuple[int, str]] = Counter()

    def say(self, place: int, sentence: str, rows: int = 1) -> None:
        """Notes a sentence of a column, by its place; nothing where it is about no rows."""
        if rows:
            self._rows[place, sentence] += rows

    def told(self, names: Sequence[str]) -> list[str]:
        """Returns the notices, in the columns' order."""
        said = [
            sentence.format(name=f"{names[place]:.{NAME_SHOWN}}", rows=_counted(rows))
            for (place, sentence), rows in sorted(self._rows.items())
        ]
        more = len(said) - MOST_SAID
        return [*said[:MOST_SAID], *([f"There are {more} more such notices."] if more > 0 else [])]


def _counted(rows: int) -> str:
    return "1 value is" if rows == 1 else f"{rows:,} values are"
