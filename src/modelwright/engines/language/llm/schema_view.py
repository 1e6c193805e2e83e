"""The schema as a model sees it: names in snake_case, DuckDB's types, ranges and keys.

Models write `order_date` far more reliably than `"Order Date (UTC)"`. The view's names are mapped
back afterwards (`names`), so nothing else knows of them.
"""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from functools import cached_property

from modelwright.engines.facts import ColumnFacts, Value
from modelwright.engines.language.catalog.meaning import (
    Catalog,
    CatalogColumn,
    Metric,
    Relationship,
)
from modelwright.engines.language.llm.sql_words import sql_words
from modelwright.engines.language.rules.columns.schema import TableFacts, find_keys

LONGEST_NAME_CHARS = 48
"""Longer names are cut in what models see."""
MOST_VALUES = 6
"""A column of no more different texts is described by them: `paid` is 'yes' or 'no'."""
LONGEST_VALUE_CHARS = 24
"""A column with a longer value is not described by its values."""
PLAIN_TYPES = {"string": "VARCHAR", "integer": "BIGINT", "float": "DOUBLE", "boolean": "BOOLEAN"}


@dataclass(frozen=True, slots=True)
class ColumnView:
    """A column: the name that models see, its own, and what is told of it."""

    alias: str
    name: str
    sql_type: str
    label: str
    low: Value | None
    high: Value | None
    is_private: bool
    distinct: int
    values: tuple[str, ...] = ()
    """All of them, where they are a few short texts."""


@dataclass(frozen=True)
class TableView:
    """A table: the name that models see, its own, and its columns."""

    alias: str
    name: str
    rows: int
    row_noun: str
    key: str | None
    """Alias of the column whose values name the rows."""
    columns: tuple[ColumnView, ...]

    @cached_property
    def by_alias(self) -> dict[str, ColumnView]:
        """Returns the columns by the names that models see."""
        return {column.alias: column for column in self.columns}

    @cached_property
    def by_name(self) -> dict[str, ColumnView]:
        """Returns the columns by their own names."""
        return {column.name: column for column in self.columns}


@dataclass(frozen=True, slots=True)
class Join:
    """A key in the view's names: each row of `table` has at most one of `to_table`."""

    table: str
    column: str
    to_table: str
    to_column: str
    role: str = ""


@dataclass(frozen=True)
class SchemaView:
    """All tables of a session as models see them."""

    tables: tuple[TableView, ...]
    joins: tuple[Join, ...]
    metrics: tuple[Metric, ...]

    @cached_property
    def by_alias(self) -> dict[str, TableView]:
        """Returns the tables by the names that models see."""
        return {table.alias: table for table in self.tables}

    @cached_property
    def by_name(self) -> dict[str, TableView]:
        """Returns the tables by their own names."""
        return {table.name: table for table in self.tables}

    @cached_property
    def is_plain(self) -> bool:
        """Returns whether every name is seen as it is."""
        return all(
            table.alias == table.name and all(one.alias == one.name for one in table.columns)
            for table in self.tables
        )


def view_of(tables: Sequence[TableFacts], catalog: Catalog) -> SchemaView:
    """Makes the view of a session's tables.

    Args:
        tables: What the data hold.
        catalog: What tables and columns mean; may lack some or all of them.

    Returns:
        The view; its names are unique, no reserved words, and need no quotes.
    """
    taken: set[str] = set()
    views = tuple(_table(facts, catalog, taken) for facts in tables)
    by_name = {view.name: view for view in views}
    joins = [
        Join(
            by_name[key.table].alias,
            by_name[key.table].by_name[key.column].alias,
            by_name[key.to_table].alias,
            by_name[key.to_table].by_name[key.to_column].alias,
            key.role,
        )
        for key in _relationships(tables, catalog)
        if _is_known(by_name, key.table, key.column)
        and _is_known(by_name, key.to_table, key.to_column)
    ]
    return SchemaView(views, tuple(joins), catalog.metrics)


def snake_case(name: str, fallback: str) -> str:
    """Writes a name so that it needs no quotes: `Order Date (UTC)` is `order_date_utc`."""
    split = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name)
    letters = unicodedata.normalize("NFKD", split.casefold())
    plain = "".join(one for one in letters if not unicodedata.combining(one))
    words = re.sub(r"[^0-9a-z]+", "_", plain).strip("_")[:LONGEST_NAME_CHARS].strip("_")
    if not words:
        return fallback
    return f"c_{words}" if words[0].isdigit() else words


def _is_known(by_name: dict[str, TableView], table: str, column: str) -> bool:
    return table in by_name and column in by_name[table].by_name


def _relationships(tables: Sequence[TableFacts], catalog: Catalog) -> Iterable[Relationship]:
    if catalog.relationships or len(tables) == 1:
        return catalog.relationships
    return [
        Relationship(key.table, key.column, key.to_table, key.to_column)
        for key in find_keys(tables)
    ]


def _table(facts: TableFacts, catalog: Catalog, taken: set[str]) -> TableView:
    known = catalog.table(facts.name)
    wanted = (known.alias if known else "") or snake_case(facts.name, "data")
    alias = _free(wanted, taken)
    own: set[str] = set()
    columns = tuple(
        _column(one, known.column(one.name) if known else None, number, own)
        for number, one in enumerate(facts.columns, 1)
    )
    rows = (
        known.rows if known and known.rows else max((one.rows for one in facts.columns), default=0)
    )
    key = next((one.alias for one in columns if known and one.name == known.key), None)
    noun = known.row_nouns[0] if known and known.row_nouns else ""
    return TableView(alias, facts.name, rows, noun, key, columns)


def _column(
    facts: ColumnFacts, known: CatalogColumn | None, number: int, taken: set[str]
) -> ColumnView:
    wanted = (known.alias if known else "") or snake_case(facts.name, f"column_{number}")
    return ColumnView(
        alias=_free(wanted, taken),
        name=facts.name,
        sql_type=(known.sql_type if known else "") or _sql_type(facts),
        label=known.label if known else "",
        low=facts.minimum,
        high=facts.maximum,
        is_private=bool(known and known.private),
        distinct=facts.distinct,
        values=_few(facts),
    )


def _few(facts: ColumnFacts) -> tuple[str, ...]:
    """Returns the values of a column that has a few short ones, in order."""
    told = [value for value, _ in facts.top if isinstance(value, str)]
    if not told or len(told) != facts.distinct or len(told) > MOST_VALUES:
        return ()
    return () if max(map(len, told)) > LONGEST_VALUE_CHARS else tuple(sorted(told))


def _sql_type(facts: ColumnFacts) -> str:
    if facts.type != "date":
        return PLAIN_TYPES[facts.type]
    is_day = isinstance(facts.minimum, date) and not isinstance(facts.minimum, datetime)
    return "DATE" if is_day else "TIMESTAMP"


def _free(wanted: str, taken: set[str]) -> str:
    """Takes a name that is not reserved and not taken yet."""
    name = wanted + "_" if wanted in sql_words().reserved else wanted
    alias, number = name, 2
    while alias in taken:
        alias, number = f"{name}_{number}", number + 1
    taken.add(alias)
    return alias
