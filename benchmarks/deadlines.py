"""Builds held to their deadline: how long a job's child process takes, and the memory of its tree.

`python -m benchmarks.deadlines [--tables adult ...] [--seconds 10 60] [--long] [--large 2000000]`
The six shared tables at 10 and 60 seconds, a generated one of 50,000 rows for the first checkpoint
that could be served, and a generated one of 2,000,000 rows and 30 columns; `--long` adds 300
seconds. Seconds are those of the process that a job starts, its start and imports included.
"""

import argparse
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pyarrow as pa
from pyarrow import parquet

from benchmarks.report import table
from benchmarks.resource_usage import watching
from benchmarks.tables import WORK, named, shared
from modelwright.builds.domain import GRACE_SECONDS
from modelwright.builds.tasks import PREPARE
from modelwright.jobs.subprocesses import TICK_SECONDS, ChildLimits, run
from modelwright.system.sandbox.process import Reach
from modelwright_runtime import ARTIFACT

CHILD = "modelwright.builds.training_process:build"
MEMORY_MB = 6144
OVER = 0.10
"""Share of its time that a build may take beyond its deadline."""
FIRST_SECONDS = 10.0
"""Seconds until the first checkpoint at most."""
FIRST_ROWS = 50_000
"""Rows of the table that the first checkpoint is measured on."""
FIRST_COLUMNS = 20
"""Columns of that table."""
LARGE_COLUMNS = 30
"""Columns of the large tables."""
CHUNK = 250_000
LETTERS = np.array(list("abcdefghijklmnopqrstuvwxyz"))


def main() -> int:
    reader = argparse.ArgumentParser(description=__doc__)
    reader.add_argument("--tables", nargs="*")
    reader.add_argument("--seconds", nargs="*", type=float, default=[10.0, 60.0])
    reader.add_argument("--long", action="store_true", help="300 seconds as well")
    reader.add_argument("--large", type=int, default=2_000_000, help="rows; 0 for none")
    asked = reader.parse_args()
    names = [one["name"] for one in shared()] if asked.tables is None else asked.tables
    each = [*asked.seconds, *([300.0] if asked.long else [])]
    shown, kept = [], True
    with tempfile.TemporaryDirectory() as folder:
        for name, source, target, seconds in cases(names, each, asked.large):
            shown.append({"table": name, **measure(source, target, seconds, Path(folder) / "made")})
            print(shown[-1], flush=True)
            first = name.startswith("first") and shown[-1]["first checkpoint s"] > FIRST_SECONDS
            kept = kept and not first and shown[-1]["over"] <= OVER
    print(table([one | {"over": f"{one['over']:+.1%}"} for one in shown]))
    print(f"goal: at most {OVER:+.0%}, {MEMORY_MB} MB, a checkpoint within {FIRST_SECONDS:g} s")
    return 0 if kept else 1


def cases(
    names: list[str], each: list[float], large: int
) -> Iterator[tuple[str, Path, str, float]]:
    """Gives name, Parquet file, target and seconds of every build."""
    for name in names:
        told = named(name)
        source = WORK / "deadlines" / f"{name}.parquet"
        source.parent.mkdir(parents=True, exist_ok=True)
        duckdb.sql(f"COPY (FROM read_csv('{told['path']}')) TO '{source}' (FORMAT parquet)")
        for seconds in each:
            yield name, source, told["target"], seconds
    yield "first checkpoint", generated(FIRST_ROWS, FIRST_COLUMNS), "bought", 60.0
    if large:
        source = generated(large, LARGE_COLUMNS)
        for seconds in each:
            yield f"generated, {large} rows", source, "bought", seconds
        yield f"generated, {large} rows", source, "spent", max(each)


def generated(rows: int, columns: int) -> Path:
    """Writes a table of numbers, categories, dates and gaps, once."""
    path = WORK / "deadlines" / f"{rows}x{columns}.parquet"
    if path.exists():
        return path
    path.parent.mkdir(parents=True, exist_ok=True)
    draft, maker = path.with_suffix(".part"), np.random.default_rng(0)
    with parquet.ParquetWriter(draft, _chunk(maker, 10, columns).schema) as out:
        for at in range(0, rows, CHUNK):
            out.write_table(_chunk(maker, min(CHUNK, rows - at), columns))
    draft.rename(path)
    return path


def _chunk(maker: np.random.Generator, rows: int, columns: int) -> pa.Table:
    """Makes rows whose two targets hang on some of the columns."""
    made: dict[str, pa.Array] = {}
    score = maker.normal(size=rows)
    for place in range(columns - 2):
        weight = 0.6 if place % 3 == 0 else 0.1
        gaps = maker.random(rows) < (0.1 if place % 4 == 0 else 0.0)
        name, values, signal = _column(maker, rows, place)
        made[name] = pa.array(values, mask=gaps)
        score += weight * np.where(gaps, 0.0, signal)
    made["bought"] = pa.array(np.where(score > 1, "yes", "no"))
    made["spent"] = pa.array(np.exp(score / 2) * 20 + maker.normal(size=rows))
    return pa.table(made)


def _column(maker: np.random.Generator, rows: int, place: int) -> tuple[str, Any, Any]:
    """Gives a column's name and values, and what it adds to the score."""
    drawn = maker.normal(size=rows)
    match place % 6:
        case 0 | 1:
            return f"amount_{place}", drawn * 100, drawn
        case 2:
            return f"count_{place}", np.abs(drawn * 5).astype(np.int64), np.abs(drawn)
        case 3:
            codes = maker.integers(0, 26 if place < 12 else 26**2, rows)
            words = np.char.add(LETTERS[codes // 26], LETTERS[codes % 26])
            return f"kind_{place}", words, np.sin(codes)
        case 4:
            days = maker.integers(0, 1500, rows)
            stamps = np.datetime64("2020-01-01") + days
            return f"day_{place}", stamps, (days % 7 > 4) * 1.0
        case _:
            return f"is_{place}", drawn > 0, (drawn > 0) * 1.0


def measure(source: Path, target: str, seconds: float, folder: Path) -> dict[str, Any]:
    """Builds in a child as a job does, in a folder of its own, and looks at it while it runs."""
    folder.mkdir(exist_ok=True)
    model = folder / "artifact"
    wish = dict[str, Any].fromkeys(("input_schema", "output_schema", "metric", "task", "before"))
    wish |= {"intent": f"Predict {target}", "target": target, "max_iterations": None}
    tables = [{"filename": source.name, "path": str(source), "columns": {}}]
    told = {"request": wish, "tables": tables, "seconds": seconds, "folder": str(model)}
    watch = Watch(model / ARTIFACT)
    limits = ChildLimits(MEMORY_MB, seconds + GRACE_SECONDS)
    told |= {"begun": watch.begun}
    with watching(TICK_SECONDS) as used:
        learnt = run(
            CHILD,
            told,
            limits=limits,
            on_report=watch.hear,
            check=watch.look,
            reach=Reach(readable=(str(source),)),
            folder=folder,
            prepare=PREPARE,
        )
    wall = time.monotonic() - watch.begun
    (model / ARTIFACT).unlink()
    metrics = learnt["metrics"]
    return {
        "seconds": seconds, "wall s": round(wall, 2), "over": round(wall / seconds - 1, 3),
        "first checkpoint s": round(watch.first or wall, 2), "peak MB": used.peak_mb,
        "loss": f"{metrics.get('log_loss', metrics.get('rmse')):.5g}",
        "algorithm": learnt["algorithm"], "stages": watch.stages,
    }  # fmt: skip


class Watch:
    """Sees when the artifact is there first, and when each stage began."""

    def __init__(self, artifact: Path) -> None:
        self.artifact, self.begun = artifact, time.monotonic()
        self.first: float | None = None
        self.stages: dict[str, float] = {}

    def hear(self, report: dict[str, Any]) -> None:
        if "stage" in report:
            self.stages.setdefault(report["stage"], round(time.monotonic() - self.begun, 1))

    def look(self) -> None:
        if self.first is None and self.artifact.exists():
            self.first = time.monotonic() - self.begun


if __name__ == "__main__":
    sys.exit(main())
