"""Two tables with names that need quotes, one that joins them, and a model that answers a list."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import date

import duckdb

from modelwright.engines.facts import ColumnFacts
from modelwright.engines.language.catalog.meaning import (
    Catalog,
    CatalogColumn,
    CatalogTable,
    Relationship,
    Role,
)
from modelwright.engines.language.llm.completion import (
    Completion,
    CompletionFailed,
    CompletionRequest,
    Constraint,
    Token,
    Turn,
)
from modelwright.engines.language.llm.schema_view import SchemaView, view_of
from modelwright.engines.language.readers import ReadRequest
from modelwright.engines.language.rules.columns.schema import TableFacts

TODAY = date(2026, 3, 2)


def column(name: str, kind: str = "integer", low: object = 1, high: object = 9) -> ColumnFacts:
    return ColumnFacts(name, kind, 9, 0, 9, low, high, ((low, 1), (high, 1)))  # type: ignore[arg-type]


ORDERS = TableFacts(
    "table0",
    (
        column("Order ID"),
        column("Order Date (UTC)", "date", date(2024, 1, 5), date(2025, 6, 1)),
        column("Customer", "string", "Ann", "Zoe"),
        column("Card Number", "string", "4111", "5500"),
        column("group", "string", "a", "b"),
    ),
)
ITEMS = TableFacts(
    "Line Items", (column("Item ID"), column("Order ID"), column("Unit Price", "float", 0.5, 99.0))
)
CATALOG = Catalog(
    (
        CatalogTable(
            "table0",
            "orders",
            (
                CatalogColumn("Order ID", "order_id", "Order ID", Role.ID, "INTEGER"),
                CatalogColumn(
                    "Card Number", "card_number", "Card Number", Role.ID, "VARCHAR", private=True
                ),
            ),
            ("orders",),
            "Order ID",
            rows=9,
        ),
    ),
    (Relationship("Line Items", "Order ID", "table0", "Order ID"),),
)


def view(*tables: TableFacts, catalog: Catalog = CATALOG) -> SchemaView:
    return view_of(tables or (ORDERS, ITEMS), catalog)


def store() -> duckdb.DuckDBPyConnection:
    """The two tables as they are, with two orders of three items."""
    made = duckdb.connect()
    made.execute(
        'create table table0 ("Order ID" int, "Order Date (UTC)" date, "Customer" varchar,'
        ' "Card Number" varchar, "group" varchar)'
    )
    made.execute('create table "Line Items" ("Item ID" int, "Order ID" int, "Unit Price" double)')
    made.execute("insert into table0 values (1, '2024-01-05', 'Ann', '4111', 'a'),"
                 " (2, '2025-06-01', 'Zoe', '5500', 'b')")  # fmt: skip
    made.execute('insert into "Line Items" values (1, 1, 5), (2, 1, 7), (3, 2, 99)')
    return made


def asked(question: str, **more: object) -> ReadRequest:
    return ReadRequest(question, (ORDERS, ITEMS), CATALOG, TODAY, **more)  # type: ignore[arg-type]


@dataclass
class Scripted:
    """A model that answers from a list and remembers what it was told."""

    answers: list[str]
    answers_json: bool = False
    sees_values: bool = True
    name: str = "scripted"
    logprobs: tuple[float, ...] = ()
    heard: list[tuple[Turn, ...]] = field(default_factory=list)
    drawn: list[tuple[Turn, ...]] = field(default_factory=list)
    constraints: list[Constraint] = field(default_factory=list)
    owners: list[str] = field(default_factory=list)
    samples: tuple[str, ...] = ()

    def complete(self, request: CompletionRequest) -> Completion:
        assert request.seconds > 0
        assert not request.stopped()
        self.heard.append(tuple(request.turns))
        self.constraints.append(request.constraint)
        self.owners.append(request.owner)
        if not self.answers:
            raise CompletionFailed("It has nothing to say.")
        tokens = tuple(Token("x", one) for one in self.logprobs)
        return Completion(self.answers.pop(0), tokens)

    def sample(self, request: CompletionRequest) -> Sequence[Completion]:
        assert request.seconds > 0
        assert not request.stopped()
        self.drawn.append(tuple(request.turns))
        assert not self.constraints or request.constraint == self.constraints[0]
        return [Completion(one) for one in self.samples]


def trying(made: duckdb.DuckDBPyConnection) -> Callable[[str, bool], str | None]:
    def try_sql(sql: str, sees_values: bool) -> str | None:
        assert sees_values
        try:
            made.execute(sql).fetchall()
        except duckdb.Error as fault:
            return str(fault).splitlines()[0]
        return None

    return try_sql
