"""What the child process does with one table; only it loads the engine's heavy libraries.

Arrow, DuckDB and the chart renderer stay out of the worker, whose memory would else grow with the
widest table it ever profiled.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import duckdb

from modelwright.analysis.domain import MediaFormat, format_name
from modelwright.core.ids import new_id
from modelwright.engines.profiling.chart_renderer import ChartRenderer
from modelwright.engines.profiling.charts import Chart
from modelwright.engines.profiling.recommendations import recommendations
from modelwright.engines.profiling.source import ProfileLimits
from modelwright.engines.profiling.table_profile import TableProfile, profile
from modelwright.jobs.errors import JobRefused

PROGRESS_BEFORE_RENDERING = 0.8
"""The share of the work that is done when only the rendering is left."""


def profile_table(
    payload: Mapping[str, Any], report: Callable[[dict[str, Any]], None]
) -> dict[str, Any]:
    """Profiles one table into a folder and tells what was found, in the contract's words."""
    try:
        with ChartRenderer.of(Path(payload["target"])) as renderer:
            profiled = profile(
                Path(payload["source"]),
                payload["thoroughness"],
                scratch=Path(payload["scratch"]),
                bounds=ProfileLimits(memory_bytes=payload["memory_bytes"]),
                time_zone=payload["time_zone"],
                progress=lambda share: report({"share": share * PROGRESS_BEFORE_RENDERING}),
            )
            pictures = _drawn(profiled, renderer, Path(payload["target"]), report)
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
    profiled: TableProfile,
    renderer: ChartRenderer,
    target: Path,
    report: Callable[[dict[str, Any]], None],
) -> list[dict[str, str]]:
    written = [_write(chart, renderer, target) for chart in profiled.charts]
    for place in range(1, len(written) + 1):
        renderer.wait()
        report(
            {
                "share": PROGRESS_BEFORE_RENDERING
                + (1 - PROGRESS_BEFORE_RENDERING) * place / len(written)
            }
        )
    return written


def _write(chart: Chart, renderer: ChartRenderer, target: Path) -> dict[str, str]:
    visualization_id = new_id("vis")
    document = json.dumps(chart.spec, allow_nan=False, separators=(",", ":"))
    (target / format_name(visualization_id, MediaFormat.DATA)).write_text(
        document, encoding="utf-8"
    )
    renderer.begin(document, target / format_name(visualization_id, MediaFormat.THUMBNAIL))
    return {
        "visualization_id": visualization_id,
        "type": chart.type,
        "title": chart.title,
    }
