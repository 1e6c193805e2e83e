"""What is known of a session's tables before questions are read: asked in SQL, in its sandbox.

Exact for ordinary tables. Of large ones the first rows stand for all, but for the extremes of
numbers and dates and the values of columns with few; so the same data always gives the same facts.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from time import monotonic
from typing import Any

from modelwright.engines.facts import TOP_LIMIT, ColumnFacts, ColumnType, Value, column_type
from modelwright.engines.language.rules.columns.schema import TableFacts
from modelwright.engines.quoting import quoted
from modelwright.engines.sql.executor import Rows
from modelwright.engines.sql.failures import Crashed, OutOfMemory, SqlFailed, TooLarge

LARGE_CELLS = 10_000_000
"""Of tables of more cells only the first rows are counted."""
HEAD_ROWS = 300_000
"""So many of them."""
BATCH = 50
"""Columns that are counted by one statement."""
MOST_VALUES = 10_000
"""Values of a column of text that questions may name."""
MOST_IN_ALL = 30_000
"""Values beyond the columns' facts that are kept of all tables together."""
FREQUENT = 50
"""The most frequent values that are known of a column."""
LONGEST_VALUE = 100
"""Characters of a value that questions may name."""
NEARLY_ALL = 0.9
"""A column with more different values than this share of the rows has them all different."""
OWN_FAULTS = (SqlFailed, OutOfMemory, TooLarge, Crashed)
"""What a column may cause; it is then known by name and type. Anything else ends the counting."""
Run = Callable[[str, int], Rows]
Values = dict[tuple[str, str], list[Value]]


@dataclass(frozen=True, slots=True)
class Profile:
    """The tables' facts, and the values of columns too wide for theirs."""

    tables: tuple[TableFacts, ...]
    values: Values
    types: dict[tuple[str, str], str]
    """DuckDB's type of each column."""
    is_whole: bool = True
    """Whether there was time for all columns."""


def profile(run: Run, tables: Sequence[str], seconds: float) -> Profile:
    """Counts every column; after `seconds` what is left keeps its name and type only."""
    until = monotonic() + seconds
    values: Values = {}
    types: dict[tuple[str, str], str] = {}
    found = []
    is_whole = True
    for table in tables:
        studied = _Table(run, table, until, MOST_IN_ALL - sum(map(len, values.values())))
        found.append(TableFacts(table, tuple(studied.facts())))
        values |= {(table, name): more for name, more in studied.values.items()}
        types |= {(table, name): kind for name, kind in studied.columns}
        is_whole = is_whole and studied.is_whole
    return Profile(tuple(found), values, types, is_whole)


class _Table:
    """One table being studied."""

    def __init__(self, run: Run, table: str, until: float, room: int) -> None:
        self._run = run
        self._until = until
        self._room = room
        self._table = quoted(table)
        empty = run(f"SELECT * FROM {self._table} LIMIT 0", 1)  # noqa: S608 - quoted
        self.columns = list(zip(empty.columns, empty.types, strict=True))
        self._rows = int(self._one("SELECT count(*)")[0])
        self._is_large = self._rows * len(self.columns) > LARGE_CELLS
        self._seen = min(self._rows, HEAD_ROWS) if self._is_large else self._rows
        self.values: dict[str, list[Value]] = {}
        self.is_whole = True

    def facts(self) -> Iterator[ColumnFacts]:
        for start in range(0, len(self.columns), BATCH):
            batch = self.columns[start : start + BATCH]
            for facts, is_plain in self._counted(batch):
                yield self._with_values(facts) if is_plain else facts

    def _counted(self, batch: list[tuple[str, str]]) -> Iterator[tuple[ColumnFacts, bool]]:
        """Tells of each column, and whether its values can be told."""
        plain = [(name, kind) for name, kind in batch if not _is_nested(kind)]
        asked = ", ".join(
            f"count({c}), approx_count_distinct({c}), min({c}), max({c})"
            for c in (quoted(name) for name, _ in plain)
        )
        told = self._try(f"SELECT {asked}", 1, whole=False) if plain else None
        numbers = iter(told[0] if told else ())
        for name, kind in batch:
            typed: ColumnType = "string" if _is_nested(kind) else column_type(kind)
            if told is None or _is_nested(kind):
                yield ColumnFacts(name, typed, self._rows, 0, self._rows, None, None, ()), False
                continue
            present, distinct, low, high = (next(numbers) for _ in range(4))
            missing = (self._seen - present) * self._rows // max(1, self._seen)
            low, high = (_value(extreme, typed) for extreme in (low, high))
            yield ColumnFacts(name, typed, self._rows, missing, distinct, low, high, ()), True

    def _with_values(self, facts: ColumnFacts) -> ColumnFacts:
        """Adds the commonest values of a column, and as many more texts as there is room for."""
        column = quoted(facts.name)
        facts = self._exactly(facts, column)
        is_text = facts.type == "string"
        if facts.type in {"float", "date"} and facts.distinct > TOP_LIMIT:
            return facts
        short = f" AND length({column}) <= {LONGEST_VALUE}" if is_text else ""
        top = self._try(
            f"SELECT {column}, count(*) AS n",
            MOST_VALUES if is_text else TOP_LIMIT + 1,
            f"WHERE {column} IS NOT NULL{short} GROUP BY 1 ORDER BY n DESC, 1 LIMIT {MOST_VALUES}",
            whole=facts.distinct <= MOST_VALUES,
        )
        if top is None:
            return facts
        known = [(_value(value, facts.type), count) for value, count in top]
        pairs = tuple((value, count) for value, count in known if value is not None)
        seen_all = sum(count for _, count in pairs) == facts.rows - facts.missing
        is_short = len(pairs) < TOP_LIMIT and not short
        distinct = len(pairs) if is_short or seen_all else facts.distinct
        if facts.distinct > TOP_LIMIT and len(pairs) >= TOP_LIMIT:
            more = [value for value, _ in pairs[: self._room]] if is_text else []
            self.values[facts.name] = more
            self._room -= len(more)
            return replace(facts, distinct=distinct, top=pairs[:FREQUENT])
        return replace(facts, distinct=max(distinct, len(pairs)), top=pairs[:TOP_LIMIT])

    def _exactly(self, facts: ColumnFacts, column: str) -> ColumnFacts:
        """Counts distinct values exactly where it matters whether there are as many as rows."""
        if facts.distinct > NEARLY_ALL * self._seen:
            counted = self._try(f"SELECT count(DISTINCT {column})", 1, whole=False)
            exact = counted[0][0] if counted else facts.distinct
            scale = self._rows / self._seen if exact > NEARLY_ALL * self._seen else 1
            facts = replace(facts, distinct=min(self._rows, int(exact * scale)))
        if self._is_large and facts.type in {"integer", "float", "date"}:
            extremes = self._try(f"SELECT min({column}), max({column})", 1)
            if extremes:
                low, high = (_value(extreme, facts.type) for extreme in extremes[0])
                facts = replace(facts, minimum=low, maximum=high)
        return facts

    def _one(self, select: str) -> list[Any]:
        return self._run(f"{select} FROM {self._table}", 1).rows[0]

    def _try(
        self, select: str, most: int, rest: str = "", *, whole: bool = True
    ) -> list[list[Any]] | None:
        """Asks the table, or its first rows; None when time is over or it can't be told."""
        if monotonic() > self._until:
            self.is_whole = False
            return None
        rows = self._table
        if self._is_large and not whole:
            rows = f"(SELECT * FROM {self._table} LIMIT {HEAD_ROWS})"  # noqa: S608 - quoted
        try:
            return self._run(f"{select} FROM {rows} AS t {rest}", most).rows
        except OWN_FAULTS:
            return None


def _is_nested(kind: str) -> bool:
    return kind.endswith("]") or kind.startswith(("STRUCT", "MAP", "UNION", "BLOB", "JSON"))


def _value(value: Any, kind: str) -> Value | None:
    if value is None or isinstance(value, list | dict):
        return None
    if kind == "float":
        return float(value)
    if kind == "integer":
        return int(value)
    if kind == "date" and isinstance(value, str):
        return _moment(value)
    return value if isinstance(value, str | int | float | bool) else str(value)


def _moment(text: str) -> date | datetime | None:
    try:
        if len(text) == len("2024-01-01"):
            return date.fromisoformat(text)
        return datetime.fromisoformat(text).replace(tzinfo=None)
    except ValueError:
        return None
