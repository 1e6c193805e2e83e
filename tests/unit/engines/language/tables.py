"""Tables made for questions: the rows in DuckDB, and what a reader knows of them.

DuckDB has one thread, so that SQL which leaves the order of ties open always gives the same rows.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
from pyarrow import parquet
from tests.questions.question_sets import counted
from tests.questions.rows import insert

from modelwright.engines.facts import column_facts
from modelwright.engines.language.catalog.inference import infer_catalog
from modelwright.engines.language.catalog.readings import CatalogReadings, as_readers_see
from modelwright.engines.language.rules.answering.questions import (
    Answerable,
    NotUnderstood,
    Reader,
)
from modelwright.engines.language.rules.columns.schema import TableFacts
from modelwright.engines.language.rules.text.stopping import Stopped, never
from modelwright.engines.language.table_profile import Values

SQL = {
    "integer": "bigint", "float": "double", "boolean": "boolean", "date": "date",
    "time": "timestamp", "string": "varchar",
}  # fmt: skip


def store_of(
    name: str, columns: Mapping[str, str], rows: Sequence[tuple[Any, ...]]
) -> duckdb.DuckDBPyConnection:
    """Puts rows into a table; `columns` names their types."""
    store = duckdb.connect(config={"threads": 1})
    typed = ", ".join(f'"{column}" {SQL[kind]}' for column, kind in columns.items())
    store.execute(f"create table {name} ({typed})")
    insert(store, name, rows)
    return store


def reader_of(name: str, columns: Mapping[str, str], rows: Sequence[tuple[Any, ...]]) -> Reader:
    """Gives a reader of questions about the table."""
    facts = tuple(
        counted(column, "date" if kind == "time" else kind, [row[at] for row in rows])  # type: ignore[arg-type]
        for at, (column, kind) in enumerate(columns.items())
    )
    return DatesReader([TableFacts(name, facts)])


class DatesReader(Reader):
    """Asks a reader that is shown texts which are dates as dates, as every reader is."""

    def __init__(self, tables: Sequence[TableFacts], values: Values | None = None) -> None:
        catalog = replace(infer_catalog(tables, values=values), metrics=())
        self._readings = CatalogReadings(catalog)
        seen, _, values = as_readers_see(tables, catalog, values or {})
        super().__init__(seen, values)

    def read(
        self, question: str, today: date, stopped: Stopped = never
    ) -> Answerable | NotUnderstood:
        """Reads a question; its SQL is that of the texts."""
        found = super().read(question, today, stopped)
        if not isinstance(found, Answerable):
            return found
        meant = self._readings.meant(found.sql)
        return replace(found, sql=meant.sql) if meant else found


def tables_of(
    columns: Mapping[str, Mapping[str, str]], rows: Mapping[str, Sequence[tuple[Any, ...]]]
) -> tuple[duckdb.DuckDBPyConnection, Reader]:
    """Puts rows into tables, and gives a reader of questions about them all."""
    store, tables = duckdb.connect(config={"threads": 1}), []
    for name, lines in rows.items():
        kinds = columns[name]
        typed = ", ".join(f"{column} {SQL[kind]}" for column, kind in kinds.items())
        store.execute(f"create table {name} ({typed})")
        insert(store, name, lines)
        facts = tuple(
            counted(column, "date" if kind == "time" else kind, [line[at] for line in lines])  # type: ignore[arg-type]
            for at, (column, kind) in enumerate(kinds.items())
        )
        tables.append(TableFacts(name, facts))
    return store, DatesReader(tables)


def asking(
    folder: Path, tables: Mapping[str, Mapping[str, Any]], today: date
) -> Callable[[str, str], Any]:
    """Asks one of the tables, in words or SQL; gives rows, or the sentence of a refusal."""
    store, readers = duckdb.connect(config={"threads": 1}), {}
    for name, columns in tables.items():
        path = folder / f"{name}.parquet"
        parquet.write_table(pa.table(dict(columns)), path)
        store.execute(f"create view {name} as from '{path}'")
        readers[name] = DatesReader([TableFacts(name, tuple(column_facts([path])))])

    def asked(table: str, question: str) -> Any:
        if question.startswith("select "):
            return store.execute(question).fetchall()
        found = readers[table].read(question, today)
        if not isinstance(found, Answerable):
            return found.sentence
        return store.execute(found.sql).fetchall()

    return asked


def answers_as(
    asked: tuple[duckdb.DuckDBPyConnection, Reader], question: str, right: str, today: date
) -> None:
    """Asserts that a question gives the rows of an SQL, in any order and to six places."""
    read = asked[1].read(question, today)
    assert isinstance(read, Answerable), read
    told, wanted = (
        sorted([_near(one) for one in row] for row in asked[0].sql(sql).fetchall())
        for sql in (read.sql, right)
    )
    assert told == wanted, read.sql


def _near(value: object) -> str:
    return f"{value:.6f}" if isinstance(value, float) else str(value)


def means(ask: Callable[[str, str], Any], table: str, question: str, sql: str) -> None:
    """Holds a question's rows against those of SQL, in any order and to six decimals."""
    found, wanted = ask(table, question), ask(table, sql)
    assert not isinstance(found, str), found
    assert wanted
    assert sorted(map(_rounded, found), key=str) == sorted(map(_rounded, wanted), key=str)


def _rounded(row: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple(round(value, 6) if isinstance(value, float) else value for value in row)
