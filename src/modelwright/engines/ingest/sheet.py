"""The first sheet of an Excel file as blocks of columns, read as a stream of cells.

A library that opens a workbook holds all of it in memory; read as a stream, a sheet takes no more
than a block.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from datetime import date, datetime, time, timedelta
from itertools import chain, islice
from pathlib import Path
from typing import Any

from modelwright.engines.ingest.blank_rows import BlankRows, said_of_blanks
from modelwright.engines.ingest.calamine import (
    CalamineRows,
    Unbounded,
    is_packed_xml,
    open_by_calamine,
)
from modelwright.engines.ingest.cell_range import (
    LAST_COLUMN,
    LAST_ROW,
    CellRange,
    Row,
    column_of,
    letters_of,
    range_of,
)
from modelwright.engines.ingest.header import (
    has_header,
    lines_below_names,
    lines_of_groups,
    names_as_said,
    titles_above,
    with_groups,
)
from modelwright.engines.ingest.kinds import Cells
from modelwright.engines.ingest.name_evidence import said_of_weak_names
from modelwright.engines.ingest.naming import distinct_names, said_of_nameless, said_of_names
from modelwright.engines.ingest.non_data_rows import NonDataRows, said_above
from modelwright.engines.ingest.quoted_length import QUOTED_LENGTH
from modelwright.engines.ingest.read_options import ReadOptions
from modelwright.engines.ingest.sheet_choice import SheetChoice, said_of_choice
from modelwright.engines.ingest.shown_cells import WHOLE, PaddedNumber, padded
from modelwright.engines.ingest.side_by_side import (
    Block,
    blocks_of,
    main_block,
    said_of_blocks,
    said_of_names_again,
)
from modelwright.engines.ingest.source_facts import SourceFacts
from modelwright.engines.ingest.table import BYTES_PER_CELL, Bounds, BrokenFile
from modelwright.engines.ingest.values import cells_of
from modelwright.engines.ingest.workbook import DAMAGED, Parts, Workbook, open_workbook, unescaped
from modelwright.engines.sentences import first_of

Spans = dict[tuple[int, int], int]
"""By its first row and its column, counted from 1 and 0, the last row of a cell of several rows."""
BLOCK_CELLS = 1_000_000
"""Cells that rows wait for before they are handed on."""
BLOCK_CHARACTERS = 8 * 2**20
"""Characters that rows wait for before they are handed on."""
SAMPLE_ROWS = 200
"""Rows by which the header is found."""
LAST_DAY = 2_958_466
"""The serial number of the first day of the year 10000."""
PHANTOM_LEAP_DAY = 60
"""The 29th of February 1900, which Excel counts although it never was."""
MOST_SPANS = 100_000
"""More merged cells of several rows stay as they are."""
_SPAN = re.compile(r"([A-Z]{1,3})([0-9]{1,7}):[A-Z]{1,3}([0-9]{1,7})")
MAX_NAMED = 3
"""Further sheets that are told by their names."""
TRUE = {"1", "true"}
"""How XML writes that something is so."""
WHOLE_DIGITS = 15
"""Longer whole numbers are kept as they are written, because a float has no room for them."""
NO_IDENTIFIER = 10**22
"""From here on a number is a quantity, not an identifier that lost its last digits."""


class Sheet(SourceFacts):
    """The first sheet of an Excel file, to be read several times."""

    def __init__(
        self,
        path: Path,
        bounds: Bounds,
        progress: Callable[[float], None],
        options: ReadOptions | None = None,
    ) -> None:
        super().__init__()
        self._options = options or ReadOptions()
        self._wanted, self._cells = range_of(self._options.sheet or "")
        self._wanted = self._wanted or None
        self._blocks: list[Block] = []
        self._main: Block | None = None
        """The only one that is read of tables side by side."""
        self._held = set[int]()
        """Columns that have a value."""
        self._padded: dict[str, str] = {}
        """By their columns, numbers that are shown with zeros before them."""
        self._cut: dict[str, None] = {}
        """Columns with whole numbers that a workbook does not hold exactly."""
        self._read_sheet: SheetChoice | None = None
        self._unpacked: CalamineRows | None = None
        """The rows of a workbook that was unpacked as a whole."""
        self._path = path
        self._bounds = bounds
        self._progress = progress
        self._columns: dict[int, str] = {}
        self._reader: _Reader | None = None
        self._spans: Spans = {}
        self._above: Sequence[str] = ()
        """What is to be said of the rows above the names."""
        self._header_rows, self._skip_rows = 1, 0
        self._blank_rows, self._rows = BlankRows(), 0
        """Blank rows between others; and how many others there are."""
        self._above_data: int | None = None
        """Rows with cells that stand above the data, once that is known."""
        self._gaps: list[tuple[int, int]] = []
        """Before that, the rows above blank ones, and how many are blank."""
        self.aside = NonDataRows()

    @property
    def names(self) -> list[str]:
        """The names of the columns met so far: those of the header, then any beside it."""
        return distinct_names(list(self._columns.values()))

    @property
    def choice(self) -> str:
        """How another table of the sheet is read."""
        name = self._read_sheet.name if self._read_sheet else "Data"
        return f"Name its cells as sheet, such as '{name}!A20:F40', to read that instead."

    @property
    def read_as(self) -> dict[str, Any]:
        """How the sheet is read, by the names of `ReadOptions`."""
        name = self._read_sheet.name if self._read_sheet else None
        return {
            "sheet": self._options.sheet if self._cells else name,
            "header_rows": self._header_rows,
            "skip_rows": self._skip_rows,
        }

    def line_of(self, cells: Sequence[str]) -> None:
        """Names no row of the sheet: the rows that were read do not tell which it was.

        Args:
            cells: Texts of a row.
        """

    @property
    def notices(self) -> Sequence[str]:
        """What is to be said of rows that were left out, and of cells that were merged."""
        said = "Words in cells that were merged over several rows are in each of these rows."
        rows = self._reader or self._unpacked
        filled = rows is not None and rows.filled
        merged = [said] if filled else []
        return [
            *(said_of_choice(self._read_sheet, self._wanted) if self._read_sheet else []),
            *self._said_of_blocks(),
            *self._said_of_hidden_cells(),
            *(self._unpacked.notices if self._unpacked else []),
            *self._said_of_zeros(),
            *self._said_of_formulas(),
            *self._said_of_errors(),
            *self._said_of_cut_numbers(),
            *self._said_of_blanks(),
            *self._above,
            *said_of_names(list(self._columns.values())),
            *said_of_names_again(list(self._columns.values())),
            *merged,
            *self._said_of_blank_rows(),
            *self.aside.notices,
            *self.said,
        ]

    def _said_of_blank_rows(self) -> list[str]:
        """Says which blank rows stand between others."""
        count, places = self._blank_rows.between(self._rows)
        name = self._read_sheet.name if self._read_sheet else "Data"
        then = f"name cells as sheet, such as '{name}!A20:F40', if what is below is another one."
        return said_of_blanks(count, places, "row", then)

    def _said_of_blocks(self) -> list[str]:
        """Says which tables stand beside each other."""
        return (
            said_of_blocks(self._blocks, self._main, self._read_sheet.name)
            if self._read_sheet
            else []
        )

    def _said_of_hidden_cells(self) -> list[str]:
        """Says that rows and columns are read which the sheet does not show."""
        read = self._reader or self._unpacked
        if read is None:
            return []
        columns = sorted(read.hidden_columns & self._columns.keys())
        named = ", ".join(map(letters_of, columns[:MAX_NAMED])) + " and more" * (
            len(columns) > MAX_NAMED
        )
        rows = read.hidden_rows
        told = [f"{rows:,} row{'s' * (rows > 1)}"] * bool(rows)
        told += [f"the column{'s' * (len(columns) > 1)} {named}"] * bool(columns)
        one = rows + len(columns) == 1
        verbs = "is hidden in the sheet and is" if one else "are hidden in the sheet and are"
        said = f"{' and '.join(told)} {verbs} read like the others."
        return [said[0].upper() + said[1:]] if told else []

    def _said_of_zeros(self) -> list[str]:
        """Says which numbers are texts because the sheet shows them with zeros before them."""
        if not self._padded:
            return []
        named = ", ".join(
            f"{name:.{QUOTED_LENGTH}} ({text!r})"
            for name, text in list(self._padded.items())[:MAX_NAMED]
        )
        more = " and more" * (len(self._padded) > MAX_NAMED)
        return [
            (
                f"Numbers that the sheet shows with zeros before them are texts: {named}{more}."
                " Name the type integer in types to have them read as numbers."
            )
        ]

    def _said_of_formulas(self) -> list[str]:
        """Says which formulas have no result in the file."""
        if self._reader is None or not self._reader.unsolved:
            return []
        names = dict(zip(self._columns, self.names, strict=True))
        told = ", ".join(
            f"{number:,} formula{'s' * (number > 1)} of {names.get(at, '?'):.{QUOTED_LENGTH}}"
            for at, number in self._reader.unsolved.most_common(MAX_NAMED)
        )
        said = f"Without a stored result, and read as empty: {told}. Open the file in a spreadsheet"
        return [f"{said} program, save it there, and upload that."]

    def _said_of_errors(self) -> list[str]:
        """Says which errors of formulas are read as empty."""
        if self._reader is None or not self._reader.errors:
            return []
        names = dict(zip(self._columns, self.names, strict=True))
        found = Counter({names[at]: n for at, n in self._reader.errors.items() if at in names})
        named = ", ".join(
            f"{n:,} of {name:.{QUOTED_LENGTH}}" for name, n in found.most_common(MAX_NAMED)
        )
        return [f"Errors of formulas are read as empty: {named}."] if found else []

    def _said_of_cut_numbers(self) -> list[str]:
        """Says which columns have whole numbers of which a workbook keeps but the first digits."""
        named = ", ".join(f"{name:.{QUOTED_LENGTH}}" for name in list(self._cut)[:MAX_NAMED])
        said = f"Whole numbers of more than {WHOLE_DIGITS} digits lost their last ones in the"
        return [f"{said} workbook: {named}. Keep such identifiers as texts."] if named else []

    def _said_of_blanks(self) -> list[str]:
        """Says which columns have a name and no value, where formulas cannot be seen."""
        if self._reader is not None:
            return []
        named = zip(self._columns, self._columns.values(), strict=True)
        empty = [f"{name:.{QUOTED_LENGTH}}" for at, name in named if name and at not in self._held]
        if not empty:
            return []
        said = f"No cell below {first_of(empty, MAX_NAMED)} has a value: if it holds formulas,"
        return [f"{said} open the file in a spreadsheet program, save it there, and upload that."]

    def unmerge(self) -> bool:
        """Has words in merged cells given to all of their rows from now on; False for none.

        Returns:
            Whether there are merged cells with words.
        """
        self._spans = self._reader.met if self._reader else {}
        if self._spans:
            self._columns = {}
        return bool(self._spans)

    def blocks(self) -> Iterator[list[Cells]]:
        """Yields the columns of some rows at a time, without rows and columns that hold nothing.

        Yields:
            Columns of one piece.

        Raises:
            BrokenFile: The workbook is damaged, locked, or beyond the bounds.
        """
        parts: Parts | Unbounded
        numbered: Iterator[tuple[int, Row]]
        if is_packed_xml(self._path):
            parts = Parts(self._path, self._bounds)
            book = open_workbook(parts, self._bounds, self._wanted)
            self._read_sheet = book.choice
            self._reader = _Reader(book, parts, self._bounds, self._spans)
            numbered = self._reader.read()
        else:
            parts = Unbounded()
            self._read_sheet, self._unpacked = open_by_calamine(
                self._path, self._bounds, self._wanted
            )
            numbered = iter(self._unpacked)
        self._blank_rows, self._rows, self._above_data, self._gaps = BlankRows(), 0, None, []
        rows = self._chosen(numbered)
        waiting: list[Row] = []
        characters = 0
        first = list(islice(rows, SAMPLE_ROWS))
        met = len(first)
        data = self._begin(first)
        self._above_data = met - len(data)
        for above, number in self._gaps:
            self._blank_rows.see(above - self._above_data, number)
        for row in self._data(chain(data, rows)):
            self._rows += 1
            waiting.append(row)
            characters += sum(len(value) for value in row.values() if isinstance(value, str))
            if not row.keys() <= self._columns.keys():
                self._columns |= dict.fromkeys(sorted(row.keys() - self._columns.keys()), "")
                self._check_width(len(self._columns))
            full = len(waiting) * len(self._columns) >= BLOCK_CELLS
            if full or characters >= BLOCK_CHARACTERS:
                yield self._block(waiting, parts)
                waiting, characters = [], 0
        if waiting:
            yield self._block(waiting, parts)

    def _chosen(self, numbered: Iterator[tuple[int, Row]]) -> Iterator[Row]:
        """Returns the rows of the cells that are read: those said, or the main table's."""
        if self._cells:
            return self._without_numbers(self._cells.within(numbered))
        if self._options.tells_header:
            return self._without_numbers(numbered)
        first = list(islice(numbered, SAMPLE_ROWS))
        self._blocks = blocks_of([row for _, row in first]) if first else []
        main = self._main = main_block(self._blocks)
        every = chain(first, numbered)
        if main is None:
            return self._without_numbers(every)
        return self._without_numbers(CellRange(main.first, main.last).within(every))

    def _without_numbers(self, numbered: Iterator[tuple[int, Row]]) -> Iterator[Row]:
        """Yields rows, and counts those that are left out between them as blank."""
        last = 0
        for met, (number, row) in enumerate(numbered):
            if met and number > last + 1:
                gap = met, number - last - 1
                if self._above_data is None:
                    self._gaps.append(gap)
                else:
                    self._blank_rows.see(met - self._above_data, gap[1])
            last = number
            yield row

    def _begin(self, rows: list[Row]) -> list[Row]:
        """Finds the header and the columns in the first rows, and gives those that are data."""
        if not rows:
            wanted = self._options.sheet
            said = f"There is nothing in {wanted}" if wanted else "The first sheet is empty"
            raise BrokenFile(f"{said}: name a sheet, or its cells, as sheet.", expected="a header")
        used, texts = sorted(set().union(*rows)), _texts(rows)
        if self._options.tells_header:
            return self._begin_as_said(rows, used, texts)
        named_whole = with_groups(texts)
        above = titles_above(named_whole)
        if above and named_whole is not texts:
            rows[above] = dict(zip(used, named_whole[above], strict=True))
        grouped = lines_of_groups(texts, named_whole, above)
        self._above = said_above(texts[:above], grouped)
        del rows[:above]
        used, texts = sorted(set().union(*rows)), _texts(rows)
        self._check_width(len(used))
        named = has_header(texts) or bool(lines_below_names(texts[0], texts))
        self._header_rows, self._skip_rows = named + grouped, above - grouped
        if not self._columns:
            self._columns = dict(zip(used, texts[0] if named else [""] * len(used), strict=True))
        if not named:
            return rows
        below = lines_below_names(texts[0], texts)
        self._above = (*self._above, *below)
        if self._header_rows == 1 and not below:
            self._above = (*self._above, *said_of_weak_names(texts))
        self._above = (*self._above, *said_of_nameless(texts[0], texts[1 + len(below) :]))
        self._header_rows += len(below)
        return rows[1 + len(below) :]

    def _begin_as_said(self, rows: list[Row], used: list[int], texts: list[list[str]]) -> list[Row]:
        """Takes the names from the rows that the owner of the file counted."""
        names, above = names_as_said(texts, self._options)
        self._skip_rows = self._options.skip_rows
        self._header_rows = above - self._skip_rows
        self._check_width(len(used))
        if not self._columns:
            self._columns = dict(zip(used, names, strict=True))
        return rows[above:]

    def _data(self, rows: Iterator[Row]) -> Iterator[Row]:
        """Returns the rows without those that are none of the data."""
        names = {at: name for at, name in self._columns.items() if name}
        data = (row for row in rows if row != names) if self.aside.names else rows
        return islice(data, self.aside.rows)

    def _check_width(self, columns: int) -> None:
        most = self._bounds.max_columns
        if columns > most:
            raise BrokenFile(
                f"The sheet has more than {most:,} columns.", expected=f"at most {most:,} columns"
            )

    def _block(self, rows: list[Row], parts: Parts | Unbounded) -> list[Cells]:
        parts.take(BYTES_PER_CELL * len(rows) * len(self._columns))
        if self._reader is None:
            self._held.update(at for row in rows for at in row)
        self._progress(parts.share)
        return [
            cells_of(
                self._plain(name, [row.get(at) for row in rows]),
                spelt=True,
                gaps=self.gaps.get(name, frozenset()).union(self.null_values),
            )
            for at, name in zip(self._columns, self.names, strict=True)
        ]

    def _plain(self, name: str, values: list[object]) -> list[object]:
        """Returns numbers that are shown with zeros as the texts that they are shown as."""
        if any(
            type(one) is float and one.is_integer() and WHOLE <= abs(one) < NO_IDENTIFIER
            for one in values
        ):
            self._cut.setdefault(name)
        example = next((one for one in values if isinstance(one, PaddedNumber)), None)
        if example is None:
            return values
        if self.types.get(name) in {"integer", "float"}:
            return [int(one) if isinstance(one, PaddedNumber) else one for one in values]
        self._padded.setdefault(name, str(example))
        return [str(one) if isinstance(one, PaddedNumber) else one for one in values]


def _texts(rows: list[Row]) -> list[list[str]]:
    """Returns the cells of rows, in the columns that any of them uses."""
    used = sorted(set().union(*rows))
    return [["" if row.get(at) is None else str(row[at]) for at in used] for row in rows]


class _Reader:
    """Turns the events of a sheet's XML into rows of values."""

    def __init__(self, book: Workbook, parts: Parts, bounds: Bounds, spans: Spans) -> None:
        self.met: Spans = {}
        """The merged cells that were met, which come behind all rows."""
        self.filled = False
        """Whether a merged cell gave a row its words."""
        self._rows: list[tuple[int, Row]] = []
        self._begin: dict[int, list[int]] = {}
        """The columns of merged cells, by their first rows."""
        for first, column in spans:
            self._begin.setdefault(first, []).append(column)
        self._spans = spans
        self._open: dict[int, tuple[int, str]] = {}
        """By their columns, merged cells that go on: their last rows and what they hold."""
        self._book = book
        self._parts = parts
        self._longest = bounds.max_cell_bytes
        self.hidden_rows = 0
        """Rows with cells that the sheet does not show."""
        self.hidden_columns = set[int]()
        self._is_hidden = False
        self._number = 0
        self._row: Row = {}
        self._at = -1
        self._cell: dict[str, str] = {}
        self._taking = self._phonetic = self._is_formula = False
        self.errors: Counter[int] = Counter()
        """Errors of formulas, by their columns."""
        self.unsolved: Counter[int] = Counter()
        """Formulas without a stored result, by their columns."""
        self._pieces: list[str] = []
        self._length = 0

    def read(self) -> Iterator[tuple[int, Row]]:
        """Yields the rows that have any value, with their numbers."""
        try:
            for _ in self._parts.read(self._book.sheet, self._start, self._end, self._text):
                yield from self._rows
                self._rows.clear()
        except (ValueError, IndexError) as error:
            raise BrokenFile(DAMAGED) from error

    def _start(self, tag: str, given: dict[str, str]) -> None:
        """Takes the beginning of an element: a cell, its parts, a row, a column, merged cells."""
        if tag == "c":
            self._cell = given
            letters = given.get("r", "").rstrip("0123456789")
            self._at = column_of(letters) if letters else self._at + 1
            if not 0 <= self._at <= LAST_COLUMN:
                raise BrokenFile(DAMAGED, line=self._number)
        elif tag in {"v", "t"}:
            self._taking = not self._phonetic
        elif tag == "f":
            self._is_formula = True
        elif tag == "row":
            self._number = int(given.get("r") or self._number + 1)
            self._row, self._at = {}, -1
            self._is_hidden = given.get("hidden") in TRUE
            if self._number > LAST_ROW:
                raise BrokenFile(DAMAGED, line=self._number, expected=f"at most {LAST_ROW:,} rows")
        elif tag == "rPh":
            self._phonetic = True
        elif tag == "col" and given.get("hidden") in TRUE:
            self._hide(int(given.get("min", "1")), int(given.get("max", "1")))
        elif tag == "mergeCell" and len(self.met) < MOST_SPANS:
            self._meet(given.get("ref", ""))

    def _text(self, some: str) -> None:
        if self._taking:
            self._pieces.append(some)
            self._length += len(some)
            if self._length > self._longest:
                raise BrokenFile(
                    f"A cell in row {self._number:,} is longer than {self._longest / 2**20:g} MiB.",
                    line=self._number,
                )

    def _end(self, tag: str) -> None:
        if tag in {"v", "t"}:
            self._taking = False
        elif tag == "c":
            value = self._value("".join(self._pieces))
            if value is None:
                self.errors[self._at] += 1
            self._pieces.clear()
            self._length = 0
            if value != "":
                self._row[self._at] = value
            elif self._is_formula and self._cell.get("t", "n") == "n":
                self.unsolved[self._at] += 1
            self._is_formula = False
        elif tag == "row" and self._row:
            self._unmerge(self._row)
            self._rows.append((self._number, self._row))
            self.hidden_rows += self._is_hidden
        elif tag == "rPh":
            self._phonetic = False

    def _hide(self, first: int, last: int) -> None:
        self.hidden_columns.update(range(first - 1, min(last, LAST_COLUMN + 1)))

    def _meet(self, address: str) -> None:
        span = _SPAN.fullmatch(address)
        if span and int(span[2]) < int(span[3]):
            self.met[int(span[2]), column_of(span[1])] = int(span[3])

    def _unmerge(self, row: Row) -> None:
        for column in self._begin.get(self._number, []):
            value = row.get(column)
            if isinstance(value, str):
                self._open[column] = self._spans[self._number, column], value
        self._open = {at: one for at, one in self._open.items() if one[0] >= self._number}
        for column, (_, value) in self._open.items():
            if column not in row:
                row[column], self.filled = value, True
                self._parts.take(len(value))

    def _value(self, text: str) -> object:
        """Returns the value of a cell, an empty text for none, None for an error."""
        kind = self._cell.get("t", "n")
        if kind == "n":
            return self._measured(text) if text else ""
        if kind == "s":
            text = self._book.texts[int(text)] if text else ""
            self._parts.take(len(text))
            return text
        if kind == "b":
            return text == "1"
        return None if kind == "e" else unescaped(text)

    def _measured(self, text: str) -> object:
        if len(text) > WHOLE_DIGITS and text.isdecimal():
            return text
        number = float(text)
        style = int(self._cell.get("s", "0"))
        clock = self._book.clocks[style] if style < len(self._book.clocks) else None
        if clock and 0 <= number < LAST_DAY:
            return _moment(number, clock, self._book.since_1904)
        if not number.is_integer() or abs(number) >= WHOLE:
            return number
        return padded(int(number), self._book.pads[style] if style < len(self._book.pads) else 0)


def _moment(serial: float, clock: str, since_1904: bool) -> str:
    """Spells a serial number as an ISO date, date-time or time, or as hours; the unit is a day."""
    if clock == "elapsed" or (clock == "time" and serial < 1):
        minutes, seconds = divmod(round(serial * 86_400), 60)
        return f"{minutes // 60:02}:{minutes % 60:02}:{seconds:02}"
    if not since_1904 and int(serial) == PHANTOM_LEAP_DAY:
        return "1900-02-29"
    if not since_1904 and serial == 0:
        return "1900-01-00"
    milliseconds = round(serial % 1 * 86_400_000)
    first = date(1904, 1, 1) if since_1904 else date(1899, 12, 30 + (serial < PHANTOM_LEAP_DAY))
    day = datetime.combine(first + timedelta(days=int(serial)), time())
    moment = day + timedelta(milliseconds=milliseconds)
    return moment.isoformat() if milliseconds else moment.date().isoformat()
