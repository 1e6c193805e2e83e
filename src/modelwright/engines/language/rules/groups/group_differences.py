"""Whether groups differ: do men work longer than women, how does churn differ by contract.

A question whether groups differ names no aggregate and often no group: `do men work longer than
women`. It is answered by the numbers of the groups side by side, not by rows that pass a test
`longer`.
"""

import re
from collections.abc import Callable

from modelwright.engines.language.rules.columns.index import Column, ref
from modelwright.engines.language.rules.mentions.draft import Draft
from modelwright.engines.language.rules.mentions.mention import Mention
from modelwright.engines.language.rules.mentions.rows import amount, in_groups, only_rows
from modelwright.engines.language.rules.plans.plan import Bucket, Condition, Measure, Unit
from modelwright.engines.language.rules.text.patterns import pattern
from modelwright.engines.language.rules.times.usual_dates import default_unit, usual_date
from modelwright.engines.language.vocabulary import word_set

_MORE = pattern("comparing more")
_DIFFERS = pattern("comparing differs")
_TREND = pattern("comparing trend")
_YEARS = re.compile(
    r"\b(?:19|20)\d\d (?:to|and) (?:19|20)\d\d\b|\byears\b|\b(?:by|per|each) year\b"
)
_HOW_LIKELY = frozenset({"likely", "often"})
_MORE_OFTEN = frozenset({"more", "less"})
_RATED = word_set("names.shares")
_SURE = 0.55
"""How surely words must mean a column, 0 to 1."""
_ALL_SAID = 0.95
"""How much of the words a name must explain to be their own, 0 to 1."""
_MOST_KINDS = 30
"""A text of more values has no kinds to be counted."""


def read_compared(draft: Draft) -> bool:
    """Shows for each group what is said to be more or to differ; says whether it did.

    What is asked so and lacks the groups or the number stays unread.
    """
    if draft.several or draft.charted:
        return False
    trend = _TREND.match(draft.lower)
    if trend is not None and not draft.claimed[draft.at(trend.start("verb"))]:
        return _read_trend(draft, trend)
    differs = _DIFFERS.search(draft.lower)
    if differs is not None:
        return _read_differing(draft, draft.at(differs.start("verb")))
    more = _MORE.search(draft.lower)
    if more is None:
        return False
    at, end = draft.at(more.start("more")), draft.at(more.end("more"))
    _forget(draft, at)
    measure = _measure(draft, at, end)
    if measure is None or not _set_apart(draft):
        draft.unread.append(more.group("more"))
        return False
    draft.claim(at, end, "comparison")
    draft.select.append(measure)
    return True


def _read_trend(draft: Draft, trend: re.Match[str]) -> bool:
    """`Did ratings improve from 2025 to 2026`: the number of each year, or of what is usual."""
    usual, at = usual_date(draft), draft.at(trend.start("verb"))
    timed = any(one.unit for one in draft.group)
    if usual is None and not timed:
        draft.unread.append(trend.group("verb"))
        return False
    named = draft.pick(0, at, amount, _SURE)
    measure = Measure("count")
    if named is not None and not only_rows(draft, named):
        draft.claim(named.start, named.end, "measure")
        measure = in_groups(draft, Measure(None, ref(named.column)))
    draft.claim_text(trend, "comparison", "verb")
    if usual is not None and not timed:
        unit: Unit = "year" if _YEARS.search(draft.lower) else default_unit(usual)
        draft.group.append(Bucket(ref(usual), unit))
    draft.select.append(measure)
    return True


def _measure(draft: Draft, at: int, end: int) -> Measure | None:
    """What there is more of: rows, the share of those who do something, or an average."""
    if draft.text(at - 1, at) == "there":
        return Measure("count")
    if draft.text(end, end + 1) in _HOW_LIKELY:
        later = [one for one, span in enumerate(draft.spans) if span[0] >= end]
        return _share_of(draft, later[0]) if later else None
    rated = _nearest(draft, at, end, lambda column: column.yes is not None)
    if rated is not None and draft.text(rated.end, rated.end + 1) in _RATED:
        draft.claim(rated.start, rated.end + 1, "measure")
        return Measure(share=((Condition(ref(rated.column), "=", rated.column.yes),),))
    doing = [one for one, span in enumerate(draft.spans) if span[1] == at]
    if doing and draft.text(at, end) in _MORE_OFTEN and draft.where[doing[0]][0].op == "=":
        return _share_of(draft, doing[0])
    named = _nearest(draft, at, end, amount)
    if named is None:
        return None
    _forget(draft, named.start)
    draft.claim(named.start, named.end, "measure")
    return Measure("avg", ref(named.column))


def _nearest(draft: Draft, at: int, end: int, fits: Callable[[Column], bool]) -> Mention | None:
    """The column named beside the comparison, else the nearest that is named by its own words."""
    found = [m for m in draft.question.mentions if m.quality > _SURE and fits(m.column)]
    beside = [m for m in found if _gap(m, at, end) <= 1]
    whole = [m for m in found if m.explained > _ALL_SAID and draft.free(m)]
    near = min((_gap(m, at, end) for m in beside or whole), default=0)
    best = [m for m in beside or whole if _gap(m, at, end) == near]
    return max(best, key=draft.worth, default=None)


def _gap(one: Mention, at: int, end: int) -> int:
    """How far away a name is; what stands before comes before what stands as far behind."""
    return 2 * max(0, at - one.end) if one.start < at else 2 * max(0, one.start - end) + 1


def _forget(draft: Draft, start: int) -> None:
    """Takes back a test of a word that is read otherwise: `stay` of `stay longer`, `higher`."""
    kept = [pair for pair in zip(draft.where, draft.spans, strict=True) if pair[1][0] != start]
    draft.where, draft.spans = [one for one, _ in kept], [span for _, span in kept]


def _share_of(draft: Draft, number: int) -> Measure:
    draft.spans.pop(number)
    return Measure(share=(draft.where.pop(number),))


def _set_apart(draft: Draft) -> bool:
    """Groups by the values that are set against each other, else by the first that is named."""
    if draft.group:
        return True
    plain = [at for at, (one, *_) in enumerate(draft.where) if not (one.part or one.plan)]
    several = [at for at in plain if draft.where[at][0].op == "in"]
    single = [at for at in plain if draft.where[at][0].op == "="]
    for at in several[:1] or single[:1]:
        one = draft.where[at][0]
        draft.group.append(Bucket(one.ref))
        if one.op == "=":
            draft.where.pop(at)
            draft.spans.pop(at)
    return bool(draft.group)


def _read_differing(draft: Draft, verb: int) -> bool:
    """`How does churn differ by gender` is the share in each group; of kinds, all the counts."""
    before = [at for at, span in enumerate(draft.spans) if span[1] <= verb]
    if not draft.group:
        return False
    if draft.pick(0, verb, amount, _ALL_SAID) is not None:
        draft.claim(verb, verb + 1, "comparison")
        return False
    if len(before) == 1 and draft.where[before[0]][0].op == "=":
        draft.select.append(_share_of(draft, before[0]))
        return True
    named = draft.pick(0, verb, lambda c: c.facts.type == "string", _SURE)
    if named is None or named.column.facts.distinct > _MOST_KINDS:
        return False
    draft.claim(named.start, named.end, "group")
    draft.group.append(Bucket(ref(named.column)))
    draft.select.append(Measure("count"))
    return True
