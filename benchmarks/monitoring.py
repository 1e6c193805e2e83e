"""What monitoring adds to a prediction: the same rows answered with it and without it, by turns.

`python -m benchmarks.monitoring [--table adult] [--calls 20000]`. Both run in one process, a block
of calls each, through the service that the API calls; CPU time, which other work on the machine
does not change much. What is left to the background is shown too.
"""

import argparse
import sys
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Any

import pyarrow.parquet as pq

from benchmarks.report import table
from benchmarks.scoring import learnt
from modelwright.bootstrap.container import build_container
from modelwright.core.config.settings import Settings
from modelwright.core.http.context import Caller, Level, Tier
from modelwright.core.ids import AccountId, new_id
from modelwright.engines.automl.monitoring.online_counts import Watch
from modelwright.models.domain import ServedVersion
from modelwright.monitoring.packing import pack
from modelwright.monitoring.prediction_buffer import counted
from modelwright.monitoring.service import Monitoring
from modelwright.predictions.service import Predictions
from modelwright.storage.object_store import ObjectStore
from modelwright_runtime.predictor import Predictor

ARTIFACT = "artifacts/ver_bench/1"
BLOCK = 200
"""Predictions that are timed together."""
BATCH = 10_000
GOAL_MICROSECONDS = 10


class Deaf:
    """Monitoring that hears nothing."""

    def record(self, _noted: Any) -> None:
        """Does nothing."""


def main() -> int:
    reader = argparse.ArgumentParser(description=__doc__)
    reader.add_argument("--table", default="adult")
    reader.add_argument("--calls", type=int, default=20_000)
    reader.add_argument("--seconds", type=float, default=60)
    asked = reader.parse_args()
    source, artifact = learnt(asked.table, asked.seconds)
    with tempfile.TemporaryDirectory() as folder:
        container = build_container(Settings(data_dir=Path(folder)))
        container.services[ObjectStore].put_folder(ARTIFACT, artifact)  # type: ignore[attr-defined]
        bench = Bench(
            container.service(Predictions), container.service(Monitoring), artifact, source
        )
        shown = [bench.one(asked.calls), bench.many(20)]
        container.database.close()
    print(table(shown))
    print(table([bench.background()]))
    print(f"goal: {GOAL_MICROSECONDS} us a prediction")
    return 0


class Bench:
    """One version, asked with monitoring and without."""

    def __init__(
        self, predictions: Predictions, monitoring: Monitoring, artifact: Path, source: Path
    ) -> None:
        self.predictions, self.artifact = predictions, artifact
        self.hearing = monitoring
        self.version = ServedVersion("ver_bench", "m", "v1.0", ARTIFACT)
        self.caller = Caller(
            AccountId("user_bench"), "bench@localhost", Level.READ_WRITE, Tier.ENTERPRISE
        )
        predictor = Predictor.load(artifact)
        rows = pq.read_table(source, columns=list(predictor.input_schema)).to_pylist()
        self.rows = [row for row in rows[: 2 * BATCH] if predictor.check(row) is None][:BATCH]
        self.noted: list[Any] = []

    def one(self, calls: int) -> dict[str, Any]:
        """Answers single rows by turns; the median of the blocks, in CPU microseconds a call."""
        with_, without = [], []
        for block in range(calls // BLOCK // 2):
            some = [self.rows[(block * BLOCK + at) % len(self.rows)] for at in range(BLOCK)]
            with_.append(self._block(self.hearing, some))
            without.append(self._block(Deaf(), some))
        return _shown("infer", with_, without)

    def many(self, turns: int) -> dict[str, Any]:
        """Answers batches by turns; the median, in CPU microseconds a row."""
        with_, without = [], []
        for _ in range(turns):
            with_.append(self._batch(self.hearing))
            without.append(self._batch(Deaf()))
        return _shown(f"batch of {len(self.rows)}, a row", with_, without)

    def _block(self, monitoring: Any, rows: list[Any]) -> float:
        self.predictions.monitoring = monitoring
        ids = [new_id("req") for _ in rows]
        started = time.process_time()
        for request_id, row in zip(ids, rows, strict=True):
            self.predictions.infer(self.caller, self.version, row, request_id, include=frozenset())
        taken = time.process_time() - started
        self._drain()
        return taken / len(rows) * 1e6

    def _batch(self, monitoring: Any) -> float:
        self.predictions.monitoring = monitoring
        request_id, started = new_id("req"), time.process_time()
        self.predictions.many(self.caller, self.version, self.rows, request_id, include=frozenset())
        taken = time.process_time() - started
        self._drain()
        return taken / len(self.rows) * 1e6

    def _drain(self) -> None:
        self.noted += self.hearing.buffer.begin()
        self.noted = self.noted[-2000:]
        self.hearing.buffer.settle()

    def background(self) -> dict[str, Any]:
        """What the thread that writes spends on single rows, in CPU microseconds a row."""
        watch = Watch.read(self.artifact)
        some = [one for one in self.noted if len(one.told) == 1]
        started = time.thread_time()
        counts, packed = counted(watch, some), pack(some)
        taken = time.thread_time() - started
        return {
            "rows at once": len(some),
            "columns": len(counts["columns"]),
            "background CPU us a row": round(taken / len(some) * 1e6, 2),
            "kept bytes a row": round(len(packed.content) / len(some)) if packed else 0,
        }


def _shown(what: str, with_: list[float], without: list[float]) -> dict[str, Any]:
    added = median(one - other for one, other in zip(with_, without, strict=True))
    return {
        "path": what,
        "with, CPU us": round(median(with_), 2),
        "without, CPU us": round(median(without), 2),
        "added, CPU us": round(added, 2),
    }


if __name__ == "__main__":
    sys.exit(main())
