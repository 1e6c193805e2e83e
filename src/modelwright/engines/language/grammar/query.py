"""A question's meaning before SQL: what is computed, of which rows, in which groups and order."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date

from modelwright.engines.facts import Value
from modelwright.engines.language.catalog.meaning import Catalog, Relationship
from modelwright.engines.language.vocabulary import Aggregate
from modelwright.engines.language.wording import listed

NUL = "\0"
"""What no SQL can hold between its quotes."""


@dataclass(frozen=True, slots=True)
class Field:
    """A column, by time unit or as it is."""

    table: str
    column: str
    unit: str = ""
    """`year`, `month` and so on where dates are cut; `decade` of years in numbers too."""
    is_date: bool = False
    width: float = 0
    """How wide the ranges are that numbers are counted in."""


@dataclass(frozen=True, slots=True)
class Number:
    """What is computed: an aggregate of a column, a number of rows, or a share."""

    aggregate: Aggregate | None = None
    field: Field | None = None
    is_count: bool = False
    is_distinct: bool = False
    share: tuple["Filter", ...] = ()
    """The percentage of rows that meet these."""
    per: Field | None = None
    """What rows are counted for each of, on average."""
    over: Field | None = None
    """What the total of a column is divided by the total of: `cost per hour`."""


@dataclass(frozen=True, slots=True)
class Filter:
    """A test of rows, or with `number` one of groups."""

    field: Field | None
    operator: str
    """`=`, `!=`, `in`, `not in`, `>`, `>=`, `<`, `<=`, `between`, `range`, `missing`, `given`."""
    values: tuple[Value, ...] = ()
    number: Number | None = None
    part: str = ""
    """`month`, `weekday` or `hour` of a date."""
    low: date | None = None
    high: date | None = None
    of_mean: bool = False
    """Whether the number of a group is held against its mean over all groups."""


@dataclass(frozen=True, slots=True)
class Related:
    """Rows that some or no rows of another table lead to."""

    way: tuple[Relationship, ...]
    """The keys from that table to the rows."""
    negated: bool
    filters: tuple[Filter, ...] = ()

    @property
    def table(self) -> str:
        """The table whose rows lead there."""
        return self.way[0].table


@dataclass(slots=True)
class Query:
    """One question."""

    table: str
    shown: list[Field] = field(default_factory=list)
    numbers: list[Number] = field(default_factory=list)
    groups: list[Field] = field(default_factory=list)
    filters: list[Filter] = field(default_factory=list)
    having: list[Filter] = field(default_factory=list)
    related: list[Related] = field(default_factory=list)
    order: Number | Field | None = None
    descending: bool = True
    limit: int | None = None
    each: Field | None = None
    """What the first are wanted of each of: `the largest city of each country`."""
    distinct: bool = False
    hides_number: bool = False
    """Whether groups are ranked by a number that is not shown."""
    counts_groups: bool = False
    """Whether the groups that pass are counted: `how many customers have 3 orders`."""


class UnreachableError(Exception):
    """A column is of a table that the rows do not lead to, or by more than one way."""


def quoted(name: str) -> str:
    """Writes a name so that SQL takes it as it is."""
    return '"' + name.replace('"', '""') + '"'


def literal(value: Value) -> str:
    """Writes a value."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | float):
        return f"{value:g}" if isinstance(value, float) and abs(value) < 1e15 else str(value)  # noqa: PLR2004
    parts = ["'" + part.replace("'", "''") + "'" for part in str(value).split(NUL)]
    return parts[0] if len(parts) == 1 else f"({' || chr(0) || '.join(parts)})"


class Compiler:
    """Writes SQL of one query, joining only towards tables of which each row has at most one."""

    def __init__(
        self,
        query: Query,
        catalog: Catalog,
        alike: Mapping[tuple[str, str], Sequence[tuple[str, str]]] | None = None,
    ) -> None:
        self._alike = alike or {}
        self._query = query
        self._catalog = catalog
        self._joined: dict[str, list[Relationship]] = {}
        self._rows = ""

    def sql(self) -> str:
        """Writes the query.

        Raises:
            UnreachableError: A column cannot be joined without repeating rows.
        """
        told = self._sql()
        counted = f'SELECT count(*) AS "count" FROM ({told})'  # noqa: S608
        return counted if self._query.counts_groups else told

    def _sql(self) -> str:
        for one in _fields(self._query):
            self._reach(one.table)
        selected = self._selected()
        self._rows = self._source()
        return " ".join([selected, self._rows, *self._grouped(), *self._ordered()])

    def _selected(self) -> str:
        query = self._query
        shown = [self._named(one) for one in query.groups or query.shown]
        if not query.hides_number:
            shown += [self._labelled(one) for one in query.numbers]
        if not shown and self._joined:
            return f"SELECT {quoted(query.table)}.*"
        return f"SELECT {'DISTINCT ' if query.distinct else ''}{', '.join(shown) or '*'}"

    def _source(self) -> str:
        """Writes which rows are read: tables, joins and tests."""
        query = self._query
        source = [f"FROM {quoted(query.table)}", *_joins(self._joined.values())]
        tests = [self._test(one) for one in query.filters]
        tests += [self._related(one) for one in query.related]
        if tests:
            source.append("WHERE " + " AND ".join(tests))
        return " ".join(source)

    def _grouped(self) -> list[str]:
        query, parts = self._query, []
        if query.groups and (query.numbers or query.having or query.order is not None):
            parts.append("GROUP BY " + ", ".join(self._field(one) for one in query.groups))
        if query.having:
            parts.append("HAVING " + " AND ".join(self._test(one) for one in query.having))
        return parts

    def _ordered(self) -> list[str]:
        query = self._query
        keys = []
        if isinstance(query.order, Number):
            keys = [self._number(query.order)]
        elif query.order is not None:
            keys = [self._field(query.order)]
        elif query.groups and any(one.unit or one.width for one in query.groups):
            return ["ORDER BY " + ", ".join(self._field(one) for one in query.groups)]
        if not keys:
            return []
        way = "DESC" if query.descending else "ASC"
        if query.each is not None:
            each = self._field(query.each)
            first = next(one for one in query.groups or query.shown if one != query.each)
            order = f"{keys[0]} {way} NULLS LAST, {self._field(first)} ASC"
            ranked = f"row_number() OVER (PARTITION BY {each} ORDER BY {order})"
            return [f"QUALIFY {ranked} <= {query.limit} ORDER BY {each} ASC, {keys[0]} {way}"]
        ties = [one for one in query.groups or query.shown if one != query.order]
        told = [
            "ORDER BY "
            + ", ".join(
                [f"{keys[0]} {way} NULLS LAST", *(f"{self._field(one)} ASC" for one in ties)]
            )
        ]
        return told + ([f"LIMIT {query.limit}"] if query.limit else [])

    def _reach(self, table: str) -> None:
        if table != self._query.table and table not in self._joined:
            self._joined[table] = self._way(self._query.table, table)

    def _way(self, start: str, goal: str) -> list[Relationship]:
        ways = paths(self._catalog, start, goal)
        if len(ways) != 1:
            raise UnreachableError(goal)
        return ways[0]

    def _column(self, one: Field) -> str:
        name = quoted(one.column)
        told = f"{quoted(one.table)}.{name}" if self._joined or self._query.related else name
        spelt = self._alike.get((one.table, one.column))
        if not spelt:
            return told
        kinds = " ".join(
            f"WHEN {literal(written)} THEN {literal(shown)}" for written, shown in spelt
        )
        return f"CASE {told} {kinds} ELSE {told} END"

    def _field(self, one: Field) -> str:
        column = self._column(one)
        if one.width:
            return f"floor({column} / {one.width:g}) * {one.width:g}"
        if not one.unit:
            return column
        if one.unit == "decade":
            year = f"year({column})" if one.is_date else column
            return f"({year} // 10 * 10)"
        if one.unit in {"weekday", "month of year", "hour of day"}:
            made = {"weekday": "dayname", "month of year": "month", "hour of day": "hour"}
            return f"{made[one.unit]}({column})"
        return f"year({column})" if one.unit == "year" else f"date_trunc('{one.unit}', {column})"

    def _named(self, one: Field) -> str:
        if one.width:
            return f"{self._field(one)} AS {quoted(one.column)}"
        if not one.unit:
            told = self._column(one)
            is_read = (one.table, one.column) in self._alike
            return f"{told} AS {quoted(one.column)}" if is_read else told
        return f"{self._field(one)} AS {quoted(one.unit.replace(' ', '_'))}"

    def _number(self, one: Number) -> str:
        if one.share:
            return self._share(one)
        if one.per is not None:
            told = self._field(one.per)
            return f"count({told}) / nullif(count(DISTINCT {told}), 0)"
        if one.is_count:
            if one.field is None:
                return "count(*)"
            distinct = "DISTINCT " if one.is_distinct else ""
            return f"count({distinct}{self._field(one.field)})"
        if one.aggregate is None or one.field is None:
            return "count(*)"
        told = one.aggregate.of(self._column(one.field))
        return f"{told} / nullif(sum({self._column(one.over)}), 0)" if one.over else told

    def _share(self, one: Number) -> str:
        tests = " AND ".join(self._test(each) for each in one.share)
        whole = f"sum({self._field(one.field)})" if one.field else "count(*)"
        return f"100.0 * {whole} FILTER (WHERE {tests}) / nullif({whole}, 0)"

    def _labelled(self, one: Number) -> str:
        return f"{self._number(one)} AS {quoted(label(one))}"

    def _test(self, one: Filter) -> str:
        told = self._number(one.number) if one.number else self._field(one.field or Field("", ""))
        if one.part:
            made = {"month": "month", "weekday": "isodow", "hour": "hour"}[one.part]
            told = f"{made}({told})"
        listed = ", ".join(map(literal, one.values))
        if one.of_mean:
            return f"{told} {one.operator} ({self._mean(told)})"
        if one.operator == "range":
            tests = [f"{told} >= DATE '{one.low}'"] if one.low else []
            tests += [f"{told} < DATE '{one.high}'"] if one.high else []
            return "(" + " AND ".join(tests) + ")"
        if one.operator in {"in", "not in"}:
            return f"{told} {one.operator.upper()} ({listed})"
        if one.operator == "between":
            low, high = map(literal, one.values)
            return f"{told} BETWEEN {low} AND {high}"
        if one.operator in {"missing", "given"}:
            return f"{told} IS {'NOT ' if one.operator == 'given' else ''}NULL"
        operator = "<>" if one.operator == "!=" else one.operator
        return f"{told} {operator} {listed}"

    def _mean(self, number: str) -> str:
        """Writes the mean of a number over all groups."""
        groups = ", ".join(self._field(one) for one in self._query.groups)
        each = f"SELECT {number} AS n {self._rows} GROUP BY {groups}"
        return f"SELECT avg(n) FROM ({each})"  # noqa: S608

    def _related(self, one: Related) -> str:
        *before, last = one.way
        tables = {each.field.table for each in one.filters if each.field} - {one.table}
        ways = [before, *(self._way(one.table, table) for table in sorted(tables))]
        inner = f"{quoted(last.table)}.{quoted(last.column)}"
        outer = f"{quoted(last.to_table)}.{quoted(last.to_column)}"
        tests = [f"{inner} = {outer}", *(self._test(each) for each in one.filters)]
        told = " ".join([f"SELECT 1 FROM {quoted(one.table)}", *_joins(ways)])  # noqa: S608
        return f"{'NOT ' if one.negated else ''}EXISTS ({told} WHERE {' AND '.join(tests)})"


def _joins(ways: Iterable[Sequence[Relationship]]) -> list[str]:
    told: dict[str, str] = {}
    for way in ways:
        for key in way:
            left = f"{quoted(key.table)}.{quoted(key.column)}"
            right = f"{quoted(key.to_table)}.{quoted(key.to_column)}"
            told[key.to_table] = f"JOIN {quoted(key.to_table)} ON {left} = {right}"
    return list(told.values())


def _fields(query: Query) -> list[Field]:
    found = [*query.shown, *query.groups]
    numbers = [*query.numbers, *(one.number for one in query.having if one.number)]
    if isinstance(query.order, Number):
        numbers.append(query.order)
    elif query.order is not None:
        found.append(query.order)
    for number in numbers:
        found += [one for one in (number.field, number.per, number.over) if one]
        found += [one.field for one in number.share if one.field]
    return [*found, *(one.field for one in query.filters if one.field)]


def paths(catalog: Catalog, start: str, goal: str) -> list[list[Relationship]]:
    """Finds the shortest ways along many-to-one keys; several where it is not sure which."""
    edge: list[tuple[str, list[Relationship]]] = [(start, [])]
    seen = {start}
    while edge:
        found = [way for table, way in edge if table == goal]
        if found:
            return found
        following: list[tuple[str, list[Relationship]]] = []
        for table, way in edge:
            following += [
                (key.to_table, [*way, key])
                for key in catalog.relationships
                if key.table == table and key.to_table not in seen and key.to_table != table
            ]
        seen |= {table for table, _ in following}
        edge = following
    return []


def linking(catalog: Catalog, tables: Collection[str]) -> str | None:
    """Finds the table whose rows lead to those of all others; None where it is not sure which.

    One that only links them, without a key of its own, is surer than one that tells more of them.
    """
    ways = {
        one.name: [paths(catalog, one.name, table) for table in tables if table != one.name]
        for one in catalog.tables
    }
    found = {
        name: sum(len(way[0]) for way in told)
        for name, told in ways.items()
        if all(len(way) == 1 for way in told)
    }
    nearest = [name for name, steps in found.items() if steps == min(found.values())]
    plain = [one.name for one in catalog.tables if one.name in nearest and one.key is None]
    sure = nearest if len(nearest) == 1 else plain
    return sure[0] if len(sure) == 1 else None


def label(one: Number) -> str:
    """Names a number in the result."""
    if one.share:
        return "percent"
    if one.over is not None:
        return "ratio"
    if one.per is not None:
        return "avg_count"
    if one.is_count:
        return f"distinct_{one.field.column}" if one.field and one.is_distinct else "count"
    name = one.field.column if one.field else ""
    return f"{one.aggregate.name}_{name}" if one.aggregate else name


def in_words(query: Query) -> str:
    """Says in a sentence what a query shows."""
    text = f"{_shown_said(query)} of {query.table.replace('_', ' ')}"
    if query.counts_groups:
        text = f"How many there are: {text[:1].lower()}{text[1:]}"
    tests = [_test_said(one) for one in query.filters]
    tests += [_related_said(one) for one in query.related]
    if tests:
        text += " where " + " and ".join(tests)
    if query.groups and query.numbers:
        text += " for each " + listed([_field_said(one) for one in query.groups])
    for one in query.having:
        text += " with " + _test_said(one)
    return f"{text}{_sorting_said(query)}."


def _shown_said(query: Query) -> str:
    """Says what is shown: numbers, groups without one, or columns."""
    said = [_number_said(one) for one in query.numbers]
    said = said or [_field_said(one) for one in query.groups or query.shown]
    if not said:
        return "All columns"
    return f"The {'different ' if query.distinct else ''}{listed(said)}"


def _sorting_said(query: Query) -> str:
    """Says in which order it is shown, and how much of it."""
    by = query.order
    if by is None:
        return ""
    told = _number_said(by) if isinstance(by, Number) else _field_said(by)
    first = f", the first {query.limit} only" if query.limit else ""
    if query.each is not None:
        first = f", the first {query.limit} of each {_field_said(query.each)}"
    return f", sorted by {told} {'falling' if query.descending else 'rising'}{first}"


def _field_said(one: Field) -> str:
    name = one.column.replace("_", " ")
    if one.width:
        return f"range of {name} ({one.width:g} wide)"
    return f"{one.unit} of {name}" if one.unit else name


def _number_said(one: Number) -> str:
    if one.share:
        of = f"the total {_field_said(one.field)}" if one.field else "rows"
        return f"percentage of {of} where " + " and ".join(_test_said(each) for each in one.share)
    if one.per is not None:
        return f"average number of rows for each {_field_said(one.per)}"
    if one.is_count:
        told = _field_said(one.field) if one.field else ""
        return f"number of different {told}" if told else "number of rows"
    if one.aggregate is None or one.field is None:
        return "number of rows"
    told = one.aggregate.said.format(_field_said(one.field))
    return f"{told} divided by the total {_field_said(one.over)}" if one.over else told


_SAID = {
    "=": "is", "!=": "is not", "in": "is one of", "not in": "is none of", ">": "is more than",
    ">=": "is at least", "<": "is less than", "<=": "is at most",
}  # fmt: skip


def _related_said(one: Related) -> str:
    told = f"{'no' if one.negated else 'some'} {one.table.replace('_', ' ')} belong to it"
    tests = " and ".join(map(_test_said, one.filters))
    return f"{told} whose {tests}" if tests else told


def _test_said(one: Filter) -> str:
    name = _number_said(one.number) if one.number else _field_said(one.field or Field("", ""))
    if one.part:
        name = f"{one.part} of {name}"
    values = listed([str(value) for value in one.values])
    if one.of_mean:
        return f"{name} {_SAID[one.operator]} the average of all"
    if one.operator == "range":
        low = f"from {one.low}" if one.low else ""
        high = f"before {one.high}" if one.high else ""
        return f"{name} is {' and '.join(told for told in (low, high) if told)}"
    if one.operator in {"missing", "given"}:
        return f"{name} is {one.operator}"
    if one.operator == "between":
        return f"{name} is between {values}"
    return f"{name} {_SAID[one.operator]} {values}"
