"""Delimited text (CSV, TSV) as blocks of text columns, a few megabytes at a time."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv

from modelwright.engines.ingest import copied
from modelwright.engines.ingest.blank_rows import (
    LEAST_COLUMNS,
    BlankRows,
    blanks_among,
    said_of_blanks,
)
from modelwright.engines.ingest.dialect import COMMON, Dialect
from modelwright.engines.ingest.header import TYPED, kind_of
from modelwright.engines.ingest.kinds import Cells, Kind
from modelwright.engines.ingest.non_data_rows import (
    NonDataRows,
    bare_cells,
    is_note,
    notes_left_out,
    sifted,
    without_blanks,
)
from modelwright.engines.ingest.parse_errors import lines_of, ragged, too_long
from modelwright.engines.ingest.quote_check import QuoteCheck
from modelwright.engines.ingest.repaired_rows import RepairedRows
from modelwright.engines.ingest.source_facts import SourceFacts
from modelwright.engines.ingest.streaming import TextStream
from modelwright.engines.ingest.table import Bounds, BrokenFile
from modelwright.engines.ingest.texts import Texts, normalised
from modelwright.engines.ingest.writing import REMEMBERED_FOOT_ROWS

OTHER_TABLE = "save what is below as a file of its own if it is another one."
SAID_OF_ZEROS = "Cells hold zero bytes, which are kept: save the file anew if they mean nothing."
MASK = "\ufdd0"
"""A code point that is no character, in place of zero bytes."""
BLOCK_CELLS = 500_000
"""Cells that repaired rows wait for before they are handed on."""
BLOCK_CHARACTERS = 4 * 2**20
"""Characters that repaired rows wait for before they are handed on."""
NOTHING = [*(number * " " for number in range(33)), "\\N"]
"""Cells without a value: nothing, blanks, and what PostgreSQL and MySQL write for NULL."""
NARROW_TABLE_COLUMNS = 2
"""In tables so narrow a line of words is easily as wide as a row."""
PROBE_VALUES = 64
"""So many first values tell whether texts stand in formulas."""
_FORMULA = r'^="([^"]*)"$'
ENDS_LOOKED_AT = 4096
"""Bytes that tell how lines end."""
JUDGED_ROWS = 1000
"""So many rows tell the kinds of the columns that swallowed lines are held against."""


class DoubtfulReading(Exception):
    """Arrow's reader would misread the text, or cannot read it: its rows have to be looked at."""


class _Masked:
    """A stream without zero bytes, next to which Arrow's parser overlooks delimiters and quotes."""

    closed = False

    def __init__(self, stream: TextStream, check: QuoteCheck) -> None:
        self._stream = stream
        self._check = check
        self.found = False
        """Whether there were zero bytes so far."""
        self.has_gap = False
        """Whether a blank line may stand between others."""
        self._edge = b""
        self._may_end = False

    def read(self, size: int) -> bytes:
        data = self._stream.read(size)
        self._check.see(data, last=not data)
        if not self.has_gap:
            self._look_for_gap(data)
        if b"\0" not in data:
            return data
        self.found = True
        return data.replace(b"\0", MASK.encode())

    def _look_for_gap(self, data: bytes) -> None:
        """Notes whether something follows a blank line."""
        gaps = [b"\n\n", b"\n\r\n"] if b"\r" in data[:ENDS_LOOKED_AT] else [b"\n\n"]
        self._may_end |= any(gap in self._edge + data[:2] for gap in gaps)
        found = [place for gap in gaps if (place := data.find(gap)) >= 0]
        rest = data if self._may_end else data[min(found) :] if found else b""
        self._may_end |= bool(found)
        self.has_gap = bool(rest.strip(b"\r\n"))
        self._edge = data[-2:]

    def unmask(self, texts: pa.Array) -> pa.Array:
        """Puts the zero bytes back, if there were any so far."""
        return pc.replace_substring(texts, MASK, "\0") if self.found else texts

    def close(self) -> None:
        """Leaves the closing to those who opened the stream."""


class Delimited(SourceFacts):
    """A delimited text that can be read several times."""

    def __init__(self, opened: Callable[[], TextStream], dialect: Dialect, bounds: Bounds) -> None:
        super().__init__()
        self._opened = opened
        self._dialect = dialect
        self._bounds = bounds
        self.is_aligned = False
        """The cells stand under each other, with no delimiter between them."""
        self.is_copied = False
        """Backslashes are escapes, as databases write them."""
        self._has_escapes = False
        self.names = list(dialect.names)
        self.aside = NonDataRows()
        self._kinds: list[Kind] = []
        """Those of the columns, where they were looked at."""
        self._slowly = dialect.padded or dialect.cut_short
        self._strays: list[str] = []
        """Lines with too few cells, which may be notes at the foot."""
        self._repaired: list[str] = []
        """What is to be said of rows that were not read by the rules."""
        self._rows = 0
        """Rows that were read so far."""
        self._has_zeros = self._has_gap = False
        """Whether there are zero bytes, and maybe blank lines between others."""
        self._blank_lines = BlankRows()
        """Those that were seen while every row was looked at."""
        self._blank_rows = BlankRows()
        """Rows of nothing but delimiters."""

    @property
    def notices(self) -> list[str]:
        """What is to be said of lines that are no rows."""
        strays = [notes_left_out(self._strays)] if self._strays else []
        return [
            *self._dialect.notices,
            *self._repaired,
            *[SAID_OF_ZEROS] * self._has_zeros,
            *[copied.SAID] * self._has_escapes,
            *self._said_of_gaps(),
            *strays,
            *self.aside.notices,
            *self.said,
        ]

    @property
    def choice(self) -> str:
        """How another table of the text is read."""
        return "Save the other one as a file of its own."

    def leave_out_blanks(self) -> bool:
        """Has blank lines and rows of nothing but delimiters told, and left out, from now on.

        Returns:
            Whether there may be any.
        """
        if self.aside.blanks or not (self._blank_rows.count or self._has_gap):
            return False
        rows = self.aside.rows
        rows = None if rows is None else rows - self._blank_rows.count
        self.aside = replace(self.aside, blanks=True, rows=rows)
        return True

    def _said_of_gaps(self) -> list[str]:
        """Says where blank lines and rows were left out."""
        seen = [("line", self._blank_lines)]
        seen += [("row", self._blank_rows)] if self.aside.blanks else []
        return [
            said
            for what, blanks in seen
            for said in said_of_blanks(*blanks.between(self._rows), what, OTHER_TABLE)
        ]

    @property
    def read_as(self) -> dict[str, Any]:
        """How the text is read, by the names of `ReadOptions`."""
        told = self._dialect.read_as
        return {**told, "delimiter": None} if self.is_aligned else told

    def line_of(self, cells: Sequence[str]) -> int | None:
        """Finds the line on which a row with some cells starts, blanks and quotes apart.

        Args:
            cells: Texts of a row.

        Returns:
            The number of the line, from 1; None where there is no such row.
        """
        with self._opened() as stream:
            reader = self._dialect.rows(
                lines_of(stream, self._bounds), self._bounds, width=len(cells), is_row=self._is_row
            )
            return next((reader.line for row in reader if bare_cells(row) == list(cells)), None)

    def repair(self) -> None:
        """Has every row looked at from now on, instead of reading quickly."""
        self._slowly = True

    def blocks(self) -> Iterator[list[Cells]]:
        """Yields the columns of some rows at a time; refuses broken rows, with their line.

        Yields:
            Columns of one piece, each of texts.

        Raises:
            BrokenFile: a row can be read in no way that fits the table.
            DoubtfulReading: `repair` has to be called, and the reading to begin again.
        """
        self._strays, self._repaired = [], []
        self._rows, self._blank_rows, self._blank_lines = 0, BlankRows(), BlankRows()
        if self._slowly:
            yield from self._repairing()
            return
        with self._opened() as stream:
            stream.skip(self._dialect.skip)
            start = stream.read(1)
            if not start:
                return
            stream.put_back(start)
            try:
                yield from self._read(stream)
            except pa.ArrowInvalid as error:
                raise DoubtfulReading from error

    def _read(self, stream: TextStream) -> Iterator[list[Cells]]:
        check = QuoteCheck(*self._dialect.signs)
        masked = _Masked(stream, check)
        for batch in pyarrow.csv.open_csv(masked, **self._options()):
            columns = [masked.unmask(column) for column in batch.columns]
            self._has_zeros, self._has_gap = masked.found, masked.has_gap
            if check.misplaced or any(map(self._too_long, columns)) or self._swallows(columns):
                raise DoubtfulReading
            if batch.num_rows:
                yield self._data([normalised(one) for one in columns])
        if check.misplaced or self._strays:
            raise DoubtfulReading

    def _options(self) -> dict[str, object]:
        """Returns pyarrow's options, by which every cell is read as a text."""
        names = [str(place) for place in range(len(self.names))]
        dialect = self._dialect
        return {
            "read_options": pyarrow.csv.ReadOptions(
                column_names=names, block_size=self._bounds.max_cell_bytes
            ),
            "parse_options": pyarrow.csv.ParseOptions(
                delimiter=dialect.delimiter,
                quote_char=dialect.quote,
                escape_char=dialect.escape or False,
                newlines_in_values=True,
                ignore_empty_lines=len(names) >= LEAST_COLUMNS and not self.aside.blanks,
            ),
            "convert_options": pyarrow.csv.ConvertOptions(
                column_types=dict.fromkeys(names, pa.string()),
                null_values=NOTHING,
                strings_can_be_null=True,
            ),
        }

    def _too_long(self, texts: pa.Array) -> bool:
        longest = self._bounds.max_cell_bytes
        return texts.nbytes > longest and (pc.max(pc.binary_length(texts)).as_py() or 0) > longest

    def _swallows(self, columns: list[pa.Array]) -> bool:
        """Returns whether a quoted cell holds lines that are rows of the table themselves."""
        width = len(columns)
        for place, column in enumerate(columns):
            if not _holds_lines(column):
                continue
            over = column.filter(pc.fill_null(pc.match_substring(column, "\n"), False))
            for cell in over.to_pylist():
                first, *middle, last = cell.split("\n")
                parts = [place + self._parts(first), width - 1 - place + self._parts(last)]
                if {*parts, *map(self._parts, middle)} != {width} or self._dialect.quote in cell:
                    continue
                self._kinds = [Texts(one.slice(0, JUDGED_ROWS)).kind() for one in columns]
                if width > NARROW_TABLE_COLUMNS or self._is_row(
                    [*cell.split("\n")][-1].split(self._dialect.delimiter)
                ):
                    return True
        return False

    def _parts(self, line: str) -> int:
        return line.count(self._dialect.delimiter) + 1

    def _is_row(self, cells: list[str]) -> bool:
        """Returns whether cells are of the kinds of the columns, words apart."""
        pairs = zip(self._kinds, cells, strict=False)
        return any(kind in TYPED and kind_of([cell]) == kind for kind, cell in pairs)

    def _repairing(self) -> Iterator[list[Cells]]:
        """Reads row by row, by `RepairedRows`, in blocks."""
        width, waiting, characters = len(self.names), list[list[str | None]](), 0
        with self._opened() as stream:
            lines = lines_of(stream, self._bounds)
            reader = self._dialect.rows(lines, self._bounds, width=width, is_row=self._is_row)
            reader.above = self._dialect.above
            for row in self._fitted(reader):
                waiting.append(row)
                characters += sum(len(cell) for cell in row if cell)
                if len(waiting) * width >= BLOCK_CELLS or characters >= BLOCK_CHARACTERS:
                    yield self._data(_columns(waiting))
                    waiting, characters = [], 0
            if waiting:
                yield self._data(_columns(waiting))
            self._repaired = reader.repairs.notices()
            self._blank_lines = reader.blanks

    def _data(self, columns: list[pa.Array]) -> list[Cells]:
        """Makes cells of the rows that are data, and counts the blank ones."""
        blank = blanks_among(columns)
        if blank is not None:
            self._see_blanks(pc.indices_nonzero(blank).to_pylist())
            columns = without_blanks(columns, blank) if self.aside.blanks else columns
        kept = sifted(columns, self.aside, self._rows)
        self._rows += len(columns[0]) if self.aside.rows is None else len(kept[0])
        return self._cells(kept)

    def _see_blanks(self, places: list[int]) -> None:
        """Counts the blank rows among the next ones, up to those that are left out at the foot."""
        last = None if self.aside.blanks else self.aside.rows
        for number, place in enumerate(places):
            row = self._rows + place
            if last is not None and row >= last:
                break
            self._blank_rows.see(row - number * self.aside.blanks)

    def _cells(self, columns: Sequence[pa.Array]) -> list[Cells]:
        """Makes cells of columns, without those that only say that there is no value."""
        cells: list[Cells] = []
        for name, column in zip(self.names, columns, strict=True):
            gaps = self.gaps.get(name, frozenset()).union(self.null_values)
            if gaps:
                nothing = pc.is_in(column, pa.array(sorted(gaps), pa.string()))
                column = pc.if_else(nothing, pa.scalar(None, pa.string()), column)  # noqa: PLW2901
            if self.is_copied:
                meant = copied.meant(column)
                self._has_escapes |= meant is not column
                column = meant  # noqa: PLW2901
            if _are_formulas(column):
                column = pc.replace_substring_regex(column, _FORMULA, r"\1")  # noqa: PLW2901
            cells.append(Texts(column, decimal=self._dialect.decimal))
        return cells

    def _fitted(self, reader: RepairedRows) -> Iterator[list[str | None]]:
        """Yields the rows of data, each as wide as the table; refuses others, with their line."""
        width, above, notes = len(self.names), self._dialect.above, list[BrokenFile]()
        for row in reader:
            if reader.line == 1 and row[0].startswith("sep="):
                reader.above += 1
                continue
            above -= 1
            if above >= 0:
                continue
            if any(len(cell) > self._bounds.max_cell_bytes for cell in row):
                raise too_long(reader.line, self._bounds)
            fitted = self._fit(row)
            if fitted is not None and not notes:
                self._has_zeros |= any("\0" in cell for cell in fitted)
                yield [None if cell.isspace() or cell in NOTHING else cell for cell in fitted]
                continue
            notes.append(ragged(len(row), reader.line, width))
            if fitted is not None or not self._is_note(row) or len(notes) > REMEMBERED_FOOT_ROWS:
                raise notes[0]
            self._strays.append(self._dialect.delimiter.join(row))

    def _fit(self, row: list[str]) -> list[str] | None:
        missing = len(self.names) - len(row)
        if missing == 0:
            return row
        return [*row, *[""] * missing] if self._dialect.cut_short and missing > 0 else None

    def _is_note(self, row: list[str]) -> bool:
        """Returns whether a row is a note, and no row of the table that another delimiter parts."""
        others = [one for one in COMMON if one != self._dialect.delimiter]
        width = len(self.names)
        torn = any(sum(cell.count(one) for cell in row) + 1 == width for one in others)
        return is_note(row, width) and not torn


def _are_formulas(texts: pa.Array) -> bool:
    """Returns whether texts stand in formulas, `="007"`, as Excel keeps their zeros so."""
    some = texts.slice(0, PROBE_VALUES).drop_null().to_pylist()
    return any(text.startswith('="') and text.endswith('"') for text in some)


def _holds_lines(texts: pa.Array) -> bool:
    data = texts.buffers()[2]
    return data is not None and re.search(rb"\n", data) is not None


def _columns(rows: list[list[str | None]]) -> list[pa.Array]:
    return [normalised(pa.array(cells, pa.string())) for cells in zip(*rows, strict=True)]
