"""What child processes do: score some rows of a table batch by batch, and join what was scored.

Arrow is loaded only there: a worker that scored by itself would keep the memory of the largest
batch.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any, BinaryIO

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from modelwright.core.numbered_names import numbered
from modelwright.engines.automl.scoring import RowTypeError, Scorer
from modelwright.engines.copying import connect, copy_out
from modelwright.engines.quoting import literal
from modelwright.jobs.errors import JobRefused
from modelwright.models.errors import RETRAIN_HINT
from modelwright.system.processors import usable_processors
from modelwright_client.errors import ArtifactError
from modelwright_runtime.predictor import Predictor

Report = Callable[[dict[str, Any]], None]
ScoredBatch = tuple[pa.RecordBatch, dict[int, str], int]
"""A batch with its predictions, the rows that have none and why, and its first row."""
MOST_ROWS = 16_384
"""Rows of a batch at most."""
FEWEST_ROWS = 256
"""Rows of a batch at least, however wide they are."""
MAX_BATCH_CELLS = 2_000_000
"""Values of a batch, what the model makes of them included, between the two."""
ARRAY_BEGIN = b"[\n\t"
"""How DuckDB begins an array of JSON."""
ARRAY_END = b"\n]\n"
"""How DuckDB ends it."""
COPY_BYTES = 1 << 20
"""How much of a part is copied at a time."""
MOST_WORKERS = 4
"""Processes that score one file."""
ERROR = "prediction_error"
"""What says why a row has no prediction; only tables with such a row have it."""


def score_step(payload: Mapping[str, Any], report: Report) -> dict[str, Any]:
    """Writes some rows of a Parquet table with their predictions, in order, in bounded memory.

    Where rows cannot be predicted a column says why. Returns how many `rows` there are, how many
    `faults`, which is the `first`, and the name of the `column` where there is one that says why.
    """
    try:
        predictor = Predictor.load(Path(payload["artifact"]))
    except ArtifactError:
        raise JobRefused(
            {"message": f"What the version has learnt is damaged; {RETRAIN_HINT}"}
        ) from None
    scorer = Scorer(predictor, payload["include"])
    if told := scorer.other_units(payload.get("units", {})):
        raise JobRefused({"message": f"{payload['filename']}: {'; '.join(told)}."})

    def write(*, is_lenient: bool) -> ScoringRun:
        run = ScoringRun(scorer, payload["filename"], report, is_lenient=is_lenient)
        return _written(payload, predictor, run)

    try:
        run = write(is_lenient=payload["is_lenient"])
    except RowTypeError:
        run = write(is_lenient=True)
    if payload["first_row"] == 0:
        for message in run.taken:
            report({"message": message})
    return {"rows": run.done, "faults": run.faults, "first": run.first, "column": run.column}


def _written(payload: Mapping[str, Any], predictor: Predictor, run: "ScoringRun") -> "ScoringRun":
    """Writes the rows; raises RowTypeError where one cannot be predicted and the run is strict.

    What DuckDB tells of it, in words of its own, does not count.
    """
    with pq.ParquetFile(payload["source"]) as file:
        cells = predictor.encoder.width + file.metadata.num_columns
        most = max(FEWEST_ROWS, min(MOST_ROWS, MAX_BATCH_CELLS // cells))
        first, rows = payload["first_row"], payload["rows"]
        with connect(payload["scratch"], payload["memory_bytes"]) as connection:
            try:
                schema = run.begin(file)
                scored = run.batches(batches_of(file, first, rows, most), first)
                connection.register("scored", pa.RecordBatchReader.from_batches(schema, scored))
                has_headers = first == 0
                target = Path(payload["target"])
                copy_out(connection, "scored", target, payload["format"], headers=has_headers)
            except duckdb.Error:
                if run.misfit:
                    raise run.misfit from None
                raise
    return run


def batches_of(file: pq.ParquetFile, first: int, rows: int, most: int) -> Iterator[pa.RecordBatch]:
    """Yields some rows of a file in batches; reads no row group that has none of them."""
    groups, begin, end = [], None, 0
    for number in range(file.metadata.num_row_groups):
        start, end = end, end + file.metadata.row_group(number).num_rows
        if start < first + rows and end > first:
            groups.append(number)
            begin = start if begin is None else begin
    skip, left = first - (begin or 0), rows
    if not groups:
        return
    for batch in file.iter_batches(most, row_groups=groups, use_threads=False):
        wanted = batch.slice(min(skip, len(batch)), left)
        skip -= min(skip, len(batch))
        left -= len(wanted)
        if len(wanted):
            yield wanted


def join_parts(payload: Mapping[str, Any], _report: Report) -> dict[str, Any]:
    """Joins what steps wrote into one file, in the order given."""
    parts, target = [Path(one) for one in payload["parts"]], Path(payload["target"])
    if payload["format"] == "parquet":
        with connect(payload["scratch"], payload["memory_bytes"]) as connection:
            named = ", ".join(literal(str(one)) for one in parts)
            copy_out(connection, f"read_parquet([{named}])", target, "parquet")
    else:
        is_array = payload["format"] == "json"
        with target.open("wb") as joined:
            for number, part in enumerate(parts):
                begin = ARRAY_BEGIN if is_array and number else b""
                end = ARRAY_END if is_array and number < len(parts) - 1 else b""
                joined.write(b",\n\t" if begin else b"")
                _append(joined, part, begin, end)
    return {"size_bytes": target.stat().st_size}


def _append(joined: BinaryIO, part: Path, begin: bytes, end: bytes) -> None:
    """Copies a part without what it begins and ends with."""
    with part.open("rb") as source:
        left = part.stat().st_size - len(begin) - len(end)
        if source.read(len(begin)) != begin:
            raise ValueError(f"{part.name} is not an array as DuckDB writes it")
        while left > 0:
            some = source.read(min(left, COPY_BYTES))
            joined.write(some)
            left -= len(some)
        if source.read() != end:
            raise ValueError(f"{part.name} is not an array as DuckDB writes it")


class ScoringRun:
    """One table on its way: batches are scored side by side and leave in their order."""

    def __init__(
        self, scorer: Scorer, filename: str, report: Report, *, is_lenient: bool = False
    ) -> None:
        self.misfit: RowTypeError | None = None
        self.done = self.faults = 0
        self.first: str | None = None
        """The first row that has no prediction, and why."""
        self.taken: list[str] = []
        """What is to be said of names that the table had already."""
        self._scorer = scorer
        self._filename = filename
        self._report = report
        self._is_lenient = is_lenient
        """Whether rows without a prediction get a reason in place of it."""
        self._names: list[str] = []
        self._shape = pa.schema([])

    def begin(self, file: pq.ParquetFile) -> pa.Schema:
        """Returns the columns of the result."""
        there = file.schema_arrow.remove_metadata()
        nothing = pa.RecordBatch.from_pylist([], there)
        added = self._scorer.score(nothing, 0)
        if self._is_lenient:
            added.append((ERROR, pa.array([], pa.string())))
        wanted = [name for name, _ in added]
        self._names = numbered(wanted, there.names)
        self.taken = [
            f"{self._filename} has a column {name}; the result's is {given}."
            for name, given in zip(wanted, self._names, strict=True)
            if name != given
        ]
        fields = zip(self._names, added, strict=True)
        self._shape = pa.schema([*there, *(pa.field(name, one.type) for name, (_, one) in fields)])
        return self._shape

    @property
    def column(self) -> str | None:
        """The name of the column that says why a row has no prediction, where there is one."""
        return self._names[-1] if self._is_lenient else None

    def batches(self, read: Iterable[pa.RecordBatch], first: int) -> Iterator[pa.RecordBatch]:
        """Yields the batches, which begin with row `first` of the table, with predictions."""
        workers = min(MOST_WORKERS, usable_processors())
        waiting: deque[Future[ScoredBatch]] = deque()
        with ThreadPoolExecutor(workers) as pool:
            for batch in read:
                waiting.append(pool.submit(self._scored, batch, first))
                first += len(batch)
                while len(waiting) > workers:
                    yield self._next(waiting)
            while waiting:
                yield self._next(waiting)

    def _next(self, waiting: "deque[Future[ScoredBatch]]") -> pa.RecordBatch:
        try:
            batch, faults, first = waiting.popleft().result()
        except RowTypeError as misfit:
            self.misfit = misfit
            raise
        if faults and self.first is None:
            row = min(faults)
            self.first = f"row {first + row} (counted from 0): {faults[row]}"
        self.done += len(batch)
        self.faults += len(faults)
        self._report({"rows": self.done})
        return batch

    def _scored(self, batch: pa.RecordBatch, first: int) -> ScoredBatch:
        faults = self._scorer.faults(batch) if self._is_lenient else {}
        rows = [row for row in range(len(batch)) if row not in faults] if faults else []
        sound = batch.take(pa.array(rows, pa.int64())) if faults else batch
        added = [values for _, values in self._scorer.score(sound, first)]
        if faults:
            places = np.full(len(batch), -1)
            places[rows] = np.arange(len(rows))
            back = pa.array(places, mask=places < 0)
            added = [values.take(back) for values in added]
        if self._is_lenient:
            added.append(pa.array(map(faults.get, range(len(batch))), pa.string()))
        whole = pa.RecordBatch.from_arrays([*batch.columns, *added], schema=self._shape)
        return whole, faults, first
