"""What the child process does with one table; only it loads the engine's heavy libraries."""

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import duckdb

from modelwright.analysis.domain import MediaFormat, format_name
from modelwright.core.ids import new_id
from modelwright.engines.profiling.advising import recommendations
from modelwright.engines.profiling.painting import Painter
from modelwright.engines.profiling.pictures import Picture
from modelwright.engines.profiling.profiling import Profile, profile
from modelwright.engines.profiling.source import Bounds
from modelwright.jobs.errors import JobRefused

PROFILED = 0.8
"""The share of the work that is done when only the painting is left."""


def profile_table(
    payload: Mapping[str, Any], report: Callable[[dict[str, Any]], None]
) -> dict[str, Any]:
    """Profiles one table into a folder and tells what was found, in the contract's words."""
    try:
        with Painter.of(Path(payload["target"])) as painter:
            profiled = profile(
                Path(payload["source"]),
                payload["thoroughness"],
                scratch=Path(payload["scratch"]),
                bounds=Bounds(memory_bytes=payload["memory_bytes"]),
                progress=lambda share: report({"share": share * PROFILED}),
            )
            pictures = _drawn(profiled, painter, Path(payload["target"]), report)
    except duckdb.OutOfMemoryException:
        memory = payload["memory_bytes"] >> 20
        raise JobRefused({"message": f"It needed more than {memory} MB of memory."}) from None
    filename = payload["filename"]
    return {
        "file": {
            "filename": filename,
            "stats": profiled.stats,
            "correlations": [asdict(one) for one in profiled.correlations],
            "insights": [asdict(one) for one in profiled.insights],
            "visualizations": pictures,
        },
        "recommendations": [asdict(one) for one in recommendations(filename, profiled.insights)],
    }


def _drawn(
    profiled: Profile, painter: Painter, target: Path, report: Callable[[dict[str, Any]], None]
) -> list[dict[str, str]]:
    told = [_write(picture, painter, target) for picture in profiled.pictures]
    for place in range(1, len(told) + 1):
        painter.wait()
        report({"share": PROFILED + (1 - PROFILED) * place / len(told)})
    return told


def _write(picture: Picture, painter: Painter, target: Path) -> dict[str, str]:
    visualization_id = new_id("vis")
    document = json.dumps(picture.spec, allow_nan=False, separators=(",", ":"))
    (target / format_name(visualization_id, MediaFormat.DATA)).write_text(
        document, encoding="utf-8"
    )
    painter.begin(document, target / format_name(visualization_id, MediaFormat.THUMBNAIL))
    return {
        "visualization_id": visualization_id,
        "type": picture.type,
        "title": picture.title,
    }
