"""How corrections are put together, and what is shown of a catalog.

Corrections are kept as people gave them and laid over each version anew; were they merged into what
was inferred, a new upload of the dataset would lose them.
"""

from collections.abc import Iterable, Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from modelwright.datasets.domain import ResolvedDataset
from modelwright.engines.language.catalog.corrections import (
    DatasetTeaching,
    read_corrections,
    renamed_tables,
)
from modelwright.engines.language.catalog.meaning import (
    Catalog,
    Metric,
    Relationship,
    metric_column,
)
from modelwright.engines.language.catalog.sql import absent_columns

Json = dict[str, Any]
MAX_CORRECTIONS_BYTES = 1_000_000
"""What people may say of one dataset, as it is stored."""
KEPT = "it is kept for a version that has it; null takes it back."
NONE = "none"
"""Says that there is no such metric or key, whatever was inferred."""
_MERGED = (
    ("metrics",),
    ("tables",),
    ("tables", "*"),
    ("tables", "*", "columns"),
    ("tables", "*", "columns", "*"),
)
"""Members whose own members are corrected one by one; any other is said anew as a whole."""


@dataclass(frozen=True, slots=True)
class KnownDataset:
    """A dataset's newest version, or the one that was named, and what people said of it."""

    account_id: str
    version: ResolvedDataset
    teaching: DatasetTeaching
    updated_at: datetime | None

    @property
    def dataset_name(self) -> str:
        """The dataset's name, without a version."""
        return self.version.dataset_name

    @property
    def upload_id(self) -> str:
        """The upload that the version is."""
        return self.version.upload_id


@dataclass(frozen=True, slots=True)
class CatalogInfo:
    """What was inferred of a dataset, and what is in force."""

    known: KnownDataset
    inferred: Catalog
    in_force: Catalog

    @property
    def rejected_metrics(self) -> list[Metric]:
        """What was inferred and somebody said not to be."""
        rejected = map(metric_column, self.known.teaching.corrections.rejected_metrics)
        names = frozenset(rejected)
        return [one for one in self.inferred.metrics if metric_column(one.name) in names]

    @property
    def rejected_relationships(self) -> list[Relationship]:
        """Keys that were inferred, of columns whose values somebody said to name no rows."""
        tables = self.known.teaching.corrections.tables
        rejected = {
            (table, column)
            for table, said in tables.items()
            for column, one in said.columns.items()
            if one.references == NONE
        }
        return [one for one in self.inferred.relationships if (one.table, one.column) in rejected]


@dataclass(frozen=True, slots=True)
class Unused:
    """A correction of something that the version lacks."""

    field: str
    message: str


def merged(stored: Json, patch: Mapping[str, Any]) -> Json:
    """Puts what is said now over what was said; null takes a correction back."""
    return _merged(stored, patch, ())


def _merged(stored: Any, patch: Mapping[str, Any], at: tuple[str, ...]) -> Json:
    made = deepcopy(stored) if isinstance(stored, dict) else {}
    for name, value in patch.items():
        inner = (*at, "*" if at and at[-1] in {"tables", "columns"} else name)
        if value is None:
            made.pop(name, None)
        elif inner in _MERGED and isinstance(value, Mapping):
            kept = _merged(made.get(name), value, inner)
            made.pop(name, None)
            made |= {name: kept} if kept else {}
        else:
            made[name] = deepcopy(value)
    return made


def without_nulls(patch: Any) -> Any:
    """Leaves out what takes back: the rest is what is said now."""
    if not isinstance(patch, Mapping):
        return patch
    return {name: without_nulls(one) for name, one in patch.items() if one is not None}


def carried_over(stored: Json, present: list[str]) -> Json:
    """Names corrected tables as the version at hand does: the only table may be called anew."""
    names = renamed_tables(read_corrections(stored), present)
    tables = {names.get(name, name): one for name, one in stored.get("tables", {}).items()}
    metrics = {
        name: one if one == NONE else {**one, "table": names.get(one["table"], one["table"])}
        for name, one in stored.get("metrics", {}).items()
    }
    made = {**stored, "tables": tables, "metrics": metrics}
    return {name: one for name, one in made.items() if one not in ({}, None)}


def unused(known: KnownDataset, inferred: Catalog) -> list[Unused]:
    """Lists corrections of tables and columns that the version at hand lacks."""
    columns = {
        name: {column.name for column in table.columns}
        for name, table in zip(known.teaching.tables, known.version.tables, strict=True)
    }
    version = known.version.version_label
    found: list[Unused] = []

    def add(field: str, missing: Iterable[str]) -> None:
        found.extend(Unused(field, f"{version} has no column {one}; {KEPT}") for one in missing)

    corrections = known.teaching.corrections
    for name, table in corrections.tables.items():
        if name not in columns:
            found.append(Unused(f"tables.{name}", f"{version} has no table {name}; {KEPT}"))
            continue
        for one in table.columns:
            add(f"tables.{name}.columns.{one}", {one} - columns[name])
        for member in ("key", "default_date"):
            add(f"tables.{name}.{member}", {getattr(table, member) or ""} - {"", *columns[name]})
        missing = absent_columns(table.default_filter or "", columns[name])
        add(f"tables.{name}.default_filter", missing)
    for name, metric in corrections.defined_metrics.items():
        if metric.table not in columns:
            message = f"{version} has no table {metric.table}; {KEPT}"
            found.append(Unused(f"metrics.{name}", message))
            continue
        for text in (metric.expression, metric.filter):
            add(f"metrics.{name}", absent_columns(text, columns[metric.table]))
    return [*found, *_rejected_in_vain(known, inferred)]


def _rejected_in_vain(known: KnownDataset, inferred: Catalog) -> Iterator[Unused]:
    names = {metric_column(one.name) for one in inferred.metrics}
    for name in sorted(known.teaching.corrections.rejected_metrics):
        if metric_column(name) not in names:
            message = f"of {known.version.version_label} no metric {name} is inferred; {KEPT}"
            yield Unused(f"metrics.{name}", message)
