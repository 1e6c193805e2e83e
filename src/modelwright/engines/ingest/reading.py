"""Reads a few rows of a converted file for a preview, quickly at any offset."""

from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING

from modelwright.engines.facts import MOMENT
from modelwright.engines.json_values import json_number
from modelwright.engines.quoting import quoted

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

COLUMNS_AT_ONCE = 256
"""Columns that are read at a time: thousands together do not fit the memory there is."""
MAX_PREVIEW_CHARACTERS = 10_000
"""Longer texts are cut in a preview and end in an ellipsis."""


def read_strings(
    db: "DuckDBPyConnection", parquet: Path, limit: int, offset: int
) -> tuple[int, list[str], list[list[str]]]:
    """Returns the number of rows in the file, its columns' names, and some rows as texts.

    Missing values are empty texts, dates are ISO, the order is the file's own.

    Args:
        db: A connection that may read the file.
        parquet: The converted file.
        limit: Rows at most.
        offset: Rows to pass over.

    Returns:
        Rows in the file, names, and rows of texts.
    """
    total, names, rows = _read(db, parquet, limit, offset, as_text=True)
    return total, names, [["" if cell is None else str(cell) for cell in row] for row in rows]


def read_records(
    db: "DuckDBPyConnection", parquet: Path, limit: int, offset: int
) -> tuple[int, list[str], list[list[object]]]:
    """Returns the number of rows in the file, its columns' names, and some rows, JSON-ready.

    Dates are ISO texts; NaN and infinities, which JSON cannot say, are null as missing values are.

    Args:
        db: A connection that may read the file.
        parquet: The converted file.
        limit: Rows at most.
        offset: Rows to pass over.

    Returns:
        Rows in the file, names, and rows of JSON values.
    """
    total, names, rows = _read(db, parquet, limit, offset, as_text=False)
    return (
        total,
        names,
        [[json_number(one) if isinstance(one, Decimal) else one for one in row] for row in rows],
    )


def _read(
    db: "DuckDBPyConnection", parquet: Path, limit: int, offset: int, *, as_text: bool
) -> tuple[int, list[str], list[tuple[object, ...]]]:
    path = str(parquet)
    counted = db.execute("select num_rows from parquet_file_metadata(?)", [path]).fetchone()
    described = db.execute("describe select * from read_parquet(?)", [path]).fetchall()
    columns = [_shown(quoted(row[0]), row[1], as_text) for row in described]
    parts = [
        db.execute(
            f"select {', '.join(columns[at : at + COLUMNS_AT_ONCE])} from read_parquet(?)"  # noqa: S608 - names are quoted
            " where file_row_number >= ? and file_row_number < ? order by file_row_number",
            [path, offset, offset + limit],
        ).fetchall()
        for at in range(0, len(columns), COLUMNS_AT_ONCE)
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
        cut = f"left({column}, {MAX_PREVIEW_CHARACTERS - 1}) || '…'"
        return f"case when length({column}) > {MAX_PREVIEW_CHARACTERS} then {cut} else {column} end"
    if kind.startswith("DECIMAL") and not as_text:
        return column
    if as_text or kind not in {"BIGINT", "DOUBLE", "BOOLEAN"}:
        return text
    return f"case when isfinite({column}) then {column} end" if kind == "DOUBLE" else column
