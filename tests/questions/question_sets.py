"""The labelled question sets, and when two answers count as the same."""

import gzip
import json
import sqlite3
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from decimal import Decimal
from itertools import combinations, islice, permutations
from pathlib import Path
from typing import Any

import duckdb
from sqlglot import exp, parse_one
from tests.questions.rows import insert
from tests.questions.synthetic.databases import write_several
from tests.questions.synthetic.more_offices import write_offices_more
from tests.questions.synthetic.office import write_offices

from modelwright.engines.facts import ColumnFacts, ColumnType, column_facts
from modelwright.engines.language.rules.answering.questions import Reader
from modelwright.engines.language.rules.columns.schema import TableFacts

SHARED = Path(__file__).parents[3] / "shared" / "benchmarks"
SETS = Path(__file__).parent / "sets"
TODAY = date(2026, 11, 20)
HELD_OUT_DATABASES = frozenset({"concert_singer", "flight_2", "tvshow", "singer", "course_teach"})
TYPES = {"integer": "BIGINT", "float": "DOUBLE", "string": "VARCHAR"}
AGGREGATES = ("none", "max", "min", "count", "sum", "avg")
MOST_COLUMNS = 6
Row = tuple[Any, ...]


def jsonl(path: Path) -> Iterator[dict[str, Any]]:
    raw = path.read_bytes()
    text = (gzip.decompress(raw) if path.suffix == ".gz" else raw).decode("utf-8")
    return (json.loads(line) for line in text.splitlines())


def halved(question: str) -> bool:
    """Whether a question belongs to the half that is held out, by its letters alone."""
    return zlib.crc32(question.encode()) % 2 == 1


def counted(name: str, kind: ColumnType, values: Sequence[Any]) -> ColumnFacts:
    """Facts of a column held in memory."""
    known = [value for value in values if value is not None]
    top = Counter(known).most_common()
    shown = tuple(top[: 1000 if len(top) <= 1000 else 50])
    low, high = (min(known), max(known)) if known else (None, None)
    return ColumnFacts(
        name, kind, len(values), len(values) - len(known), len(top), low, high, shown
    )


def fill(
    store: duckdb.DuckDBPyConnection, table: TableFacts, rows: Sequence[Sequence[Any]]
) -> None:
    typed = [f'"{c.name.replace(chr(34), chr(34) * 2)}" {TYPES[c.type]}' for c in table.columns]
    store.execute(f'create or replace table "{table.name}" ({", ".join(typed)})')
    insert(store, f'"{table.name}"', rows)


def analysts(folder: Path) -> tuple[duckdb.DuckDBPyConnection, dict[str, Reader]]:
    """Six tables as the product stores them (yes and no stay text), ten made, a reader for each."""
    store, readers = duckdb.connect(), {}
    kinds = "auto_type_candidates=['BIGINT','DOUBLE','DATE','TIMESTAMP','VARCHAR']"
    for path in sorted((SHARED / "tabular").glob("*.csv")):
        target = folder / f"{path.stem}.parquet"
        store.execute(f"copy (from read_csv('{path}', {kinds})) to '{target}' (format parquet)")
    write_offices(store, folder)
    write_offices_more(store, folder)
    for target in sorted(folder.glob("*.parquet")):
        store.execute(f"create view {target.stem} as from '{target}'")
        readers[target.stem] = Reader([TableFacts(target.stem, tuple(column_facts([target])))])
    return store, readers


def several(folder: Path, name: str) -> tuple[Reader, duckdb.DuckDBPyConnection]:
    """One of the ten made databases as the product stores it, read for questions."""
    store, tables = duckdb.connect(), []
    for target in write_several(store, folder, name):
        store.execute(f"create view \"{target.stem}\" as from '{target}'")
        tables.append(TableFacts(target.stem, tuple(column_facts([target]))))
    return Reader(tables), store


def database(name: str) -> tuple[Reader, duckdb.DuckDBPyConnection, sqlite3.Connection]:
    """One Spider database: read for questions, copied to DuckDB, and as it came for the gold."""
    gold = sqlite3.connect(SHARED / "nl2sql" / "spider" / f"{name}.sqlite")
    gold.text_factory = lambda raw: raw.decode("utf-8", "replace")
    names = gold.execute("select name from sqlite_master where type='table'").fetchall()
    store, tables = duckdb.connect(), []
    for (table,) in names:
        if table.startswith("sqlite_"):
            continue
        found = gold.execute(f'select * from "{table}"')
        columns, rows = [one[0] for one in found.description], found.fetchall()
        facts = [
            _read_column(column, [row[at] for row in rows]) for at, column in enumerate(columns)
        ]
        tables.append(TableFacts(table, tuple(one for one, _ in facts)))
        fill(store, tables[-1], list(zip(*(values for _, values in facts), strict=True)))
    wide = {
        (table.name, column.name): [
            row[0] for row in store.execute(
                f'select distinct "{column.name}" from "{table.name}"'
                f' where "{column.name}" is not null order by 1'
            ).fetchall()
        ]
        for table in tables
        for column in table.columns
        if column.type == "string" and len(column.top) < column.distinct
    }  # fmt: skip
    return Reader(tables, wide), store, gold


def _read_column(name: str, values: list[Any]) -> tuple[ColumnFacts, list[Any]]:
    known = [value for value in values if value is not None]
    if known and all(isinstance(value, int) for value in known):
        return counted(name, "integer", values), values
    if known and all(isinstance(value, int | float) for value in known):
        return counted(name, "float", values), values
    text = [None if value is None else str(value) for value in values]
    return counted(name, "string", text), text


def look_ups(*, held_out: bool) -> Iterator[tuple[dict[str, Any], TableFacts, list[list[Any]]]]:
    """WikiSQL-style questions with their tables; every fifth table is held out."""
    folder = SHARED / "nl2sql" / "wikisql"
    tables = {one["id"]: one for one in jsonl(folder / "tables.jsonl.gz")}
    for question in jsonl(folder / "questions.jsonl.gz"):
        page = question["table_id"].split("-", 1)[1]
        if (zlib.crc32(page.encode()) % 5 == 0) == held_out:
            yield question, *wiki_table(tables[question["table_id"]])


def wiki_table(raw: dict[str, Any]) -> tuple[TableFacts, list[list[Any]]]:
    """Types a table of text cells as an upload would be typed; headers are made different."""
    seen: Counter[str] = Counter()
    columns, stored = [], []
    for at, header in enumerate(raw["header"]):
        seen[header.lower()] += 1
        name = header or "col"
        name = name if seen[header.lower()] == 1 else f"{name} {seen[header.lower()]}"
        cells = [row[at] for row in raw["rows"]]
        given = [cell for cell in cells if cell.strip() not in {"", "-", "n / a"}]
        numbers = [number(cell) for cell in given]
        kind: ColumnType = "string"
        values: list[Any] = [cell if cell.strip() else None for cell in cells]
        if given and None not in numbers:
            whole = all(float(one).is_integer() for one in numbers if one is not None)
            kind = "integer" if whole else "float"
            values = [_cell(cell, whole=whole) for cell in cells]
        columns.append(counted(name, kind, values))
        stored.append(values)
    return TableFacts("t", tuple(columns)), [list(row) for row in zip(*stored, strict=True)]


def _cell(cell: str, *, whole: bool) -> float | int | None:
    found = number(cell)
    return None if found is None else int(found) if whole else found


def number(text: str) -> float | None:
    try:
        return float(text.strip().replace(",", "").replace("\N{MINUS SIGN}", "-"))
    except ValueError:
        return None


def wiki_answer(sql: dict[str, Any], table: TableFacts, rows: list[list[Any]]) -> list[Row]:
    """What the labelled look-up gives; cells are compared by letters, digits and sign."""
    kept = [row for row in rows if all(_meets(row, table, *one) for one in sql["conds"])]
    values = [row[sql["sel"]] for row in kept]
    known = [value for value in values if value is not None]
    kind = AGGREGATES[sql["agg"]]
    if kind == "none":
        return [(value,) for value in values]
    if kind == "count":
        return [(len(known),)]
    if kind in {"max", "min"}:
        return [((max if kind == "max" else min)(known, default=None),)]
    numbers = [one for one in (number(str(value)) for value in known) if one is not None]
    if not numbers:
        return [(None,)]
    return [(sum(numbers) if kind == "sum" else sum(numbers) / len(numbers),)]


def _meets(row: list[Any], table: TableFacts, at: int, op: int, value: Any) -> bool:
    cell = row[at]
    if cell is None:
        return False
    if op == 0 and table.columns[at].type == "string":
        return bare(cell) == bare(value)
    left, right = number(str(cell)), number(str(value))
    if left is None or right is None:
        return False
    return left == right if op == 0 else left > right if op == 1 else left < right


def bare(value: Any) -> str:
    text = str(value).lower().replace("\N{MINUS SIGN}", "-").strip()
    return "-" * text.startswith("-") + "".join(letter for letter in text if letter.isalnum())


def same(
    gold: Iterable[Row], told: Iterable[Row], *, ordered: bool = False, wider: bool = False
) -> bool:
    """Whether two results hold the same rows, columns in any order; `wider` allows more columns."""
    left, right = [_plain(row) for row in gold], [_plain(row) for row in told]
    if len(left) != len(right):
        return False
    if not left:
        return True
    width, other = len(left[0]), len(right[0])
    if width > other or (width != other and not wider):
        return False
    if width > MOST_COLUMNS:
        return sorted(left) == sorted(right)
    for chosen in permutations(range(other), width):
        shown = [tuple(row[at] for at in chosen) for row in right]
        if shown == left if ordered else sorted(shown) == sorted(left):
            return True
    return False


def as_right(
    sql: str, dialect: str, store: duckdb.DuckDBPyConnection | sqlite3.Connection, most: int = 500
) -> list[list[Row]]:
    """What `sql` may answer: where rows tie at its limit, any of them are as right."""
    tree, given = parse_one(sql, dialect=dialect), store.execute(sql).fetchall()
    order, limit = tree.args.get("order"), tree.args.get("limit")
    if not isinstance(tree, exp.Select) or order is None or limit is None:
        return [given]
    keys = [one.this for one in order.expressions]
    keys = [tree.selects[int(key.this) - 1].unalias() if key.is_int else key for key in keys]
    named = {one.alias: one.unalias() for one in tree.selects if one.alias}
    keys = [named.get(key.name, key) if isinstance(key, exp.Column) else key for key in keys]
    wide = tree.copy().select(*(key.copy() for key in keys))
    wide.set("limit", None)
    found = store.execute(wide.sql(dialect=dialect)).fetchall()
    rows = [(row[: -len(keys)], row[-len(keys) :]) for row in found]
    if len(rows) <= len(given) or not given:
        return [given]
    last = rows[len(given) - 1][1]
    sure = [row for row, key in rows[: len(given)] if key != last]
    tied = [row for row, key in rows if key == last]
    picked = islice(combinations(tied, len(given) - len(sure)), most)
    return [given, *([*sure, *some] for some in picked)]


def _plain(row: Row) -> tuple[str, ...]:
    return tuple(_text(value) for value in row)


def _text(value: Any) -> str:
    if isinstance(value, bool) or value is None:
        return str(value)
    if isinstance(value, int | float | Decimal):
        return f"{float(value):.4f}"
    return (
        value.isoformat()[:19].replace("T00:00:00", "") if isinstance(value, date) else str(value)
    )
