"""What people say of a dataset, laid over what was inferred: it wins, and nothing of it is lost."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from modelwright.engines.facts import Value
from modelwright.engines.language.catalog.meaning import (
    Additivity,
    Calendar,
    Catalog,
    CatalogColumn,
    CatalogTable,
    Metric,
    Relationship,
    Role,
    ValueSynonym,
    metric_column,
)
from modelwright.engines.language.catalog.sql import absent_columns


@dataclass(frozen=True, slots=True, kw_only=True)
class Reference:
    """The rows that a column's values name."""

    table: str
    column: str
    dataset: str | None = None
    """The dataset of the table where it is another one."""
    role: str = ""
    """What the other row is to this one: `shipping`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnCorrection:
    """What somebody said of a column; None where nothing was said."""

    label: str | None = None
    role: Role | None = None
    additivity: Additivity | None = None
    unit: str | None = None
    format: str | None = None
    synonyms: tuple[str, ...] | None = None
    private: bool | None = None
    references: Reference | Literal["none"] | None = None
    """What its values name; `none` says that they name no rows, whatever was inferred."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableCorrection:
    """What somebody said of a table; an empty text says that there is none."""

    row_nouns: tuple[str, ...] | None = None
    key: str | None = None
    default_date: str | None = None
    default_filter: str | None = None
    columns: Mapping[str, ColumnCorrection] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricDefinition:
    """A named aggregate that somebody defined."""

    table: str
    expression: str
    synonyms: tuple[str, ...] = ()
    filter: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Corrections:
    """All that people said of a dataset; None where nothing was said."""

    tables: Mapping[str, TableCorrection] = field(default_factory=dict)
    metrics: Mapping[str, MetricDefinition | Literal["none"]] = field(default_factory=dict)
    """By name; `none` says that there is no such metric, whatever was inferred."""
    time_zone: str | None = None
    first_day_of_week: int | None = None
    first_month_of_fiscal_year: int | None = None

    @property
    def defined_metrics(self) -> dict[str, MetricDefinition]:
        """The metrics that somebody defined, by name."""
        return {
            name: one for name, one in self.metrics.items() if isinstance(one, MetricDefinition)
        }

    @property
    def rejected_metrics(self) -> frozenset[str]:
        """The names of metrics of which somebody said that there are none."""
        return frozenset(self.metrics) - frozenset(self.defined_metrics)


@dataclass(frozen=True, slots=True)
class LearntSynonym:
    """Words that a verified question showed to mean a column, a metric or a value."""

    table: str
    column: str
    """Of a metric the column that readers see of it."""
    words: str
    query_id: str
    """The question that showed it."""
    value: Value | None = None
    """What stands in the data, where they mean a value of the column."""


@dataclass(frozen=True, slots=True)
class DatasetTeaching:
    """What is known of one dataset among the tables of a catalog."""

    name: str
    corrections: Corrections
    tables: Mapping[str, str]
    """What the dataset's tables are called in the catalog."""
    learnt: tuple[LearntSynonym, ...] = ()


def read_corrections(told: Mapping[str, Any]) -> Corrections:
    """Reads corrections from plain JSON values.

    Args:
        told: What was stored; members that nobody knows any more are left out.

    Returns:
        The corrections.
    """
    import msgspec  # noqa: PLC0415 - kept out of start-up

    return msgspec.convert(told, Corrections)


def renamed_tables(corrections: Corrections, present: Sequence[str]) -> Mapping[str, str]:
    """Tells which of a dataset's tables each corrected table is now.

    A file of another name in a new version is the same table where the dataset has no other.

    Args:
        corrections: What was said of the dataset.
        present: The names of its tables now.

    Returns:
        The present name of each corrected table that is still there.
    """
    said = {*corrections.tables, *(one.table for one in corrections.defined_metrics.values())}
    if len(said) == 1 and len(present) == 1:
        return {next(iter(said)): present[0]}
    by_name = {name.casefold(): name for name in present}
    return {one: by_name[one.casefold()] for one in said if one.casefold() in by_name}


def corrected(catalog: Catalog, teachings: Sequence[DatasetTeaching]) -> Catalog:
    """Lays what people said over what was inferred.

    Args:
        catalog: What was inferred of all tables.
        teachings: What is known of the datasets that the tables belong to.

    Returns:
        The catalog in force; what is said of tables and columns that are not there is left out.
    """
    tables = {one.name: one for one in catalog.tables}
    relationships = list(catalog.relationships)
    metrics = list(catalog.metrics)
    for one in teachings:
        known = _Known(one, teachings, tables)
        tables |= known.tables()
        relationships = known.relationships(relationships)
        defined = known.metrics()
        said = {metric_column(metric.name) for metric in defined}
        kept = [one for one in metrics if not known.rejects(one)]
        metrics = [one for one in kept if metric_column(one.name) not in said] + defined
        metrics = known.taught(metrics)
    return replace(
        catalog,
        tables=tuple(tables[one.name] for one in catalog.tables),
        relationships=tuple(relationships),
        metrics=tuple(metrics),
        calendar=_calendar(teachings),
    )


def _calendar(teachings: Sequence[DatasetTeaching]) -> Calendar:
    """Takes each member from the first dataset of which somebody said it."""
    usual = Calendar()

    def first(name: str) -> Any:
        told = (getattr(one.corrections, name) for one in teachings)
        return next((one for one in told if one is not None), getattr(usual, name))

    names = ("time_zone", "first_day_of_week", "first_month_of_fiscal_year")
    return Calendar(**{name: first(name) for name in names})


class _Known:
    """What is known of one dataset, in the names of the catalog."""

    def __init__(
        self,
        teaching: DatasetTeaching,
        teachings: Sequence[DatasetTeaching],
        tables: Mapping[str, CatalogTable],
    ) -> None:
        self._teaching = teaching
        self._others = {one.name: one for one in teachings}
        self._tables = tables
        now = renamed_tables(teaching.corrections, [*teaching.tables])
        self._names = {said: teaching.tables[name] for said, name in now.items()}

    def tables(self) -> dict[str, CatalogTable]:
        """Returns the tables of which something is known."""
        found: dict[str, CatalogTable] = {}
        for said, correction in self._teaching.corrections.tables.items():
            table = self._tables.get(self._names.get(said, ""))
            if table is not None:
                found[table.name] = _corrected_table(table, correction)
        for one in self._teaching.learnt:
            name = self._teaching.tables.get(one.table, "")
            table = found.get(name) or self._tables.get(name)
            if table is not None:
                found[table.name] = _with_synonym(table, one)
        return found

    def taught(self, metrics: Sequence[Metric]) -> list[Metric]:
        """Gives the metrics with the words that verified questions showed to mean them."""
        words: dict[tuple[str, str], list[str]] = {}
        for one in self._teaching.learnt:
            table = self._teaching.tables.get(one.table, "")
            words.setdefault((table, one.column), []).append(one.words)
        return [
            replace(one, synonyms=tuple(dict.fromkeys([*one.synonyms, *more])))
            if (more := words.get((one.table, metric_column(one.name))))
            else one
            for one in metrics
        ]

    def relationships(self, inferred: Sequence[Relationship]) -> list[Relationship]:
        """Returns all keys, those in place of which another was said left out."""
        said = dict(self._references())
        kept = [one for one in inferred if (one.table, one.column) not in said]
        for place, one in said.items():
            orphans = next(
                (
                    other.orphans
                    for other in inferred
                    if one is not None
                    and (other.table, other.column) == place
                    and (other.to_table, other.to_column) == (one.to_table, one.to_column)
                ),
                None,
            )
            kept += [] if one is None else [replace(one, orphans=orphans)]
        return kept

    def _references(self) -> Iterator[tuple[tuple[str, str], Relationship | None]]:
        for said, correction in self._teaching.corrections.tables.items():
            table = self._tables.get(self._names.get(said, ""))
            for name, one in correction.columns.items() if table is not None else ():
                column = table.column(name) if table is not None else None
                if one.references is None or table is None or column is None:
                    continue
                place = table.name, column.name
                if not isinstance(one.references, Reference):
                    yield place, None
                elif (target := self._target(one.references)) is not None:
                    yield place, Relationship(*place, *target, one.references.role)

    def _target(self, reference: Reference) -> tuple[str, str] | None:
        """Finds the column that is pointed to; None where its table is not among them."""
        home = self._others.get(reference.dataset or self._teaching.name)
        if home is None:
            return None
        named = {name.casefold(): shown for name, shown in home.tables.items()}
        table = self._tables.get(named.get(reference.table.casefold(), ""))
        column = table.column(reference.column) if table else None
        return (table.name, column.name) if table and column else None

    def rejects(self, metric: Metric) -> bool:
        """Returns whether somebody said that there is no such metric."""
        rejected = {metric_column(name) for name in self._teaching.corrections.rejected_metrics}
        is_own = metric.table in self._teaching.tables.values()
        return is_own and metric_column(metric.name) in rejected

    def metrics(self) -> list[Metric]:
        """Returns the metrics whose tables are there."""
        return [
            Metric(
                name,
                self._names[one.table],
                one.expression,
                one.synonyms,
                one.filter,
            )
            for name, one in self._teaching.corrections.defined_metrics.items()
            if one.table in self._names and self._has_all(one)
        ]

    def _has_all(self, metric: MetricDefinition) -> bool:
        table = self._tables[self._names[metric.table]]
        columns = [one.name for one in table.columns]
        return not absent_columns(metric.expression, columns) + absent_columns(
            metric.filter, columns
        )


def _corrected_table(table: CatalogTable, said: TableCorrection) -> CatalogTable:
    columns = {one.name: one for one in table.columns}
    for name, correction in said.columns.items():
        column = table.column(name)
        if column is not None:
            columns[column.name] = _corrected_column(column, correction)
    made = {
        name: value
        for name in ("row_nouns", "default_filter")
        if (value := getattr(said, name)) is not None
    }
    if absent_columns(said.default_filter or "", [one.name for one in table.columns]):
        made.pop("default_filter")
    for name in ("key", "default_date"):
        wanted = getattr(said, name)
        found = table.column(wanted) if wanted else None
        if wanted is not None and (found or not wanted):
            made[name] = found.name if found else None
    reasons = {name: why for name, why in table.reasons.items() if name not in made}
    return replace(table, columns=tuple(columns.values()), reasons=reasons, **made)


def _corrected_column(column: CatalogColumn, said: ColumnCorrection) -> CatalogColumn:
    names = ("label", "role", "additivity", "unit", "format", "synonyms", "private")
    made = {name: value for name in names if (value := getattr(said, name)) is not None}
    role = made.get("role", column.role)
    if role is not Role.MEASURE:
        made["additivity"] = None
    elif column.role is not Role.MEASURE:
        made.setdefault("additivity", Additivity.SUM)
    reasons = {name: why for name, why in column.reasons.items() if name not in made}
    return replace(column, reasons=reasons, **made)


def _with_synonym(table: CatalogTable, learnt: LearntSynonym) -> CatalogTable:
    columns = tuple(
        _column_with_synonym(one, learnt) if one.name == learnt.column else one
        for one in table.columns
    )
    return replace(table, columns=columns)


def _column_with_synonym(column: CatalogColumn, learnt: LearntSynonym) -> CatalogColumn:
    if learnt.value is not None:
        told = ValueSynonym(learnt.words, learnt.value)
        return replace(column, value_synonyms=(*column.value_synonyms, told))
    if learnt.words in column.synonyms:
        return column
    return replace(column, synonyms=(*column.synonyms, learnt.words))
