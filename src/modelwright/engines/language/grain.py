"""Measures at their own grain: SQL that adds up over repeated rows, written so that it does not.

`sum(orders.amount)` over orders joined to their items counts an order once for each item. The
measure is added up over the rows of its own table instead: tables that it does not need are left
out, conditions on the many side become EXISTS, and measures of several grains are added up apart
and put side by side by what they are grouped by.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from sqlglot import exp, parse_one
from sqlglot.errors import SqlglotError

from modelwright.engines.language.catalog.meaning import Catalog

ONCE = (exp.Min, exp.Max, exp.AnyValue)
"""Aggregates that rows may be repeated for."""
UNKNOWN_CLAUSES = (
    "with",
    "with_",
    "distinct",
    "qualify",
    "windows",
    "laterals",
    "pivots",
    "sample",
)


class _GiveUpError(Exception):
    """The statement is of a kind that is left as it is."""


@dataclass(frozen=True, slots=True)
class _Edge:
    """Two tables that are joined; `one` and `other` may have rows that repeat."""

    one: str
    other: str
    on: exp.Expression
    one_is_unique: bool
    other_is_unique: bool
    is_left: bool

    def leads(self, start: str) -> tuple[str, bool] | None:
        """Returns the other end, and whether a row of `start` meets one row of it at most."""
        if start == self.one:
            return self.other, self.other_is_unique
        if start == self.other:
            return self.one, self.one_is_unique
        return None


@dataclass
class _Joined:
    """The tables of a statement and how they are joined: a tree."""

    tables: dict[str, exp.Table]
    edges: list[_Edge] = field(default_factory=list)

    def way(self, start: str, goal: str) -> list[tuple[_Edge, str, bool]]:
        """Returns the steps between two tables: the edge, where it leads, whether to one row."""
        edge: list[tuple[str, list[tuple[_Edge, str, bool]]]] = [(start, [])]
        seen = {start}
        while edge:
            here, way = edge.pop(0)
            if here == goal:
                return way
            for one in self.edges:
                led = one.leads(here)
                if led is not None and led[0] not in seen:
                    seen.add(led[0])
                    edge.append((led[0], [*way, (one, *led)]))
        raise _GiveUpError

    def leads_to_one(self, start: str, goal: str) -> bool:
        """Whether a row of a table meets one row of another at most."""
        return all(to_one for _, _, to_one in self.way(start, goal))

    def is_repeated(self, name: str) -> bool:
        """Whether joining the tables repeats rows of one of them."""
        return any(not self.leads_to_one(name, one) for one in self.tables)


def at_own_grain(sql: str, catalog: Catalog, unique: Callable[[str, str], bool]) -> str | None:
    """Writes SQL so that no measure is added up over rows that a join repeats.

    Args:
        sql: One SELECT in DuckDB's dialect.
        catalog: The tables.
        unique: Tells whether a value of a table's column stands in one row only.

    Returns:
        The statement written anew; None where nothing is repeated, or where what is grouped by
        tells the rows of a measure apart no longer.
    """
    if "join" not in sql.casefold():
        return None
    try:
        tree = parse_one(sql, dialect="duckdb")
        if not isinstance(tree, exp.Select) or not tree.args.get("joins"):
            return None
        return _Statement(tree, catalog, unique).rewritten()
    except (_GiveUpError, SqlglotError, ValueError, KeyError, RecursionError):
        return None


class _Statement:
    """A SELECT over joined tables, taken apart."""

    def __init__(
        self, tree: exp.Select, catalog: Catalog, unique: Callable[[str, str], bool]
    ) -> None:
        if any(tree.args.get(name) for name in UNKNOWN_CLAUSES) or tree.find(exp.Window):
            raise _GiveUpError
        self._tree = tree
        self._catalog = catalog
        self._unique = unique
        self._joined = self._read_joins()
        self._groups = self._read_groups()
        self._tests = self._read_tests()
        self._aggregates = self._read_aggregates()

    # reading

    def _read_joins(self) -> _Joined:
        """Reads which tables are joined by which keys; gives up on any other kind of join."""
        begun = self._tree.args.get("from") or self._tree.args.get("from_")
        joins = self._tree.args.get("joins") or []
        sources = [begun.this if begun else None, *(one.this for one in joins)]
        if not all(isinstance(one, exp.Table) for one in sources):
            raise _GiveUpError
        joined = _Joined({one.alias_or_name: one for one in sources})
        if len(joined.tables) != len(sources):
            raise _GiveUpError
        for join in joins:
            on, side = join.args.get("on"), str(join.side or "").upper()
            if (
                on is None
                or side not in {"", "LEFT"}
                or str(join.kind).upper() not in {"", "INNER"}
            ):
                raise _GiveUpError
            joined.edges.append(self._edge(on, joined, is_left=side == "LEFT"))
        for name in joined.tables:
            joined.way(sources[0].alias_or_name, name)
        return joined

    def _edge(self, on: exp.Expression, joined: _Joined, *, is_left: bool) -> _Edge:
        ends: dict[str, bool] = {}
        for part in _conjuncts(on):
            if not isinstance(part, exp.EQ):
                raise _GiveUpError
            for side in (part.left, part.right):
                columns = list(side.find_all(exp.Column))
                if len(columns) != 1:
                    raise _GiveUpError
                name = self._source_of(columns[0], joined)
                table = self._table(name, joined)
                ends[name] = ends.get(name, False) or self._unique(table, columns[0].name)
        if len(ends) != 2:  # noqa: PLR2004 - two ends
            raise _GiveUpError
        (one, one_is), (other, other_is) = ends.items()
        return _Edge(one, other, on, one_is, other_is, is_left)

    def _table(self, name: str, joined: _Joined) -> str:
        found = self._catalog.table(joined.tables[name].name)
        if found is None:
            raise _GiveUpError
        return found.name

    def _source_of(self, column: exp.Column, joined: _Joined | None = None) -> str:
        """Names the table that a column is of, also where the statement does not say."""
        known = joined or self._joined
        if column.table:
            if column.table not in known.tables:
                raise _GiveUpError
            return str(column.table)
        homes = [
            name
            for name in known.tables
            if self._catalog.column(self._table(name, known), column.name) is not None
        ]
        if len(homes) != 1:
            raise _GiveUpError
        column.set("table", exp.to_identifier(homes[0], quoted=True))
        return homes[0]

    def _sources_in(self, node: exp.Expression) -> set[str]:
        if node.find(exp.Query):
            raise _GiveUpError
        return {self._source_of(one) for one in node.find_all(exp.Column)}

    def _read_groups(self) -> list[exp.Expression]:
        group = self._tree.args.get("group")
        found: list[exp.Expression] = []
        if group is not None and {name for name, told in group.args.items() if told} - {
            "expressions"
        }:
            raise _GiveUpError
        for one in group.expressions if group else ():
            shown = one
            if one.is_int:
                shown = self._tree.selects[int(one.name) - 1].unalias()
            elif isinstance(one, exp.Column) and not one.table:
                alias = [each for each in self._tree.selects if each.alias == one.name]
                shown = alias[0].unalias() if alias else one
            self._sources_in(shown)
            found.append(shown)
        return found

    def _read_tests(self) -> list[exp.Expression]:
        where = self._tree.args.get("where")
        tests = list(_conjuncts(where.this)) if where else []
        for one in tests:
            self._sources_in(one)
        return tests

    def _read_aggregates(self) -> dict[str, exp.Expression]:
        """Returns the aggregates by how they are written, each once."""
        found: dict[str, exp.Expression] = {}
        for part in self._parts():
            for one in part.find_all(exp.AggFunc):
                whole = one.parent if isinstance(one.parent, exp.Filter) else one
                found.setdefault(_written(whole), whole)
        if not found:
            raise _GiveUpError
        return found

    def _parts(self) -> Iterator[exp.Expression]:
        yield from self._tree.selects
        for name in ("having", "order"):
            if self._tree.args.get(name):
                yield self._tree.args[name]

    # grains

    def rewritten(self) -> str | None:
        """Writes the statement anew where an aggregate counts rows more than once."""
        grains: dict[str, list[str]] = {}
        is_wrong = False
        for text, one in self._aggregates.items():
            owner = self._owner(one)
            grains.setdefault(owner, []).append(text)
            is_wrong |= self._counts_twice(one, owner)
        if not is_wrong:
            return None
        if len(grains) == 1:
            return self._of_one_grain(next(iter(grains)))
        return self._of_several_grains(grains)

    def _owner(self, aggregate: exp.Expression) -> str:
        """Names the table whose rows an aggregate is of."""
        used = self._sources_in(aggregate)
        inner = aggregate.this if isinstance(aggregate, exp.Filter) else aggregate
        counted = {self._source_of(one) for one in inner.find_all(exp.Column)}
        if counted and not inner.find(exp.Distinct):
            finest = [one for one in counted if self._leads_to_all(one, used)]
        else:
            finest = [one for one in self._joined.tables if not self._joined.is_repeated(one)]
        if not finest:
            raise _GiveUpError
        return finest[0]

    def _leads_to_all(self, name: str, others: set[str]) -> bool:
        return all(self._joined.leads_to_one(name, one) for one in others)

    def _counts_twice(self, aggregate: exp.Expression, owner: str) -> bool:
        inner = aggregate.this if isinstance(aggregate, exp.Filter) else aggregate
        if isinstance(inner, ONCE) or inner.find(exp.Distinct):
            return False
        return self._joined.is_repeated(owner)

    # writing

    def _of_one_grain(self, owner: str) -> str:
        made = self._from_rows_of(owner, list(self._aggregates.values()))
        for name in ("expressions", "group", "having", "order", "limit", "offset"):
            if self._tree.args.get(name):
                told = self._tree.args[name]
                made.set(
                    name, [one.copy() for one in told] if name == "expressions" else told.copy()
                )
        return str(made.sql(dialect="duckdb"))

    def _from_rows_of(self, owner: str, aggregates: Sequence[exp.Expression]) -> exp.Select:
        """Selects the rows of one table that meet all tests, each once, with what is needed."""
        needed = {name for one in [*self._groups, *aggregates] for name in self._sources_in(one)}
        if not self._leads_to_all(owner, needed):
            raise _GiveUpError
        plain, branches = self._parted_tests(owner)
        needed |= {name for one in plain for name in self._sources_in(one)}
        needed |= {self._anchor(owner, branch) for branch in branches}
        made = exp.select().from_(self._joined.tables[owner].copy())
        for edge, name in self._steps(owner, needed):
            made = made.join(self._joined.tables[name].copy(), on=edge.on.copy(), join_type="")
        tests = [one.copy() for one in plain]
        tests += [self._exists(owner, branch, inside) for branch, inside in branches.items()]
        return made.where(*tests) if tests else made

    def _steps(self, owner: str, needed: set[str]) -> list[tuple[_Edge, str]]:
        steps: dict[str, _Edge] = {}
        for name in self._joined.tables:
            for edge, there, _ in self._joined.way(owner, name) if name in needed else ():
                if edge.is_left:
                    raise _GiveUpError
                steps.setdefault(there, edge)
        return [(edge, name) for name, edge in steps.items()]

    def _parted_tests(
        self, owner: str
    ) -> tuple[list[exp.Expression], dict[str, list[exp.Expression]]]:
        """Parts the tests of the rows themselves from those of rows that belong to them."""
        plain: list[exp.Expression] = []
        branches: dict[str, list[exp.Expression]] = {}
        for one in self._tests:
            many = [
                name
                for name in sorted(self._sources_in(one))
                if not self._joined.leads_to_one(owner, name)
            ]
            if not many:
                plain.append(one)
                continue
            heads = {self._branch(owner, name) for name in many}
            if len(heads) != 1:
                raise _GiveUpError
            branches.setdefault(heads.pop(), []).append(one)
        return plain, branches

    def _branch(self, owner: str, name: str) -> str:
        """Names the first table on a way whose rows belong to one row of the table before."""
        return next(there for _, there, to_one in self._joined.way(owner, name) if not to_one)

    def _anchor(self, owner: str, branch: str) -> str:
        """Names the table before a branch."""
        edge = self._joined.way(owner, branch)[-1][0]
        return edge.one if edge.other == branch else edge.other

    def _exists(self, owner: str, branch: str, tests: Sequence[exp.Expression]) -> exp.Expression:
        edge = self._joined.way(owner, branch)[-1][0]
        if edge.is_left:
            raise _GiveUpError
        inside = {name for one in tests for name in self._sources_in(one)}
        inside = {
            name
            for name in inside
            if not self._joined.leads_to_one(owner, name) and self._branch(owner, name) == branch
        }
        made = exp.select("1").from_(self._joined.tables[branch].copy())
        for each, name in self._steps(branch, inside - {branch}):
            made = made.join(self._joined.tables[name].copy(), on=each.on.copy(), join_type="")
        return exp.Exists(this=made.where(edge.on.copy(), *(one.copy() for one in tests)))

    def _of_several_grains(self, grains: dict[str, list[str]]) -> str:
        """Adds up each grain apart and puts the sums side by side."""
        parts: dict[str, str] = {}
        named: dict[str, exp.Expression] = {}
        outer = exp.select()
        for number, (owner, texts) in enumerate(grains.items()):
            part = parts[owner] = f"of_{owner}"
            aggregates = [self._aggregates[text] for text in texts]
            inner = self._from_rows_of(owner, aggregates)
            for at, one in enumerate(self._groups):
                inner = inner.select(exp.alias_(one.copy(), f"by_{at}"))
            for at, (text, one) in enumerate(zip(texts, aggregates, strict=True)):
                name = f"measure_{number}_{at}"
                inner = inner.select(exp.alias_(one.copy(), name))
                named[text] = self._shown(one, exp.column(name, table=part, quoted=True))
            if self._groups:
                inner = inner.group_by(*(one.copy() for one in self._groups))
            outer = outer.with_(exp.to_identifier(part, quoted=True), as_=inner)
        named |= {_written(one): self._key(at, parts) for at, one in enumerate(self._groups)}
        return str(self._side_by_side(outer, parts, named).sql(dialect="duckdb"))

    def _shown(self, aggregate: exp.Expression, column: exp.Expression) -> exp.Expression:
        """Shows a count of a group that has no such rows as nought."""
        inner = aggregate.this if isinstance(aggregate, exp.Filter) else aggregate
        if isinstance(inner, exp.Count) and self._groups:
            return exp.Coalesce(this=column, expressions=[exp.Literal.number(0)])
        return column

    def _key(self, at: int, parts: dict[str, str]) -> exp.Expression:
        first, *rest = (exp.column(f"by_{at}", table=part, quoted=True) for part in parts.values())
        return exp.Coalesce(this=first, expressions=rest) if rest else first

    def _side_by_side(
        self, outer: exp.Select, parts: dict[str, str], named: dict[str, exp.Expression]
    ) -> exp.Select:
        """Joins the parts, each aggregated by itself, by the groups that they share."""
        outer = outer.select(*(self._outer_shown(one, named) for one in self._tree.selects))
        known: dict[str, str] = {}
        for owner, part in parts.items():
            source = exp.to_table(part)
            source.this.set("quoted", True)
            if not known:
                outer = outer.from_(source)
            elif not self._groups:
                outer = outer.join(source, join_type="cross")
            else:
                tests = [
                    exp.NullSafeEQ(
                        this=self._key(at, known),
                        expression=exp.column(f"by_{at}", table=part, quoted=True),
                    )
                    for at in range(len(self._groups))
                ]
                outer = outer.join(source, on=exp.and_(*tests), join_type="full")
            known[owner] = part
        return self._finished(outer, named)

    def _finished(self, outer: exp.Select, named: dict[str, exp.Expression]) -> exp.Select:
        having = self._tree.args.get("having")
        if having is not None:
            outer = outer.where(self._replaced(having.this, named))
        order = self._tree.args.get("order")
        if order is not None:
            outer = outer.order_by(*(self._replaced(one, named) for one in order.expressions))
        for name in ("limit", "offset"):
            if self._tree.args.get(name):
                outer.set(name, self._tree.args[name].copy())
        return outer

    def _outer_shown(self, one: exp.Expression, named: dict[str, exp.Expression]) -> exp.Expression:
        name = one.alias_or_name or _written(one)
        return exp.alias_(self._replaced(one.unalias(), named), name, quoted=True)

    def _replaced(self, node: exp.Expression, named: dict[str, exp.Expression]) -> exp.Expression:
        """Puts results of the grains in place of what they are of."""
        shown = {one.alias for one in self._tree.selects if one.alias}

        def put(one: exp.Expression) -> exp.Expression:
            found = named.get(_written(one))
            return found.copy() if found is not None else one

        made = node.copy().transform(put)
        for column in made.find_all(exp.Column):
            inside = column.table.startswith("of_")
            if not inside and not (not column.table and column.name in shown):
                raise _GiveUpError
        return made


def _conjuncts(node: exp.Expression) -> Iterator[exp.Expression]:
    node = node.unnest()
    if isinstance(node, exp.And):
        yield from _conjuncts(node.left)
        yield from _conjuncts(node.right)
    else:
        yield node


def _written(node: exp.Expression) -> str:
    return str(node.sql(dialect="duckdb"))
