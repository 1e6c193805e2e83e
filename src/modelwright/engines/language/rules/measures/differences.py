"""One number less another: revenue minus cost, the difference between men's and women's pay."""

import re
from dataclasses import replace

from modelwright.engines.language.rules.columns.index import Column, ref
from modelwright.engines.language.rules.measures.two_amounts import amount_before
from modelwright.engines.language.rules.mentions.draft import Draft
from modelwright.engines.language.rules.plans.plan import Bucket, Condition, Measure
from modelwright.engines.language.rules.text.patterns import pattern

_APART = re.compile(r"\bgap\b(?! (?:between|in|of)\b)")
_GAP = pattern("differences gap")
_FEWER = re.compile(r"how \w+ (?:fewer|less)\b")
_SURE = 0.6
"""How surely words must mean a column, 0 to 1."""
_SIDES = 2
"""Two kinds make one gap."""
_NUMBERS = frozenset({"sum", "avg", "median", "min", "max", "count"})
"""Aggregates of which one less another is a number."""


def read_apart(draft: Draft) -> bool:
    """Reads `gender pay gap`: the average of each of the two kinds; says whether there was one."""
    match = _APART.search(draft.lower) if len(draft.index.tables) == 1 else None
    at = draft.at(match.start()) if match else 0
    held = draft.question.mentions.quality_at(at) > _SURE
    if match is None or draft.claimed[at] or held:
        return False
    named = amount_before(draft, at)
    kinds = draft.pick(0, at, _two, _SURE) or draft.pick(at + 1, len(draft.claimed), _two, _SURE)
    grouped = any(_two(draft.index.column(one.ref)) for one in draft.group)
    if named is None or not (kinds or grouped):
        draft.unread.append("gap")
        return False
    draft.claim(named.start, at + 1, "measure")
    if kinds and Bucket(ref(kinds.column)) not in draft.group:
        draft.claim(kinds.start, kinds.end, "group")
        draft.group.append(Bucket(ref(kinds.column)))
    draft.select.append(Measure("avg", ref(named.column)))
    return True


def _two(column: Column) -> bool:
    return column.facts.type == "string" and column.facts.distinct == _SIDES


def read_gap(draft: Draft) -> None:
    """`The difference between the average age of men and women` is one number, not two."""
    match = _GAP.search(draft.lower)
    if match is None or len(draft.select) != 1 or draft.order or draft.having:
        return
    told = draft.select[0]
    plain = told.aggregate in _NUMBERS and not (told.share or told.of_total or told.growth)
    find = _of_flag if match.group("alone") else _either
    either = find(draft, draft.at(match.start())) if plain else None
    if either is not None:
        one, other = either
        draft.group = [bucket for bucket in draft.group if bucket != Bucket(one.ref)]
        against = (other, one) if _FEWER.match(match.group()) else (one, other)
        draft.select = [replace(told, against=against)]
        draft.claim_text(match, "measure")
    elif more := match.group("more") or match.group("alone"):
        draft.unread.append(more)


def _of_flag(draft: Draft, at: int) -> tuple[Condition, Condition] | None:
    """The only test, of a yes or no, and its opposite: homes `with a pool`, and those without."""
    if len(draft.where) != 1 or draft.spans[0][0] < at:
        return None
    ((one, *others),) = draft.where
    facts = draft.index.column(one.ref).facts
    rest = [value for value, _ in facts.top if value != one.value]
    if others or one.op != "=" or one.part or facts.distinct != _SIDES or len(rest) != 1:
        return None
    draft.where, draft.spans = [], []
    return one, replace(one, value=rest[0])


def _either(draft: Draft, at: int) -> tuple[Condition, Condition] | None:
    """The first test of two values behind a place: `men and women`."""
    for (one, *others), (start, _) in zip(draft.where, draft.spans, strict=False):
        values = one.value if isinstance(one.value, tuple) else ()
        plain = one.op == "in" and not (others or one.part)
        if plain and len(values) == _SIDES and start >= at:
            first, second = (replace(one, op="=", value=value) for value in values)
            return first, second
    return None
