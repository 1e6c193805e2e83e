"""What the child process does with one table: reads, scores and writes it batch by batch."""

import os
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq

from modelwright.engines.copying import connect, copy_out
from modelwright.engines.learn.scoring import Misfit, Scorer
from modelwright.jobs.errors import Refused
from modelwright.scoring.rules import free_names
from modelwright_client.predictor.predicting import Predictor

Report = Callable[[dict[str, Any]], None]
MOST_ROWS, FEWEST_ROWS, CELLS = 16_384, 256, 2_000_000
"""Rows of a batch, fewer where they are wide."""
MOST_WORKERS = 4


def score_file(payload: Mapping[str, Any], report: Report) -> dict[str, Any]:
    """Writes a Parquet table with its predictions, in its order and in bounded memory.

    Refuses a column that is missing and the first value that does not fit.
    """
    predictor = Predictor.load(Path(payload["artifact"]))
    target = Path(payload["target"])
    with pq.ParquetFile(payload["source"]) as file:
        run = Run(file, Scorer(predictor, payload["include"]), payload["filename"], report)
        cells = predictor.encoder.width + file.metadata.num_columns
        rows = max(FEWEST_ROWS, min(MOST_ROWS, CELLS // cells))
        with connect(payload["scratch"], payload["memory_bytes"]) as connection:
            try:
                reader = pa.RecordBatchReader.from_batches(run.schema(), run.batches(rows))
                connection.register("scored", reader)
                copy_out(connection, "scored", target, payload["format"])
            except (Misfit, duckdb.Error) as fault:
                misfit = run.misfit or fault
                if not isinstance(misfit, Misfit):
                    raise
                raise Refused({"message": f"{payload['filename']}: {misfit}."}) from None
    return {"size_bytes": target.stat().st_size}


class Run:
    """One table on its way: batches are scored side by side and leave in their order."""

    def __init__(self, file: pq.ParquetFile, scorer: Scorer, filename: str, report: Report) -> None:
        self.misfit: Misfit | None = None
        self._file = file
        self._scorer = scorer
        self._filename = filename
        self._report = report
        self._names: list[str] = []
        self._shape = pa.schema([])
        self._done = 0

    def schema(self) -> pa.Schema:
        """Gives the columns of the result; says which names were taken."""
        there = self._file.schema_arrow.remove_metadata()
        nothing = pa.RecordBatch.from_pylist([], there)
        added = self._scorer.score(nothing, 0)
        wanted = [name for name, _ in added]
        self._names = free_names(there.names, wanted)
        for name, given in zip(wanted, self._names, strict=True):
            if name != given:
                message = f"{self._filename} has a column {name}; the result's is {given}."
                self._report({"message": message})
        fields = zip(self._names, added, strict=True)
        self._shape = pa.schema([*there, *(pa.field(name, one.type) for name, (_, one) in fields)])
        return self._shape

    def batches(self, rows: int) -> Iterator[pa.RecordBatch]:
        """Yields the table's batches with their predictions."""
        workers = min(MOST_WORKERS, len(os.sched_getaffinity(0)))
        waiting: deque[Future[pa.RecordBatch]] = deque()
        first = 0
        with ThreadPoolExecutor(workers) as pool:
            for batch in self._file.iter_batches(rows, use_threads=False):
                waiting.append(pool.submit(self._scored, batch, first))
                first += len(batch)
                while len(waiting) > workers:
                    yield self._next(waiting)
            while waiting:
                yield self._next(waiting)

    def _next(self, waiting: deque[Future[pa.RecordBatch]]) -> pa.RecordBatch:
        """Takes the next batch; keeps a misfit, which DuckDB tells in words of its own."""
        try:
            batch = waiting.popleft().result()
        except Misfit as misfit:
            self.misfit = misfit
            raise
        self._done += len(batch)
        self._report({"rows": self._done})
        return batch

    def _scored(self, batch: pa.RecordBatch, first: int) -> pa.RecordBatch:
        added = [values for _, values in self._scorer.score(batch, first)]
        return pa.RecordBatch.from_arrays([*batch.columns, *added], schema=self._shape)
