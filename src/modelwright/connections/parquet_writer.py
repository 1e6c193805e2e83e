"""Rows of a database on their way into one Parquet file; only child processes import it.

All drivers give their rows to this one writer, so that sizes, types and refusals do not depend on
which database was read.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from modelwright.connections.open_decimals import OpenDecimals, write_again
from modelwright.connections.refusals import unreadable
from modelwright.connections.remarks import Remarks
from modelwright.core.limits.contract import GB
from modelwright.engines.facts import NOTICES
from modelwright.engines.ingest.naming import distinct_names

GROUP_ROWS = 122_880
"""Rows of a row group, as many as one of DuckDB's has."""
GROUP_BYTES = 32 * 2**20
"""Bytes of a row group, so that wide rows do not fill the memory."""
Payload = Mapping[str, Any]
"""What a driver is told, as JSON: the database, and what to bring in of it."""
_WRITING: dict[str, Any] = {"compression": "zstd", "compression_level": 1}


@dataclass(frozen=True, slots=True)
class RowBatch:
    """What a table or query gives: batches of one schema, each read when it is asked for."""

    schema: pa.Schema
    batches: Iterator[pa.RecordBatch]
    remarks: Remarks = field(default_factory=Remarks)
    """What is to be said of the columns, whole once all batches are read."""
    open_decimals: tuple[int, ...] = ()
    """Places of the columns of texts that are decimals of a type that their values settle."""


def batch_of(
    rows: Sequence[Sequence[Any]], readers: Sequence[Callable[[Any], pa.Array]], schema: pa.Schema
) -> pa.RecordBatch:
    """Makes a batch of a cursor's rows; each column is read by its reader."""
    columns = [read(cells) for read, cells in zip(readers, zip(*rows, strict=True), strict=True)]
    return pa.RecordBatch.from_arrays(columns, schema=schema)


def write(rows: RowBatch, target: Path, most_bytes: int, tell: Callable[[int], None]) -> int:
    """Writes rows to a Parquet file in groups of bounded size; returns how many there were.

    Refuses more than `most_bytes` of file.
    """
    names = distinct_names(rows.schema.names)
    schema = pa.schema(zip(names, rows.schema.types, strict=True))
    done, waiting, decimals = 0, _Waiting(schema), OpenDecimals(rows.open_decimals)
    with target.open("wb") as file, pq.ParquetWriter(file, schema, **_WRITING) as writer:
        for batch in rows.batches:
            waiting.add(batch)
            decimals.see(batch)
            if waiting.is_full:
                done += waiting.flush(writer)
                tell(done)
                if file.tell() > most_bytes:
                    raise unreadable(
                        f"The rows make a file of more than {most_bytes / GB:g} GB; "
                        "bring in fewer columns or rows by a query."
                    )
        done += waiting.flush(writer)
        settled = decimals.settled(rows.remarks)
        told = {NOTICES: json.dumps(rows.remarks.told(names))}
        writer.add_key_value_metadata(told)
    if settled:
        raw = target.with_name(f"{target.name}.raw")
        target.rename(raw)
        write_again(raw, target, settled, told, _WRITING)
        raw.unlink()
    return done


class _Waiting:
    """Batches that are gathered until a group is worth writing."""

    def __init__(self, schema: pa.Schema) -> None:
        self._schema = schema
        self._batches: list[pa.RecordBatch] = []
        self._rows = self._bytes = 0

    @property
    def is_full(self) -> bool:
        return self._rows >= GROUP_ROWS or self._bytes >= GROUP_BYTES

    def add(self, batch: pa.RecordBatch) -> None:
        self._batches.append(pa.RecordBatch.from_arrays(batch.columns, schema=self._schema))
        self._rows += batch.num_rows
        self._bytes += batch.nbytes

    def flush(self, writer: pq.ParquetWriter) -> int:
        written = self._rows
        if written:
            writer.write_table(pa.Table.from_batches(self._batches, self._schema))
        self._batches, self._rows, self._bytes = [], 0, 0
        return written
