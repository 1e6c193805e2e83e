"""Writes what a DuckDB connection can select as CSV, one JSON array, or Parquet."""

from pathlib import Path

import duckdb

from modelwright.engines.json_values import json_decimal_sql
from modelwright.engines.quoting import literal, quoted

_AS_JSON = {
    "FLOAT": "CASE WHEN isfinite({0}) THEN {0} END",
    "DOUBLE": "CASE WHEN isfinite({0}) THEN {0} END",
    "TIMESTAMP": "replace(CAST({0} AS VARCHAR), ' ', 'T')",
    "TIMESTAMP_S": "replace(CAST({0} AS VARCHAR), ' ', 'T')",
    "TIMESTAMP_MS": "replace(CAST({0} AS VARCHAR), ' ', 'T')",
    "TIMESTAMP_NS": "replace(CAST({0} AS VARCHAR), ' ', 'T')",
    "TIMESTAMP WITH TIME ZONE": (
        "replace(CAST({0} AT TIME ZONE 'UTC' AS VARCHAR), ' ', 'T') || 'Z'"
    ),
    "BLOB": "base64({0})",
}
"""How columns are written where DuckDB's JSON is not what JSON, or ISO 8601, has."""


def connect(scratch: str, memory_bytes: int) -> duckdb.DuckDBPyConnection:
    """Opens a connection that keeps rows in their order and spills into a folder.

    It has one thread: a second one gains no time, and holds another row group in memory.

    Args:
        scratch: An existing folder for what does not fit into memory.
        memory_bytes: What DuckDB may hold before it spills.

    Returns:
        The connection; times are UTC.
    """
    config: dict[str, str | bool | int | float | list[str]] = {
        "threads": 1,
        "memory_limit": f"{memory_bytes}B",
        "temp_directory": scratch,
        "preserve_insertion_order": True,
    }
    connection = duckdb.connect(config=config)
    connection.execute("SET TimeZone='UTC'")
    return connection


def copy_out(
    connection: duckdb.DuckDBPyConnection,
    table: str,
    target: Path,
    format_: str,
    *,
    headers: bool = True,
) -> None:
    """Writes a table (SQL) into a file as `csv`, `json` or `parquet`, in bounded memory.

    Args:
        connection: A connection that can read the table.
        table: A table, a view or a table function, in SQL.
        target: The file to write; one that is there is replaced.
        format_: csv, json or parquet.
        headers: Whether the first line of a CSV names the columns.
    """
    shown, options = "*", f"FORMAT {format_}"
    if format_ == "csv":
        options += f", HEADER {headers}"
    elif format_ == "json":
        described = connection.execute(f"DESCRIBE FROM {table}").fetchall()
        shown = ", ".join(_member(str(name), str(kind)) for name, kind, *_ in described)
        options += ", ARRAY true"
    connection.execute(
        f"COPY (SELECT {shown} FROM {table})"  # noqa: S608 - every name is quoted
        f" TO {literal(str(target))} ({options})"
    )


def _member(name: str, kind: str) -> str:
    column = quoted(name)
    if kind.startswith("DECIMAL"):
        return f"{json_decimal_sql(column, kind)} AS {column}"
    if kind in _AS_JSON:
        return f"{_AS_JSON[kind].format(column)} AS {column}"
    return column
