"""The first of what is ranked: top 5 zones by number of trips, top 10 test scores."""

import re

from modelwright.engines.language.rules.columns.index import Column, ref
from modelwright.engines.language.rules.mentions.drafting import Draft
from modelwright.engines.language.rules.mentions.rows import amount, in_groups, only_rows
from modelwright.engines.language.rules.plans.plan import Bucket, Measure, Order
from modelwright.engines.language.rules.ranks.measured import measure_after
from modelwright.engines.language.rules.ranks.vague import unwanted
from modelwright.engines.language.rules.text.numbers import SPELLED
from modelwright.engines.language.rules.text.patterns import pattern
from modelwright.engines.language.rules.times.usual_dates import usual_date

TOP = pattern("superlatives top")
_BY = re.compile(r"\b(?:by|in terms of|based on|ranked by|with respect to)\b")
_NUMBER = r"(?P<n>\d+|" + "|".join(SPELLED) + r")"
PAST = re.compile(rf"(?:last|past|previous) {_NUMBER} (?:hour|day|week|month|quarter|year)s\b")
_NAMED, _WHOLE = 0.45, 0.93


def read_top_by(draft: Draft) -> bool:
    """Top 5 zones by number of trips; top 10 wines by alcohol."""
    top = TOP.search(draft.lower)
    by = _BY.search(draft.lower[top.end() :]) if top else None
    if not top or not by or (usual_date(draft) and PAST.match(draft.lower, top.start())):
        return False
    draft.claim_text(top, "superlative")
    at, cut = draft.at(top.end()), draft.at(top.end() + by.start())
    after = draft.at(top.end() + by.end())
    draft.claim(cut, cut + 1, "superlative")
    group = draft.pick(at, cut, least=0.42)
    if group and amount(group.column) and only_rows(draft, group):
        group = None
    draft.limit = draft.limit or (1 if top.group("best") else 10)
    measure = measure_after(draft, after)
    down = top.group("side") in {"bottom", "last"} or (top.group("best") and unwanted(measure))
    if measure is None and group is not None and amount(group.column):
        return False
    if group is None or (len(draft.index.tables) == 1 and unique(group.column)):
        if measure is None or measure.ref is None or measure.other:
            _note_ungrouped(draft, at, cut, measure)
            return False
        draft.order = [Order(Measure(None, measure.ref), not down)]
        if group is not None:
            draft.claim(group.start, group.end, "select")
            draft.select.append(Measure(None, ref(group.column)))
        return True
    draft.claim(group.start, group.end, "group")
    measure = measure or Measure("count")
    if measure.aggregate is None:
        measure = in_groups(draft, measure)
    draft.group.append(Bucket(ref(group.column)))
    draft.select.append(measure)
    draft.order = [Order(measure, not down)]
    return True


def read_top_amounts(draft: Draft) -> bool:
    """`Top 10 test scores`: the highest of them."""
    top = TOP.search(draft.lower) if len(draft.index.tables) == 1 else None
    at = draft.at(top.end()) if top and top.group("side") in {"top", "bottom"} else 0
    named = draft.pick(at, at + 1, amount, _WHOLE) if top and at else None
    if top is None or named is None or not draft.text(at, named.end).endswith("s"):
        return False
    draft.claim_text(top, "superlative")
    draft.claim(named.start, named.end, "select")
    shown = Measure(None, ref(named.column))
    draft.select.append(shown)
    draft.order = [Order(shown, top.group("side") == "top")]
    return True


def _note_ungrouped(draft: Draft, at: int, cut: int, measure: Measure | None) -> None:
    """`Top 3 departments by number of people` where no column tells departments."""
    named = any(m.quality >= _NAMED for m in draft.question.mentions.starting(at, cut))
    if measure == Measure("count") and not named and len(draft.index.tables) == 1:
        draft.unread.append(draft.text(at, cut))


def unique(column: Column) -> bool:
    """Whether about every row has a value of its own."""
    return column.facts.distinct >= 0.9 * max(1, column.facts.rows)
