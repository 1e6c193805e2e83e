"""Rows of a delimited text that Arrow's reader would misread, one by one and each with its line.

A row is read by the rules where they hold. Where they do not, the one reading is taken that makes
the row as wide as the table, and is noted with its line; where none does, the file is refused.
"""

import csv
import io
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NoReturn

from modelwright.engines.ingest.blank_rows import LEAST_COLUMNS, BlankRows
from modelwright.engines.ingest.parse_errors import misquoted, too_long
from modelwright.engines.ingest.table import Bounds

MOST_LINES = 10_000
"""A quoted cell over more lines than this is a quote that was never closed."""
NAMED_LINES = 5
"""So many lines are named in a notice; the others are counted."""
STRAY_QUOTES = 2
"""What stands between two of them is taken for one cell, line ends included."""
KEY_VALUE_CELLS = 2
"""Cells of a row that has as many as a name and a value."""


class _Misquoted(ValueError):
    """The quotes of a row break the rules."""

    def __init__(self, *, unclosed: bool) -> None:
        super().__init__()
        self.unclosed = unclosed


@dataclass(slots=True)
class Repairs:
    """The lines that were not read by the rules, by what was done with them."""

    stray: list[int] = field(default_factory=list)
    """A quote opens a cell and nothing closes it: it was read as a character."""
    inner: list[int] = field(default_factory=list)
    """Quotes inside a quoted cell are not doubled: they were read as characters."""

    def __len__(self) -> int:
        return len(self.stray) + len(self.inner)

    def notices(self) -> list[str]:
        """Says what was repaired, and where.

        Returns:
            Sentences.
        """
        said = (
            (self.stray, "A quote is opened and never closed, and is read as a character"),
            (self.inner, "Quotes inside a quoted cell are not doubled, and are read as they are"),
        )
        return [f"{what} ({lines_named(lines)})." for lines, what in said if lines]


def lines_named(
    numbers: Sequence[int],
    what: str = "line",
    count: int | None = None,
    *,
    most: int = NAMED_LINES,
) -> str:
    """Names the first few of some lines, and counts the others.

    Args:
        numbers: Numbers of lines, from 1; the first `most` are enough.
        what: What has the numbers, in the singular.
        count: How many there are, where not all are given.
        most: How many are named at most.

    Returns:
        Part of a sentence.
    """
    count = len(numbers) if count is None else count
    named = ", ".join(f"{number:,}" for number in numbers[:most])
    more = count - most
    listed = f"{named} and {more:,} more" if more > 0 else named
    return f"{what} {listed}" if count == 1 else f"{what}s {listed}"


class RepairedRows:
    """Rows of cells, blank lines left out, each with the number of the line on which it starts."""

    def __init__(
        self,
        lines: Iterator[str],
        delimiter: str,
        quote: str,
        escape: str | None,
        bounds: Bounds,
        *,
        padded: bool = False,
        width: int | None = None,
        is_row: Callable[[list[str]], bool] = lambda _: False,
    ) -> None:
        """Keeps how the text is written.

        Args:
            lines: the lines, each with its end.
            delimiter: the character between cells.
            quote: the character around cells.
            escape: what makes a quote in a quoted cell a character, besides doubling it.
            bounds: the length of a cell to keep to.
            padded: blanks around cells are none of them.
            width: the cells that a row should have; None where that is not known yet.
            is_row: whether cells are of the kinds of the columns; in tables of two columns a line
                of words is easily as wide as a row.
        """
        self.line = 0
        """The number of the line on which the last row starts."""
        self.characters = 0
        """So many characters were read up to the end of the last row."""
        self.spans = False
        """Whether the last row goes over several lines."""
        self.repairs = Repairs()
        self.blanks = BlankRows()
        """Blank lines, by the number of rows above them."""
        self.above = 0
        """So many rows stand above the data."""
        self._lines, self._waiting, self._next_line = lines, list[str](), 1
        self._delimiter, self._quote, self._escape = delimiter, quote, escape
        self._bounds, self._padded = bounds, padded
        self._width, self._is_row = width, is_row
        mark, sign = re.escape(delimiter), re.escape(quote)
        self._padded_cell = re.compile(
            rf"[ \t]*{sign}((?:[^{sign}]|{sign}{sign})*){sign}[ \t]*(?={mark}|[\r\n]*\Z)"
            rf"|((?:(?!{mark})[^\r\n])*)"
        )
        self._lenient_cell = re.compile(
            rf"[ \t]*{sign}(.*?){sign}[ \t]*(?={mark}|\Z)|((?:(?!{mark}).)*)"
            if padded
            else rf"{sign}(.*?){sign}(?={mark}|\Z)|((?:(?!{mark}).)*)"
        )
        csv.field_size_limit(bounds.max_cell_bytes)

    def __iter__(self) -> Iterator[list[str]]:
        rows = 0
        while (row := self._row()) is not None:
            if row:
                rows += 1
                yield row
            else:
                self.blanks.see(rows - self.above)

    def _row(self) -> list[str] | None:
        line = self._take()
        if line is None:
            return None
        self.line, self.spans = self._next_line - 1, False
        if self._is_blank(line):
            return []
        if self._quote not in line:
            return self._plain(line)
        try:
            return self._strict(line)
        except _Misquoted as fault:
            return self._over_lines(line) if fault.unclosed else self._literal(line, fault)

    def _is_blank(self, line: str) -> bool:
        """Returns whether a line has nothing in it; in a table of one column blanks are a cell."""
        several = self._width is None or self._width >= LEAST_COLUMNS
        blanks = several and self._delimiter not in line
        return not line.strip(" \t\r\n" if blanks else "\r\n")

    def _take(self) -> str | None:
        line = self._waiting.pop() if self._waiting else next(self._lines, None)
        if line is not None:
            self._next_line += 1
            self.characters += len(line)
        return line

    def _give_back(self, lines: Sequence[str]) -> None:
        self._waiting.extend(reversed(lines))
        self._next_line -= len(lines)
        self.characters -= sum(map(len, lines))

    def _plain(self, line: str) -> list[str]:
        cells = line.rstrip("\r\n").split(self._delimiter)
        return [cell.strip(" \t") for cell in cells] if self._padded else cells

    def _strict(self, text: str) -> list[str]:
        """Reads a row by the rules, over however many lines."""
        if self._padded:
            return self._strictly_padded(text)
        rows = csv.reader(
            io.StringIO(text, newline=""),
            delimiter=self._delimiter,
            quotechar=self._quote,
            escapechar=self._escape,
            strict=True,
        )
        try:
            return next(rows)
        except csv.Error as error:
            if "field larger" in str(error):
                raise too_long(self.line, self._bounds) from None
            raise _Misquoted(unclosed="unexpected end" in str(error)) from None

    def _strictly_padded(self, text: str) -> list[str]:
        cells, at = [], 0
        while found := self._padded_cell.match(text, at):
            at = found.end()
            if found[2] is not None and found[2].lstrip(" \t").startswith(self._quote):
                raise _Misquoted(unclosed=text.count(self._quote) % 2 == 1)
            quoted = found[1] is not None
            cells.append(
                found[1].replace(2 * self._quote, self._quote) if quoted else found[2].strip(" \t")
            )
            if not text.startswith(self._delimiter, at):
                return cells
            at += 1
        raise _Misquoted(unclosed=False)

    def _over_lines(self, first: str) -> list[str]:
        """Reads a cell that goes on in the next lines, unless these are rows of their own."""
        taken: list[str] = []
        quotes, size, fault = first.count(self._quote), len(first), _Misquoted(unclosed=True)
        while True:
            line = self._take() if len(taken) < MOST_LINES else None
            if line is None:
                # Nothing closes it: the file may have been cut off here.
                self._refuse(fault)
            taken.append(line)
            quotes, size = quotes + line.count(self._quote), size + len(line)
            if size > self._bounds.max_cell_bytes:
                break
            # Quotes come in pairs; an escaped one may stand alone.
            if quotes % 2 and not self._escape:
                continue
            try:
                row = self._strict("".join([first, *taken]))
            except _Misquoted as later:
                if later.unclosed:
                    continue
                break
            if self._width not in {None, len(row)} or self._swallowed([first, *taken]):
                break
            self.spans = True
            return row
        self._give_back(taken)
        return self._literal(first, fault)

    def _swallowed(self, lines: Sequence[str]) -> bool:
        """Returns whether every line of a row is as wide as the table by itself.

        Two stray quotes have them between them, and no other quote.
        """
        if self._width is None or sum(line.count(self._quote) for line in lines) != STRAY_QUOTES:
            return False
        rows = [self._plain(line) for line in lines]
        wide = all(len(row) == self._width for row in rows)
        return wide and (
            self._width > KEY_VALUE_CELLS
            or (self._width == KEY_VALUE_CELLS and self._is_row(rows[-1]))
        )

    def _literal(self, line: str, fault: _Misquoted) -> list[str]:
        """Reads a line whose quotes break the rules in the way that fits the table."""
        lenient, plain = self._leniently(line), self._plain(line)
        if lenient is not None and self._width in {None, len(lenient)}:
            self.repairs.inner.append(self.line)
            return lenient
        if self._width in {None, len(plain)}:
            self.repairs.stray.append(self.line)
            return plain
        return self._refuse(fault)

    def _refuse(self, fault: _Misquoted) -> NoReturn:
        raise misquoted(self.line, self._quote, unclosed=fault.unclosed)

    def _leniently(self, line: str) -> list[str] | None:
        """Reads quoted cells that end only where a delimiter or the line's end follows."""
        text, at, cells, quote = line.rstrip("\r\n"), 0, list[str](), self._quote
        while found := self._lenient_cell.match(text, at):
            plain = found[2]
            if plain is not None and plain.startswith(quote):
                return None
            cells.append(found[1].replace(2 * quote, quote) if plain is None else plain)
            at = found.end()
            if at >= len(text):
                return cells
            at += 1
        return None
