"""What the child process does with one table; only it loads DuckDB."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from modelwright.engines.copying import connect, copy_out
from modelwright.engines.quoting import literal


def convert_file(
    payload: Mapping[str, Any], report: Callable[[dict[str, Any]], None]
) -> dict[str, Any]:
    """Writes one Parquet table as CSV or as one JSON array, in its order, in bounded memory."""
    del report
    target = Path(payload["target"])
    with connect(payload["scratch"], payload["memory_bytes"]) as connection:
        table = f"read_parquet({literal(payload['source'])})"
        headers = bool(payload["include_headers"])
        copy_out(connection, table, target, payload["format"], headers=headers)
    return {"size_bytes": target.stat().st_size}
