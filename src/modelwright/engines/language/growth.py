"""Growth from one period to the next: year over year, monthly growth of revenue by region."""

import re
from typing import cast

from modelwright.engines.language.drafting import Draft
from modelwright.engines.language.extreme_rows import SUPER
from modelwright.engines.language.index import ref
from modelwright.engines.language.patterns import pattern
from modelwright.engines.language.plan import Bucket, Measure, Order, Unit
from modelwright.engines.language.rows import amount, in_groups, only_rows

_GROWTH = pattern("measuring growth")
_PERIOD = pattern("measuring unit period")
_WHICH = re.compile(r"\s*(?:which|what|who)\b(?! (?:day|week|month|quarter|year)s?\b)")
_SHORT = {"y": "year", "m": "month", "q": "quarter", "w": "week", "d": "day", "a": "year"}
_SURE = 0.6


def read_growth(draft: Draft) -> bool:
    """Reads the number that grows and the period; says whether there was one."""
    match = _GROWTH.search(draft.lower)
    dated = [column for column in draft.index.columns if column.date]
    if match is None or len(draft.index.tables) > 1 or draft.select:
        return False
    named = draft.question.mentions.over(draft.at(match.start()))
    if not dated or any(m.quality > _SURE for m in named):
        return False
    draft.claim_text(match, "growth")
    which = _WHICH.match(draft.lower)
    if which and SUPER.search(draft.lower):
        draft.unread.append(match.group())
    period = _PERIOD.search(draft.lower)
    if period is not None:
        draft.claim_text(period, "growth")
    unit = cast("Unit", _SHORT[period.group()[0]]) if period else "year"
    timed = [one for one in draft.group if one.unit]
    bucket = timed[0] if timed else Bucket(ref(dated[0]), unit)
    apart = [one for one in draft.group if one != bucket]
    told = draft.pick(0, len(draft.claimed), amount, _SURE)
    measure = Measure("count")
    if told is not None and not only_rows(draft, told):
        draft.claim(told.start, told.end, "measure")
        measure = in_groups(Measure(None, ref(told.column)))
    draft.group = [bucket, *apart]
    grown = Measure(measure.aggregate, measure.ref, growth=(bucket, *apart))
    draft.select = [measure, grown]
    draft.order = [Order(one, descending=False) for one in draft.group]
    return True
