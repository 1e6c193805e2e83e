"""Makes SQL that can run of SQL that readers write: metrics, default filters, first weekdays.

Readers see each metric as one more column of numbers of its table, so that every reader can use
it; what they write over that column is then written over the metric's own expression.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import TYPE_CHECKING

from modelwright.engines.facts import ColumnFacts
from modelwright.engines.language.catalog import (
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

if TYPE_CHECKING:
    from sqlglot import exp
    from sqlglot.optimizer.scope import Scope

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


def with_metrics(
    tables: Sequence[TableFacts], catalog: Catalog
) -> tuple[tuple[TableFacts, ...], Catalog]:
    """Adds the metrics to their tables as columns.

    Args:
        tables: What the data hold.
        catalog: What they mean.

    Returns:
        Both as readers are shown them.
    """
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
    _known: dict[str, Meant | None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._by_column = {
            (one.table, metric_column(one.name)): one for one in self.catalog.metrics
        }

    def meant(self, sql: str) -> Meant | None:
        """Writes out what SQL of a reader means.

        Args:
            sql: One SELECT over the tables with their metrics.

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

    def _concerns(self, sql: str) -> bool:
        """Tells quickly whether there may be anything to write out."""
        told = sql.casefold()
        has_metric = any(name in told for _, name in self._by_column)
        has_filter = any(one.default_filter for one in self.catalog.tables)
        has_week = self.catalog.calendar.first_day_of_week != 1 and "week" in told
        return has_metric or has_filter or has_week

    def _meant(self, sql: str) -> Meant | None:
        from sqlglot.errors import SqlglotError  # noqa: PLC0415 - heavy

        try:
            return _Writing(self.catalog, self._by_column, sql).meant()
        except _NoMeaningError:
            return None
        except (SqlglotError, ValueError, KeyError, RecursionError):
            return Meant(sql)  # the sandbox says what is wrong with it


class _Writing:
    """One statement being written out."""

    def __init__(
        self, catalog: Catalog, metrics: Mapping[tuple[str, str], Metric], sql: str
    ) -> None:
        from sqlglot import parse_one  # noqa: PLC0415 - heavy
        from sqlglot.optimizer.qualify import qualify  # noqa: PLC0415 - heavy

        self._catalog = catalog
        self._metrics = metrics
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
