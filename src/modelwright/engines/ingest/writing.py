"""Writes blocks of columns to one Parquet file, in order, and knows the columns afterwards.

Types, counts and ranges of a column must hold for all rows: they are gathered while these are
written, so that few columns have to be read again.
"""

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from modelwright.engines.facts import NOTICES, ColumnType
from modelwright.engines.ingest.distinct import Distinct, Repeats
from modelwright.engines.ingest.table import Bounds, Column

GROUP_ROWS = 122_880
"""Rows of a row group, as many as one of DuckDB's has."""
GROUP_BYTES = 64 * 2**20
"""Bytes of a row group, so that wide rows do not fill the memory."""
DICTIONARY_SHARE = 0.3
"""Columns with a greater share of distinct values than this are not worth a dictionary."""
REMEMBERED_FOOT_ROWS = 10
"""Rows at the end of which a table remembers."""


class ParquetTable:
    """A Parquet file while it is written: row groups of bounded rows and bytes, in row order."""

    def __init__(self, path: Path, names: list[str]) -> None:
        self.rows = 0
        self.foot: pa.Table
        """The last rows."""
        self._path = path
        self._names = names
        self._seen = [Distinct() for _ in names]
        self._waiting: list[pa.RecordBatch] = []
        self._writer: pq.ParquetWriter | None = None

    def add(self, columns: list[pa.Array]) -> None:
        """Takes the next rows.

        Args:
            columns: Arrays of the same length, in the order of the names.
        """
        batch = pa.RecordBatch.from_arrays(columns, names=self._names)
        for seen, column in zip(self._seen, columns, strict=True):
            seen.see(column)
        self.rows += batch.num_rows
        self._waiting.append(batch)
        self._remember(batch)
        rows = sum(waiting.num_rows for waiting in self._waiting)
        if rows >= GROUP_ROWS or sum(waiting.nbytes for waiting in self._waiting) >= GROUP_BYTES:
            self._write()

    def close(self, types: Iterable[pa.DataType], notices: Sequence[str] = ()) -> None:
        """Writes what is left, and what was left out; `types` are those of a table without rows.

        Args:
            types: Types of the columns of a table without rows.
            notices: What is kept in the file's metadata.
        """
        schema = pa.schema(zip(self._names, types, strict=True))
        if not self.rows:
            self.foot = schema.empty_table()
        if self._waiting or self._writer is None:
            self._write(schema)
        if notices and self._writer is not None:
            self._writer.add_key_value_metadata({NOTICES: json.dumps(notices)})
        self.abandon()

    def _remember(self, batch: pa.RecordBatch) -> None:
        before = self.foot.to_batches() if self.rows > batch.num_rows else []
        last = pa.Table.from_batches([*before, batch])
        self.foot = last.slice(max(last.num_rows - REMEMBERED_FOOT_ROWS, 0))

    def abandon(self) -> None:
        """Closes the file without writing what is left."""
        if self._writer is not None:
            self._writer.close()

    def columns(
        self, types: Iterable[ColumnType], scratch: Path, bounds: Bounds
    ) -> tuple[Column, ...]:
        """Judges the columns of the closed file.

        Args:
            types: Types of the columns, in the contract's words.
            scratch: An existing folder for temporary files.
            bounds: What is refused, and the memory and threads to use.

        Returns:
            Name, type, and whether values are missing or all distinct.
        """
        known = list(zip(self._names, types, self._seen, strict=True))
        open_to_doubt = [name for name, _, seen in known if not seen.repeats and not seen.certain]
        repeated = Repeats(self._path, scratch, bounds).among(open_to_doubt, self.rows)
        repeated |= {name for name, _, seen in known if seen.repeats}
        return tuple(
            Column(name, kind, seen.nulls > 0, seen.values > 0 and name not in repeated)
            for name, kind, seen in known
        )

    def _write(self, schema: pa.Schema | None = None) -> None:
        table = pa.Table.from_batches(self._waiting, None if self._waiting else schema)
        self._waiting = []
        if self._writer is None:
            self._writer = pq.ParquetWriter(self._path, table.schema, **self._options(table))
        self._writer.write_table(table, row_group_size=GROUP_ROWS)

    def _options(self, table: pa.Table) -> dict[str, Any]:
        repeating = [
            name
            for name, seen in zip(self._names, self._seen, strict=True)
            if seen.share <= DICTIONARY_SHARE and table.schema.field(name).type != pa.bool_()
        ]
        return {"compression": "zstd", "compression_level": 1, "use_dictionary": repeating}
