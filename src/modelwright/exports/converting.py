"""What the child process does with one table; only it loads DuckDB."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import duckdb

THREADS = 1
"""One: a second one gains no time, and holds another row group in memory."""
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


def convert_file(
    payload: Mapping[str, Any], report: Callable[[dict[str, Any]], None]
) -> dict[str, Any]:
    """Writes one Parquet table as CSV or as one JSON array, in its order, in bounded memory."""
    del report
    source, target = Path(payload["source"]), Path(payload["target"])
    config = {
        "threads": THREADS,
        "memory_limit": f"{payload['memory_bytes']}B",
        "temp_directory": payload["scratch"],
        "preserve_insertion_order": True,
    }
    with duckdb.connect(config=config) as connection:
        connection.execute("SET TimeZone='UTC'")
        table = f"read_parquet({_literal(str(source))})"
        shown, options = "*", f"FORMAT csv, HEADER {bool(payload['include_headers'])}"
        if payload["format"] == "json":
            described = connection.execute(f"DESCRIBE FROM {table}").fetchall()
            shown = ", ".join(_member(str(name), str(kind)) for name, kind, *_ in described)
            options = "FORMAT json, ARRAY true"
        connection.execute(
            f"COPY (SELECT {shown} FROM {table})"  # noqa: S608 - every name is quoted
            f" TO {_literal(str(target))} ({options})"
        )
    return {"size_bytes": target.stat().st_size}


def _member(name: str, kind: str) -> str:
    column = '"' + name.replace('"', '""') + '"'
    if kind in _AS_JSON:
        return f"{_AS_JSON[kind].format(column)} AS {column}"
    return column


def _literal(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
