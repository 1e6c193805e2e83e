"""What the child process does with one table: reads, scores and writes it batch by batch."""

from collections import deque
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from modelwright.engines.automl.scoring import RowTypeError, Scorer
from modelwright.engines.copying import connect, copy_out
from modelwright.jobs.errors import JobRefused
from modelwright.models.errors import RETRAIN_HINT
from modelwright.scoring.domain import unique_names
from modelwright.system.processors import usable_processors
from modelwright_client.errors import ArtifactError
from modelwright_runtime.predictor import Predictor

Report = Callable[[dict[str, Any]], None]
MOST_ROWS = 16_384
"""Rows of a batch."""
FEWEST_ROWS = 256
"""Rows of a batch of wide rows."""
CELLS = 2_000_000
"""Cells of a batch."""
MOST_WORKERS = 4
"""Processes that score one file."""
ERROR = "prediction_error"
"""What says why a row has no prediction; only tables with such a row have it."""


def score_file(payload: Mapping[str, Any], report: Report) -> dict[str, Any]:
    """Writes a Parquet table with its predictions, in its order and in bounded memory.

    Where rows cannot be predicted a column says why; refuses a table of which no row can.
    """
    try:
        predictor = Predictor.load(Path(payload["artifact"]))
    except ArtifactError:
        raise JobRefused(
            {"message": f"What the version has learnt is damaged; {RETRAIN_HINT}"}
        ) from None
    scorer = Scorer(predictor, payload["include"])
    try:
        run = _written(payload, predictor, ScoringRun(scorer, payload["filename"], report))
    except RowTypeError as first:
        run = _written(payload, predictor, ScoringRun(scorer, payload["filename"], report, first))
        if run.faults == run.done:
            raise JobRefused({"message": f"{payload['filename']}: {first}."}) from None
    for message in run.taken:
        report({"message": message})
    size, notice = Path(payload["target"]).stat().st_size, run.notice()
    return {"size_bytes": size, "predicted": run.done - run.faults, "notice": notice}


def _written(payload: Mapping[str, Any], predictor: Predictor, run: "ScoringRun") -> "ScoringRun":
    """Writes the table, which raises Misfit where a row cannot be predicted and the run is strict.

    What DuckDB tells of it, in words of its own, does not count.
    """
    with pq.ParquetFile(payload["source"]) as file:
        cells = predictor.encoder.width + file.metadata.num_columns
        rows = max(FEWEST_ROWS, min(MOST_ROWS, CELLS // cells))
        with connect(payload["scratch"], payload["memory_bytes"]) as connection:
            try:
                schema = run.begin(file)
                reader = pa.RecordBatchReader.from_batches(schema, run.batches(file, rows))
                connection.register("scored", reader)
                copy_out(connection, "scored", Path(payload["target"]), payload["format"])
            except duckdb.Error:
                if run.misfit:
                    raise run.misfit from None
                raise
    return run


class ScoringRun:
    """One table on its way: batches are scored side by side and leave in their order."""

    def __init__(
        self, scorer: Scorer, filename: str, report: Report, first: RowTypeError | None = None
    ) -> None:
        self.misfit: RowTypeError | None = None
        self.done = self.faults = 0
        self.taken: list[str] = []
        """What is to be said of names that the table had already."""
        self._scorer = scorer
        self._filename = filename
        self._report = report
        self._first = first
        """What a strict run before this one stumbled over."""
        self._names: list[str] = []
        self._shape = pa.schema([])

    def begin(self, file: pq.ParquetFile) -> pa.Schema:
        """Gives the columns of the result."""
        there = file.schema_arrow.remove_metadata()
        nothing = pa.RecordBatch.from_pylist([], there)
        added = self._scorer.score(nothing, 0)
        if self._first:
            added.append((ERROR, pa.array([], pa.string())))
        wanted = [name for name, _ in added]
        self._names = unique_names(there.names, wanted)
        self.taken = [
            f"{self._filename} has a column {name}; the result's is {given}."
            for name, given in zip(wanted, self._names, strict=True)
            if name != given
        ]
        fields = zip(self._names, added, strict=True)
        self._shape = pa.schema([*there, *(pa.field(name, one.type) for name, (_, one) in fields)])
        return self._shape

    def notice(self) -> str | None:
        """Says how many rows have no prediction, if there are any."""
        if not self.faults:
            return None
        have = "has" if self.faults == 1 else "have"
        return (
            f"{self.faults} of {self.done} rows {have} no prediction; {self._names[-1]} says why,"
            f" first in {self._first}."
        )

    def batches(self, file: pq.ParquetFile, rows: int) -> Iterator[pa.RecordBatch]:
        """Yields the table's batches with their predictions."""
        workers = min(MOST_WORKERS, usable_processors())
        waiting: deque[Future[tuple[pa.RecordBatch, int]]] = deque()
        first = 0
        with ThreadPoolExecutor(workers) as pool:
            for batch in file.iter_batches(rows, use_threads=False):
                waiting.append(pool.submit(self._scored, batch, first))
                first += len(batch)
                while len(waiting) > workers:
                    yield self._next(waiting)
            while waiting:
                yield self._next(waiting)

    def _next(self, waiting: deque[Future[tuple[pa.RecordBatch, int]]]) -> pa.RecordBatch:
        try:
            batch, faults = waiting.popleft().result()
        except RowTypeError as misfit:
            self.misfit = misfit
            raise
        self.done += len(batch)
        self.faults += faults
        self._report({"rows": self.done})
        return batch

    def _scored(self, batch: pa.RecordBatch, first: int) -> tuple[pa.RecordBatch, int]:
        faults = self._scorer.faults(batch) if self._first else {}
        rows = [row for row in range(len(batch)) if row not in faults] if faults else []
        sound = batch.take(pa.array(rows, pa.int64())) if faults else batch
        added = [values for _, values in self._scorer.score(sound, first)]
        if faults:
            places = np.full(len(batch), -1)
            places[rows] = np.arange(len(rows))
            back = pa.array(places, mask=places < 0)
            added = [values.take(back) for values in added]
        if self._first:
            added.append(pa.array(map(faults.get, range(len(batch))), pa.string()))
        whole = pa.RecordBatch.from_arrays([*batch.columns, *added], schema=self._shape)
        return whole, len(faults)
