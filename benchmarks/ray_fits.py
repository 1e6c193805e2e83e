"""Builds whose fits run on Ray: as wide as its processors, as good and as quick as in threads.

`python -m benchmarks.ray_fits [--tables adult calhousing] [--seconds 30] [--nodes 2 4 8]`
Ray's nodes have one processor each and run on this machine. Losses are those of a quarter of the
rows that no build saw.
- *the same work*: so many candidates, in two threads and on each number of nodes. The model, told
  by its digest, and its loss have to be the same. Of two nodes and two threads, by turns, the time
  is told: that of the build, and with what Ray's driver needs to start.
- *the same seconds of more processors*: where the machine has fewer processors than there are
  nodes, a build gets so many times the seconds, as that is what the nodes would do of their own.
"""

import argparse
import hashlib
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
import zipfile
from pathlib import Path
from typing import Any

from benchmarks.learning import _losses
from benchmarks.report import table
from benchmarks.tables import jsonable, named, split
from modelwright.system.processors import usable_processors

FEW = 4
"""Candidates of the builds whose models are compared."""
MANY = 8
"""Candidates of the builds that are timed."""
THREADS = 2
MEMORY_MB = 6144
"""Of a fit's process, as a build has it by default."""
LONG_SECONDS = 3600.0
"""What a build has that its candidates end."""


def main() -> int:
    reader = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    reader.add_argument("--tables", nargs="*", default=["adult", "calhousing"])
    reader.add_argument("--seconds", type=float, default=30, help="of as many own processors")
    reader.add_argument("--nodes", nargs="*", type=int, default=[2, 4, 8])
    reader.add_argument("--rounds", type=int, default=3, help="of threads and Ray by turns")
    reader.add_argument("--part", choices=["same", "time", "wide"], nargs="*")
    reader.add_argument("--case", help=argparse.SUPPRESS)
    asked = reader.parse_args()
    if asked.case:
        print(json.dumps(build(**json.loads(asked.case))))
        return 0
    parts, kept = asked.part or ["same", "time", "wide"], True
    if "same" in parts:
        kept = _same(asked.tables, asked.nodes) and kept
    if "time" in parts:
        _time(asked.tables, asked.rounds)
    if "wide" in parts:
        _wide(asked.tables, asked.nodes, asked.seconds)
    return 0 if kept else 1


def _same(names: list[str], nodes: list[int]) -> bool:
    """Compares the models of so many candidates; tells whether they are the same."""
    from tests.soak.ray_nodes import ray_nodes

    shown = [_case(name, "", FEW) for name in names]
    for number in nodes:
        with ray_nodes(number) as cluster:
            shown += [_case(name, cluster.address, FEW) for name in names]
    lines = [
        {
            "table": one["table"], "fits run in": one["where"], "candidates": one["candidates"],
            "loss": one["loss"], "model": one["digest"][:12], "seconds": one["wall s"],
        }
        for one in sorted(shown, key=lambda one: str(one["table"]))
    ]  # fmt: skip
    print(table(lines))
    digests = {(one["table"], one["digest"]) for one in shown}
    return len(digests) == len(names)


def _time(names: list[str], rounds: int) -> None:
    """Times the same work in two threads and on two nodes of one processor, by turns."""
    from tests.soak.ray_nodes import ray_nodes

    lines = []
    for name in names:
        threads, ray, begun = [], [], []
        for _ in range(rounds):
            threads.append(_case(name, "", MANY)["wall s"])
            with ray_nodes(THREADS) as cluster:
                told = _case(name, cluster.address, MANY)
            ray.append(told["wall s"])
            begun.append(told["driver s"])
        of_threads, of_ray = statistics.median(threads), statistics.median(ray)
        whole = (of_ray + statistics.median(begun)) / of_threads
        lines.append(
            {
                "table": name, "candidates": MANY, "s in two threads": round(of_threads, 1),
                "s on two nodes": round(of_ray, 1), "ratio": round(of_ray / of_threads, 2),
                "s of Ray's driver": round(statistics.median(begun), 1),
                "ratio with it": round(whole, 2),
                "ratios of the rounds": ", ".join(
                    f"{a / b:.2f}" for a, b in zip(ray, threads, strict=True)
                ),
            }
        )  # fmt: skip
    print(table(lines))


def _wide(names: list[str], nodes: list[int], seconds: float) -> None:
    """Builds by the clock on ever more nodes, each with the seconds of as many processors."""
    from tests.soak.ray_nodes import ray_nodes

    lines = []
    for number in nodes:
        slower = max(1.0, number / usable_processors())
        with ray_nodes(number) as cluster:
            for name in names:
                told = _case(name, cluster.address, None, seconds * slower)
                lines.append(
                    {
                        "table": name, "nodes": number, "seconds here": seconds * slower,
                        "candidates": told["candidates"], "fits": told["fits"],
                        "loss": told["loss"], "wall s": told["wall s"],
                    }
                )  # fmt: skip
    print(table(sorted(lines, key=lambda one: (str(one["table"]), one["nodes"]))))


def _case(name: str, address: str, most: int | None, seconds: float = LONG_SECONDS) -> Any:
    """Builds in a process of its own."""
    told = {"name": name, "address": address, "most": most, "seconds": seconds}
    command = [sys.executable, "-m", "benchmarks.ray_fits", "--case", json.dumps(told)]
    alone = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
    ran = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, env=alone)
    found = json.loads(ran.stdout.splitlines()[-1])
    print(found, flush=True)
    return found


def build(name: str, address: str, most: int | None, seconds: float) -> dict[str, Any]:
    """Builds one table with its fits in threads, or on the cluster of an address; measures it."""
    from pyarrow import parquet

    from modelwright.builds.parallelism import start_gateway
    from modelwright.engines.automl.fitting import BuildInputs, fit
    from modelwright.engines.automl.planning.build_plan import make_plan
    from modelwright.engines.automl.search.executors import RemoteExecutor, ThreadExecutor
    from modelwright_runtime import ARTIFACT
    from modelwright_runtime.predictor import Predictor

    told = named(name)
    held, truth, train, test = split(told, 0)
    begun = time.monotonic()
    executor = (
        RemoteExecutor(start_gateway(address, MEMORY_MB)) if address else ThreadExecutor(THREADS)
    )
    driver = time.monotonic() - begun
    with tempfile.TemporaryDirectory() as folder:
        path, out = Path(folder) / "train.parquet", Path(folder) / "model"
        parquet.write_table(held.take(train), path)
        begun = time.monotonic()
        plan = make_plan(
            [path], "", target=told["target"], task=told["task"], seconds=seconds, seed=0,
            max_iterations=most,
        )  # fmt: skip
        workers = executor.workers
        end = begun + seconds
        fitted = fit(
            BuildInputs(
                [path], plan, out, deadline=end, progress=lambda *_: None, executor=executor
            )
        )
        wall = time.monotonic() - begun
        executor.close()
        rows = [jsonable(row) for row in held.take(test).to_pylist()]
        race = fitted.report["race"]
        return {
            "table": name, "where": f"{workers} nodes of Ray" if address else f"{workers} threads",
            "candidates": len(race), "fits": sum(one["folds"] for one in race),
            "digest": _digest(out / ARTIFACT), "wall s": round(wall, 2),
            "driver s": round(driver, 2), "failed": fitted.report["failed"],
            "loss": f"{_losses(Predictor.load(out), rows, truth[test], told)['loss']:.6g}",
        }  # fmt: skip


def _digest(artifact: Path) -> str:
    """Returns the digest of all that predictions are made from."""
    with zipfile.ZipFile(artifact) as packed:
        names = sorted(name for name in packed.namelist() if name != "manifest.json")
        return hashlib.sha256(b"".join(packed.read(name) for name in names)).hexdigest()


if __name__ == "__main__":
    sys.exit(main())
