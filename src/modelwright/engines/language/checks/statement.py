"""A candidate's SQL as checks see it: its columns by their real names, its tests, its shape."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import TypeVar, cast

from sqlglot import exp, parse_one
from sqlglot.errors import SqlglotError
from sqlglot.optimizer.qualify import qualify
from sqlglot.optimizer.scope import Scope, traverse_scope
from sqlglot.schema import MappingSchema

from modelwright.engines.language.catalog.meaning import Catalog, CatalogTable, Role
from modelwright.engines.language.rules.text.words import stem

E = TypeVar("E", bound=exp.Expression)
Place = tuple[str, str]
"""A table and a column by their real names."""

COMPARISONS = {
    exp.EQ: "=", exp.NEQ: "!=", exp.GT: ">", exp.GTE: ">=", exp.LT: "<", exp.LTE: "<=",
    exp.In: "in", exp.Between: "between", exp.Like: "like", exp.ILike: "like", exp.Is: "is",
    exp.RegexpLike: "like",
}  # fmt: skip
SHOWS_ALL = "shows all columns"
"""How a SELECT is marked before its star is spelled out."""
MIRRORED = {">": "<", "<": ">", ">=": "<=", "<=": ">="}


class UnparsedError(Exception):
    """The SQL cannot be read as one query."""


@dataclass(frozen=True, slots=True)
class Test:
    """A comparison: which columns with which written values."""

    node: exp.Expression
    operator: str
    columns: tuple[Place, ...]
    literals: tuple[exp.Expression, ...]
    negated: bool
    aggregated: bool
    """Whether it compares an aggregate, as in HAVING."""

    def compares_with(self, value: float) -> bool:
        """Returns whether a number is one of the written values."""
        return any(one.is_number and float(one.name) == value for one in self.literals)


@dataclass(frozen=True, slots=True)
class Join:
    """Two columns that must be equal for rows of two tables to meet."""

    left: Place
    right: Place
    aliases: tuple[str, str]
    kind: str
    """`inner`, `left`, `anti` or the like."""


@dataclass
class Statement:
    """One SELECT, read."""

    sql: str
    tree: exp.Expression
    scopes: list[Scope]
    catalog: Catalog
    _places: dict[int, Place] = field(default_factory=dict)
    _found: dict[tuple[type[exp.Expression], ...], tuple[exp.Expression, ...]] = field(
        default_factory=dict
    )

    @classmethod
    def read(cls, sql: str, catalog: Catalog) -> "Statement":
        """Reads SQL in DuckDB's dialect; raises `UnparsedError` where it is not one query."""
        columns = tuple(
            (table.name, tuple((one.name, one.sql_type or "VARCHAR") for one in table.columns))
            for table in catalog.tables
        )
        try:
            tree = parse_one(sql, dialect="duckdb")
            for select in tree.find_all(exp.Select):
                select.meta[SHOWS_ALL] = any(one.is_star for one in select.selects)
            tree = qualify(
                tree,
                schema=_schema(columns),
                dialect="duckdb",
                quote_identifiers=False,
                validate_qualify_columns=False,
                expand_alias_refs=False,
            ) if isinstance(tree, exp.Query) else tree  # fmt: skip
            scopes = list(traverse_scope(tree)) if isinstance(tree, exp.Query) else []
        except (SqlglotError, ValueError, KeyError, RecursionError) as error:
            raise UnparsedError(str(error)) from error
        if not isinstance(tree, exp.Query):
            raise UnparsedError("It is not a query.")
        statement = cls(sql, tree, scopes, catalog)
        statement._resolve()
        return statement

    def _resolve(self) -> None:
        for scope in self.scopes:
            tests = [scope.expression.args.get(one) for one in ("having", "qualify")]
            behind = [one for test in tests if test for one in test.find_all(exp.Column)]
            for column in [*scope.columns, *(one for one in behind if not one.table)]:
                place = self._place_in(scope, column)
                if place is not None:
                    self._places[id(column)] = place

    def _place_in(self, scope: Scope, column: exp.Column) -> Place | None:
        """Finds the real table and column, also through subqueries that only pass it on."""
        source = scope.sources.get(column.table)
        if not column.table and len(scope.sources) == 1:  # a test of groups by what is not shown
            source = next(iter(scope.sources.values()))
        if isinstance(source, exp.Table):
            table = self.catalog.table(source.name)
            found = table.column(column.name) if table else None
            return (table.name, found.name) if table and found else None
        if isinstance(source, Scope) and isinstance(source.expression, exp.Select):
            for shown in source.expression.selects:
                inner = shown.unalias()
                if shown.alias_or_name == column.name and isinstance(inner, exp.Column):
                    return self._place_in(source, inner)
        return None

    @cached_property
    def _nodes(self) -> tuple[exp.Expression, ...]:
        return tuple(self.tree.walk())

    def find_all(self, *kinds: type[E]) -> tuple[E, ...]:
        """Returns the nodes of some kinds, the outer before the inner; the tree is walked once."""
        if kinds not in self._found:
            self._found[kinds] = tuple(one for one in self._nodes if isinstance(one, kinds))
        return cast("tuple[E, ...]", self._found[kinds])

    def find(self, *kinds: type[E]) -> E | None:
        """Returns the outermost node of some kinds; None where there is none."""
        return next(iter(self.find_all(*kinds)), None)

    def place(self, column: exp.Expression) -> Place | None:
        """Returns what a column of the tree really is."""
        return self._places.get(id(column))

    def places(self, node: exp.Expression) -> list[Place]:
        """Returns the columns below a node."""
        found = (self.place(one) for one in node.find_all(exp.Column))
        return [one for one in found if one is not None]

    @cached_property
    def text(self) -> str:
        """It as SQL with whole names, in capitals."""
        return str(self.tree.sql(dialect="duckdb")).upper()

    @cached_property
    def columns(self) -> frozenset[Place]:
        """All columns that it reads."""
        return frozenset(self._places.values())

    @cached_property
    def written_columns(self) -> frozenset[Place]:
        """The columns that stand in it, those left out that a star alone shows."""
        nodes = (one for one in self.find_all(exp.Column) if not _is_of_star(one))
        return frozenset(place for one in nodes if (place := self.place(one)) is not None)

    @cached_property
    def tables(self) -> tuple[str, ...]:
        """The real tables in the order in which they stand; one that is read twice, twice."""
        names = (self.catalog.table(one.name) for one in self.find_all(exp.Table))
        return tuple(one.name for one in names if one is not None)

    @cached_property
    def read_tables(self) -> tuple[CatalogTable, ...]:
        """What the catalog tells of the tables that it reads, of each once."""
        found = map(self.catalog.table, dict.fromkeys(self.tables))
        return tuple(one for one in found if one is not None)

    @cached_property
    def row_stems(self) -> frozenset[str]:
        """What the rows of its tables are called."""
        return frozenset(stem(noun) for one in self.read_tables for noun in one.row_nouns)

    @cached_property
    def shown_columns(self) -> frozenset[Place]:
        """The columns that the result shows, as they are or computed with."""
        shown = self.tree.selects if isinstance(self.tree, exp.Query) else ()
        return frozenset(place for one in shown for place in self.places(one))

    def role(self, place: Place) -> Role | None:
        """Returns what a column is for; None of a column that no table has."""
        column = self.catalog.column(*place)
        return column.role if column is not None else None

    @cached_property
    def tests(self) -> tuple[Test, ...]:
        """All comparisons with written values, those of joins left out."""
        return tuple(self._tests())

    def _tests(self) -> Iterator[Test]:
        for node in self._nodes:
            operator = COMPARISONS.get(type(node))
            if operator is None:
                continue
            literals = tuple(one for one in _literals(node) if not _within_other_test(one, node))
            places = tuple(self.places(node))
            if not literals or node.find(exp.Column, exp.AggFunc) is None:
                continue
            if _is_written(node.this) and operator in MIRRORED:
                operator = MIRRORED[operator]
            aggregated = not places or node.find(exp.AggFunc) is not None
            yield Test(node, operator, places, literals, _is_negated(node), aggregated)

    @cached_property
    def tested_columns(self) -> frozenset[Place]:
        """The columns that are compared with written values."""
        return frozenset(place for one in self.tests for place in one.columns)

    @cached_property
    def values_taken(self) -> frozenset[str]:
        """The written values that rows must have."""
        taking = [one for one in self.tests if one.operator in {"=", "in"} and not one.negated]
        return frozenset(literal.name for one in taking for literal in one.literals)

    @cached_property
    def joins(self) -> tuple[Join, ...]:
        """All pairs of columns of two tables that must be equal."""
        return tuple(self._joins())

    def _joins(self) -> Iterator[Join]:
        for node in self.find_all(exp.EQ):
            left, right = node.left.unnest(), node.right.unnest()
            if not isinstance(left, exp.Column) or not isinstance(right, exp.Column):
                continue
            places = self.place(left), self.place(right)
            if places[0] is None or places[1] is None or left.table == right.table:
                continue
            join = node.find_ancestor(exp.Join)
            kind = str(join.side or join.kind or "inner").lower() if join else "where"
            yield Join(places[0], places[1], (left.table, right.table), kind)
        yield from self._lookups()

    def _lookups(self) -> Iterator[Join]:
        """Yields the keys that are looked up by IN."""
        for node in self.find_all(exp.In):
            inner = node.args.get("query")
            select = inner.this if isinstance(inner, exp.Subquery) else None
            left = node.this.unnest()
            if not isinstance(select, exp.Select) or not isinstance(left, exp.Column):
                continue
            right = select.selects[0].unalias() if len(select.selects) == 1 else None
            places = self.place(left), self.place(right) if right is not None else None
            if places[0] is not None and places[1] is not None and isinstance(right, exp.Column):
                kind = "anti" if _is_negated(node) else "semi"
                yield Join(places[0], places[1], (left.table, right.table), kind)

    @cached_property
    def aggregates(self) -> tuple[exp.Expression, ...]:
        """All aggregate functions."""
        found = [one for one in self.find_all(exp.AggFunc) if not isinstance(one, exp.AnyValue)]
        named = [
            one
            for one in self.find_all(exp.Anonymous)
            if one.name.lower() in {"median", "mode", "corr", "quantile_cont", "stddev_samp"}
        ]
        return (*found, *named)

    @cached_property
    def summed(self) -> frozenset[Place]:
        """The columns that it adds up."""
        return frozenset(place for one in self.find_all(exp.Sum) for place in self.places(one))

    @property
    def divides(self) -> bool:
        """Whether it tells a share, a rate or an average."""
        return self.find(exp.Div, exp.Avg) is not None

    @cached_property
    def counts(self) -> tuple[exp.Count, ...]:
        """The numbers of rows and things that it tells, those left out that sums are divided by."""
        return tuple(one for one in self.find_all(exp.Count) if one not in self.divisors)

    @cached_property
    def divisors(self) -> tuple[exp.Count, ...]:
        """The numbers of different things that sums are divided by: revenue a month."""
        counts = (one for div in self.find_all(exp.Div) for one in div.right.find_all(exp.Count))
        return tuple(one for one in counts if isinstance(one.this, exp.Distinct))

    @cached_property
    def group_keys(self) -> tuple[exp.Expression, ...]:
        """What rows are grouped by, positions read as what stands there."""
        return tuple(self._group_keys())

    @cached_property
    def grouped_columns(self) -> frozenset[Place]:
        """The columns that groups are made by, as they are or computed with."""
        return frozenset(place for key in self.group_keys for place in self.places(key))

    @cached_property
    def partition_keys(self) -> tuple[exp.Expression, ...]:
        """What rows are set apart by to take the first of each."""
        ranks = (exp.RowNumber, exp.Rank, exp.DenseRank)
        windows = (one for one in self.find_all(exp.Window) if isinstance(one.this, ranks))
        return tuple(key for one in windows for key in one.args.get("partition_by") or ())

    def _group_keys(self) -> Iterator[exp.Expression]:
        for group in self.find_all(exp.Group):
            select = group.parent
            for one in group.expressions:
                if one.is_int and isinstance(select, exp.Select):
                    at = int(one.name) - 1
                    if 0 <= at < len(select.selects):
                        yield select.selects[at].unalias()
                else:
                    yield one

    @cached_property
    def is_over_time(self) -> bool:
        """Whether it groups by a date or a part of one."""
        columns = [self.catalog.column(*at) for key in self.group_keys for at in self.places(key)]
        return any(one is not None and one.role is Role.DATE for one in columns)

    @cached_property
    def ranking(self) -> exp.Expression | None:
        """What the result is sorted by first, as it is computed; None without an order."""
        order, select = self.tree.args.get("order"), self.tree
        first = order.expressions[0] if order is not None else None
        shown = select.selects if isinstance(select, exp.Select) else ()
        named = {one.alias: one.unalias() for one in shown if one.alias}
        return named.get(first.this.name, first) if first is not None else None

    @cached_property
    def is_ordered(self) -> bool:
        """Whether the result as a whole has an order."""
        return self.tree.args.get("order") is not None

    @cached_property
    def limits(self) -> tuple[int, ...]:
        """The numbers of rows that it is cut to, those of ranks included."""
        found = [one.expression for one in self.find_all(exp.Limit)]
        found += [one.args["count"] for one in self.find_all(exp.Fetch) if one.args["count"]]
        return tuple(int(one.name) for one in found if one is not None and one.is_int)

    @cached_property
    def has_rank(self) -> bool:
        """Whether it takes the first by a rank rather than by a limit."""
        kinds = exp.RowNumber, exp.Rank, exp.DenseRank
        named = {"rank", "dense_rank", "arg_max", "arg_min", "max_by", "min_by"}
        return self.find(*kinds, exp.ArgMax, exp.ArgMin) is not None or any(
            one.name.lower() in named for one in self.find_all(exp.Anonymous)
        )


@lru_cache(maxsize=16)
def _schema(columns: tuple[tuple[str, tuple[tuple[str, str], ...]], ...]) -> MappingSchema:
    """Makes a schema of tables, each with its columns and their types; names take long to read."""
    return MappingSchema({name: dict(held) for name, held in columns}, dialect="duckdb")


def _is_of_star(column: exp.Column) -> bool:
    shown = column.parent if isinstance(column.parent, exp.Alias) else column
    select = shown.parent
    is_shown = isinstance(select, exp.Select) and shown.arg_key == "expressions"
    return is_shown and bool(select.meta.get(SHOWS_ALL))


def _literals(node: exp.Expression) -> Iterator[exp.Expression]:
    yield from node.find_all(exp.Literal, exp.Boolean)


def _within_other_test(literal: exp.Expression, node: exp.Expression) -> bool:
    """Whether a literal stands in a smaller comparison, or in a query, below this one."""
    above = literal.parent
    while above is not None and above is not node:
        if type(above) in COMPARISONS or isinstance(above, exp.Select):
            return True
        above = above.parent
    return False


def _is_written(node: exp.Expression | None) -> bool:
    return node is not None and node.find(exp.Column, exp.AggFunc) is None


def _is_negated(node: exp.Expression) -> bool:
    if isinstance(node, exp.NEQ):
        return True
    above = node.parent
    while isinstance(above, exp.Paren):
        above = above.parent
    return isinstance(above, exp.Not)
