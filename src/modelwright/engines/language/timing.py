"""When: the times a question names, as tests of a date column."""

import re
from datetime import date, datetime

from modelwright.engines.facts import Value
from modelwright.engines.language.dates import Times, find_times
from modelwright.engines.language.drafting import Draft, add_test
from modelwright.engines.language.index import Column, ref
from modelwright.engines.language.plan import Bucket, Condition, Unit
from modelwright_client.predictor.moments import order_in

COMPARED = re.compile(r"\b(?:compar\w+|versus|vs\.?|differences?|differs?)\b")
_DAYS: tuple[tuple[int, Unit], ...] = ((1, "day"), (7, "week"), (31, "month"), (92, "quarter"))


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
    orders = [order_in(column.patterns[0]) for column in dated if column.patterns]
    for one in find_times(draft.question.text, draft.today, year, next(iter(orders), None)):
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


def join_periods(draft: Draft) -> None:
    """`2025 and 2026`: no row is of both, so either will do; compared, each is a group."""
    kept = [at for at, (one, *_) in enumerate(draft.where) if one.op == "between" and one.exclusive]
    firsts = [draft.where[at][0] for at in kept]
    if len(kept) < 2 or len({one.ref for one in firsts}) > 1:  # noqa: PLR2004 - it takes two
        return
    draft.where[kept[0]] = tuple(option for at in kept for option in draft.where[at])
    for at in reversed(kept[1:]):
        del draft.where[at], draft.spans[at]
    if not draft.group and COMPARED.search(draft.lower):
        draft.group.append(Bucket(firsts[0].ref, _unit(firsts[0])))


def _unit(one: Condition) -> Unit:
    """How long a period is."""
    days = (one.upper - one.value).days  # type: ignore[operator,union-attr]
    return next((unit for most, unit in _DAYS if days <= most), "year")
