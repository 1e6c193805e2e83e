"""What is known of a table's columns before anything is asked or learnt of them."""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any, Literal

from modelwright.engines.quoting import literal, quoted

ColumnType = Literal["string", "integer", "float", "boolean", "date"]
Value = str | int | float | bool | date | datetime


KEYLIKE = re.compile(
    r"(?i:(^|[_\W])(id|objectid|uuid|guid|key|index|idx|rowid|row|serial|nr|no)$)|[a-z](Id|ID)$"
    r"|(?i:(account|booking|card|case|client|customer|employee|invoice|loan|member|order|patient"
    r"|policy|record|student|ticket)[ _.]?(num(ber)?|no|nr|id)$)"
    r"|(?i:^(row[ _.]?(names?|num(ber)?)|unnamed: \d+|column_\d+)$)"
)
"""How identifiers are called, also row numbers by the tools that write them, or by nobody."""
UNNAMED = re.compile(r"column_\d+")
"""How a column is called that its file gave no name."""


@dataclass(frozen=True, slots=True)
class ColumnFacts:
    """One column, counted exactly over all rows."""

    name: str
    type: ColumnType
    rows: int
    missing: int
    distinct: int
    minimum: Value | None
    maximum: Value | None
    top: tuple[tuple[Value, int], ...]
    """The most frequent values with their counts, most frequent first; empty above `TOP_LIMIT`."""
    written: tuple[str, ...] = ()
    """Formats of `strptime` by which dates are stored as text; empty of other columns."""


TOP_LIMIT = 1000
"""Columns of more distinct values than this carry only the `MAX_WIDE_VALUES` most frequent ones."""
MAX_WIDE_VALUES = 50
"""The most frequent values that a column of very many carries."""


UTC = "UTC"
"""The time zone that decides days and months where nobody names another one."""
MOMENT = "TIMESTAMP WITH TIME ZONE"
"""DuckDB's type of moments; all others that are called TIMESTAMP have no zone."""
NOTICES = b"modelwright.notices"
"""Names in a Parquet file what its reader left out of it."""
MAX_CELLS_TOGETHER = 4_000_000
"""Columns are counted together as long as they hold no more values than this."""
ROUGH_COUNT_MIN_ROWS = 500_000
"""Rows of a table from which on floats that mostly differ are counted roughly."""
ROUGH_COUNT_MIN_SHARE = 0.5
"""The share of floats that differ from which on they are counted roughly in long tables."""


def column_facts(tables: Sequence[Path], time_zone: str = UTC) -> list[ColumnFacts]:
    """Counts every column of the Parquet files, stacked by name, in one DuckDB connection.

    Moments are told as the clocks of the time zone show them. Of very long tables, the distinct
    floats are estimated where most of them differ.

    Args:
        tables: Parquet files, whose columns may differ.
        time_zone: The zone whose days and hours moments are told in.

    Returns:
        Facts of each column, in the order of the first file that has it.
    """
    import duckdb  # noqa: PLC0415 - heavy, kept out of start-up

    source = duckdb.connect()
    source.execute("set TimeZone = 'UTC'")
    listed = ", ".join(literal(str(path)) for path in tables)
    read = f"select * from read_parquet([{listed}], union_by_name=true)"  # noqa: S608 - quoted
    source.execute(f"create view r as {read}")
    given = [(str(row[0]), str(row[1])) for row in source.execute("describe r").fetchall()]
    shown = ", ".join(
        f"{local_time(quoted(name), kind, time_zone)} as {quoted(name)}" for name, kind in given
    )
    source.execute(f"create view t as select {shown} from r")  # noqa: S608 - quoted
    columns = [(str(row[0]), str(row[1])) for row in source.execute("describe t").fetchall()]
    rows = (source.execute("select count(*) from t").fetchone() or (0,))[0]
    together = max(1, MAX_CELLS_TOGETHER // max(rows, 1))
    found = _estimated(source, columns) if rows > ROUGH_COUNT_MIN_ROWS else {}
    for kind in dict.fromkeys(kind for _, kind in columns):
        alike = [name for name, other in columns if other == kind and name not in found]
        for at in range(0, len(alike), together):
            found |= _counted(source, alike[at : at + together])
    return [_facts(name, column_type(kind), rows, found.get(name)) for name, kind in columns]


def notices_of(tables: Sequence[Path]) -> list[str]:
    """Tells what was left out of Parquet files when they were written.

    Args:
        tables: Parquet files that an upload was read into.

    Returns:
        Sentences about what the reader of the upload left out.
    """
    import pyarrow.parquet as pq  # noqa: PLC0415 - heavy, kept out of start-up

    stored = [(pq.read_metadata(path).metadata or {}).get(NOTICES, b"[]") for path in tables]
    return [str(notice) for one in stored for notice in json.loads(one)]


def local_time(column: str, sql_type: str, time_zone: str) -> str:
    """Returns a column in SQL; moments as what clocks of a time zone show, which has no zone.

    Args:
        column: The column, quoted.
        sql_type: Its type as DuckDB names it.
        time_zone: The zone to tell moments in.

    Returns:
        An SQL expression; the column itself where it holds no moments.
    """
    is_moment = sql_type.upper() == MOMENT
    return f"timezone({literal(time_zone)}, {column})" if is_moment else column


def column_type(sql_type: str) -> ColumnType:
    """Names a DuckDB type by the contract's five words.

    Args:
        sql_type: The type as DuckDB names it.

    Returns:
        boolean, date, float, integer, or string for all else.
    """
    kind = sql_type.upper()
    if kind == "BOOLEAN":
        return "boolean"
    if kind.startswith(("DATE", "TIMESTAMP")):
        return "date"
    if kind in {"FLOAT", "DOUBLE"} or (kind.startswith("DECIMAL") and not kind.endswith(",0)")):
        return "float"
    if "INT" in kind or kind.startswith("DECIMAL"):
        return "integer"
    return "string"


def _counted(source: Any, names: Sequence[str]) -> dict[str, tuple[Any, ...]]:
    """Counts columns of one type: values, distinct ones, least, largest, the most frequent.

    A column without values is left out.
    """
    listed = ", ".join(map(quoted, names))
    counted = source.execute(
        "select name, sum(n), count(*), min(v), max(v),"  # noqa: S608 - names are quoted
        f" min({{'rank': -n, 'v': v}}, {TOP_LIMIT}) from (select name, v, count(*) as n from"
        f" (unpivot (select {listed} from t) on {listed} into name name value v)"
        " group by name, v) group by name"
    ).fetchall()
    return {row[0]: row[1:] for row in counted}


def _estimated(source: Any, columns: Sequence[tuple[str, str]]) -> dict[str, tuple[Any, ...]]:
    """Counts the floats that mostly differ in one pass, without their most frequent values."""
    names = [name for name, kind in columns if kind in {"FLOAT", "DOUBLE"}]
    if not names:
        return {}
    wanted = ", ".join(
        f"count({one}), least(count({one}), approx_count_distinct({one})), min({one}), max({one})"
        for one in map(quoted, names)
    )
    row = source.execute(f"select {wanted} from t").fetchone() or ()  # noqa: S608 - names are quoted
    return {
        name: (count, distinct, low, high, [])
        for name, count, distinct, low, high in zip(
            names, row[::4], row[1::4], row[2::4], row[3::4], strict=True
        )
        if distinct > ROUGH_COUNT_MIN_SHARE * count > 0
    }


def _facts(name: str, kind: ColumnType, rows: int, counted: tuple[Any, ...] | None) -> ColumnFacts:
    present, distinct, low, high, top = counted or (0, 0, None, None, [])
    kept = top[: TOP_LIMIT if distinct <= TOP_LIMIT else MAX_WIDE_VALUES]
    frequent = tuple((_plain(one["v"], kind), -one["rank"]) for one in kept)
    missing = rows - int(present)
    ends = _plain(low, kind), _plain(high, kind)
    return ColumnFacts(name, kind, rows, missing, distinct, *ends, frequent)


def _plain(value: Any, kind: ColumnType) -> Any:
    """Returns a decimal as the number that plans and questions reckon with."""
    if not isinstance(value, Decimal):
        return value
    return int(value) if kind == "integer" else float(value)
