"""Parquet as blocks of columns: never trusted, always written anew."""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from pyarrow import types

from modelwright.engines.facts import NOTICES
from modelwright.engines.ingest.kinds import Cells
from modelwright.engines.ingest.naming import distinct_names, said_of_names
from modelwright.engines.ingest.odd_values import said_of_zones
from modelwright.engines.ingest.parquet_safety import DAMAGED, LONGEST_FOOTER, check_claims
from modelwright.engines.ingest.quoted_length import MOST_NAMED, QUOTED_LENGTH
from modelwright.engines.ingest.source_facts import SourceFacts
from modelwright.engines.ingest.table import CODED_FLOOR, Bounds, BrokenFile, DecompressionBudget
from modelwright.engines.ingest.thrift import MOST_STRUCTS
from modelwright.engines.ingest.typed import MOST_DIGITS, Typed, too_long

BLOCK_BYTES = 8 * 2**20
"""Bytes of cells that are handed on at a time, so that memory does not grow with the file."""
BLOCK_ROWS = 65_536
"""Rows that are handed on at a time at the most, where they are narrow."""
MOST_NOTICES = 60
"""Notices that are taken over from a file."""
LONGEST_NOTICE = 500
"""Characters of such a notice."""
_UNNAMED_INDEX = re.compile(r"__index_level_\d+__")
PIECE_BYTES = 64 * 2**20
"""Bytes from which on a batch that Arrow gave is handed on in pieces."""
TEXTS = {"STRING", "ENUM", "JSON", "BSON", "NONE"}
"""Logical types of texts, whose dictionaries are kept until it is known how far they unfold."""


class Columnar(SourceFacts):
    """A Parquet file to be read several times.

    Types come with the file: nothing is rounded, and `notices` tells what it says of zones.
    """

    def __init__(self, path: Path, bounds: Bounds, progress: Callable[[float], None]) -> None:
        super().__init__()
        self._path = path
        self._bounds = bounds
        self._progress = progress
        self._size = path.stat().st_size
        self._groups = check_claims(path, bounds)
        try:
            with self._open([]) as file:
                names = file.schema_arrow.names
                schema = file.schema_arrow
                told = _told_by_writer(file.metadata.metadata)
                self._left_out = _index_of_pandas(schema)
                self._coded = [leaf.path for leaf in file.schema if _is_text(leaf)]
        except (pa.ArrowException, OSError, UnicodeDecodeError) as damage:
            raise BrokenFile(DAMAGED) from damage
        if not names:
            raise BrokenFile("The Parquet file has no columns.", expected="at least one column")
        kept = [name for name in names if name not in self._left_out] or names
        self._kept = [names.index(name) for name in kept] if len(set(names)) == len(names) else []
        self.names = distinct_names(kept if self._kept else names)
        zoned = [one.name for one in schema if _is_zoned(one.type)]
        index = _said_of_index(self._left_out) if len(kept) < len(names) else ()
        apart = said_of_names(kept if self._kept else names)
        wide = [
            one.name
            for one in schema
            if types.is_decimal(one.type) and one.type.precision > MOST_DIGITS
        ]
        self._notices = (
            *told,
            *index,
            *apart,
            *said_of_zones(zoned),
            *_said_of_wide(wide),
            *_said_of_periods(schema),
        )
        self._shortened: set[str] = set()

    @property
    def notices(self) -> Sequence[str]:
        """What is to be said of the index, of names, and of values that are kept as texts."""
        shortened = [name for name in self.names if name in self._shortened]
        return (*self._notices, *_said_of_bytes(self.spelt), *_said_of_nanoseconds(shortened))

    def blocks(self) -> Iterator[list[Cells]]:
        """Yields the columns of some rows at a time; refuses damaged and oversized content.

        Yields:
            Columns of one piece.

        Raises:
            BrokenFile: The file is damaged or unpacks to too much.
        """
        budget = DecompressionBudget(self._bounds, CODED_FLOOR)
        try:
            with self._open(self._coded) as file:
                for batch in self._batches(file):
                    batch.validate(full=True)
                    batch = batch.select(self._kept) if self._kept else batch  # noqa: PLW2901
                    columns = zip(self.names, batch.columns, strict=True)
                    self._shortened.update(name for name, one in columns if _has_nanoseconds(one))
                    yield from self._pieces(batch, budget)
        except (pa.ArrowException, OSError, UnicodeDecodeError, RecursionError) as damage:
            if isinstance(damage, MemoryError):
                raise
            raise BrokenFile(DAMAGED) from damage

    def _open(self, coded: list[str]) -> pq.ParquetFile:
        return pq.ParquetFile(
            self._path,
            read_dictionary=coded,
            coerce_int96_timestamp_unit="us",
            thrift_string_size_limit=LONGEST_FOOTER,
            thrift_container_size_limit=MOST_STRUCTS,
        )

    def _batches(self, file: pq.ParquetFile) -> Iterator[pa.RecordBatch]:
        total, done = max(sum(group.rows for group in self._groups), 1), 0
        for place, group in enumerate(self._groups):
            width = 8 * len(self.names) + group.row_bytes
            size = min(max(BLOCK_BYTES // width, 1), BLOCK_ROWS)
            for batch in file.iter_batches(size, row_groups=[place]):
                done += batch.num_rows
                self._progress(done / total)
                yield batch
        if not done:
            schema = file.schema_arrow
            yield pa.RecordBatch.from_arrays(
                [pa.array([], one) for one in schema.types], schema=schema
            )

    def _pieces(self, batch: pa.RecordBatch, budget: DecompressionBudget) -> Iterator[list[Cells]]:
        """Unfolds dictionaries, in pieces small enough that they cannot unfold to too much."""
        longest = self._bounds.max_cell_bytes
        sizes = [_unfolded(column) for column in batch.columns]
        if sum(sizes) > PIECE_BYTES and batch.num_rows > 1:
            half = batch.num_rows // 2
            yield from self._pieces(batch.slice(0, half), budget)
            yield from self._pieces(batch.slice(half), budget)
            return
        budget.take(sum(sizes), self._size)
        if batch.num_rows == 1 and max(sizes) > longest:
            raise too_long(longest)
        yield [Typed(column, longest) for column in batch.columns]


def _index_of_pandas(schema: pa.Schema) -> list[str]:
    """Names the columns that are an index without a name, as pandas notes it in the file."""
    noted = (schema.metadata or {}).get(b"pandas")
    try:
        columns = json.loads(noted)["index_columns"] if noted else []
    except (ValueError, KeyError, TypeError):
        return []
    named = columns if isinstance(columns, list) else []
    return [one for one in named if isinstance(one, str) and _UNNAMED_INDEX.fullmatch(one)]


def _told_by_writer(metadata: Mapping[bytes, bytes] | None) -> list[str]:
    """Returns the notices that reading a database, or a former conversion, left in the file."""
    try:
        told = json.loads((metadata or {}).get(NOTICES, b"[]"))
    except ValueError:
        return []
    named = told if isinstance(told, list) else []
    lines = [" ".join(one.split())[:LONGEST_NOTICE] for one in named if isinstance(one, str)]
    return lines[:MOST_NOTICES]


def _is_zoned(given: pa.DataType) -> bool:
    return types.is_timestamp(given) and given.tz not in {None, "UTC", "+00:00", "Z"}


def _said_of_periods(schema: pa.Schema) -> list[str]:
    """Says which columns are periods of pandas, of which a file has nothing but their numbers."""
    names = [one.name for one in schema if _extension_of(one) == "pandas.period"]
    named = ", ".join(f"{name:.{QUOTED_LENGTH}}" for name in names[:MOST_NAMED])
    said = f"Periods of pandas in {named} are read as their numbers, counted from 1970: write them"
    return [f"{said} with astype(str) if they are to be read as periods."] if names else []


def _extension_of(field: pa.Field) -> str:
    """Names the type of another program that a column has; whether it is known here or not."""
    if isinstance(field.type, pa.BaseExtensionType):
        return str(field.type.extension_name)
    return str((field.metadata or {}).get(b"ARROW:extension:name", b""), "utf-8", "replace")


def _said_of_index(names: Sequence[str]) -> tuple[str, ...]:
    return (f"The index of pandas ({', '.join(names)[:QUOTED_LENGTH]}) is left out.",)


def _said_of_bytes(names: Sequence[str]) -> list[str]:
    named = ", ".join(f"{name:.{QUOTED_LENGTH}}" for name in names[:MOST_NAMED])
    return [f"The bytes in {named} are kept as hexadecimal digits."] if names else []


def _said_of_nanoseconds(names: Sequence[str]) -> list[str]:
    named = ", ".join(f"{name:.{QUOTED_LENGTH}}" for name in names[:MOST_NAMED])
    return [f"The times in {named} are cut to microseconds."] if names else []


def _has_nanoseconds(column: pa.Array) -> bool:
    """Says whether a column of times says more than microseconds do."""
    if types.is_timestamp(column.type) and column.type.unit == "ns":
        coarser = pa.timestamp("us", column.type.tz)
    elif types.is_duration(column.type) and column.type.unit == "ns":
        coarser = pa.duration("us")
    else:
        return False
    try:
        column.cast(coarser)
    except pa.ArrowInvalid:
        return True
    return False


def _said_of_wide(names: Sequence[str]) -> list[str]:
    named = ", ".join(f"{name:.{QUOTED_LENGTH}}" for name in names[:MOST_NAMED])
    return (
        [f"Decimals of more than {MOST_DIGITS} digits are kept as texts: {named}."] if names else []
    )


def _is_text(leaf: pq.ColumnSchema) -> bool:
    return leaf.physical_type == "BYTE_ARRAY" and leaf.logical_type.type in TEXTS


def _unfolded(array: pa.Array) -> int:
    """Returns the bytes that an array takes without dictionaries."""
    if isinstance(array, pa.ExtensionArray):
        return _unfolded(array.storage)
    if types.is_struct(array.type):
        return sum(map(_unfolded, array.flatten()))
    if types.is_map(array.type):
        start, end = array.offsets[0].as_py(), array.offsets[-1].as_py()
        children = (array.keys, array.items)
        return sum(_unfolded(child.slice(start, end - start)) for child in children)
    if types.is_nested(array.type):
        return _unfolded(array.flatten())
    if not types.is_dictionary(array.type) or types.is_primitive(array.dictionary.type):
        return int(array.nbytes)
    lengths = pc.take(pc.binary_length(array.dictionary), array.indices)
    return int(pc.sum(lengths.cast(pa.int64()), min_count=0).as_py())
