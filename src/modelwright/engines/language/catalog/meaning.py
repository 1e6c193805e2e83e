"""The semantic layer that readers share: what tables, columns, keys and metrics mean.

Inferred from names and profiles; what somebody corrects replaces what was inferred.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from typing import TypeVar

from modelwright.engines.facts import Value

PERCENT = "%"
"""The unit of what never adds up."""


class Role(StrEnum):
    """What a column is for."""

    ID = "id"
    DIMENSION = "dimension"
    FLAG = "flag"
    DATE = "date"
    MEASURE = "measure"


class Additivity(StrEnum):
    """How a measure may be put together over rows."""

    SUM = "sum"
    AVERAGE = "average"
    NEITHER = "neither"


@dataclass(frozen=True, slots=True)
class ValueSynonym:
    """Words that people say for a value of a column."""

    words: str
    value: Value
    """As it stands in the data."""


@dataclass(frozen=True, slots=True)
class CatalogColumn:
    """What a column means."""

    name: str
    """As it stands in the data."""
    alias: str
    """In snake_case and unique in its table; readers may be shown this instead."""
    label: str
    """For people."""
    role: Role
    sql_type: str = ""
    """DuckDB's type; empty where it is not known."""
    additivity: Additivity | None = None
    """Of measures only."""
    unit: str = ""
    format: str = ""
    """How values are written where the type does not tell, for example `year` or `%d.%m.%Y`."""
    synonyms: tuple[str, ...] = ()
    value_synonyms: tuple[ValueSynonym, ...] = ()
    private: bool = False
    """Whether no value of it may leave the machine or stand in a prompt."""
    reasons: Mapping[str, str] = field(default_factory=dict, hash=False)
    """Why members were inferred so, by the member's name; nothing of what somebody said."""


@dataclass(frozen=True)
class CatalogTable:
    """What a table's rows are."""

    name: str
    alias: str
    columns: tuple[CatalogColumn, ...]
    row_nouns: tuple[str, ...] = ()
    """What its rows are called, in the plural, the most usual first: `orders`."""
    key: str | None = None
    """The column whose values name the rows."""
    default_date: str | None = None
    """The column that a period means where none is named."""
    rows: int = 0
    default_filter: str = ""
    """SQL that rows must meet unless a question speaks of its columns: `status <> 'cancelled'`."""
    reasons: Mapping[str, str] = field(default_factory=dict, hash=False)
    """Why members were inferred so, by the member's name; nothing of what somebody said."""

    def column(self, name: str) -> CatalogColumn | None:
        """Returns the column of that name or alias, letters of either case."""
        return self._by_name.get(name.casefold())

    @cached_property
    def _by_name(self) -> dict[str, CatalogColumn]:
        return _named(self.columns)


@dataclass(frozen=True, slots=True)
class Relationship:
    """A many-to-one key: each row of `table` has at most one of `to_table`."""

    table: str
    column: str
    to_table: str
    to_column: str
    role: str = ""
    """What the other row is to this one where the table alone does not tell: `shipping`."""
    orphans: int | None = None
    """Rows whose key is given and names no row; None where it was not counted."""
    reason: str = ""
    """Why it was inferred; empty where somebody said it."""


@dataclass(frozen=True, slots=True)
class Metric:
    """A named aggregate: `revenue` is `sum(quantity * unit_price)`."""

    name: str
    table: str
    expression: str
    """SQL over the table's columns."""
    synonyms: tuple[str, ...] = ()
    filter: str = ""
    """SQL that rows must meet, for example `status <> 'cancelled'`."""
    reason: str = ""
    """Why it was inferred; empty where somebody defined it."""


def metric_column(name: str) -> str:
    """Names the column that readers see of a metric."""
    return "_".join(name.casefold().split())


@dataclass(frozen=True, slots=True)
class Calendar:
    """How time is told."""

    time_zone: str = "UTC"
    first_day_of_week: int = 1
    """1 is Monday, 7 is Sunday."""
    first_month_of_fiscal_year: int = 1


@dataclass(frozen=True)
class Catalog:
    """All of it for the tables of a session."""

    tables: tuple[CatalogTable, ...]
    relationships: tuple[Relationship, ...] = ()
    metrics: tuple[Metric, ...] = ()
    calendar: Calendar = field(default_factory=Calendar)

    def table(self, name: str) -> CatalogTable | None:
        """Returns the table of that name or alias, letters of either case."""
        return self._by_name.get(name.casefold())

    @cached_property
    def _by_name(self) -> dict[str, CatalogTable]:
        return _named(self.tables)

    def column(self, table: str, name: str) -> CatalogColumn | None:
        """Returns a column of a table."""
        found = self.table(table)
        return found.column(name) if found else None

    def between(self, first: str, second: str) -> Sequence[Relationship]:
        """Returns the keys that join two tables directly, either way."""
        both = {first, second}
        return [one for one in self.relationships if {one.table, one.to_table} == both]


Named = TypeVar("Named", CatalogColumn, CatalogTable)


def _named(every: Sequence[Named]) -> dict[str, Named]:
    """By name and alias, letters of either case; of several the first."""
    return {key: one for one in reversed(every) for key in (one.name.casefold(), one.alias)}
