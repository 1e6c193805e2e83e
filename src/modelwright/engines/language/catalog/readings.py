"""Makes SQL that can run of SQL that readers write: metrics, dates, filters, first weekdays.

Readers see each metric as one more column of numbers of its table, so that every reader can use
it; what they write over that column is then written over the metric's own expression. So it is
with texts that the catalog tells to be dates: readers see dates.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import TYPE_CHECKING

from modelwright.engines.facts import ColumnFacts, Value
from modelwright.engines.language.catalog.meaning import (
    Additivity,
    Catalog,
    CatalogColumn,
    CatalogTable,
    Metric,
    Role,
    metric_column,
)
from modelwright.engines.language.rules.columns.schema import TableFacts
from modelwright.engines.language.temporal.calendar import DAYS_PER_WEEK
from modelwright.engines.language.written_dates import (
    READS_DATES,
    date_of,
    is_reading,
    parsed_formats,
    read_as_dates,
    sql_type_of,
)

if TYPE_CHECKING:
    from sqlglot import exp
    from sqlglot.optimizer.scope import Scope

Place = tuple[str, str]
"""A table and a column."""
DATE_TYPES = ("DATE", "TIMESTAMP")
"""What types of columns are called that hold dates."""
KEPT_READINGS = 64
"""Statements of one catalog whose meaning is remembered."""


@dataclass(frozen=True, slots=True)
class Meant:
    """SQL as it is meant by a catalog, and what must be said of it."""

    sql: str
    notes: tuple[str, ...] = ()
    """Whole sentences."""
    whole_metrics: tuple[str, ...] = ()
    """Metrics that are no sums, which readers speak of as averages or totals."""

    def explained(self, interpretation: str) -> str:
        """Adds what must be said to a reader's sentence."""
        for name in self.whole_metrics:
            for words in ("average ", "total ", "mean "):
                interpretation = interpretation.replace(f"{words}{name}", name)
        return " ".join([interpretation, *self.notes])


def as_readers_see(
    tables: Sequence[TableFacts], catalog: Catalog, values: Mapping[Place, list[Value]]
) -> tuple[tuple[TableFacts, ...], Catalog, dict[Place, list[Value]]]:
    """Adds the metrics to their tables as columns, and tells texts that are dates as dates.

    Args:
        tables: What the data hold.
        catalog: What they mean.
        values: Values beyond those of the facts, by table and column.

    Returns:
        All three as readers are shown them.
    """
    formats = written_dates(catalog)
    tables = [_with_dates(one, formats, values) for one in tables]
    catalog = replace(catalog, tables=tuple(_dated(one, formats) for one in catalog.tables))
    return (*_with_metrics(tables, catalog), {k: v for k, v in values.items() if k not in formats})


def written_dates(catalog: Catalog) -> dict[Place, tuple[str, ...]]:
    """Returns how dates are written in the columns that hold them as texts or whole numbers."""
    found = {
        (table.name, one.name): parsed_formats(one.format)
        for table in catalog.tables
        for one in table.columns
        if one.role is Role.DATE and not one.sql_type.startswith(DATE_TYPES)
    }
    return {place: formats for place, formats in found.items() if formats}


def _with_dates(
    table: TableFacts, formats: Mapping[Place, tuple[str, ...]], values: Mapping[Place, list[Value]]
) -> TableFacts:
    columns = []
    for facts in table.columns:
        place = (table.name, facts.name)
        told = formats.get(place)
        columns.append(read_as_dates(facts, told, values.get(place, ())) if told else facts)
    return replace(table, columns=tuple(columns))


def _dated(table: CatalogTable, formats: Mapping[Place, tuple[str, ...]]) -> CatalogTable:
    columns = (
        replace(one, sql_type=sql_type_of(told))
        if (told := formats.get((table.name, one.name)))
        else one
        for one in table.columns
    )
    return replace(table, columns=tuple(columns))


def _with_metrics(
    tables: Sequence[TableFacts], catalog: Catalog
) -> tuple[tuple[TableFacts, ...], Catalog]:
    """Adds the metrics to their tables as columns."""
    by_table: dict[str, list[Metric]] = {}
    for metric in catalog.metrics:
        by_table.setdefault(metric.table, []).append(metric)
    seen = tuple(
        replace(one, columns=(*one.columns, *(_facts(each, one) for each in by_table[one.name])))
        if one.name in by_table
        else one
        for one in tables
    )
    named = tuple(
        replace(one, columns=(*one.columns, *map(_column, by_table.get(one.name, ()))))
        for one in catalog.tables
    )
    return seen, replace(catalog, tables=named)


def _facts(metric: Metric, table: TableFacts) -> ColumnFacts:
    rows = max((one.rows for one in table.columns), default=0)
    return ColumnFacts(metric_column(metric.name), "float", rows, 0, rows, None, None, ())


def _column(metric: Metric) -> CatalogColumn:
    is_sum = summed(metric) is not None
    return CatalogColumn(
        metric_column(metric.name),
        metric_column(metric.name),
        metric.name.replace("_", " "),
        Role.MEASURE,
        "DOUBLE",
        Additivity.SUM if is_sum else Additivity.AVERAGE,
        synonyms=metric.synonyms,
    )


@lru_cache(maxsize=256)
def _parsed(text: str) -> "exp.Expression":
    from sqlglot import parse_one  # noqa: PLC0415 - heavy

    return parse_one(text, dialect="duckdb")


def summed(metric: Metric) -> "exp.Expression | None":
    """Returns what a metric adds up of each row; None of any other aggregate."""
    from sqlglot import exp  # noqa: PLC0415 - heavy

    tree = _parsed(metric.expression)
    is_sum = isinstance(tree, exp.Sum) and not isinstance(tree.this, exp.Distinct)
    return tree.this if is_sum else None


class _NoMeaningError(Exception):
    """A metric is used in a way that has no meaning."""


@dataclass
class CatalogReadings:
    """Writes out what one catalog adds to the SQL of readers. Thread-safe."""

    catalog: Catalog
    _by_column: dict[tuple[str, str], Metric] = field(default_factory=dict)
    _formats: dict[Place, tuple[str, ...]] = field(default_factory=dict)
    _known: dict[str, Meant | None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._by_column = {
            (one.table, metric_column(one.name)): one for one in self.catalog.metrics
        }
        self._formats = written_dates(self.catalog)

    def meant(self, sql: str) -> Meant | None:
        """Writes out what SQL of a reader means.

        Args:
            sql: One SELECT over the tables as readers see them.

        Returns:
            SQL that can run; None where it uses a metric in a way that has no meaning.
        """
        if not self._concerns(sql):
            return Meant(sql)
        if sql not in self._known:
            if len(self._known) >= KEPT_READINGS:
                self._known.clear()
            self._known[sql] = self._meant(sql)
        return self._known[sql]

    def as_seen(self, sql: str) -> str:
        """Names the columns that `meant` reads as dates: readers see dates.

        Args:
            sql: What `meant` gave.

        Returns:
            SQL over the tables as readers see them.
        """
        from sqlglot import exp, parse_one  # noqa: PLC0415 - heavy
        from sqlglot.errors import SqlglotError  # noqa: PLC0415 - heavy

        names = {name.casefold() for _, name in self._formats}
        if not names or READS_DATES not in sql:
            return sql
        try:
            tree = parse_one(sql, dialect="duckdb")
        except (SqlglotError, ValueError, RecursionError):
            return sql
        for one in list(tree.find_all(exp.Cast)):
            columns = list(one.this.find_all(exp.Column)) if is_reading(one.this) else []
            if len(columns) == 1 and columns[0].name.casefold() in names:
                one.replace(columns[0].copy())
        return str(tree.sql(dialect="duckdb"))

    def _concerns(self, sql: str) -> bool:
        """Tells quickly whether there may be anything to write out."""
        told = sql.casefold()
        has_metric = any(name in told for _, name in self._by_column)
        has_date = any(name.casefold() in told for _, name in self._formats)
        has_filter = any(one.default_filter for one in self.catalog.tables)
        has_week = self.catalog.calendar.first_day_of_week != 1 and "week" in told
        return has_metric or has_date or has_filter or has_week

    def _meant(self, sql: str) -> Meant | None:
        from sqlglot.errors import SqlglotError  # noqa: PLC0415 - heavy

        try:
            return _Writing(self.catalog, self._by_column, self._formats, sql).meant()
        except _NoMeaningError:
            return None
        except (SqlglotError, ValueError, KeyError, RecursionError):
            return Meant(sql)  # the sandbox says what is wrong with it


def _shows_as_stored(select: "exp.Expression", column: "exp.Expression", *, is_whole: bool) -> bool:
    """Tells whether a column is shown, or makes groups, without anything being computed of it.

    What another part of the statement reads is a date there too.
    """
    from sqlglot import exp  # noqa: PLC0415 - heavy

    place = column.parent
    place = place.parent if isinstance(place, exp.Alias) else place
    is_plain = place is select or isinstance(place, exp.Group)
    return is_plain and is_whole and not select.args.get("distinct")


def _named_keys(ordered: "exp.Expression") -> "list[tuple[exp.Expression, str]]":
    """Returns what sorts by something shown, and its name or its number there."""
    from sqlglot import exp  # noqa: PLC0415 - heavy

    if isinstance(ordered.this, exp.Literal):
        return [(ordered.this, ordered.this.name)]
    columns = ordered.find_all(exp.Column)
    return [(one, one.name.casefold()) for one in columns if not one.table]


def _is_read_as_text(column: "exp.Expression") -> bool:
    """Tells whether a statement reads the text itself, as people write it who know the data."""
    from sqlglot import exp  # noqa: PLC0415 - heavy

    by_text = (exp.Like, exp.ILike, exp.RegexpLike, exp.SplitPart, exp.Substring, exp.Left)
    above = column.parent
    while isinstance(above, exp.Cast | exp.Array | exp.Paren):
        above = above.parent
    return above is not None and (is_reading(above) or isinstance(above, by_text))


class _Writing:
    """One statement being written out."""

    def __init__(
        self,
        catalog: Catalog,
        metrics: Mapping[Place, Metric],
        formats: Mapping[Place, tuple[str, ...]],
        sql: str,
    ) -> None:
        from sqlglot import parse_one  # noqa: PLC0415 - heavy
        from sqlglot.optimizer.qualify import qualify  # noqa: PLC0415 - heavy

        self._catalog = catalog
        self._metrics = metrics
        self._formats = formats
        self._notes: list[str] = []
        self._whole: list[str] = []
        schema = {
            table.name: {
                **{one.name: one.sql_type or "VARCHAR" for one in table.columns},
                **{name: "DOUBLE" for place, name in metrics if place == table.name},
            }
            for table in catalog.tables
        }
        self._sql = sql
        self._tree = qualify(
            parse_one(sql, dialect="duckdb"),
            schema=schema,
            dialect="duckdb",
            quote_identifiers=True,
            validate_qualify_columns=False,
            expand_alias_refs=False,
            expand_stars=False,
        )

    def meant(self) -> Meant:
        """Writes it out."""
        from sqlglot.optimizer.scope import traverse_scope  # noqa: PLC0415 - heavy

        changed = False
        for scope in list(traverse_scope(self._tree)):
            used = self._columns_of(scope)
            changed |= self._write_metrics(scope)
            changed |= self._write_dates(scope)
            changed |= self._write_filters(scope, used)
        changed |= self._write_weeks()
        if not changed:
            return Meant(self._sql, tuple(dict.fromkeys(self._notes)))
        told = self._tree.sql(dialect="duckdb")
        return Meant(told, tuple(dict.fromkeys(self._notes)), tuple(dict.fromkeys(self._whole)))

    def _table(self, scope: "Scope", name: str) -> CatalogTable | None:
        from sqlglot import exp  # noqa: PLC0415 - heavy

        source = scope.sources.get(name)
        return self._catalog.table(source.name) if isinstance(source, exp.Table) else None

    def _columns_of(self, scope: "Scope") -> dict[str, set[str]]:
        """Returns the columns that a scope uses, by the name of their source in it."""
        used: dict[str, set[str]] = {}
        for column in scope.columns:
            used.setdefault(column.table, set()).add(column.name.casefold())
        return used

    # metrics

    def _write_metrics(self, scope: "Scope") -> bool:
        changed = False
        for column in list(scope.columns):
            table = self._table(scope, column.table)
            metric = self._metrics.get((table.name, column.name.casefold())) if table else None
            if metric is None:
                continue
            self._write_metric(column, metric)
            told = f"{metric.name} is {metric.expression}"
            told += f" where {metric.filter}" if metric.filter else ""
            self._notes.append(f"Here {told}.")
            changed = True
        return changed

    def _write_metric(self, column: "exp.Expression", metric: Metric) -> None:
        """Writes the metric's expression for the column that stands for it, with its filter."""
        from sqlglot import exp  # noqa: PLC0415 - heavy

        aggregate = column.parent
        is_aggregate = isinstance(aggregate, exp.AggFunc) and aggregate.this is column
        row = summed(metric)
        if row is not None:
            value = self._of(row, column.args.get("table"))
            if metric.filter:
                test = self._of(_parsed(metric.filter), column.args.get("table"))
                value = exp.Case(ifs=[exp.If(this=test, true=value)])
            new: exp.Expression = exp.paren(value)
            if isinstance(column.parent, exp.Select):
                new = exp.alias_(new, metric.name, quoted=True)
            column.replace(new)
            return
        is_usual = is_aggregate and isinstance(aggregate, exp.Avg | exp.Sum)
        if not is_usual or isinstance(column.find_ancestor(exp.Filter), exp.Filter):
            raise _NoMeaningError
        self._whole.append(metric.name.replace("_", " "))
        whole = self._of(_parsed(metric.expression), column.args.get("table"))
        if metric.filter:
            test = self._of(_parsed(metric.filter), column.args.get("table"))
            for one in list(whole.find_all(exp.AggFunc)):
                filtered = exp.Filter(this=one.copy(), expression=exp.Where(this=test.copy()))
                if one is whole:
                    whole = filtered
                else:
                    one.replace(filtered)
        aggregate.replace(exp.paren(whole))

    def _of(self, tree: "exp.Expression", table: "exp.Expression | None") -> "exp.Expression":
        """Copies an expression, its columns those of a source."""
        from sqlglot import exp  # noqa: PLC0415 - heavy

        made = tree.copy()
        for one in [made] if isinstance(made, exp.Column) else list(made.find_all(exp.Column)):
            one.set("table", table.copy() if table is not None else None)
            one.this.set("quoted", True)
        return made

    # dates

    def _write_dates(self, scope: "Scope") -> bool:
        """Reads texts that are dates, unless the result shows them as they are."""
        from sqlglot import exp  # noqa: PLC0415 - heavy

        changed = False
        select = scope.expression
        for column in list(scope.columns):
            formats = self._formats_of(scope, column)
            is_shown = _shows_as_stored(select, column, is_whole=select is self._tree)
            if not formats or is_shown or _is_read_as_text(column):
                continue
            parent, name = column.parent, column.name
            made = date_of(column.copy(), formats)
            column.replace(exp.alias_(made, name, quoted=True) if parent is select else made)
            changed = True
        return self._order_by_dates(scope) or changed

    def _formats_of(self, scope: "Scope", column: "exp.Expression") -> tuple[str, ...]:
        """Returns how a column writes dates; nothing of one that writes none."""
        table = self._table(scope, column.table)
        named = table.column(column.name) if table else None
        return self._formats.get((table.name, named.name), ()) if table and named else ()

    def _order_by_dates(self, scope: "Scope") -> bool:
        """Sorts by the dates of texts that the result shows as they are."""
        from sqlglot import exp  # noqa: PLC0415 - heavy

        select = scope.expression
        order = select.args.get("order") if isinstance(select, exp.Select) else None
        shown = {
            key: (column, formats)
            for at, one in enumerate(select.selects if order else (), start=1)
            if isinstance(column := one.unalias(), exp.Column)
            and (formats := self._formats_of(scope, column))
            for key in (str(at), one.alias_or_name.casefold())
        }
        keys = [key for one in (order.expressions if order else ()) for key in _named_keys(one)]
        found = [(key, shown[name]) for key, name in keys if name in shown]
        for key, (column, formats) in found:
            key.replace(date_of(column.copy(), formats))
        return bool(found)

    # filters

    def _write_filters(self, scope: "Scope", used: Mapping[str, set[str]]) -> bool:
        """Leaves out rows by the default filters of tables, unless a question speaks of them."""
        from sqlglot import exp, select  # noqa: PLC0415 - heavy

        changed = False
        for name, source in list(scope.sources.items()):
            table = self._table(scope, name)
            if table is None or not table.default_filter or not isinstance(source, exp.Table):
                continue
            test = _parsed(table.default_filter)
            spoken = {one.name.casefold() for one in test.find_all(exp.Column)}
            spoken &= used.get(name, set())
            if spoken:
                self._notes.append(
                    f"The default filter of {table.name} ({table.default_filter}) is left out, as"
                    f" the question speaks of {' and '.join(sorted(spoken))}."
                )
                continue
            inner = exp.table_(table.name, quoted=True)
            kept = select("*").from_(inner).where(test.copy())
            source.replace(kept.subquery(exp.to_identifier(name, quoted=True)))
            self._notes.append(
                f"Only rows of {table.name} where {table.default_filter} count, as by default."
            )
            changed = True
        return changed

    # weeks

    def _write_weeks(self) -> bool:
        """Begins weeks on the day on which people begin them."""
        from sqlglot import exp  # noqa: PLC0415 - heavy

        days = (8 - self._catalog.calendar.first_day_of_week) % DAYS_PER_WEEK
        if not days:
            return False
        weeks = [
            one
            for one in self._tree.find_all(exp.DateTrunc, exp.TimestampTrunc)
            if str(one.args["unit"].name).upper().startswith("WEEK")
        ]
        for one in weeks:
            shift = exp.Interval(this=exp.Literal.string(str(days)), unit=exp.var("DAY"))
            moved = one.copy()
            moved.set("this", exp.Add(this=exp.paren(one.this.copy()), expression=shift))
            start = exp.paren(exp.Sub(this=moved, expression=shift.copy()))
            one.replace(exp.cast(start, "DATE"))
        return bool(weeks)
