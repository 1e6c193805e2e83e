"""SQLite files in the one folder that the operator names, opened for reading.

A column of SQLite has no type, its values have: one pass settles the types, a second one reads.
"""

import re
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pyarrow as pa

from modelwright.connections import remarks
from modelwright.connections.database_reader import DatabaseReader
from modelwright.connections.domain import FoundTable
from modelwright.connections.parquet_writer import Payload, RowBatch, batch_of
from modelwright.connections.refusals import pick, sentence, unreachable, unreadable
from modelwright.connections.remarks import Remarks
from modelwright.connections.sqlite_file import find
from modelwright.engines.quoting import quoted

BATCH_ROWS = 5_000
"""Rows that are fetched at a time."""
BUSY_SECONDS = 10
"""How long a database that somebody writes to is waited for."""
_READING = {
    sqlite3.SQLITE_SELECT,
    sqlite3.SQLITE_READ,
    sqlite3.SQLITE_FUNCTION,
    sqlite3.SQLITE_RECURSIVE,
}
_DAY = "{0} is date({0}, '+0 days') and {0} >= '0001'"
_MOMENT = (
    "replace(substr({0}, 1, 19), 'T', ' ') is datetime(substr({0}, 1, 19), '+0 days')"
    " and (length({0}) = 19 or {0} glob '*:[0-9][0-9].[0-9]*'"
    " and length({0}) <= 26 and ltrim(substr({0}, 21), '0123456789') = '')"
    " and {0} >= '0001'"
)
EXACT = 10**15
"""Whole numbers below this stay themselves as doubles, with all their digits."""
_KINDS = "".join(f"sum(typeof({{0}}) = '{kind}')," for kind in ("integer", "real", "text", "blob"))
_LISTING = "select name, type from pragma_table_list where schema = 'main'"
_OLD_LISTING = (
    "select name, case when rootpage = 0 and type = 'table' then 'virtual' else type end"
    " from sqlite_master where type in ('table', 'view')"
)
"""For SQLite before 3.37, which does not tell the tables that virtual ones keep."""
_LISTING_SINCE = (3, 37)
"""The version of SQLite from which on `pragma table_list` is there."""
Say = Callable[..., None]
"""Notes a sentence of a column, and of how many rows."""
_TIMES = f"sum(not ({_DAY})), sum(not ({_MOMENT})),"
_VIRTUAL = (
    "{} a virtual table of SQLite, whose module reads the file in its own ways: only tables and"
    " views are read. Copy its rows into a table (create table … as select …)."
)
_UNSAFE = re.compile(r'unsafe use of virtual table "(.*)"')
COLUMNS_AT_ONCE = 400
"""Columns of one pass: SQLite answers at most 2000 values."""
SAMPLE_ROWS = 1_000
"""Rows by which the types of a query's columns are found."""
WRITE_FORMAT = 18
"""Where in the file's header its write format stands (SQLite file format, 1.3.3)."""
WAL = b"\2"
"""Where a file's header says how it is written, and what it says of a write-ahead log."""


class Sqlite(DatabaseReader):
    """One file, inside one transaction."""

    def __init__(self, target: Payload) -> None:
        path = find(target["sqlite_folder"], target["database"])
        self._path = path
        self._before = _still(path)
        try:
            options = "&immutable=1" if self._before else ""
            self._db = sqlite3.connect(
                f"file:{quote(str(path))}?mode=ro{options}", uri=True, timeout=BUSY_SECONDS
            )
            self._db.isolation_level = None
            self._db.text_factory = _decoded
            self._db.execute("pragma trusted_schema = off")
            self._db.execute("begin")
            listing = _LISTING if sqlite3.sqlite_version_info >= _LISTING_SINCE else _OLD_LISTING
            self._listed = self._db.execute(f"{listing} order by name").fetchall()
            self._db.set_authorizer(_only_reading)
        except sqlite3.Error as fault:
            raise unreachable(sentence(f"{fault}."), "database") from None

    def close(self) -> None:
        """Closes the file."""
        self._db.close()

    def tables(self) -> list[FoundTable]:
        """Lists tables and views; neither virtual tables nor those in which these keep theirs."""
        return [
            FoundTable(None, name, kind, None)
            for name, kind in self._listed
            if kind in {"table", "view"} and not name.startswith("sqlite_")
        ]

    def _quoted(self, name: str) -> str:
        if (name, "virtual") in self._listed:
            raise unreadable(_VIRTUAL.format(f"{name!r} is"), "table")
        return quoted(pick(self.tables(), name).table)

    def _rows(self, query: str, field: str) -> RowBatch:
        try:
            shape_of = f"select * from ({query}\n) limit 0"  # noqa: S608 - the user's own query, or a quoted name
            with closing(self._db.execute(shape_of)) as shape:
                names = [column[0] for column in shape.description]
            counts = self._counts(query, len(names))
            kinds = self._settle(query, counts)
        except sqlite3.Error as fault:
            raise unreadable(self._reason(fault, query), field) from None
        said = Remarks()
        readers = [
            _reader(kind, each, partial(said.say, place))
            for place, (kind, each) in enumerate(zip(kinds, counts.values(), strict=True))
        ]
        schema = pa.schema(zip(names, kinds, strict=True))
        return RowBatch(schema, self._batches(query, schema, readers, field), said)

    def _reason(self, fault: Exception, query: str) -> str:
        """Tells why a query fails; SQLite says in many ways that a virtual table is not read."""
        virtual = (name for name, kind in self._listed if kind == "virtual" and name in query)
        name = next(virtual, None) or _named_by(fault)
        return sentence(f"{fault}.") if name is None else _VIRTUAL.format(f"{name!r} is")

    def _counts(self, query: str, columns: int) -> "dict[str, tuple[int, ...]]":
        """Counts the whole numbers, fractions, texts and blobs of each column."""
        places = [f"c{place}" for place in range(columns)]
        return self._counted(query, places, places, _KINDS)

    def _settle(self, query: str, kinds: dict[str, tuple[int, ...]]) -> list[pa.DataType]:
        """Settles the types by all values; texts that begin like times are looked at closely."""
        places = list(kinds)
        texts = [
            place for place, (*others, text, _blob) in kinds.items() if text and not any(others)
        ]
        sample = f"select * from ({query}\n) limit {SAMPLE_ROWS}"  # noqa: S608 - the user's own query
        for source in (sample, query):
            strange = self._counted(source, places, texts, _TIMES)
            texts = [place for place in texts if not all(strange[place])]
        times = {place: pa.timestamp("us") if strange[place][0] else pa.date32() for place in texts}
        return [times.get(place) or _type(*counts) for place, counts in kinds.items()]

    def _counted(
        self, query: str, places: list[str], wanted: list[str], form: str
    ) -> dict[str, tuple[int, ...]]:
        found: dict[str, tuple[int, ...]] = {}
        for start in range(0, len(wanted), COLUMNS_AT_ONCE):
            some = wanted[start : start + COLUMNS_AT_ONCE]
            asked = "".join(form.format(place) for place in some).rstrip(",")
            (counts,) = self._db.execute(
                f"with q({', '.join(places)}) as (select * from ({query}\n))"  # noqa: S608 - as above
                f" select {asked} from q"
            )
            each = [iter(count or 0 for count in counts)] * (len(counts) // len(some))
            found |= zip(some, zip(*each, strict=True), strict=True)
        return found

    def _batches(
        self, query: str, schema: pa.Schema, readers: list[Callable[[Any], pa.Array]], field: str
    ) -> Iterator[pa.RecordBatch]:
        try:
            everything = f"select * from ({query}\n)"  # noqa: S608 - the user's own query, or a quoted name
            with closing(self._db.execute(everything)) as cursor:
                while rows := cursor.fetchmany(BATCH_ROWS):
                    yield batch_of(rows, readers, schema)
        except (sqlite3.Error, pa.ArrowException) as fault:
            raise unreadable(self._reason(fault, query), field) from None
        if self._before and self._before != _still(self._path):
            raise unreadable("The file was written to while it was read; try again.", field)


def connect(payload: Payload, _addresses: list[str]) -> Sqlite:
    """Opens the database of a target."""
    return Sqlite(payload)


class _Damaged(str):
    """A text that was not UTF-8."""

    __slots__ = ()


def _decoded(raw: bytes) -> str:
    try:
        return raw.decode()
    except UnicodeDecodeError:
        return _Damaged(raw.decode(errors="replace"))


def _type(whole: int, real: int, text: int, blob: int) -> pa.DataType:
    if text or blob:
        return pa.string()
    if real:
        return pa.float64()
    return pa.int64() if whole else pa.string()


def _reader(kind: pa.DataType, counts: tuple[int, ...], say: Say) -> Callable[[Any], pa.Array]:
    """Returns what reads a column's cells, and says what it has to say of them."""
    whole, real, text, blob = counts
    if pa.types.is_date(kind) or pa.types.is_timestamp(kind):
        return lambda cells: pa.array(cells, pa.string()).cast(kind)
    if pa.types.is_floating(kind):
        return partial(_floats, say)
    if not pa.types.is_string(kind):
        return lambda cells: pa.array(cells, kind)
    if blob and not (whole or real or text):
        say(remarks.BYTES)
        return lambda cells: pa.array(
            [cell if cell is None else cell.hex() for cell in cells], pa.string()
        )
    say(remarks.MIXED_BYTES, blob)
    if whole or real:
        say(remarks.MIXED_TEXTS, text)
    return partial(_texts, say)


def _floats(say: Say, cells: tuple[float | None, ...]) -> pa.Array:
    large = sum(
        isinstance(cell, int) and abs(cell) >= EXACT and int(float(cell)) != cell for cell in cells
    )
    say(remarks.ROUNDED, large)
    return pa.array([cell if cell is None else float(cell) for cell in cells], pa.float64())


def _texts(say: Say, cells: tuple[object, ...]) -> pa.Array:
    say(remarks.DAMAGED_TEXTS, sum(isinstance(cell, _Damaged) for cell in cells))
    return pa.array([None if cell is None else _text(cell) for cell in cells], pa.string())


def _text(cell: object) -> str:
    """Spells a value; bytes as SQL has them, so that they are told from texts."""
    return f"X'{cell.hex().upper()}'" if isinstance(cell, bytes) else str(cell)


def _named_by(fault: Exception) -> str | None:
    """Returns the virtual table that SQLite names, where a view leads to one."""
    found = _UNSAFE.search(str(fault))
    return found[1] if found else None


def _only_reading(action: int, first: str | None, second: str | None, *_more: object) -> int:
    del first
    is_reading = action in _READING and second != "load_extension"
    return sqlite3.SQLITE_OK if is_reading else sqlite3.SQLITE_DENY


def _still(path: Path) -> tuple[int, int] | None:
    """Returns when a file with a write-ahead log that nobody has open changed, and its size.

    Such a file could only be opened by making that log beside it, which the sandbox refuses. It is
    read as it stands instead, and what was read counts if the file is the same afterwards.
    """
    with path.open("rb") as file:
        header = file.read(WRITE_FORMAT + 1)
    if header[WRITE_FORMAT:] != WAL or Path(f"{path}-wal").exists():
        return None
    now = path.stat()
    return now.st_mtime_ns, now.st_size
