"""The statement that answered a question, while a follow-up changes it."""

from collections.abc import Sequence

from sqlglot import exp

from modelwright.engines.language.catalog import Catalog, Role
from modelwright.engines.language.checks.statement import Place, Statement, UnparsedError
from modelwright.engines.language.readers import NameLink

DIALECT = "duckdb"
DAY_LENGTH = len("2024-01-31")
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
    def asked_of(self) -> tuple[frozenset[Place], frozenset[str], bool]:
        """Tells roughly which rows it asks for: columns, values and kind of its conditions."""
        where = self.part("where")
        if where is None:
            return frozenset(), frozenset(), False
        told = (str(one.this)[:DAY_LENGTH] for one in where.find_all(exp.Literal))
        is_loose = where.find(exp.Or, exp.Subquery, exp.Query) is not None
        return frozenset(self.places(where)), frozenset(told), is_loose

    def only_figure(self) -> exp.Expression:
        """Returns the one figure that it computes; raises where there are none or several."""
        shown = [one for each in self.tree.selects for one in each.find_all(exp.AggFunc)]
        if len(shown) != 1 or self.tree.find(exp.Window) is not None:
            raise NoPlaceError("It computes no figure, or several.")
        return shown[0]

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

    def join_as_in(self, other: "AnsweredStatement") -> None:
        """Joins the tables that another statement reads beside those that are read here."""
        for join in other.tree.args.get("joins") or ():
            if self.alias(join.this.name) is None:
                if join.args.get("on") is None:
                    raise NoPlaceError("It is not said by what the tables are joined.")
                self.tree.append("joins", join.copy())
