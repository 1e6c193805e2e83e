"""The typed plan between words and SQL: every name in it is bound to a real column.

What is understood is kept apart from how it is written in SQL: rules can test, change and compare
plans, and a name that is no column cannot get into a statement.
"""

from collections.abc import Iterator
from dataclasses import asdict, dataclass, field, fields, is_dataclass
from datetime import date, datetime
from typing import Any, Literal, TypeVar

from modelwright.engines.chart_spec import ChartType
from modelwright.engines.facts import Value

T = TypeVar("T")
Aggregate = Literal[
    "count",
    "count_distinct",
    "sum",
    "avg",
    "min",
    "max",
    "median",
    "quantile",
    "corr",
    "ratio",
    "percentage",
    "product",
    "difference",
    "margin",
    "mean_difference",
    "mean_product",
    "per",
]
Unit = Literal["hour", "day", "week", "month", "quarter", "year", "decade"]
Lapse = Literal["minute", "hour", "day", "week", "month", "year"]
Part = Literal["hour of day", "weekday", "weekend", "month of year", "year"]
Op = Literal[
    "=",
    "!=",
    ">",
    "<",
    ">=",
    "<=",
    "between",
    "outside",
    "in",
    "not in",
    "contains",
    "starts",
    "ends",
    "missing",
    "present",
]

MARKS = "$£¥€₹,% "
"""What may stand beside the digits of a number that is stored as text."""


@dataclass(frozen=True, slots=True)
class Ref:
    """A column of a table."""

    table: str
    column: str
    textual: bool = False
    """Whether the column's numbers are text that has to be read first."""
    since: "Ref | None" = None
    """The earlier date, where the time from it to this one is meant, in the unit `lapse`."""
    lapse: Lapse = "day"
    until: date | None = None
    """The day to which the time is meant from `since` where this date is not given, or from this
    date where there is no `since`: ages."""
    by_day: bool = False
    """Whether only whole days lie between, as one of the two dates has no time of day."""
    comma: bool = False
    """Whether a comma stands before the decimals of numbers that are text."""
    unit: bool = False
    """Whether a unit of letters stands beside the digits."""
    alike: tuple[tuple[str, str], ...] = ()
    """Other spellings of values, each with the one that they are read as."""
    told_in: tuple[str, float] | None = None
    """The unit that its numbers are told in, and how many of its own one of these is."""

    @property
    def lapses(self) -> bool:
        """Whether a time is meant, not a date."""
        return self.since is not None or self.until is not None


@dataclass(frozen=True, slots=True)
class Bucket:
    """What rows are grouped by: a column, a piece of time, or a range of numbers."""

    ref: Ref
    unit: Unit | Part | None = None
    width: float | None = None


@dataclass(frozen=True, slots=True)
class Condition:
    """A test of one column; `part` compares a piece of a date, `plan` another plan's answer."""

    ref: Ref
    op: Op
    value: Value | tuple[Value, ...] | None = None
    upper: Value | None = None
    part: str | None = None
    plan: "Plan | None" = None
    exclusive: bool = False
    """Whether its range, within or outside which it tests, leaves out its upper end."""
    other: Ref | None = None
    """The column that it is compared with."""
    times: float | None = None
    """What that column is multiplied by."""
    same: Ref | None = None
    """The column whose value the rows of the other plan share with the row that is tested."""


@dataclass(frozen=True, slots=True)
class Measure:
    """A column or a number asked for; `share` makes it the percentage of rows meeting these.

    With a column, `share` and `of_total` are percentages of its sum.
    """

    aggregate: Aggregate | None = None
    ref: Ref | None = None
    other: Ref | None = None
    share: tuple[tuple[Condition, ...], ...] = ()
    of_total: bool = False
    """Whether the count or the sum is given as a percentage of all."""
    unit: Unit | None = None
    """The piece of time that rows are counted `per`, where it is not a value of the column."""
    growth: tuple[Bucket, ...] = ()
    """The period over which the number's growth is told; the other groups grow apart."""
    running: tuple[Bucket, ...] = ()
    """The period over which the number is added up from the first; the other groups run apart."""
    against: tuple[Condition, ...] = ()
    """Two tests: the number of rows meeting the first less that of those meeting the second."""
    each: bool = False
    """Whether two columns are computed with in every row, rather than their sums."""
    level: float | None = None
    """The share of the rows below a `quantile`, 0 to 1."""


@dataclass(frozen=True, slots=True)
class Order:
    """What the rows are sorted by."""

    by: Measure | Bucket
    descending: bool


@dataclass(frozen=True, slots=True)
class Having:
    """A test of a group."""

    measure: Measure
    op: Op
    value: float = 0
    upper: float | None = None
    plan: "Plan | None" = None
    """The plan whose answer it is compared with, in the place of a value."""


@dataclass(slots=True)
class Plan:
    """One question: what to show, of which rows, grouped and sorted how."""

    tables: list[str]
    select: list[Measure] = field(default_factory=list)
    where: list[tuple[Condition, ...]] = field(default_factory=list)
    """All of them must hold; inside each tuple one is enough."""
    group: list[Bucket] = field(default_factory=list)
    having: list[Having] = field(default_factory=list)
    order: list[Order] = field(default_factory=list)
    limit: int | None = None
    offset: int = 0
    """How many rows before the first one that is shown."""
    within: list[Bucket] = field(default_factory=list)
    """What the order and the limit hold in each of, rather than in all rows."""
    counted: bool = False
    """Whether the groups are counted instead of shown."""
    distinct: bool = False
    joins: list[tuple[Ref, Ref]] = field(default_factory=list)
    apart: list[Ref] = field(default_factory=list)
    """Keys that part groups of the same name and are not shown."""
    combined: "Plan | None" = None
    """What rows must be in as well."""
    chart: ChartType | None = None


def columns(plan: Plan) -> set[tuple[str, str]]:
    """Returns every column that a plan reads, with its table."""
    return {(one.table, one.column) for one in refs_of(plan)}


def refs_of(value: Any, apart: tuple[type, ...] = ()) -> Iterator[Ref]:
    """Yields the columns that a plan, or a part of one, reads; see `parts_of`.

    Args:
        value: A plan, a part of one, or several.
        apart: Kinds of parts that are not looked into.

    Yields:
        Columns.
    """
    for one in parts_of(value, Ref, apart):
        yield one
        yield from refs_of(one.since, apart)


def parts_of(value: Any, kind: type[T], apart: tuple[type, ...] = ()) -> Iterator[T]:
    """Yields the parts of a plan that are of a kind, but none within one that is.

    Args:
        value: A plan, a part of one, or several.
        kind: What is looked for.
        apart: Kinds of parts that are not looked into, such as the plans that others test by.

    Yields:
        Parts.
    """
    if isinstance(value, kind):
        yield value
    elif isinstance(value, list | tuple):
        for one in value:
            yield from parts_of(one, kind, apart)
    elif is_dataclass(value) and not isinstance(value, apart):
        for part in fields(value):
            yield from parts_of(getattr(value, part.name), kind, apart)


def as_json(plan: Plan) -> dict[str, Any]:
    """Writes the plan with plain JSON values; dates become ISO text."""
    told: dict[str, Any] = _plain(asdict(plan))
    return told


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _plain(one) for name, one in value.items() if one not in (None, (), [])}
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    return value.isoformat() if isinstance(value, date | datetime) else value
