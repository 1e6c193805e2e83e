"""One LightGBM model behind Modelwright, a hand-written server and other model servers, by turns.

`benchmarks/peers/set_up && python -m benchmarks.serving [--rounds 3] [--seconds 8] [--only floor]`.
Each serves the same trees, learnt on adult with its texts as numbers, with one worker, and is asked
for one row over 16 connections by wrk. CPU is that of the server's whole process tree.

*postgresql* is Modelwright over PostgreSQL and Redis, and *postgresql rate* counts each request
against a rate besides; the CPU of both is in theirs.
"""

import argparse
import math
import statistics
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from benchmarks.peers.serving import CONTENDERS, Ask, contender, loaded
from benchmarks.report import table
from benchmarks.shared_model import made, ours
from benchmarks.shared_services import postgresql_and_redis, their_processes

HEADS = ("requests/s", "CPU us", "p50 ms", "p99 ms", "start s", "RSS MB")
GOALS = {"mlserver": 3, "mlflow": 5, "bentoml": 5, "ray": 15}
FLOOR_RATIO = 1.25
SHARED: dict[str, dict[str, str]] = {
    "postgresql": {},
    "postgresql rate": {"requests_per_minute_enterprise": str(10**9)},
}
"""Settings of Modelwright over PostgreSQL and Redis; the rate is one that nobody reaches."""


def main() -> int:
    reader = argparse.ArgumentParser(description=__doc__)
    names = ["modelwright", *SHARED, *CONTENDERS]
    reader.add_argument("--rounds", type=int, default=3)
    reader.add_argument("--seconds", type=float, default=8)
    reader.add_argument("--connections", type=int, default=16)
    reader.add_argument("--only", nargs="*", choices=names, default=names)
    asked = reader.parse_args()
    folder = made()
    seen: dict[str, list[dict[str, float]]] = {name: [] for name in asked.only}
    for _ in range(asked.rounds):
        for name in asked.only:
            with opened(name, folder) as ask:
                told = measure(ask, asked.connections, asked.seconds)
            seen[name].append(told)
            print(name, told, flush=True)
    rows = [{"server": name, **_middle(rounds)} for name, rounds in seen.items()]
    print(table(rows))
    for sentence in judged({row["server"]: row for row in rows}):
        print(sentence)
    return 0


@contextmanager
def opened(name: str, folder: Path) -> Iterator[Ask]:
    """Runs one of the servers until the end of the block."""
    if name == "modelwright":
        with ours(folder) as ask:
            yield ask
    elif name in SHARED:
        with postgresql_and_redis() as told, ours(folder, **told, **SHARED[name]) as ask:
            yield replace(ask, name=name, beside=their_processes)
    else:
        with contender(name, folder) as ask:
            yield ask


def measure(ask: Ask, connections: int, seconds: float) -> dict[str, float]:
    """Warms a server up, then asks it for a while."""
    _is_right(ask)
    loaded(ask, connections, min(seconds, 4.0))
    return loaded(ask, connections, seconds)


def _is_right(ask: Ask) -> None:
    """Every server must give the booster's own probability, so that all serve the same model."""
    told = ask.chance()
    if not math.isclose(told, ask.expected, abs_tol=1e-6):
        raise RuntimeError(f"{ask.name} says {told}, the model says {ask.expected}")


def _middle(rounds: list[dict[str, float]]) -> dict[str, Any]:
    return {head: _short(statistics.median(one[head] for one in rounds)) for head in HEADS}


def _short(value: float) -> float:
    return round(value) if value >= 100 else round(value, 2)


def judged(rows: dict[str, dict[str, Any]]) -> list[str]:
    """Says how the medians stand to the goals."""
    mine = rows.get("modelwright")
    if mine is None:
        return []
    told = []
    if "floor" in rows:
        ratio = mine["CPU us"] / rows["floor"]["CPU us"]
        told.append(f"CPU of the hand-written server: {ratio:.2f} times (goal {FLOOR_RATIO})")
    for name, row in rows.items():
        peer = name.split(" ")[0]
        if peer in GOALS:
            ratio = mine["requests/s"] / row["requests/s"]
            told.append(f"requests/s of {name}: {ratio:.1f} times (goal {GOALS[peer]})")
    return told


if __name__ == "__main__":
    sys.exit(main())
