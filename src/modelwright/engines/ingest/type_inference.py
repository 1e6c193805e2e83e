"""Settles the types of text columns on all of their rows while the table is being written.

The first block proposes a type for each column. Every later cell is checked as it is converted;
where one does not fit, the rest of the file only widens the types, and a second pass writes them.
So a table is read once as a rule and never more than twice.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from functools import partial
from itertools import chain, zip_longest
from pathlib import Path
from threading import Lock
from typing import Protocol, TypeVar

import pyarrow as pa

from modelwright.engines.facts import ColumnType
from modelwright.engines.ingest.kinds import NAMES, STORED, Cells, Kind, common_type
from modelwright.engines.ingest.local_forms import Read, read_texts
from modelwright.engines.ingest.table import Bounds, Column
from modelwright.engines.ingest.texts import Texts
from modelwright.engines.ingest.writing import ParquetTable

Given = TypeVar("Given")
Done = TypeVar("Done")


class Source(Protocol):
    """A file as text columns."""

    @property
    def names(self) -> list[str]:
        """The columns' names; more may follow while the blocks are read."""

    @property
    def notices(self) -> Sequence[str]:
        """What is to be said of rows that were left out, once all blocks are read."""

    types: Mapping[str, ColumnType]
    """The types of columns, as the owner of the file says."""
    zoned: Sequence[str]
    """Columns of times that named other zones than UTC; set here."""
    spelt: Sequence[str]
    """Columns of bytes of which some are no text; set here."""
    rounded: set[str]
    """Columns of numbers with more digits than are kept; set here."""
    forms: Mapping[str, Read]
    """How texts of columns are read as the types that the owner of the file says."""

    def blocks(self) -> Iterator[list[Cells]]:
        """Returns the columns of some rows at a time; can be called again, to start again."""


def write_settled(
    source: Source, path: Path, scratch: Path, bounds: Bounds
) -> tuple[pa.Table, int, tuple[Column, ...]]:
    """Writes a source to a Parquet file and gives its last rows, its rows and columns.

    Args:
        source: The source; it is read twice where a type widens.
        path: The file to write.
        scratch: An existing folder for temporary files.
        bounds: What is refused, and the memory and threads to use.

    Returns:
        Last rows, the number of rows, and columns.

    Raises:
        RuntimeError: The source gave other values when read again.
    """
    kinds: list[Kind] = []
    table = _attempt(source, kinds, path, bounds) or _attempt(source, kinds, path, bounds)
    if table is None:
        raise RuntimeError("the types of the columns changed between two readings")
    columns = table.columns(map(NAMES.__getitem__, kinds), scratch, bounds)
    return table.foot, table.rows, columns


def _attempt(source: Source, kinds: list[Kind], path: Path, bounds: Bounds) -> ParquetTable | None:
    """Writes the source in the given kinds, or gives None and leaves in `kinds` what it needs."""
    blocks = map(partial(_read_forms, source), source.blocks())
    first = next(blocks, None)
    _propose(source, kinds, first)
    table = ParquetTable(path, list(source.names))
    proposed = tuple(kinds)
    widening = Lock()

    def converted(block: list[Cells]) -> list[pa.Array] | None:
        wanted = tuple(kinds)
        arrays = [cells.fit(kind) for cells, kind in zip(block, wanted, strict=False)]
        source.rounded.update(_rounded(source, wanted, block))
        if all(array is not None for array in arrays) and len(block) == len(wanted):
            return arrays if wanted == proposed else None
        with widening:
            _widen(kinds, block, arrays)
        return None

    def written(arrays: list[pa.Array] | None) -> None:
        if arrays is not None and tuple(kinds) == proposed:
            table.add(arrays)

    _pass_through(chain([first] if first else [], blocks), converted, written, bounds.threads)
    if tuple(kinds) != proposed:
        table.abandon()
        return None
    source.spelt = [
        name for name, kind in zip(source.names, kinds, strict=False) if kind == "bytes"
    ]
    table.close(map(STORED.__getitem__, kinds), source.notices)
    return table


def _propose(source: Source, kinds: list[Kind], first: list[Cells] | None) -> None:
    """Proposes a kind for every column: by the first block, and as the owner of the file says.

    Args:
        source: What is read; notes which of its instants name their zones.
        kinds: Those that an earlier attempt found, or none; is completed.
        first: The first block; None where there are no rows.
    """
    if first is not None and not kinds:
        kinds.extend(cells.kind() for cells in first)
    for place, name in enumerate(source.names[: len(kinds)]):
        wanted = source.types.get(name)
        if wanted == "string" or (wanted == "float" and kinds[place] == "integer"):
            kinds[place] = wanted
    if first is not None:
        source.zoned = [
            name
            for name, kind, cells in zip(source.names, kinds, first, strict=False)
            if kind == "instant" and isinstance(cells, Texts) and cells.names_zones()
        ]
    kinds.extend(["empty"] * (len(source.names) - len(kinds)))


def _rounded(source: Source, kinds: Sequence[Kind], block: list[Cells]) -> list[str]:
    """Names more columns of numbers that have more digits than are kept."""
    return [
        name
        for name, kind, cells in zip(source.names, kinds, block, strict=False)
        if kind in {"float", "comma"}
        and name not in source.rounded
        and isinstance(cells, Texts)
        and cells.loses_digits()
    ]


def _read_forms(source: Source, block: list[Cells]) -> list[Cells]:
    """Reads the texts of columns that are of a local form."""
    if not source.forms:
        return block
    named = zip_longest(source.names[: len(block)], block)
    return [
        Texts(read_texts(cells.texts, source.forms[name]))
        if name in source.forms and isinstance(cells, Texts)
        else cells
        for name, cells in named
    ]


def _widen(kinds: list[Kind], block: list[Cells], arrays: list[pa.Array | None]) -> None:
    for place, cells in enumerate(block):
        if place == len(kinds):
            kinds.append("empty")
        if place >= len(arrays) or arrays[place] is None:
            kinds[place] = common_type(kinds[place], cells.kind())


def _pass_through(
    blocks: Iterable[Given],
    convert: Callable[[Given], Done],
    write: Callable[[Done], None],
    threads: int,
) -> None:
    """Reads here, converts in threads, writes in one more: in order, a few blocks ahead."""
    with ThreadPoolExecutor(max(threads - 1, 1)) as converters, ThreadPoolExecutor(1) as writer:
        converted = _in_order(converters, convert, blocks, threads)
        deque(_in_order(writer, write, converted, 2), maxlen=0)


def _in_order(
    executor: Executor, work: Callable[[Given], Done], items: Iterable[Given], ahead: int
) -> Iterator[Done]:
    waiting: deque[Future[Done]] = deque()
    for item in items:
        waiting.append(executor.submit(work, item))
        if len(waiting) > ahead:
            yield waiting.popleft().result()
    while waiting:
        yield waiting.popleft().result()
