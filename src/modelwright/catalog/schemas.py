"""Bodies of catalogs.

In these bodies null and absent differ: null takes a correction back, absent leaves it.
"""

from collections.abc import Iterable, Sequence
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field

from modelwright.catalog.domain import CatalogInfo, unused
from modelwright.core.http.schemas import Name, RequestBody, ResponseBody, Text, Timestamp
from modelwright.engines.language.catalog.corrections import Corrections, LearntSynonym
from modelwright.engines.language.catalog.faults import MAX_SYNONYMS
from modelwright.engines.language.catalog.meaning import (
    Calendar,
    CatalogColumn,
    CatalogTable,
    Metric,
    Relationship,
)
from modelwright.engines.language.catalog.sql import MAX_EXPRESSION_LENGTH
from modelwright.uploads.domain import TableFile

MAX_COLUMNS = 10_000
"""Columns, or tables, that one change names."""
MAX_METRICS = 200
"""Metrics of a catalog."""
UNSAID = "it is the default"
"""The reason for what nobody has set."""
Words = Annotated[list[Annotated[Name, Field(max_length=100)]], Field(max_length=MAX_SYNONYMS)]
Expression = Annotated[Text, Field(max_length=MAX_EXPRESSION_LENGTH)]
Role = Literal["id", "dimension", "flag", "date", "measure"]


class _Patch(RequestBody):
    """A body in which null takes back what was said."""

    def corrections(self) -> dict[str, Any]:
        """Returns what is said, nulls included."""
        return self.model_dump(mode="json", exclude_unset=True)


class CatalogReference(RequestBody):
    """The rows that a column's values name, many to one."""

    table: Text
    column: Text
    dataset: Text | None = None
    """Name of the dataset of that table, where it is another one."""
    role: Annotated[Text, Field(max_length=100)] = ""
    """What the other row is to this one: `shipping`."""


class ColumnPatch(_Patch):
    """Corrections of a column; null takes one back."""

    CLEARED: ClassVar[frozenset[str]] = frozenset(
        ("label", "role", "additivity", "unit", "format", "synonyms", "private", "references")
    )
    label: Annotated[Name, Field(max_length=255)] | None = None
    role: Role | None = None
    additivity: Literal["sum", "average", "neither"] | None = None
    """How a measure may be put together over rows."""
    unit: Annotated[Text, Field(max_length=50)] | None = None
    format: Annotated[Text, Field(max_length=50)] | None = None
    synonyms: Words | None = None
    """Other words that questions call it by."""
    private: bool | None = None
    """Whether none of its values may be shown to a language model."""
    references: CatalogReference | Literal["none"] | None = None


class TablePatch(_Patch):
    """Corrections of a table; null takes one back, an empty text says that there is none."""

    CLEARED: ClassVar[frozenset[str]] = frozenset(
        ("row_nouns", "key", "default_date", "default_filter", "columns")
    )
    row_nouns: Words | None = None
    """What its rows are called, in the plural."""
    key: Text | None = None
    """The column whose values name the rows."""
    default_date: Text | None = None
    """The column that a period means where a question names none."""
    default_filter: Expression | None = None
    """SQL that rows must meet unless a question speaks of its columns."""
    columns: Annotated[dict[Text, ColumnPatch | None], Field(max_length=MAX_COLUMNS)] | None = None


class MetricPatch(RequestBody):
    """A named aggregate."""

    table: Text
    expression: Annotated[Expression, Field(min_length=1)]
    """SQL over the table's columns: `sum(quantity * unit_price)`."""
    synonyms: Words = Field(default_factory=list)
    filter: Expression = ""
    """SQL that rows must meet."""


class CatalogPatch(_Patch):
    """Corrections of a dataset's catalog; null takes one back, what is not named stays."""

    CLEARED: ClassVar[frozenset[str]] = frozenset(
        ("tables", "metrics", "time_zone", "first_day_of_week", "first_month_of_fiscal_year")
    )
    tables: Annotated[dict[Text, TablePatch | None], Field(max_length=MAX_COLUMNS)] | None = None
    """By the tables' names in SQL."""
    metrics: (
        Annotated[
            dict[Annotated[Name, Field(max_length=100)], MetricPatch | Literal["none"] | None],
            Field(max_length=MAX_METRICS),
        ]
        | None
    ) = None
    """By their names in questions; `none` rejects one that was inferred."""
    time_zone: Text | None = None
    """Time zone of days and months: `Europe/Berlin`."""
    first_day_of_week: int | None = None
    """1 is Monday, 7 is Sunday."""
    first_month_of_fiscal_year: int | None = None
    """1 to 12."""


class CatalogItem(ResponseBody):
    """One item of a catalog."""

    value: str | int | bool | list[str] | None
    """The value in force."""
    inferred: str | int | bool | list[str] | None
    """What was inferred from the data and the names."""
    reason: str | None
    """Why it was inferred so."""
    corrected: bool
    """Whether somebody corrected it."""


class CatalogSynonym(ResponseBody):
    """Words that questions call a column, a metric or a value by."""

    words: str
    origin: Literal["correction", "verified_question"]
    query_id: str | None
    """The verified question that showed it."""
    value: str | float | bool | None = None
    """The value of the column that they mean; null where they mean the column itself."""


class CatalogColumnAnswer(ResponseBody):
    """What a column means."""

    name: str
    type: str
    label: CatalogItem
    role: CatalogItem
    """`id`, `dimension`, `flag`, `date` or `measure`."""
    additivity: CatalogItem
    """Of measures: `sum`, `average` or `neither`."""
    unit: CatalogItem
    format: CatalogItem
    private: CatalogItem
    synonyms: list[CatalogSynonym]
    """Also words for single values."""


class CatalogTableAnswer(ResponseBody):
    """What a table's rows are."""

    name: str
    """Its name in SQL."""
    file: str
    rows: int
    row_nouns: CatalogItem
    key: CatalogItem
    default_date: CatalogItem
    default_filter: CatalogItem
    columns: list[CatalogColumnAnswer]


class CatalogRelationship(ResponseBody):
    """A many-to-one key: each row of the table has at most one of the other."""

    table: str
    column: str
    to_table: str
    to_column: str
    role: str
    orphans: int | None
    """Rows whose key is given and names no row; null where they were not counted."""
    reason: str | None
    corrected: bool


class CatalogMetric(ResponseBody):
    """A named aggregate."""

    name: str
    table: str
    expression: str
    synonyms: list[str]
    filter: str
    reason: str | None = None
    """Why it was inferred; null where somebody defined it."""
    corrected: bool = True
    """Whether somebody defined it."""


class CatalogUnused(ResponseBody):
    """A correction of something that this version lacks; it is kept."""

    field: str
    message: str


class CatalogAnswer(ResponseBody):
    """What a dataset's tables and columns mean, why, and what was corrected."""

    dataset_name: str
    version: str
    upload_id: str
    updated_at: Timestamp | None
    """When somebody corrected it last."""
    tables: list[CatalogTableAnswer]
    relationships: list[CatalogRelationship]
    metrics: list[CatalogMetric]
    rejected_relationships: list[CatalogRelationship] = Field(default_factory=list)
    """Inferred keys that somebody rejected."""
    rejected_metrics: list[CatalogMetric] = Field(default_factory=list)
    """Inferred metrics that somebody rejected."""
    time_zone: CatalogItem
    first_day_of_week: CatalogItem
    first_month_of_fiscal_year: CatalogItem
    not_in_use: list[CatalogUnused]

    @classmethod
    def of(cls, seen: CatalogInfo) -> "CatalogAnswer":
        """Shows a catalog."""
        known = seen.known
        corrections = known.teaching.corrections
        shown = zip(known.version.tables, seen.inferred.tables, seen.in_force.tables, strict=True)
        said = {
            (table, column)
            for table, one in corrections.tables.items()
            for column, each in one.columns.items()
            if each.references is not None
        }
        return cls(
            dataset_name=known.version.dataset_name,
            version=known.version.version_label,
            upload_id=known.version.upload_id,
            updated_at=known.updated_at,
            tables=[_table(seen, *each) for each in shown],
            relationships=[
                _relationship(one, (one.table, one.column) in said)
                for one in seen.in_force.relationships
            ],
            metrics=[_metric(one) for one in seen.in_force.metrics],
            rejected_relationships=[
                _relationship(one, corrected=True) for one in seen.rejected_relationships
            ],
            rejected_metrics=[_metric(one) for one in seen.rejected_metrics],
            not_in_use=[CatalogUnused.model_validate(one) for one in unused(known, seen.inferred)],
            **_calendar(corrections, seen.in_force.calendar),
        )


def _table(
    seen: CatalogInfo, file: TableFile, inferred: CatalogTable, in_force: CatalogTable
) -> CatalogTableAnswer:
    """Shows a table with each item as it was inferred, as it was corrected, and why."""
    said = seen.known.teaching.corrections.tables.get(inferred.name)
    items = {
        name: _item(inferred, in_force, name, said)
        for name in ("row_nouns", "key", "default_date", "default_filter")
    }
    types = {one.name: one.type for one in file.columns}
    learnt = [one for one in seen.known.teaching.learnt if one.table == inferred.name]
    columns = []
    for first, column in zip(inferred.columns, in_force.columns, strict=True):
        correction = said.columns.get(column.name) if said else None
        members = {
            name: _item(first, column, name, correction)
            for name in ("label", "role", "additivity", "unit", "format", "private")
        }
        columns.append(
            CatalogColumnAnswer(
                name=column.name,
                type=types.get(column.name, "string"),
                synonyms=[*_synonyms(column, correction.synonyms if correction else None, learnt)],
                **members,
            )
        )
    return CatalogTableAnswer(
        name=inferred.name, file=file.filename, rows=inferred.rows, columns=columns, **items
    )


def _item(
    inferred: CatalogColumn | CatalogTable,
    in_force: CatalogColumn | CatalogTable,
    name: str,
    said: object,
) -> CatalogItem:
    return CatalogItem(
        value=_plain(getattr(in_force, name)),
        inferred=_plain(getattr(inferred, name)),
        reason=inferred.reasons.get(name),
        corrected=said is not None and getattr(said, name) is not None,
    )


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def _synonyms(
    column: CatalogColumn, said: Sequence[str] | None, learnt: Sequence[LearntSynonym]
) -> Iterable[CatalogSynonym]:
    shown = {one.words: one for one in learnt if one.column == column.name}
    for words in column.synonyms:
        is_said = words in (said or ())
        yield CatalogSynonym(
            words=words,
            origin="correction" if is_said else "verified_question",
            query_id=None if is_said or words not in shown else shown[words].query_id,
        )
    for one in column.value_synonyms:
        query_id = shown[one.words].query_id if one.words in shown else None
        yield CatalogSynonym(
            words=one.words, origin="verified_question", query_id=query_id, value=_plain(one.value)
        )


def _relationship(one: Relationship, corrected: bool) -> CatalogRelationship:
    return CatalogRelationship.showing(one, reason=one.reason or None, corrected=corrected)


def _metric(one: Metric) -> CatalogMetric:
    return CatalogMetric.showing(
        one, synonyms=list(one.synonyms), reason=one.reason or None, corrected=not one.reason
    )


def _calendar(said: Corrections, in_force: Calendar) -> dict[str, CatalogItem]:
    usual = Calendar()
    return {
        name: CatalogItem(
            value=getattr(in_force, name),
            inferred=getattr(usual, name),
            reason=UNSAID,
            corrected=getattr(said, name) is not None,
        )
        for name in ("time_zone", "first_day_of_week", "first_month_of_fiscal_year")
    }
