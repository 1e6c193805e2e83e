"""Delimited text (CSV, TSV) as blocks of text columns, a few megabytes at a time."""

from collections.abc import Callable, Iterator

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv

from modelwright.engines.ingest.aside import Aside, is_note, notes_left_out, sifted
from modelwright.engines.ingest.diagnosing import find_break
from modelwright.engines.ingest.dialect import Dialect
from modelwright.engines.ingest.kinds import Cells
from modelwright.engines.ingest.streaming import TextStream
from modelwright.engines.ingest.table import Bounds, BrokenFile
from modelwright.engines.ingest.texts import Texts
from modelwright.engines.ingest.writing import FOOT

MASK = "\ufdd0"
"""A code point that is no character, in place of zero bytes."""


class _Masked:
    """A stream without zero bytes, next to which Arrow's parser overlooks delimiters and quotes."""

    closed = False

    def __init__(self, stream: TextStream) -> None:
        self._stream = stream
        self._found = False

    def read(self, size: int) -> bytes:
        data = self._stream.read(size)
        if b"\0" not in data:
            return data
        self._found = True
        return data.replace(b"\0", MASK.encode())

    def unmask(self, texts: pa.Array) -> pa.Array:
        """Puts the zero bytes back, if there were any so far."""
        return pc.replace_substring(texts, MASK, "\0") if self._found else texts

    def close(self) -> None:
        """Leaves the closing to those who opened the stream."""


class Delimited:
    """A delimited text that can be read several times."""

    def __init__(self, opened: Callable[[], TextStream], dialect: Dialect, bounds: Bounds) -> None:
        self._opened = opened
        self._dialect = dialect
        self._bounds = bounds
        self.names = list(dialect.names)
        self.aside = Aside()
        self._strays: list[str] = []
        """Lines with too few cells, which may be notes at the foot."""

    @property
    def notices(self) -> list[str]:
        """What is to be said of lines that are no rows."""
        strays = [notes_left_out(self._strays)] if self._strays else []
        return [*self._dialect.notices, *strays, *self.aside.notices]

    def blocks(self) -> Iterator[list[Cells]]:
        """Gives the columns of some rows at a time; refuses broken rows, with their line."""
        self._strays = []
        with self._opened() as stream:
            stream.skip(self._dialect.skip)
            start = stream.read(1)
            if not start:
                return
            stream.put_back(start)
            try:
                yield from self._read(stream)
            except pa.ArrowInvalid as error:
                raise self._broken() from error

    def _read(self, stream: TextStream) -> Iterator[list[Cells]]:
        last, rows = None, 0
        masked = _Masked(stream)
        for batch in pyarrow.csv.open_csv(masked, **self._options()):
            columns = [masked.unmask(column) for column in batch.columns]
            if any(self._too_long(column) for column in columns):
                raise self._broken()
            if batch.num_rows:
                last = columns[-1][-1].as_py()
                columns = sifted(columns, self.aside, rows)
                rows += len(columns[0])
                yield [Texts(column) for column in columns]
        if self._strays and (broken := self._break()):
            raise broken
        if last and last[-1] in "\r\n" and (broken := self._break()):
            raise broken

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
                invalid_row_handler=self._stray,
                ignore_empty_lines=len(names) > 1,
            ),
            "convert_options": pyarrow.csv.ConvertOptions(
                column_types=dict.fromkeys(names, pa.string()),
                null_values=[""],
                strings_can_be_null=True,
            ),
        }

    def _stray(self, row: pyarrow.csv.InvalidRow) -> str:
        cells = next(iter(self._dialect.rows(iter([row.text]), self._bounds.max_cell_bytes)), [])
        if len(self._strays) >= FOOT or not is_note(cells, row.expected_columns):
            return "error"
        self._strays.append(row.text)
        return "skip"

    def _too_long(self, texts: pa.Array) -> bool:
        longest = self._bounds.max_cell_bytes
        return texts.nbytes > longest and bool(pc.max(pc.binary_length(texts)).as_py() > longest)

    def _broken(self) -> BrokenFile:
        return self._break() or BrokenFile(
            f"A row cannot be read, or is longer than {self._bounds.max_cell_bytes / 2**20:g} MiB.",
            expected=f"rows of {len(self.names):,} cells",
        )

    def _break(self) -> BrokenFile | None:
        with self._opened() as stream:
            return find_break(stream, self._dialect, self._bounds)
