"""What the child process does with one file; only it loads the engine's heavy libraries."""

from collections.abc import Callable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from modelwright.engines.ingest.converting import convert
from modelwright.engines.ingest.read_options import ReadOptions
from modelwright.engines.ingest.table import Bounds, BrokenFile
from modelwright.jobs.errors import JobRefused


def _options_of(told: Mapping[str, Any]) -> ReadOptions:
    """Reads the options of a file as they are stored."""
    nulls = tuple(told.get("null_values") or ())
    return ReadOptions(**{**told, "null_values": nulls})


def convert_file(
    payload: Mapping[str, Any], report: Callable[[dict[str, Any]], None]
) -> dict[str, Any]:
    """Converts one file to Parquet and tells its table; refuses a broken file with the reason."""
    bounds = Bounds(memory_bytes=payload["memory_bytes"])
    try:
        table = convert(
            Path(payload["source"]),
            Path(payload["target"]),
            name=payload["filename"],
            content_type=payload["content_type"],
            bounds=bounds,
            scratch=Path(payload["scratch"]),
            progress=lambda share: report({"share": share}),
            options=_options_of(payload["options"]),
        )
    except BrokenFile as broken:
        raise JobRefused(
            {"message": broken.reason, "line": broken.line, "expected": broken.expected}
        ) from None
    return asdict(table)
