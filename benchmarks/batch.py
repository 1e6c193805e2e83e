"""A batch of 10,000 rows through `predictions`: rows a second in process, and with JSON both ways.

`python -m benchmarks.batch [--tables adult ...] [--seconds 60] [--mixed]`. What the API does with a
body, but for HTTP: read, check, encode, walk the trees, answer, write; and how long the model takes
to load. Each table is learnt once, kept in `benchmarks/.work/scoring`, and repeated until it has
the rows, which come in the order of the file or, `--mixed`, in any. Rates are of the wall clock and
of CPU time, which other work on the machine changes less; both are the best of seven.
"""

import argparse
import random
import sys
import time
from pathlib import Path
from typing import Any

import duckdb
import msgspec
from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

from benchmarks.report import table
from benchmarks.scoring import learnt
from benchmarks.tables import shared
from modelwright.predictions.predict_rows import answer_many
from modelwright_runtime import ARTIFACT
from modelwright_runtime.artifact import load_artifact
from modelwright_runtime.components.trees import Trees
from modelwright_runtime.predictor import Predictor

ROWS = 10_000
"""Rows of a batch."""
TIMES = 7
"""How often it is predicted; the least time counts."""
GOALS = {"answer": 100_000, "whole": 50_000}


def main() -> int:
    reader = argparse.ArgumentParser(description=__doc__)
    reader.add_argument("--tables", nargs="*")
    reader.add_argument("--seconds", type=float, default=60)
    reader.add_argument("--mixed", action="store_true")
    asked = reader.parse_args()
    names = [one["name"] for one in shared()] if asked.tables is None else asked.tables
    with threadpool_limits(1, user_api="blas"):  # as in the API's process
        print(table([measured(name, asked.seconds, asked.mixed) for name in names]))
    print(f"goals: {GOALS['answer']} rows/s in process, {GOALS['whole']} with JSON")
    return 0


def measured(name: str, seconds: float, mixed: bool) -> dict[str, Any]:
    """Answers a table's rows; rates in thousands of rows a second, microseconds a row of parts."""
    source, artifact = learnt(name, seconds)
    predictor = Predictor.load(artifact)
    rows = rows_of(source, predictor)
    if mixed:
        random.Random(0).shuffle(rows)
    body = msgspec.json.encode(rows)
    items, _, _ = answer_many(predictor, rows, frozenset(), "req")
    parts = {
        "read": lambda: msgspec.json.decode(body),
        "check": lambda: [predictor.check(row) for row in rows],
        "encode": lambda: predictor.encoder.many(rows),
        "answer": lambda: answer_many(predictor, rows, frozenset(), "req"),
        "write": lambda: msgspec.json.encode(items),
    }
    spent = {part: best(work) for part, work in parts.items()}
    both = [sum(spent[part][kind] for part in ("read", "answer", "write")) for kind in (0, 1)]
    load = [round(one * 1e3) for one in best(lambda: Predictor.load(artifact))]
    told: dict[str, Any] = {"table": name, "trees": trees_of(artifact)}
    told |= {"load ms": load[0], "load CPU ms": load[1]}
    for head, (wall, cpu) in {"in process": spent["answer"], "with JSON": tuple(both)}.items():
        told |= {f"{head} rows/s": rate(wall), f"{head} rows/CPU s": rate(cpu)}
    return told | {f"{part} us": round(one[1] / ROWS * 1e6, 2) for part, one in spent.items()}


def rows_of(source: Path, predictor: Predictor) -> list[dict[str, Any]]:
    """Gives 10,000 rows as they come from JSON, those that the model takes."""
    found: Any = duckdb.execute(f"SELECT * FROM '{source}' LIMIT {ROWS}").to_arrow_table()
    rows = msgspec.json.decode(msgspec.json.encode(found.to_pylist()))
    fit = [row for row in rows if predictor.check(row) is None]
    return (fit * (ROWS // len(fit) + 1))[:ROWS]


def best(work: Any) -> tuple[float, float]:
    """Gives the least wall and CPU seconds."""
    seen = []
    for _ in range(TIMES):
        wall, cpu = time.perf_counter(), time.process_time()
        work()
        seen.append((time.perf_counter() - wall, time.process_time() - cpu))
    return min(one[0] for one in seen), min(one[1] for one in seen)


def trees_of(artifact: Path) -> int:
    """Counts the trees that a row goes through."""
    components = load_artifact(artifact / ARTIFACT, sys.maxsize).model.components
    return sum(len(one.forest.roots) for one in components if isinstance(one, Trees))


def rate(seconds: float) -> int:
    return round(ROWS / seconds)


if __name__ == "__main__":
    sys.exit(main())
