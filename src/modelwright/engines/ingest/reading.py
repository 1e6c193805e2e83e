"""Reads a few rows of a converted file for a preview, quickly at any offset.

The API process calls this, so DuckDB is imported by the first call only.
"""

from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from modelwright.engines.facts import MOMENT
from modelwright.engines.json_values import json_number
from modelwright.engines.quoting import quoted

if TYPE_CHECKING:
    import duckdb

AT_ONCE = 256
"""Columns that are read at a time: thousands together do not fit the memory there is."""
LONGEST = 10_000
"""Longer texts are cut in a preview and end in an ellipsis."""


def read_strings(parquet: Path, limit: int, offset: int) -> tuple[int, list[str], list[list[str]]]:
    """Gives the number of rows in the file, its columns' names, and some rows as texts.

    Missing values are empty texts, dates are ISO, the order is the file's own.
    """
    total, names, rows = _read(parquet, limit, offset, as_text=True)
    return total, names, [["" if cell is None else str(cell) for cell in row] for row in rows]


def read_records(parquet: Path, limit: int, offset: int) -> tuple[int, list[dict[str, object]]]:
    """Gives the number of rows in the file, and some rows as JSON-ready records.

    Dates are ISO texts; NaN and infinities, which JSON cannot say, are null as missing values are.
    """
    total, names, rows = _read(parquet, limit, offset, as_text=False)
    return total, [
        {
            name: json_number(one) if isinstance(one, Decimal) else one
            for name, one in zip(names, row, strict=True)
        }
        for row in rows
    ]


def _read(
    parquet: Path, limit: int, offset: int, *, as_text: bool
) -> tuple[int, list[str], list[tuple[object, ...]]]:
    db = _database().cursor()
    path = str(parquet)
    counted = db.execute("select num_rows from parquet_file_metadata(?)", [path]).fetchone()
    described = db.execute("describe select * from read_parquet(?)", [path]).fetchall()
    columns = [_shown(quoted(row[0]), row[1], as_text) for row in described]
    parts = [
        db.execute(
            f"select {', '.join(columns[at : at + AT_ONCE])} from read_parquet(?)"  # noqa: S608 - names are quoted
            " where file_row_number >= ? and file_row_number < ? order by file_row_number",
            [path, offset, offset + limit],
        ).fetchall()
        for at in range(0, len(columns), AT_ONCE)
    ]
    rows = [sum(row, ()) for row in zip(*parts, strict=True)]
    return int(counted[0]) if counted else 0, [row[0] for row in described], rows


def _shown(column: str, kind: str, as_text: bool) -> str:
    text = f"cast({column} as varchar)"
    if kind == MOMENT:
        moment = f"cast({column} at time zone 'UTC' as varchar)"
        return f"replace({moment}, ' ', 'T') || 'Z'"
    if kind.startswith("TIMESTAMP"):
        return f"replace({text}, ' ', 'T')"
    if kind == "VARCHAR":
        cut = f"left({column}, {LONGEST - 1}) || '…'"
        return f"case when length({column}) > {LONGEST} then {cut} else {column} end"
    if kind.startswith("DECIMAL") and not as_text:
        return column
    if as_text or kind not in {"BIGINT", "DOUBLE", "BOOLEAN"}:
        return text
    return f"case when isfinite({column}) then {column} end" if kind == "DOUBLE" else column


@cache
def _database() -> "duckdb.DuckDBPyConnection":
    import duckdb  # noqa: PLC0415 - heavy, kept out of start-up

    db = duckdb.connect(
        config={
            "threads": 1,
            "memory_limit": "256MiB",
            "temp_directory": "",
            "autoinstall_known_extensions": False,
            "autoload_known_extensions": False,
        }
    )
    db.execute("load parquet")
    # Within the memory above; else every part of a wide file reads all of the file's metadata anew.
    db.execute("set global parquet_metadata_cache = true")
    return db
