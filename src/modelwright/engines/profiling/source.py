"""One Parquet table behind DuckDB, held to its memory; columns go by place, never by name."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import duckdb
import numpy as np
from numpy.typing import NDArray

from modelwright.engines.facts import UTC, ColumnType, column_type, local_time
from modelwright.engines.quoting import literal

BLOCK = 1 << 17
"""Rows that are handed on at a time, about 1 MiB of a column."""
MEMORY_SHARE = 0.6
"""What of the memory DuckDB may use; the rest is for Python, its libraries and the pictures."""


@dataclass(frozen=True, slots=True)
class ProfileLimits:
    """What one profile may use."""

    memory_bytes: int = 1 << 30
    threads: int = 2


@dataclass(frozen=True, slots=True)
class SourceField:
    """One column: how it is called, what it is called in SQL (`c0`, `c1`, …), and its type."""

    name: str
    sql: str
    type: ColumnType
    is_whole: bool
    """Whether it holds whole numbers or whole days."""
    kind: str = ""
    """Its type in the file, as DuckDB names it."""


class Source:
    """The table `t` of a connection; beside its columns it has `place`, the number of the row.

    `r` is the same with decimals and moments as they are in the file.
    """

    def __init__(
        self, path: Path, scratch: Path, bounds: ProfileLimits, time_zone: str = UTC
    ) -> None:
        self.bounds = bounds
        self.db = duckdb.connect(
            config={
                "threads": bounds.threads,
                "memory_limit": f"{int(bounds.memory_bytes * MEMORY_SHARE)}B",
                "temp_directory": str(scratch / "spilled"),
                "preserve_insertion_order": False,
            }
        )
        self.db.execute("set enable_progress_bar = false")
        # The first line of the schema is the table itself; ingested columns are all plain.
        listed = "select name from parquet_schema($1) offset 1"
        names = [str(row[0]) for row in self.all(listed, [str(path)])]
        places = [f"c{place}" for place in range(len(names))]
        self.db.execute(
            f"create view r({', '.join([*places, 'place'])}) as"
            f" from read_parquet({literal(str(path))}, file_row_number=true)"
        )
        kinds = [str(row[1]) for row in self.all("describe r")]
        listed = ", ".join(
            f"{_plain(place, kind, time_zone)} as {place}"
            for place, kind in zip(places, kinds, strict=False)
        )
        self.db.execute(f"create view t as select {listed}, place from r")  # noqa: S608 - places
        self.fields = [
            SourceField(
                name, sql, column_type(kind), kind == "DATE" or column_type(kind) == "integer", kind
            )
            for name, sql, kind in zip(names, places, kinds, strict=False)
        ]
        counted = "select num_rows from parquet_file_metadata($1)"
        self.rows = int(self.one(counted, [str(path)])[0])

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.db.close()

    def all(self, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Answers all rows of a query.

        Args:
            sql: A query on the view `t`, whose columns are named by their place.
            values: The values of its parameters.

        Returns:
            Rows.
        """
        return self.db.execute(sql, list(values)).fetchall()

    def blocks(self, sql: str, values: Sequence[Any] = ()) -> Iterator[list[NDArray[Any]]]:
        """Hands on the rows of a query in blocks, column by column, without holding them all.

        The columns are numbers without nulls.

        Args:
            sql: A query on the view `t`.
            values: The values of its parameters.

        Yields:
            Columns of the next `BLOCK` rows, shape (rows,) each.
        """
        for batch in self.db.sql(sql, params=list(values)).to_arrow_reader(BLOCK):
            # Unlike pyarrow's own conversion, this one does not import pandas.
            yield [np.from_dlpack(column) for column in batch.columns]

    def one(self, sql: str, values: Sequence[Any] = ()) -> tuple[Any, ...]:
        """Answers the only row of a query.

        Args:
            sql: A query on the view `t` that gives one row.
            values: The values of its parameters.

        Returns:
            The row.
        """
        (row,) = self.all(sql, values)
        return row


def _plain(place: str, kind: str, time_zone: str) -> str:
    """Reads decimals as floats, and moments as what the clocks of the time zone show."""
    if kind.startswith("DECIMAL"):
        return f"{place}::double"
    return local_time(place, kind, time_zone)
