"""The columns of a plan as SQL: numbers and dates kept as text are read, times cut into pieces."""

from dataclasses import replace
from datetime import date, datetime

from sqlglot import exp

from modelwright.engines.facts import Value
from modelwright.engines.language.rules.plans.plan import MARKS, Bucket, Measure, Ref

_PARTS = {"hour of day": "HOUR", "weekday": "DAYNAME", "month of year": "MONTH", "year": "YEAR"}
_WORKDAYS = 5
"""Saturday is the sixth day of a week."""
NUL = "\0"
"""What no SQL can hold between its quotes."""
SECONDS = {
    "minute": 60, "hour": 3600, "day": 86400, "week": 604800, "month": 2629800, "year": 31557600,
}  # fmt: skip
"""Seconds of each unit by which SQL divides the time between two moments; a year is Julian."""


def column_of(ref: Ref, qualified: bool) -> exp.Expression:
    """A column with its table's name or without, or the time between two dates."""
    if ref.told_in is not None:
        size = exp.Literal.number(ref.told_in[1])
        own = column_of(replace(ref, told_in=None), qualified)
        return exp.Div(this=own, expression=size)
    if ref.lapses:
        return _lapsed(ref, qualified)
    column = exp.column(ref.column, table=ref.table if qualified else None, quoted=True)
    if ref.alike:
        return _as_one(column, ref)
    if not ref.textual:
        return column
    marks = MARKS.replace(",", ".") if ref.comma else MARKS
    marks = f"^0-9{',' if ref.comma else '.'}-" if ref.unit else marks
    told = (exp.Literal.string(one) for one in (f"[{marks}]", "", "g"))
    digits: exp.Expression = exp.Anonymous(this="REGEXP_REPLACE", expressions=[column, *told])
    if ref.comma:
        turned = map(exp.Literal.string, (",", "."))
        digits = exp.Anonymous(this="REPLACE", expressions=[digits, *turned])
    return exp.TryCast(this=digits, to=exp.DataType.build("double"))


def _as_one(column: exp.Expression, ref: Ref) -> exp.Expression:
    """Reads other spellings of a value as the commonest of them."""
    kinds = exp.Case(this=column)
    for written, shown in ref.alike:
        kinds = kinds.when(literal(written), literal(shown))
    return kinds.else_(column.copy())


def _lapsed(ref: Ref, qualified: bool) -> exp.Expression:
    """The time from one date to another, or to a day; fractions of a unit included."""
    kind = "date" if ref.by_day else "timestamp"
    own = exp.cast(column_of(replace(ref, since=None, until=None), qualified), kind)
    last = exp.cast(exp.Literal.string(ref.until.isoformat()), kind) if ref.until else None
    if ref.since is None:
        ends = [own, last]
    else:
        since = exp.cast(column_of(ref.since, qualified), kind)
        ends = [since, own if last is None else _else(own, last)]
    unit, size = "second", float(SECONDS[ref.lapse])
    if ref.by_day:
        unit, size = "day", size / SECONDS["day"]
    found = exp.Anonymous(this="DATE_DIFF", expressions=[exp.Literal.string(unit), *ends])
    told = int(size) if size.is_integer() else size
    return found if size == 1 else exp.Div(this=found, expression=exp.Literal.number(told))


def _else(one: exp.Expression, other: exp.Expression) -> exp.Expression:
    return exp.Coalesce(this=one, expressions=[other])


def bucket_of(bucket: Bucket, many: bool) -> exp.Expression:
    """What rows are grouped by; `many` tells that there are several tables."""
    plain = bucket.width is None and bucket.unit is None
    column = column_of(replace(bucket.ref, textual=bucket.ref.textual and not plain), many)
    if bucket.unit == "decade":
        year, ten = exp.Anonymous(this="YEAR", expressions=[column]), exp.Literal.number(10)
        return exp.Sub(this=year, expression=exp.Mod(this=year.copy(), expression=ten))
    if bucket.width is not None:
        width = exp.Literal.number(bucket.width)
        steps = exp.Div(this=column, expression=width)
        return exp.Mul(this=exp.func("FLOOR", steps), expression=width.copy())
    if bucket.unit is None:
        return column
    if bucket.unit == "weekend":
        day = exp.Anonymous(this="ISODOW", expressions=[column])
        last = exp.GT(this=day, expression=exp.Literal.number(_WORKDAYS))
        kinds = map(exp.Literal.string, ("weekend", "weekday"))
        return exp.Case().when(last, next(kinds)).else_(next(kinds))
    if bucket.unit in _PARTS:
        return exp.Anonymous(this=_PARTS[bucket.unit], expressions=[column])
    return exp.Anonymous(this="DATE_TRUNC", expressions=[exp.Literal.string(bucket.unit), column])


def aggregated(measure: Measure, inner: exp.Expression) -> exp.Expression:
    """One number of many rows."""
    kind = measure.aggregate
    if kind == "count_distinct":
        return exp.Count(this=exp.Distinct(expressions=[inner]))
    if kind == "median":
        return exp.Anonymous(this="MEDIAN", expressions=[inner])
    if measure.level is not None:
        level = exp.Literal.number(measure.level)
        return exp.Anonymous(this="QUANTILE_CONT", expressions=[inner, level])
    kinds = {"count": exp.Count, "sum": exp.Sum, "avg": exp.Avg, "min": exp.Min, "max": exp.Max}
    made: exp.Expression = kinds[str(kind)](this=inner)
    return made


def divided(one: exp.Expression, other: exp.Expression) -> exp.Expression:
    """One number over another, nothing where that is nought."""
    return exp.Div(this=one, expression=exp.func("NULLIF", other, exp.Literal.number(0)))


def percent(part: exp.Expression, whole: exp.Expression) -> exp.Expression:
    """What a part is of a whole, in percent."""
    return divided(exp.Mul(this=exp.Literal.number("100.0"), expression=part), whole)


def literal(value: Value | None) -> exp.Expression:
    """A value as it is compared with."""
    if isinstance(value, datetime):
        return exp.cast(exp.Literal.string(value.isoformat(sep=" ")), "timestamp")
    if isinstance(value, date):
        return exp.cast(exp.Literal.string(value.isoformat()), "date")
    if isinstance(value, str) and NUL in value:
        first, rest = value.split(NUL, 1)
        nul = exp.Anonymous(this="CHR", expressions=[exp.Literal.number(0)])
        before = exp.DPipe(this=exp.Literal.string(first), expression=nul)
        return exp.Paren(this=exp.DPipe(this=before, expression=literal(rest)))
    return exp.convert(value)
