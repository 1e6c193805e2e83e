"""Whether a column's values are all distinct, exactly, within bounded memory.

Whether a column tells rows apart decides on keys, joins and features; a sample cannot say it, and a
set of all values does not fit into memory.
"""

from functools import cached_property
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from numpy.typing import NDArray

from modelwright.engines.ingest.table import Bounds
from modelwright.engines.quoting import quoted

FEW_ROWS = 2**18
"""Up to so many rows, columns are counted in memory, many at once."""
COUNTED_AT_ONCE = 2**22
"""Cells whose columns are counted together, in memory."""


class Distinct:
    """What is known of one column while its rows go by in order.

    Most columns repeat a value soon, and many identifiers rise from row to row; only the rest has
    to be looked at again once it is written.
    """

    def __init__(self) -> None:
        self.nulls = 0
        self.values = 0
        self.share = 0.0
        """The share of distinct values among the first rows."""
        self.repeats = False
        self.certain = True
        self._last: pa.Scalar | None = None
        self._rising = True

    def see(self, column: pa.Array) -> None:
        """Takes the next rows of the column.

        Args:
            column: Values, nulls among them.
        """
        self.nulls += column.null_count
        present = column.drop_null() if column.null_count else column
        if self.repeats or not len(present):
            self.values += len(present)
            return
        if pa.types.is_boolean(present.type):
            present = present.cast(pa.int8())
        if not self.values:
            self.share = pc.count_distinct(present).as_py() / len(present)
            self.repeats = self.share < 1
        self._rising = self._rising and self._rises(present)
        self.certain = self.values == 0 or self._rising
        self._last = present[-1]
        self.values += len(present)

    def _rises(self, present: pa.Array) -> bool:
        if self._last is not None and not pc.less(self._last, present[0]).as_py():
            return False
        rising = pc.all(pc.less(present[:-1], present[1:]), min_count=0)
        return bool(rising.as_py())


class Repeats:
    """Looks for repeated values in columns of a written Parquet file."""

    def __init__(self, table: Path, scratch: Path, bounds: Bounds) -> None:
        self._table = table
        self._scratch = scratch
        self._bounds = bounds

    def among(self, names: list[str], rows: int) -> set[str]:
        """Returns the columns in which two rows have the same value.

        Args:
            names: Columns of the table.
            rows: How many rows it has.

        Returns:
            Names.
        """
        if rows > FEW_ROWS:
            return {name for name in names if self._found_in(name, rows)}
        together = max(COUNTED_AT_ONCE // max(rows, 1), 1)
        found: set[str] = set()
        with pq.ParquetFile(self._table) as file:
            for start in range(0, len(names), together):
                some = names[start : start + together]
                columns = file.read(some)
                found |= {name for name in some if _repeats(columns.column(name))}
        return found

    def _found_in(self, name: str, rows: int) -> bool:
        """Returns whether a long column repeats a value.

        Distinct 64-bit hashes prove distinct values; otherwise the values are counted. Hashes take
        8 bytes a row, in as many passes as keep that within an eighth of the memory.
        """
        parts = -(-rows * 8 // (self._bounds.memory_bytes // 8))
        return any(self._found(name, f"% {parts} = {part}") for part in range(parts))

    def _found(self, name: str, part: str) -> bool:
        column = quoted(name)
        within = f"from read_parquet(?) where {column} is not null and hash({column})"
        hashes = self._run(f"select hash({column}) as h {within} {part}")["h"]
        hashes.sort()
        equal = hashes[1:][hashes[1:] == hashes[:-1]][:1]
        if not len(equal):
            return False
        alike = self._run(f"select min({column}) = max({column}) as alike {within} = {equal[0]}")
        if alike["alike"][0]:
            return True
        counts = f"select count({column}) > count(distinct {column}) as repeats {within} {part}"
        return bool(self._run(counts)["repeats"][0])

    def _run(self, query: str) -> dict[str, NDArray[Any]]:
        fetched: dict[str, NDArray[Any]] = self._db.execute(query, [str(self._table)]).fetchnumpy()
        return fetched

    @cached_property
    def _db(self) -> duckdb.DuckDBPyConnection:
        return duckdb.connect(
            config={
                "threads": self._bounds.threads,
                "memory_limit": f"{max(self._bounds.memory_bytes >> 22, 128)}MiB",
                "temp_directory": str(self._scratch),
                "autoinstall_known_extensions": False,
                "autoload_known_extensions": False,
            }
        )


def _repeats(column: pa.ChunkedArray) -> bool:
    present = column.drop_null()
    if pa.types.is_boolean(present.type):
        present = present.cast(pa.int8())
    return bool(pc.count_distinct(present).as_py() < len(present))
