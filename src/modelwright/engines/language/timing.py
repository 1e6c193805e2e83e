"""When: the times a question names, as tests of a date column."""

from datetime import date, datetime

from modelwright.engines.facts import Value
from modelwright.engines.language.dates import Times, find_times
from modelwright.engines.language.drafting import Draft, add_test
from modelwright.engines.language.index import Column, ref
from modelwright.engines.language.plan import (
    Condition,
)


def read_times(draft: Draft) -> None:
    """Adds a test of a date column for every time the question names."""
    dated = [column for column in draft.index.columns if column.date]
    if not dated:
        return
    years = {
        bound.year
        for column in dated
        for bound in (column.facts.maximum,)
        if isinstance(bound, date)
    }
    year = max(years) if years and draft.today.year not in years else draft.today.year
    for one in find_times(draft.question.text, draft.today, year):
        start, end = draft.at(one.start), draft.at(one.end)
        named = draft.pick(max(0, start - 4), start, lambda c: c.date, 0.35)
        column = named.column if named else dated[0]
        draft.claim(start, end, "time")
        add_test(draft, column, _time_test(column, one), start, end)


def _time_test(column: Column, one: Times) -> Condition:
    where = ref(column)
    if one.part:
        if isinstance(one.value, tuple):
            return Condition(where, "in", one.value, part=one.part)
        return Condition(where, one.op, one.value, one.upper, part=one.part)
    low, high = _moment(column, one.low), _moment(column, one.high)
    if one.op == "between":
        return Condition(where, "between", low, high, exclusive=True)
    return Condition(where, one.op, low if one.op == ">=" else high)


def _moment(column: Column, day: date | None) -> Value | None:
    if day is None:
        return None
    if isinstance(column.facts.maximum, datetime):
        return datetime(day.year, day.month, day.day)  # noqa: DTZ001 - tables hold naive times
    return day
