"""What the sandbox costs ordinary work: each kind of child with and without it, by turns.

`python -m benchmarks.sandbox [turns]` prints, for each kind, the median CPU and wall seconds of a
child and the cost of its sandbox in CPU, which other work on the machine disturbs least.
"""

import os
import resource
import sqlite3
import statistics
import sys
import tempfile
import time
from collections.abc import Mapping
from contextlib import closing
from importlib import import_module
from pathlib import Path
from typing import Any

from benchmarks import arguments
from benchmarks.report import table
from modelwright.connections.sqlite_file import readable_files
from modelwright.jobs.subprocesses import ChildLimits, run
from modelwright.system.sandbox.process import Reach
from modelwright_client.demo.table import PENGUINS

ROWS = 200_000
TURNS = 9
LIMITS = ChildLimits(memory_mb=4096, seconds=600)


def prepare(payload: Mapping[str, Any]) -> None:
    """Prepares the child that calls it as its job does, and takes its sandbox away where told."""
    if not payload["sandboxed"]:
        child = sys.modules["__main__"]
        child.enter_sandbox = lambda _reach: []  # type: ignore[attr-defined]
    if payload.get("load"):
        import joblib  # noqa: F401 - as a build's preparation does
    if payload.get("paints"):
        from modelwright.engines.profiling import chart_renderer

        chart_renderer.prepare(payload)


def main() -> int:
    """Measures every kind and prints the table."""
    [turns] = map(int, arguments.told(__doc__, words="TURNS") or [str(TURNS)])
    os.environ["PYTHONPATH"] = str(Path(__file__).parents[1])  # children find what is measured
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        shown = [measure(kind, *job, folder, turns) for kind, job in jobs(folder).items()]
    print(table(shown))
    return 0


def jobs(folder: Path) -> dict[str, tuple[str, dict[str, Any]]]:
    """Makes each kind's target and payload, over a table of ordinary size."""
    source, parquet = folder / "source.csv", folder / "table.parquet"
    header, *rows = PENGUINS.read_text("utf-8").splitlines()
    source.write_text("\n".join((header, *(rows[n % len(rows)] for n in range(ROWS)), "")))
    common = {"scratch": str(folder), "memory_bytes": 2 << 30, "filename": "source.csv"}
    processing = common | {
        "source": str(source), "target": str(parquet), "content_type": "text/csv", "options": {},
    }  # fmt: skip
    run_once("modelwright.uploads.conversion:convert_file", processing, folder)
    export = common | {
        "source": str(parquet), "target": str(folder / "out"), "format": "csv",
        "include_headers": True,
    }  # fmt: skip
    wish = dict[str, Any].fromkeys(("input_schema", "output_schema", "metric", "task", "before"))
    wish |= {"intent": "Predict the species", "target": "species", "max_iterations": 1}
    tables = [{"filename": "table.csv", "path": str(small(folder)), "columns": {}}]
    model = folder / "model"
    build = {
        "request": wish, "tables": tables, "seconds": 120, "folder": str(model),
        "load": True,
    }  # fmt: skip
    run_once("modelwright.builds.training_process:build", build, folder)
    analysed = folder / "analysed"
    analysed.mkdir()
    analysis = common | {
        "source": str(parquet), "target": str(analysed), "thoroughness": "comprehensive",
        "time_zone": "UTC", "paints": True,
    }  # fmt: skip
    scoring = common | {
        "source": str(parquet), "artifact": str(model), "target": str(folder / "scored"),
        "format": "csv", "include": ["probabilities"], "first_row": 0, "rows": ROWS,
        "is_lenient": False,
    }  # fmt: skip
    return {
        "processing": ("modelwright.uploads.conversion:convert_file", processing),
        "export": ("modelwright.exports.conversion:convert_file", export),
        "analysis": ("modelwright.analysis.profiling:profile_table", analysis),
        "scoring": ("modelwright.scoring.scoring_process:score_step", scoring),
        "ingestion": ("modelwright.connections.driver_process:ingest", ingestion(folder)),
        "build": ("modelwright.builds.training_process:build", build),
        "start alone": ("benchmarks.sandbox:nothing", common),
    }


def ingestion(folder: Path) -> dict[str, Any]:
    """Makes a SQLite database of as many rows, and tells what its ingestion is told."""
    path = folder / "brought.sqlite"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("create table t (a integer, b real, c text)")
        rows = ((at, at / 7, f"row {at}") for at in range(ROWS))
        connection.executemany("insert into t values (?, ?, ?)", rows)
        connection.commit()
    empty = dict.fromkeys(("host", "port", "username", "password", "query"))
    return empty | {
        "type": "sqlite", "database": path.name, "options": {}, "hosts": [],
        "sqlite_folder": str(folder), "takes_public_key": False, "connect_seconds": 8,
        "seconds": 600, "table": "t", "target": str(folder / "brought.parquet"),
        "most_bytes": 1 << 30,
    }  # fmt: skip


def small(folder: Path) -> Path:
    """Converts the penguins as they are."""
    target = folder / "penguins.parquet"
    payload = {
        "source": str(PENGUINS), "target": str(target), "filename": "penguins.csv",
        "content_type": "text/csv", "options": {}, "scratch": str(folder), "memory_bytes": 1 << 30,
    }  # fmt: skip
    run_once("modelwright.uploads.conversion:convert_file", payload, folder)
    return target


def timed(payload: Mapping[str, Any], report: Any) -> dict[str, Any]:
    """Does the work and tells the CPU seconds of its process, its start included."""
    module, _, name = payload["of"].partition(":")
    getattr(import_module(module), name)(payload, report)
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return {"cpu": time.process_time() + children.ru_utime + children.ru_stime}


def nothing(_payload: Mapping[str, Any], _report: object) -> dict[str, Any]:
    """Does nothing, so that only the start of a child and its sandbox are left."""
    return {}


def measure(
    kind: str, target: str, payload: dict[str, Any], folder: Path, turns: int
) -> dict[str, Any]:
    """Runs a kind's child with and without the sandbox, one after the other."""
    found: dict[bool, list[tuple[float, float]]] = {True: [], False: []}
    for _ in range(turns):
        for sandboxed in (True, False):
            found[sandboxed].append(run_once(target, payload, folder, sandboxed=sandboxed))
    cpu = {
        sandboxed: statistics.median(one[0] for one in runs) for sandboxed, runs in found.items()
    }
    wall = {
        sandboxed: statistics.median(one[1] for one in runs) for sandboxed, runs in found.items()
    }
    return {
        "child": kind,
        "CPU s without": round(cpu[False], 3),
        "CPU s with": round(cpu[True], 3),
        "cost": f"{100 * (cpu[True] / cpu[False] - 1):+.1f} %",
        "s without": round(wall[False], 2),
        "s with": round(wall[True], 2),
    }


def run_once(
    target: str, payload: Mapping[str, Any], folder: Path, *, sandboxed: bool = True
) -> tuple[float, float]:
    """Runs one child; returns its CPU and wall seconds."""
    readable = [payload["source"]] if "source" in payload else []
    readable += [one["path"] for one in payload.get("tables", ())]
    readable += [payload["artifact"]] if "artifact" in payload else []
    readable += map(str, readable_files(payload)) if "sqlite_folder" in payload else []
    started = time.perf_counter()
    told = run(
        "benchmarks.sandbox:timed",
        {**payload, "of": target, "sandboxed": sandboxed},
        limits=LIMITS,
        on_report=lambda _: None,
        check=lambda: None,
        reach=Reach(readable=tuple(readable)),
        folder=folder,
        prepare="benchmarks.sandbox:prepare",
    )
    return told["cpu"], time.perf_counter() - started


if __name__ == "__main__":
    sys.exit(main())
