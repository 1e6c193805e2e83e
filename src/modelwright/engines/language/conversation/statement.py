"""The statement that answered a question, while a follow-up changes it."""

import re
from collections.abc import Collection, Iterator, Sequence

from sqlglot import exp

from modelwright.engines.language.catalog.meaning import Catalog, Role
from modelwright.engines.language.checks.statement import Place, Statement, UnparsedError
from modelwright.engines.language.readers import NameLink
from modelwright.engines.language.temporal.calendar import DAY_LENGTH

DIALECT = "duckdb"
"""Moments are compared by their days."""
UNKNOWN_CLAUSES = (
    "with",
    "with_",
    "qualify",
    "windows",
    "laterals",
    "pivots",
    "sample",
    "distinct",
)


_MOMENT = re.compile(r"\d{4}-\d\d-\d\d 00:00")
_MIRRORED = {exp.GT: exp.LT, exp.GTE: exp.LTE, exp.LT: exp.GT, exp.LTE: exp.GTE}


class NoPlaceError(Exception):
    """What changes has no place in the statement."""


class AnsweredStatement:
    """One SELECT over tables, taken apart and put together again."""

    def __init__(self, sql: str, catalog: Catalog) -> None:
        """Reads a statement; raises `NoPlaceError` where it is of another kind."""
        self.catalog = catalog
        self._read(sql)

    def _read(self, sql: str) -> None:
        try:
            self._statement = Statement.read(sql, self.catalog)
        except UnparsedError as problem:
            raise NoPlaceError(str(problem)) from problem
        tree = self._statement.tree
        if not isinstance(tree, exp.Select) or any(tree.args.get(one) for one in UNKNOWN_CLAUSES):
            raise NoPlaceError("The statement is of another kind.")
        self.tree = tree
        self._spell_out()

    def _spell_out(self) -> None:
        """Orders by what is shown, not by what that is called: it may be called otherwise later."""
        shown = {one.alias: one.unalias() for one in self.tree.selects if one.alias}
        order = self.tree.args.get("order")
        for one in list(order.find_all(exp.Column)) if order else ():
            if not one.table and one.name in shown:
                one.replace(shown[one.name].copy())

    def settle(self) -> None:
        """Reads what was changed anew, so that its columns are known."""
        self._read(self.sql())

    def sql(self) -> str:
        """Writes the statement."""
        return str(self.tree.sql(dialect=DIALECT, identify=True))

    # what it is made of

    def part(self, name: str) -> exp.Expression | None:
        """Returns a clause: `where`, `group`, `having`, `order` or `limit`."""
        found = self.tree.args.get(name)
        return found if isinstance(found, exp.Expression) else None

    @property
    def sources(self) -> list[exp.Table]:
        """The tables that it reads, the first one first; raises where it reads something else."""
        begun = self.tree.args.get("from") or self.tree.args.get("from_")
        told = [begun.this if begun else None]
        told += [one.this for one in self.tree.args.get("joins") or ()]
        tables = [one for one in told if isinstance(one, exp.Table)]
        if len(tables) < len(told):
            raise NoPlaceError("It reads from another query.")
        return tables

    @property
    def finest(self) -> str:
        """The table whose rows the others are told with: no other points to it."""
        names = {one.name for one in self.sources}
        pointed = {
            one.to_table
            for one in self.catalog.relationships
            if one.table in names and one.table != one.to_table
        }
        found = names - pointed
        return found.pop() if len(found) == 1 else str(self.sources[0].name)

    @property
    def groups(self) -> list[exp.Expression]:
        """What figures are grouped by."""
        group = self.part("group")
        return list(group.expressions) if group else []

    @property
    def conditions(self) -> list[exp.Expression]:
        """The conditions that rows must all meet."""
        where = self.part("where")
        if where is None:
            return []
        return list(where.this.flatten()) if isinstance(where.this, exp.And) else [where.this]

    @property
    def asked_for(self) -> tuple[frozenset[str], frozenset[str]]:
        """Tells which rows it asks for and what it groups them by, however that is written."""
        tests = (normal_form(self._named(one)) for one in self.conditions)
        groups = (normal_form(self._named(one)) for one in self.groups)
        return (
            frozenset(one for test in tests for one in test.split(" AND ")),
            frozenset(groups),
        )

    def _named(self, node: exp.Expression) -> exp.Expression:
        """Copies a node, its columns called by the real names of their tables."""
        named = {one.alias_or_name: one.name for one in self.sources}
        made = node.copy()
        for column in made.find_all(exp.Column):
            column.set("table", exp.to_identifier(named.get(column.table, column.table)))
        return made

    def aggregate(self) -> exp.Expression:
        """Returns the one aggregate that it shows; raises where there are none or several."""
        shown = [one for each in self.tree.selects for one in each.find_all(exp.AggFunc)]
        if len(shown) != 1 or self.tree.find(exp.Window) is not None:
            raise NoPlaceError("It computes no figure, or several.")
        return shown[0]

    def only_figure(self) -> exp.Expression:
        """Returns its one figure; raises where that is computed of the aggregate again."""
        figure = self.aggregate()
        if not any(one.unalias() is figure for one in self.tree.selects):
            raise NoPlaceError("The figure is computed of another.")
        return figure

    def tests_of(self, place: Place) -> list[exp.Expression]:
        """Returns the smallest comparisons with written values that look at a column."""
        tests = (one for one in self.tree.find_all(exp.Predicate) if one.find(exp.Literal))
        return [
            one
            for one in tests
            if place in self.places(one)
            and not any(each is not one for each in one.find_all(exp.Predicate))
        ]

    def shown(self, *, figures: bool) -> list[exp.Expression]:
        """Returns the figures that are shown, or all else."""
        return [one for one in self.tree.selects if bool(one.find(exp.AggFunc)) is figures]

    def places(self, node: exp.Expression) -> list[Place]:
        """Returns the real columns below a node."""
        return self._statement.places(node)

    def alias(self, table: str) -> str | None:
        """Returns what a table is called; None where it is not read, or twice."""
        found = [one.alias_or_name for one in self.sources if one.name == table]
        return found[0] if len(found) == 1 else None

    def column(self, one: NameLink) -> exp.Expression:
        """Writes a column of a table that it reads."""
        return exp.column(one.column or "", table=self.alias(one.table), quoted=True)

    def is_measure(self, one: NameLink) -> bool:
        """Returns whether a name is that of an amount in a table that it reads."""
        column = self.catalog.column(one.table, one.column or "")
        is_amount = column is not None and column.role is Role.MEASURE
        return is_amount and self.alias(one.table) is not None

    # how it is changed

    def order_by(self, key: exp.Expression, *, descending: bool) -> None:
        """Orders by one key, what is missing last."""
        made = exp.Ordered(this=key.copy(), desc=descending, nulls_first=False)
        self.tree.set("order", exp.Order(expressions=[made]))

    def turn(self) -> None:
        """Turns the order of its first key round."""
        order = self.part("order")
        if order is None:
            raise NoPlaceError("It has no order.")
        first = order.expressions[0]
        first.set("desc", not first.args.get("desc"))
        first.set("nulls_first", False)

    def group_by(self, shown: Sequence[exp.Expression], groups: Sequence[exp.Expression]) -> None:
        """Puts other groups beside the figures."""
        kept = [*shown, *self.shown(figures=True)]
        self.tree.set("expressions", [one.copy() for one in kept])
        self.tree.set("group", exp.Group(expressions=[one.copy() for one in groups]))

    def rename_as_in(self, other: "AnsweredStatement") -> None:
        """Calls tables as they are called in another statement that reads them."""
        named = {one.alias_or_name: other.alias(one.name) for one in self.sources}
        for column in list(self.tree.find_all(exp.Column)):
            if column.parent_select is self.tree and named.get(column.table):
                column.set("table", exp.to_identifier(named[column.table], quoted=True))

    def tables_used(self) -> set[str]:
        """Returns what the tables are called that it speaks of besides joining them."""
        joins = {id(join) for join in self.tree.args.get("joins") or ()}
        return {
            column.table
            for column in self.tree.find_all(exp.Column)
            if not any(id(one) in joins for one in _above(column, self.tree))
        }

    def leave(self, tables: Collection[str]) -> None:
        """Leaves out joined tables, so that rows which name none of theirs are told as well.

        Only a table whose rows others point to, and that joins nothing else, is left out.

        Args:
            tables: What they are called in the statement.
        """
        while any(self._leave(one) for one in sorted(tables)):
            self.settle()

    def _leave(self, table: str) -> bool:
        joins: list[exp.Join] = list(self.tree.args.get("joins") or ())
        told = [one for one in joins if table in {c.table for c in one.find_all(exp.Column)}]
        if len(told) != 1 or told[0].args.get("side") or not self._is_pointed_to(told[0], table):
            return False
        (join,) = told
        if self.sources[0].alias_or_name == table:
            begun = self.tree.args.get("from") or self.tree.args["from_"]
            begun.set("this", join.this)
        elif join.this.alias_or_name != table:
            return False
        self.tree.set("joins", [one for one in joins if one is not join])
        return True

    def _is_pointed_to(self, join: exp.Join, table: str) -> bool:
        """Whether a join leads from one column that points to the rows of a table."""
        on = join.args.get("on")
        if not isinstance(on, exp.EQ) or not isinstance(on.this, exp.Column):
            return False
        named = {one.alias_or_name: one.name for one in self.sources}
        ends = [
            (named.get(one.table, ""), one.name)
            for one in sorted(on.find_all(exp.Column), key=lambda one: one.table == table)
        ]
        return any(
            [(key.table, key.column), (key.to_table, key.to_column)] == ends
            for key in self.catalog.relationships
        )

    def join_as_in(self, other: "AnsweredStatement") -> None:
        """Joins the tables that another statement reads beside those that are read here."""
        for join in other.tree.args.get("joins") or ():
            if self.alias(join.this.name) is None:
                if join.args.get("on") is None:
                    raise NoPlaceError("It is not said by what the tables are joined.")
                self.tree.append("joins", join.copy())


def _above(node: exp.Expression, top: exp.Expression) -> Iterator[exp.Expression]:
    """Yields what a node stands in, up to the top."""
    while node.parent is not None and node is not top:
        node = node.parent
        yield node


def normal_form(node: exp.Expression) -> str:
    """Writes a condition or a group so that what means the same is written alike."""
    told, was = node.copy(), ""
    while (now := told.sql(dialect=DIALECT)) != was:
        told, was = told.transform(_normal), now
    return was.lower().replace(" and ", " AND ")


def _normal(node: exp.Expression) -> exp.Expression:
    """Writes one node otherwise."""
    is_denied = isinstance(node.parent, exp.Not)
    if isinstance(node, exp.Cast) or (isinstance(node, exp.Paren) and not is_denied):
        return node if isinstance(node.this, exp.Or) else node.this
    if isinstance(node, exp.In) and len(node.expressions) == 1:
        return exp.EQ(this=node.this, expression=node.expressions[0])
    if isinstance(node, exp.Between) and not is_denied:
        low = exp.GTE(this=node.this.copy(), expression=node.args["low"])
        return exp.And(this=low, expression=exp.LTE(this=node.this, expression=node.args["high"]))
    if isinstance(node, exp.Not) and isinstance(node.this.unnest(), exp.EQ):
        equal = node.this.unnest()
        return exp.NEQ(this=equal.this, expression=equal.expression)
    if isinstance(node, exp.Literal):
        return _plain(node)
    return _mirrored(node)


def _mirrored(node: exp.Expression) -> exp.Expression:
    kind = _MIRRORED.get(type(node))
    if kind is None or not isinstance(node.this, exp.Literal):
        return node
    return kind(this=node.expression, expression=node.this)


def _plain(literal: exp.Literal) -> exp.Expression:
    """Writes a moment as its day, and a number without what adds nothing: `3.0`."""
    said = str(literal.this)
    if literal.is_string:
        return exp.Literal.string(said[:DAY_LENGTH] if _MOMENT.match(said) else said)
    return exp.Literal.number(f"{float(said):.15g}")
