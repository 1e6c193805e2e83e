"""Scores whole tables of a million rows and more: rows a second, and the peak memory of the child.

`python -m benchmarks.scoring [--rows 1000000] [--tables adult ...] [--seconds 60]`. Each table is
learnt once, kept in `benchmarks/.work/scoring`, and repeated until it has the rows. A quarter of
the rows is scored as well: memory that is flat does not grow with them.
"""

import argparse
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import duckdb

from benchmarks.report import table
from benchmarks.resource_usage import watching
from benchmarks.tables import WORK, named
from modelwright.builds.training_process import build
from modelwright.jobs.subprocesses import ChildLimits, run
from modelwright.system.sandbox.process import Reach

CHILD = "modelwright.scoring.scoring_process:score_step"
MEMORY_MB = 2048
GOAL_ROWS = 50_000


def main() -> int:
    reader = argparse.ArgumentParser(description=__doc__)
    reader.add_argument("--rows", type=int, default=1_000_000)
    reader.add_argument("--tables", nargs="*", default=["adult", "calhousing", "wine_multi"])
    reader.add_argument("--formats", nargs="*", default=["parquet", "csv"])
    reader.add_argument("--seconds", type=float, default=60)
    asked = reader.parse_args()
    shown = []
    with tempfile.TemporaryDirectory() as folder:
        for name in asked.tables:
            source, artifact = learnt(name, asked.seconds)
            for rows in (asked.rows // 4, asked.rows):
                many = repeated(source, Path(folder) / "many.parquet", rows)
                for kind in asked.formats:
                    told = measure(many, rows, artifact, kind, Path(folder))
                    rate = round(rows / told["seconds"])
                    shown.append({"table": name, "rows": rows, "format": kind, "rows/s": rate})
                    shown[-1] |= {"peak MB": told["peak"], "CPU s": told["cpu"]}
    print(table(shown))
    print(f"goal: {GOAL_ROWS} rows/s, memory that does not grow with the rows")
    return 0


def learnt(name: str, seconds: float) -> tuple[Path, Path]:
    """Gives a table as Parquet and an artifact learnt from it."""
    folder = WORK / "scoring" / f"{name}-{seconds:g}"
    source, artifact = folder / "table.parquet", folder / "artifact"
    if artifact.exists():
        return source, artifact
    folder.mkdir(parents=True, exist_ok=True)
    told = named(name)
    duckdb.sql(f"COPY (FROM read_csv('{told['path']}')) TO '{source}' (FORMAT parquet)")
    wish: dict[str, Any] = {"intent": f"Predict {told['target']}", "max_iterations": None}
    wish |= dict.fromkeys(("input_schema", "output_schema", "metric", "target", "task", "before"))
    tables = [{"filename": told["path"].name, "path": str(source), "columns": {}}]
    draft = folder / "draft"
    asked = {"request": wish, "tables": tables, "seconds": seconds, "folder": str(draft)}
    build(asked, lambda _: None)
    draft.rename(artifact)
    return source, artifact


def repeated(source: Path, target: Path, rows: int) -> Path:
    """Writes a table over and over until it has so many rows."""
    [(here,)] = duckdb.execute(f"SELECT count(*) FROM '{source}'").fetchall()
    times = -(-rows // here)
    duckdb.sql(
        f"COPY (SELECT t.* FROM range({times}), '{source}' t LIMIT {rows})"
        f" TO '{target}' (FORMAT parquet)"
    )
    return target


def measure(source: Path, rows: int, artifact: Path, kind: str, folder: Path) -> dict[str, float]:
    """Scores in a child, as a job does; its seconds, CPU seconds and peak MB."""
    target = folder / f"scored.{kind}"
    payload = {
        "filename": source.name, "artifact": str(artifact), "source": str(source),
        "target": str(target), "format": kind, "include": [], "scratch": str(folder),
        "memory_bytes": int(MEMORY_MB * 0.4) << 20,
        "first_row": 0, "rows": rows, "is_lenient": False,
    }  # fmt: skip
    limits, started = ChildLimits(MEMORY_MB, 3600), time.perf_counter()
    with watching() as used:
        run(
            CHILD,
            payload,
            limits=limits,
            on_report=lambda _: None,
            check=lambda: None,
            reach=Reach(readable=(str(artifact), str(source))),
            folder=folder,
        )
    seconds = time.perf_counter() - started
    target.unlink()
    return {"seconds": seconds, "peak": used.peak_mb, "cpu": round(used.cpu_seconds, 1)}


if __name__ == "__main__":
    sys.exit(main())
