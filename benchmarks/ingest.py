"""A generated CSV of mixed types to Parquet: the product's conversion beside DuckDB's own.

`python -m benchmarks.ingest [--gb 1] [--runs 3]`. Both run in a fresh process of two threads, by
turns; memory is the peak of the process and its children, sampled.
"""

import argparse
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from statistics import median
from typing import Any

import numpy as np

from benchmarks.report import table
from benchmarks.resource_usage import watching

ROWS = 50_000
WORDS = np.array(["alpha", "bravo", "charlie", "delta", "echo", "foxtrot", "golf", "hotel"])
CITIES = np.array(["Berlin", "São Paulo", "New York", '"Paris, FR"', "Tōkyō"])
HEADER = "id,code,quantity,price,score,city,note,day,at,active,reference\n"
CONVERT = """
import sys
from pathlib import Path
from modelwright.engines.ingest.converting import convert
from modelwright.engines.ingest.table import Bounds
convert(Path(sys.argv[1]), Path(sys.argv[2]), name="t.csv", content_type="text/csv",
        bounds=Bounds(), scratch=Path(sys.argv[2]).parent)
"""
COPY = """
import sys, duckdb
db = duckdb.connect(config={"threads": 2})
db.execute("set enable_progress_bar = false")
db.execute(f"copy (from read_csv('{sys.argv[1]}')) to '{sys.argv[2]}' (format parquet)")
"""
GOAL_MEMORY_MB = 1536
"""Memory that reading a file may take."""
GOAL_TIMES = 1.5
"""Time that it may take, as a multiple of DuckDB's."""


def main() -> list[dict[str, Any]]:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--gb", type=float, default=1.0)
    asked.add_argument("--runs", type=int, default=3)
    given = asked.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "generated.csv"
        rows = generate(source, int(given.gb * 2**30))
        runs = [(measure(COPY, source), measure(CONVERT, source)) for _ in range(given.runs)]
    theirs, ours = (
        {key: median(run[side][key] for run in runs) for key in runs[0][side]} for side in (0, 1)
    )
    shown = [
        {"conversion": "DuckDB COPY", "rows": rows, **theirs},
        {"conversion": "modelwright", "rows": rows, **ours},
        {
            "conversion": "ratio",
            "rows": f"goal: time <= {GOAL_TIMES}, memory <= {GOAL_MEMORY_MB} MB",
            "seconds": round(median(b["seconds"] / a["seconds"] for a, b in runs), 2),
            "cpu seconds": round(median(b["cpu seconds"] / a["cpu seconds"] for a, b in runs), 2),
        },
    ]
    print(table(shown))
    return shown


def generate(path: Path, size: int) -> int:
    """Writes rows of mixed types, nulls and quoting until the file has the size."""
    chance = np.random.default_rng(0)
    rows = written = 0
    with path.open("wb") as file:
        written += file.write(HEADER.encode())
        while written < size:
            columns = _columns(chance, rows)
            lines = map(",".join, zip(*columns, strict=True))
            written += file.write(("\n".join(lines) + "\n").encode())
            rows += ROWS
    return rows


def measure(script: str, source: Path, python: str = sys.executable) -> dict[str, float]:
    """Runs a script on the file in a process of its own."""
    target = source.with_name("out.parquet")
    before, started = getrusage(RUSAGE_CHILDREN), time.perf_counter()
    with watching() as used:
        subprocess.run([python, "-c", script, str(source), str(target)], check=True)
    seconds, after = time.perf_counter() - started, getrusage(RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return {
        "seconds": round(seconds, 2),
        "cpu seconds": round(cpu, 2),
        "peak MB": used.peak_mb,
        "Parquet MB": target.stat().st_size // 2**20,
    }


def _columns(chance: np.random.Generator, start: int) -> list[np.ndarray]:
    """Gives the cells of the next rows, column by column."""

    def some(cells: np.ndarray, share: float) -> np.ndarray:
        return np.where(chance.random(ROWS) < share, "", cells)

    notes = np.char.add(np.char.add(chance.choice(WORDS, ROWS), " "), chance.choice(WORDS, ROWS))
    quoted = np.char.add(np.char.add('"said ""', notes), '"", twice"')
    days = np.datetime64("2015-01-01") + chance.integers(0, 3650, ROWS)
    moments = np.datetime64("2020-01-01T00:00:00") + chance.integers(0, 10**8, ROWS)
    return [
        np.arange(start, start + ROWS).astype(str),
        np.char.add("C", np.char.zfill(chance.integers(0, 10**6, ROWS).astype(str), 6)),
        some(chance.integers(-50, 5000, ROWS).astype(str), 0.03),
        np.char.mod("%.2f", chance.random(ROWS) * 1000),
        some(chance.normal(size=ROWS).astype(str), 0.1),
        chance.choice(CITIES, ROWS),
        np.where(chance.random(ROWS) < 0.05, quoted, notes),
        days.astype(str),
        moments.astype(str),
        np.where(chance.random(ROWS) < 0.5, "true", "false"),
        np.char.mod("%016x", chance.integers(0, 2**63, ROWS)),
    ]


if __name__ == "__main__":
    main()
