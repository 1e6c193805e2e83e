"""The first of what is ranked: top 5 zones by number of trips, top 10 test scores.

`Top 10` counts what is ranked: rows, groups or values of a number. The words behind `by` tell
which; ten rows in place of ten zones would look like an answer.
"""

import re

from modelwright.engines.language.rules.columns.index import Column, ref
from modelwright.engines.language.rules.measures.two_amounts import BOTTOM, TOP, of_each_row
from modelwright.engines.language.rules.mentions.draft import Draft
from modelwright.engines.language.rules.mentions.mention import Mention
from modelwright.engines.language.rules.mentions.rows import amount, in_groups, only_rows
from modelwright.engines.language.rules.plans.plan import Bucket, Measure, Order
from modelwright.engines.language.rules.ranks.implied_measures import unwanted
from modelwright.engines.language.rules.ranks.ranking_measures import measure_after
from modelwright.engines.language.rules.text.numbers import SPELLED
from modelwright.engines.language.rules.times.usual_dates import usual_date
from modelwright.engines.language.vocabulary import alternatives

_BY = re.compile(rf"\b(?:{alternatives('superlatives.ranked_by')})\b")
_NUMBER = r"(?P<n>\d+|" + "|".join(SPELLED) + r")"
PAST = re.compile(rf"(?:last|past|previous) {_NUMBER} (?:hour|day|week|month|quarter|year)s\b")
_GROUPS_BY = re.compile(
    r"\W*(?:(?:list|show|rank|give me|display|compare)(?: me)? )?(?:all )?(?:the |our )?"
    r"(?P<what>[a-z]+(?: [a-z]+){0,2}?) by (?=(?:the )?(?:total|sum of|average|avg|mean|median)\b)"
)
_USUAL_LIMIT = 10
"""How many are shown of a `top` without a number."""
_UNIQUE_SHARE = 0.9
"""Which share of the rows must have a value of their own in what names them."""
_GROUP_QUALITY = 0.42
"""How surely words must mean the groups, 0 to 1."""
_GROUP_NAMED = 0.45
"""How surely words mean any column, so that groups are named, 0 to 1."""
_NUMBER_QUALITY = 0.93
"""How surely words must mean a number to be ranked by it, 0 to 1."""


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
    group = _groups_named(draft, at, cut)
    draft.limit = draft.limit or (1 if top.group("best") else _USUAL_LIMIT)
    measure = measure_after(draft, after)
    up = not _is_bottom(top, measure)
    if group is None or (len(draft.index.tables) == 1 and unique(group.column)):
        ranked = _rank_rows(draft, group, measure, up=up)
        if not ranked:
            _note_ungrouped(draft, at, cut, measure)
        return ranked
    if measure is None and amount(group.column):
        return False
    _rank_groups(draft, group, measure or Measure("count"), up=up)
    return True


def read_groups_by(draft: Draft) -> bool:
    """`Cities by total revenue`: groups with their figure, the most first."""
    told = _GROUPS_BY.match(draft.lower)
    if told is None or draft.group or draft.select:
        return False
    at, cut, after = (draft.at(one) for one in (told.start("what"), told.end("what"), told.end()))
    group = draft.pick(at, cut, lambda c: not amount(c) and not c.date, _GROUP_QUALITY)
    if group is None or group.end != cut or unique(group.column):
        return False
    measure = measure_after(draft, after)
    if measure is None:
        return False
    draft.claim(cut, after, "superlative")
    _rank_groups(draft, group, measure, up=True)
    return True


def _is_bottom(top: re.Match[str], measure: Measure | None) -> bool:
    """Whether the least comes first: of what nobody wants, the best has the least."""
    turned = bool(top.group("best")) and unwanted(measure)
    return turned or top.group("side") in BOTTOM


def _groups_named(draft: Draft, at: int, cut: int) -> Mention | None:
    """What is ranked, unless it is an amount that only names the rows."""
    group = draft.pick(at, cut, least=_GROUP_QUALITY)
    of_rows = group and amount(group.column) and only_rows(draft, group)
    return None if of_rows else group


def _rank_rows(draft: Draft, named: Mention | None, measure: Measure | None, *, up: bool) -> bool:
    """Ranks rows by a number of theirs, and shows what names them; says whether there was one."""
    if measure is None or measure.ref is None or (measure.other and measure != draft.of_two):
        return False
    by = of_each_row(measure) if measure.other else Measure(None, measure.ref)
    draft.order = [Order(by, up)]
    if named is not None:
        draft.claim(named.start, named.end, "select")
        draft.select.append(Measure(None, ref(named.column)))
    return True


def _rank_groups(draft: Draft, group: Mention, measure: Measure, *, up: bool) -> None:
    draft.claim(group.start, group.end, "group")
    if measure.aggregate is None:
        measure = in_groups(draft, measure)
    draft.group.append(Bucket(ref(group.column)))
    draft.select.append(measure)
    draft.order = [Order(measure, up)]


def read_top_amounts(draft: Draft) -> bool:
    """`Top 10 test scores`: the highest of them."""
    top = TOP.search(draft.lower) if len(draft.index.tables) == 1 else None
    at = draft.at(top.end()) if top and top.group("side") in {"top", "bottom"} else 0
    named = draft.pick(at, at + 1, amount, _NUMBER_QUALITY) if top and at else None
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
    named = any(m.quality >= _GROUP_NAMED for m in draft.question.mentions.starting(at, cut))
    if measure == Measure("count") and not named and len(draft.index.tables) == 1:
        draft.unread.append(draft.text(at, cut))


def unique(column: Column) -> bool:
    """Whether about every row has a value of its own."""
    return column.facts.distinct >= _UNIQUE_SHARE * max(1, column.facts.rows)
