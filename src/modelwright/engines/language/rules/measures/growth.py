"""Growth from one period to the next: year over year, and running totals over the periods.

Growth compares rows of an answer with each other, which no aggregate does: periods are needed even
where none is said. With the groups alone, the numbers of the periods would pass for their growth.
"""

import re
from dataclasses import replace
from typing import cast

from modelwright.engines.language.rules.columns.index import ref
from modelwright.engines.language.rules.measures.extreme_rows import SUPER
from modelwright.engines.language.rules.measures.products import revenue_at
from modelwright.engines.language.rules.measures.ratios import profit_at
from modelwright.engines.language.rules.mentions.draft import Draft
from modelwright.engines.language.rules.mentions.rows import amount, averaged, in_groups, only_rows
from modelwright.engines.language.rules.plans.plan import Bucket, Measure, Order, Unit
from modelwright.engines.language.rules.text.patterns import pattern
from modelwright.engines.language.vocabulary import word_values

_GROWTH = pattern("measuring growth")
_RUNNING = pattern("measuring running")
_PERIOD = pattern("measuring unit period")
_WHICH = re.compile(r"\s*(?:which|what|who)\b(?! (?:day|week|month|quarter|year)s?\b)")
_CHANGED = re.compile(r"\b(?:change[ds]?|changing|develop(?:ed|s)?|evolve[ds]?)\b")
_INITIALS = word_values("times.initials") | {"d": "day", "a": "year"}
"""`A` begins annual."""
_MEANS = frozenset({"avg", "mean_difference", "mean_product"})
_SURE = 0.6
"""How surely words must mean a column, 0 to 1."""


def read_growth(draft: Draft) -> bool:
    """Reads the number that grows or is added up, and the period; says whether there was one."""
    growth = _GROWTH.search(draft.lower)
    match = growth or _RUNNING.search(draft.lower)
    if match is None or not _has_periods(draft, match):
        return False
    draft.claim_text(match, "growth")
    changed = _CHANGED.search(draft.lower) if growth else None
    if changed:
        draft.claim_text(changed, "growth")
    if _WHICH.match(draft.lower) and SUPER.search(draft.lower):
        draft.unread.append(match.group())
    buckets = _periods(draft, "year" if growth else None)
    measure = _measured(draft)
    if not growth and "total" in match.group():
        measure = _added_up(measure)
    if not buckets or (not growth and measure.aggregate in _MEANS):
        draft.unread.append(match.group())
        return False
    over = replace(measure, growth=buckets) if growth else replace(measure, running=buckets)
    draft.group, draft.select = list(buckets), [measure, over]
    draft.order = [Order(one, descending=False) for one in draft.group]
    return True


def _has_periods(draft: Draft, match: re.Match[str]) -> bool:
    """Whether one table has a date, nothing else is asked, and no column is called `growth`."""
    named = draft.question.mentions.over(draft.at(match.start()))
    dated = any(column.date for column in draft.index.columns)
    alone = len(draft.index.tables) == 1 and not draft.select
    return alone and dated and not any(m.quality > _SURE for m in named)


def _added_up(measure: Measure) -> Measure:
    """The sum of a number, unless it is one of two or only averaged."""
    plain = measure.ref and not measure.other and not averaged(measure.ref)
    return Measure("sum", measure.ref) if plain else measure


def _periods(draft: Draft, usual: Unit | None) -> tuple[Bucket, ...]:
    """The period that is said or usual, and what else the rows are grouped by."""
    period = _PERIOD.search(draft.lower)
    if period is not None:
        draft.claim_text(period, "growth")
    unit = cast("Unit", _INITIALS[period.group()[0]]) if period else usual
    timed = [one for one in draft.group if one.unit]
    dates = (column for column in draft.index.columns if column.date)
    if not (timed or unit):
        return ()
    bucket = timed[0] if timed else Bucket(ref(next(dates)), unit)
    return bucket, *(one for one in draft.group if one != bucket)


def _measured(draft: Draft) -> Measure:
    end = len(draft.claimed)
    made = revenue_at(draft, 0, end) or profit_at(draft, 0, end)
    if made is not None:
        return made
    told = draft.pick(0, end, amount, _SURE)
    if told is None or only_rows(draft, told):
        return Measure("count")
    draft.claim(told.start, told.end, "measure")
    return in_groups(draft, Measure(None, ref(told.column)))
