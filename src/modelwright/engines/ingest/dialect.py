"""How a delimited text is written: its delimiter, its quotes, and whether it names its columns."""

import csv
import io
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import dropwhile, islice

from modelwright.engines.ingest.aside import said_above
from modelwright.engines.ingest.header import (
    TITLED,
    fitted_names,
    has_header,
    has_names,
    titles_above,
    with_groups,
)
from modelwright.engines.ingest.naming import distinct_names
from modelwright.engines.ingest.table import Bounds, BrokenFile

COMMON = ",\t;|"
HALF, NEARLY_ALL = 0.5, 0.9
"""The share of rows that must agree with the first one, or, where it strays, with each other."""
RARE = "\x01\x02\x03\x1c\x1d\x1e\x1f^~: "
NONE = "\x1f"
"""The delimiter of a text with a single column."""
WORDY = ": "
"""Delimiters that also occur inside words and times; taken only where a header proves them."""
ROWS = 200
START = 65536
"""So many characters are enough to tell quotes."""


@dataclass(frozen=True, slots=True)
class Dialect:
    """The writing of a delimited text."""

    delimiter: str = ","
    quote: str = '"'
    escape: str | None = None
    names: tuple[str, ...] = ()
    """The columns' names, made up where the text has none."""
    above: int = 0
    """Rows above the data: titles, and the names."""
    skip: int = 0
    """Bytes of UTF-8 before the first row of data."""
    notices: tuple[str, ...] = ()
    """What is to be said of the rows above the names."""

    def rows(self, lines: Iterator[str], longest: int, strict: bool = False) -> "Rows":
        """Reads rows from lines; refuses cells over `longest` characters, by `csv.Error`."""
        csv.field_size_limit(longest)
        return Rows(
            csv.reader(
                lines,
                delimiter=self.delimiter,
                quotechar=self.quote,
                escapechar=self.escape,
                doublequote=True,
                strict=strict,
            )
        )


class Rows:
    """Rows of cells, blank lines left out, each with the number of the line on which it starts."""

    def __init__(self, reader: Iterator[list[str]]) -> None:
        self._reader = reader
        self.line = 0

    def __iter__(self) -> Iterator[list[str]]:
        while True:
            self.line = self._reader.line_num + 1  # type: ignore[attr-defined]
            row = next(self._reader, None)
            if row is None:
                return
            if row:
                yield row


@dataclass(frozen=True, slots=True)
class Sample:
    """The start of a text."""

    text: str
    whole: bool
    """Nothing comes after it."""
    bounds: Bounds

    def rows(self, dialect: Dialect, strict: bool = False) -> tuple[list[list[str]], list[int]]:
        """Gives the first whole rows and where, in characters, each of them ends."""
        ends: list[int] = []
        rows: list[list[str]] = []
        read = 0

        def lines() -> Iterator[str]:
            nonlocal read
            for line in io.StringIO(self.text, newline=""):
                read += len(line)
                yield line

        cut = not self.whole
        try:
            for row in islice(dialect.rows(lines(), self.bounds.max_cell_bytes, strict), ROWS + 1):
                rows.append(row)
                ends.append(read)
        except csv.Error:
            if strict and (self.whole or read < len(self.text)):
                raise
            cut = False
        if cut and read >= len(self.text):
            rows = rows[:-1]
        return rows[:ROWS], ends

    def widths(self, dialect: Dialect) -> list[int]:
        """Gives the numbers of cells of the first rows."""
        return [len(row) for row in self.rows(dialect)[0]]

    def sound(self, dialect: Dialect) -> bool:
        """Tells whether quotes stand where they should, and all rows have as many cells."""
        try:
            return len({len(row) for row in self.rows(dialect, strict=True)[0]}) == 1
        except csv.Error:
            return False


def find_dialect(sample: bytes, whole: bool, tabbed: bool, bounds: Bounds) -> Dialect:
    """Finds how a text is written from its start.

    Args:
        sample: the first bytes, in UTF-8; all of them if `whole`.
        whole: nothing comes after the sample.
        tabbed: the name or the declared type says that tabs are the delimiter.
        bounds: the number of columns and the size of cells to keep to.

    Raises:
        BrokenFile: there is no row, or there are too many columns.
    """
    text = sample.decode("utf-8", "replace")
    if not text.strip("\r\n \t"):
        raise BrokenFile("The file is empty.", expected="a header and rows")
    said = re.match(r"sep=(.)(\r\n|\n|\r)", text)
    start = said.end() if said else 0
    begun = Sample(text[start:], whole, bounds)
    written = _written(begun, said[1] if said else None, tabbed)
    rows, ends = begun.rows(written)
    if not rows:
        raise BrokenFile(
            f"The first row is longer than {bounds.max_cell_bytes / 2**20:g} MiB.", line=1
        )
    named_whole = with_groups(rows)
    titles = titles_above(named_whole)
    notices = said_above(rows[:titles], named_whole is not rows)
    rows, ends = named_whole[titles:], [0, *ends][titles:]
    if len(rows[0]) > bounds.max_columns:
        raise BrokenFile(
            f"The file has {len(rows[0]):,} columns; at most {bounds.max_columns:,} can be read.",
            line=1,
            expected=f"at most {bounds.max_columns:,} columns",
        )
    fitted = fitted_names(rows)
    named = has_header([fitted, *rows[1:]])
    names = distinct_names(fitted if named else [""] * len(rows[0]))
    skip = len(text[: start + ends[named]].encode("utf-8"))
    above = titles + named
    return replace(written, names=tuple(names), above=above, skip=skip, notices=notices)


def _written(sample: Sample, said: str | None, tabbed: bool) -> Dialect:
    """Finds quotes, escapes and the delimiter; what is unusual only where nothing else fits."""
    start, quote = sample.text[:START], _quote(sample.text)
    ways = [Dialect(quote=quote)]
    if '\\"' in start:
        ways.append(Dialect(quote=quote, escape="\\"))
    if "'" in start and quote != "'":
        ways.append(Dialect(quote="'"))
    first = None
    for way in ways:
        found = replace(way, delimiter=said or _delimiter(sample, way, tabbed))
        if len(ways) == 1 or sample.sound(found):
            return found
        first = first or found
    return first or Dialect()


def _quote(text: str) -> str:
    if '"' in text:
        return '"'
    quoted = re.findall(r"(?:^|[,;\t|])'[^'\r\n]*'(?=[,;\t|\r\n]|$)", text[:START], re.MULTILINE)
    return "'" if len(quoted) >= max(2, text[:START].count("\n")) else '"'


def _delimiter(sample: Sample, dialect: Dialect, tabbed: bool) -> str:
    found = []
    for candidate in COMMON:
        widths = sample.widths(replace(dialect, delimiter=candidate))
        width, often = Counter(widths).most_common(1)[0] if widths else (0, 0)
        share, agrees = often / max(len(widths), 1), widths[:1] == [width]
        below = list(dropwhile(width.__gt__, widths))
        titled = width >= TITLED and len(below) > 1 and set(below) == {width}
        titled |= set(widths[1:]) == {width} and width + 1 == widths[0]
        if width > 1 and (titled or share >= (HALF if agrees else NEARLY_ALL)):
            hinted = tabbed and candidate == "\t"
            found.append((agrees, round(share, 1), hinted, width, candidate))
    if found:
        return max(found)[-1]
    rarely = (one for one in RARE if _delimits(sample, replace(dialect, delimiter=one)))
    return next(rarely, NONE)


def _delimits(sample: Sample, dialect: Dialect) -> bool:
    """Tells whether a rare delimiter is one: all rows agree, and words are not torn."""
    rows, _ = sample.rows(dialect)
    if len(rows) < 2 or len(rows[0]) < 2 or len(set(map(len, rows))) > 1:  # noqa: PLR2004 - several
        return False
    return dialect.delimiter not in WORDY or has_names(rows)
