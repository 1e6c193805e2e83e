"""The tables and the questions of the benchmark, by half.

A table or database belongs to one half with all of its questions, by its name alone. The
development half lies here as TOML, to be worked with. The reported half is kept packed, so that no
search through the tree shows it by accident: nobody who works on the readers reads it.
"""

import json
import sqlite3
import tomllib
import zlib
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any, Literal

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq

from benchmarks.asking import fetch

HERE = Path(__file__).parent
SPIDER = Path(__file__).parents[3] / "shared" / "benchmarks" / "nl2sql" / "spider"
PACKED = HERE / "reported.json.z"
TODAY = date(2026, 11, 20)
Half = Literal["development", "reported"]
HALVES: tuple[Half, ...] = ("development", "reported")


def half(name: str) -> Half:
    """Says to which half a table or database belongs."""
    return HALVES[zlib.adler32(name.encode()) % 2]


@dataclass(frozen=True)
class Question:
    """A question with every SQL that answers it rightly; the first is the plainest."""

    asked: str
    sql: tuple[str, ...]
    ordered: bool = False


@dataclass(frozen=True)
class Conversation:
    """A question and what is said after it, with the SQL of both."""

    asked: str
    sql: tuple[str, ...]
    then: str
    then_sql: tuple[str, ...]
    whole: str | None = None
    """What both mean as one question, where that was written down."""


@dataclass(frozen=True)
class Intent:
    """What somebody wants of a model: its target and task, or the wish that cannot be met."""

    asked: str
    target: str | None = None
    task: str | None = None
    wish: str | None = None


@dataclass(frozen=True)
class Data:
    """The tables of one set as Parquet files, and the day on which it is asked."""

    name: str
    tables: dict[str, Path]
    today: date = TODAY

    def store(self) -> duckdb.DuckDBPyConnection:
        """Opens the tables as views."""
        store = duckdb.connect(config={"threads": 1})
        for name, path in self.tables.items():
            store.execute(f"create view \"{name}\" as from '{path}'")
        return store


@dataclass(frozen=True)
class Asked:
    """Everything that is asked of one set of tables."""

    name: str
    questions: tuple[Question, ...] = ()
    unanswerable: tuple[str, ...] = ()
    conversations: tuple[Conversation, ...] = ()
    intents: tuple[Intent, ...] = ()

    @property
    def several(self) -> bool:
        """Whether the set is a database."""
        return self.name not in fetch.sources()["tables"]


def _every(given: dict[str, Any], name: str) -> tuple[str, ...]:
    return (given[name], *given.get(f"{name}_also", ()))


def parsed(name: str, given: dict[str, Any]) -> Asked:
    """Builds what is asked from a TOML document."""
    return Asked(
        name,
        tuple(
            Question(one["asked"], _every(one, "sql"), one.get("ordered", False))
            for one in given.get("questions", ())
        ),
        tuple(given.get("unanswerable", ())),
        tuple(
            Conversation(
                one["asked"],
                _every(one, "sql"),
                one["then"],
                _every(one, "then_sql"),
                one.get("whole"),
            )
            for one in given.get("conversations", ())
        ),
        tuple(Intent(**one) for one in given.get("intents", ())),
    )


@cache
def asked(of: Half) -> tuple[Asked, ...]:
    """Reads all questions of a half."""
    if of == "reported":
        raw = json.loads(zlib.decompress(PACKED.read_bytes()))
    else:
        raw = {one.stem: tomllib.loads(one.read_text()) for one in (HERE / of).glob("*.toml")}
    return tuple(parsed(name, raw[name]) for name in sorted(raw))


def pack(folder: Path) -> None:
    """Packs the TOML documents of the reported half."""
    raw = {one.stem: tomllib.loads(one.read_text()) for one in sorted(folder.glob("*.toml"))}
    PACKED.write_bytes(zlib.compress(json.dumps(raw, ensure_ascii=False).encode(), 9))


def data(name: str) -> Data:
    """Finds or fetches the tables of a set."""
    known = fetch.sources()
    if name in known["tables"]:
        path = fetch.fetched() / name / f"{name}.parquet"
        return Data(name, {name: path}, known["tables"][name].get("today", TODAY))
    if name not in known["databases"]:
        return _spider(name)
    held = known["databases"][name]
    return Data(
        name,
        {one: fetch.fetched() / name / f"{one}.parquet" for one in held["tables"]},
        held.get("today", TODAY),
    )


def _spider(name: str) -> Data:
    """A database of `shared/benchmarks/nl2sql/spider`, its columns typed by their values.

    It is read once; after that its copy in the cache is enough.
    """
    folder = fetch.CACHE / "tables" / name
    order = folder / "tables.json"
    if not order.exists():
        folder.mkdir(parents=True, exist_ok=True)
        order.write_text(json.dumps(_copied(SPIDER / f"{name}.sqlite", folder)))
    return Data(name, {one: folder / f"{one}.parquet" for one in json.loads(order.read_text())})


def _copied(database: Path, folder: Path) -> list[str]:
    """Writes a database's tables to a folder and names them, in the database's order."""
    with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as source:
        source.text_factory = lambda raw: raw.decode("utf-8", "replace")
        tables = [table for (table,) in _named(source)]
        for table in tables:
            found = source.execute(f'select * from "{table}"')
            names = [one[0] for one in found.description]
            columns = [list(one) for one in zip(*found.fetchall(), strict=True)]
            typed = dict(zip(names, map(_typed, columns), strict=True))
            pq.write_table(pa.table(typed), folder / f"{table}.parquet")
    return tables


def _named(source: sqlite3.Connection) -> Iterator[tuple[str]]:
    yield from source.execute(
        "select name from sqlite_master where type = 'table' and name not like 'sqlite_%'"
    )


def _typed(values: list[Any]) -> pa.Array:
    known = [one for one in values if one is not None]
    if known and all(isinstance(one, int) for one in known):
        return pa.array(values, pa.int64())
    if known and all(isinstance(one, int | float) for one in known):
        return pa.array(values, pa.float64())
    return pa.array([None if one is None else str(one) for one in values], pa.string())
