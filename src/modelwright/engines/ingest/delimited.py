"""Delimited text (CSV, TSV) as blocks of text columns, a few megabytes at a time."""

import re
from collections.abc import Callable, Iterator
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv

from modelwright.engines.ingest.dialect import COMMON, Dialect
from modelwright.engines.ingest.header import TYPED, kind_of
from modelwright.engines.ingest.kinds import Cells, Kind
from modelwright.engines.ingest.non_data_rows import NonDataRows, is_note, notes_left_out, sifted
from modelwright.engines.ingest.parse_errors import lines_of, ragged, too_long
from modelwright.engines.ingest.quote_check import QuoteCheck
from modelwright.engines.ingest.repaired_rows import RepairedRows
from modelwright.engines.ingest.source_facts import SourceFacts
from modelwright.engines.ingest.streaming import TextStream
from modelwright.engines.ingest.table import Bounds, BrokenFile
from modelwright.engines.ingest.texts import Texts, normalised
from modelwright.engines.ingest.writing import REMEMBERED_FOOT_ROWS

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
        self._found = False

    def read(self, size: int) -> bytes:
        data = self._stream.read(size)
        self._check.see(data, last=not data)
        if b"\0" not in data:
            return data
        self._found = True
        return data.replace(b"\0", MASK.encode())

    def unmask(self, texts: pa.Array) -> pa.Array:
        """Puts the zero bytes back, if there were any so far."""
        return pc.replace_substring(texts, MASK, "\0") if self._found else texts

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
        self.names = list(dialect.names)
        self.aside = NonDataRows()
        self._kinds: list[Kind] = []
        """Those of the columns, where they were looked at."""
        self._slowly = dialect.padded or dialect.cut_short
        self._strays: list[str] = []
        """Lines with too few cells, which may be notes at the foot."""
        self._repaired: list[str] = []
        """What is to be said of rows that were not read by the rules."""

    @property
    def notices(self) -> list[str]:
        """What is to be said of lines that are no rows."""
        strays = [notes_left_out(self._strays)] if self._strays else []
        return [*self._dialect.notices, *self._repaired, *strays, *self.aside.notices, *self.said]

    @property
    def choice(self) -> str:
        """How another table of the text is read."""
        return "Save the other one as a file of its own."

    @property
    def read_as(self) -> dict[str, Any]:
        """How the text is read, by the names of `ReadOptions`."""
        told = self._dialect.read_as
        return {**told, "delimiter": None} if self.is_aligned else told

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
        rows, check = 0, QuoteCheck(*self._dialect.signs)
        masked = _Masked(stream, check)
        for batch in pyarrow.csv.open_csv(masked, **self._options()):
            columns = [masked.unmask(column) for column in batch.columns]
            if check.misplaced or any(map(self._too_long, columns)) or self._swallows(columns):
                raise DoubtfulReading
            if batch.num_rows:
                columns = sifted([normalised(one) for one in columns], self.aside, rows)
                rows += len(columns[0])
                yield self._cells(columns)
        if check.misplaced or self._strays:
            raise DoubtfulReading

    def _options(self) -> dict[str, object]:
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
                ignore_empty_lines=len(names) > 1,
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
        width, waiting, characters, rows = len(self.names), list[list[str | None]](), 0, 0
        with self._opened() as stream:
            lines = lines_of(stream, self._bounds)
            reader = self._dialect.rows(lines, self._bounds, width=width, is_row=self._is_row)
            for row in self._fitted(reader):
                waiting.append(row)
                characters += sum(len(cell) for cell in row if cell)
                if len(waiting) * width >= BLOCK_CELLS or characters >= BLOCK_CHARACTERS:
                    columns = sifted(_columns(waiting), self.aside, rows)
                    rows += len(columns[0])
                    yield self._cells(columns)
                    waiting, characters = [], 0
            if waiting:
                yield self._cells(sifted(_columns(waiting), self.aside, rows))
            self._repaired = reader.repairs.notices()

    def _cells(self, columns: list[pa.Array]) -> list[Cells]:
        """Makes cells of columns, without those that only say that there is no value."""
        cells: list[Cells] = []
        for name, column in zip(self.names, columns, strict=True):
            gaps = self.gaps.get(name, frozenset()).union(self.null_values)
            if gaps:
                nothing = pc.is_in(column, pa.array(sorted(gaps), pa.string()))
                column = pc.if_else(nothing, pa.scalar(None, pa.string()), column)  # noqa: PLW2901
            if _are_formulas(column):
                column = pc.replace_substring_regex(column, _FORMULA, r"\1")  # noqa: PLW2901
            cells.append(Texts(column, decimal=self._dialect.decimal))
        return cells

    def _fitted(self, reader: RepairedRows) -> Iterator[list[str | None]]:
        """Yields the rows of data, each as wide as the table; refuses others, with their line."""
        width, above, notes = len(self.names), self._dialect.above, list[BrokenFile]()
        for row in reader:
            if reader.line == 1 and row[0].startswith("sep="):
                continue
            above -= 1
            if above >= 0:
                continue
            if any(len(cell) > self._bounds.max_cell_bytes for cell in row):
                raise too_long(reader.line, self._bounds)
            fitted = self._fit(row)
            if fitted is not None and not notes:
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
