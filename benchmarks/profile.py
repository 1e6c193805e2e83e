# ruff: noqa: A005 - named as what it measures, like its neighbours
"""The profile of a generated CSV beside plain DuckDB queries, and beside fg-data-profiling.

`python -m benchmarks.profile [--gb 1] [--peer-mb 100] [--runs 3] [--skip-peer]`, after
`benchmarks/peers/set_up`. Every side runs in a fresh process, by turns; memory is the peak of the
process and its children. The plain queries are those for the same statistics and correlations of
numbers, a column or pair at a time, over the same Parquet file; the profile is `comprehensive`,
with insights, category pairs and painted pictures. The peer runs with its defaults, and minimal
(without correlations and interactions) beside them. It starts from the CSV, as it can do nothing
else; an analysis starts from the Parquet file of the upload, whose making is shown apart and added.
"""

import argparse
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks import ingest
from benchmarks.report import table

HERE = Path(__file__).parent
PEER = HERE / "peers" / ".envs" / "fg-data-profiling" / "bin" / "python"
PLAIN = """
import sys, duckdb, itertools
db = duckdb.connect(config={"threads": 2})
db.execute("set enable_progress_bar = false")
db.execute(f"create view t as from read_parquet('{sys.argv[1]}')")
numbers = []
for name, kind, *_ in db.execute("describe t").fetchall():
    c = f'"{name}"'
    if kind in ("BIGINT", "DOUBLE"):
        numbers.append(c)
        db.execute(f"select count(*), count({c}), count(distinct {c}), min({c}), max({c}),"
                   f" avg({c}), median({c}), stddev({c}), skewness({c}) from t").fetchall()
        db.execute(f"select quantile_cont({c}, [.01, .05, .25, .75, .95, .99]) from t").fetchall()
    else:
        db.execute(f"select count(*), count({c}), count(distinct {c}), min({c}), max({c})"
                   " from t").fetchall()
    db.execute(f"select {c}, count(*) n from t group by 1 order by n desc limit 50").fetchall()
for a, b in itertools.combinations(numbers, 2):
    db.execute(f"select corr({a}, {b}) from t").fetchall()
open(sys.argv[2], "wb").close()
"""
PROFILE = """
import sys, tempfile
from modelwright.analysis.profiling import profile_table
with tempfile.TemporaryDirectory() as folder:
    profile_table({"source": sys.argv[1], "target": folder, "scratch": folder, "filename": "t.csv",
                   "thoroughness": "comprehensive", "memory_bytes": 1536 << 20,
                   "time_zone": "UTC"}, lambda told: None)
open(sys.argv[2], "wb").close()
"""
PEERS = """
import sys, pandas as pd
from data_profiling import ProfileReport
minimal = MINIMAL
ProfileReport(pd.read_csv(sys.argv[1]), progress_bar=False, minimal=minimal).to_file(
    sys.argv[2] + ".html"
)
open(sys.argv[2], "wb").close()
"""
GOAL_MEMORY_MB = 2048
"""Memory that an analysis may take."""
GOAL_TIMES = 3.0
"""Time that it may take, as a multiple of the other side's."""
GOAL_FASTER = 15.0
"""How many times faster it is to be than a profiler of data frames."""


def main() -> int:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--gb", type=float, default=1.0)
    asked.add_argument("--peer-mb", type=float, default=100.0)
    asked.add_argument("--runs", type=int, default=3)
    asked.add_argument("--skip-peer", action="store_true")
    given = asked.parse_args()
    met = beside_queries(int(given.gb * 2**30), given.runs)
    if not given.skip_peer:
        met = beside_the_peer(int(given.peer_mb * 2**20)) and met
    return 0 if met else 1


def beside_queries(size: int, runs: int) -> bool:
    with tempfile.TemporaryDirectory() as folder:
        source, stored = Path(folder) / "generated.csv", Path(folder) / "stored.parquet"
        rows = ingest.generate(source, size)
        ingest.measure(ingest.CONVERT, source)
        (Path(folder) / "out.parquet").rename(stored)
        measured = [
            (ingest.measure(PLAIN, stored), ingest.measure(PROFILE, stored)) for _ in range(runs)
        ]
    ratio = median(ours["seconds"] / plain["seconds"] for plain, ours in measured)
    peak = max(ours["peak MB"] for _, ours in measured)
    print(
        table(
            [
                {"side": "plain DuckDB queries", "rows": rows, **_middle(measured, 0)},
                {"side": "modelwright, comprehensive", "rows": rows, **_middle(measured, 1)},
                {
                    "side": f"ratio (goal <= {GOAL_TIMES}; <= {GOAL_MEMORY_MB} MB)",
                    "seconds": round(ratio, 2),
                    "peak MB": peak,
                },
            ]
        )
    )
    return ratio <= GOAL_TIMES and peak <= GOAL_MEMORY_MB


def beside_the_peer(size: int) -> bool:
    if not PEER.exists():
        print("skipped: run benchmarks/peers/set_up for fg-data-profiling")
        return True
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "generated.csv"
        rows = ingest.generate(source, size)
        made = ingest.measure(ingest.CONVERT, source)
        stored = (Path(folder) / "out.parquet").rename(Path(folder) / "stored.parquet")
        ours = ingest.measure(PROFILE, stored)
        theirs, least = (
            ingest.measure(PEERS.replace("MINIMAL", minimal), source, python=str(PEER))
            for minimal in ("False", "True")
        )
    alone, whole = (
        theirs["seconds"] / seconds
        for seconds in (ours["seconds"], ours["seconds"] + made["seconds"])
    )
    print(
        table(
            [
                {"side": "fg-data-profiling", "rows": rows, **_told(theirs)},
                {"side": "fg-data-profiling, minimal", "rows": rows, **_told(least)},
                {"side": "modelwright, analysis", "rows": rows, **_told(ours)},
                {"side": "modelwright, conversion before it", "rows": rows, **_told(made)},
                {"side": f"analysis, times faster (goal >= {GOAL_FASTER})",
                 "seconds": round(alone, 1)},
                {"side": "both, times faster", "seconds": round(whole, 1)},
            ]
        )
    )  # fmt: skip
    return alone >= GOAL_FASTER


def _middle(measured: Sequence[tuple[dict[str, float], ...]], side: int) -> dict[str, Any]:
    return {key: median(run[side][key] for run in measured) for key in _told(measured[0][side])}


def _told(one: dict[str, float]) -> dict[str, float]:
    return {key: value for key, value in one.items() if key != "Parquet MB"}


if __name__ == "__main__":
    sys.exit(main())
