"""What is more or less than any other: a population larger than that of any country in Africa."""

from dataclasses import dataclass

from modelwright.engines.language.rules.columns.index import Column, ref
from modelwright.engines.language.rules.mentions.draft import Draft, add_test
from modelwright.engines.language.rules.mentions.mention import Mention
from modelwright.engines.language.rules.plans.plan import Aggregate, Condition, Measure, Op, Plan
from modelwright.engines.language.rules.text.patterns import pattern

_ANY = pattern("outdoing any")
_LESS = pattern("filters less")
_REACH_BEFORE = 6
"""In words: how far before the comparison its number may begin."""
_REACH_BEHIND = 8
"""In words: how far behind it."""
_INSIDE_QUALITY = 0.5
"""How surely the words of the comparison themselves must mean the number, 0 to 1."""


@dataclass(frozen=True, slots=True)
class Outdone:
    """The number of some rows that others exceed or stay below, and the words that say it."""

    number: Mention
    less: bool
    start: int
    end: int


def read_outdone(draft: Draft) -> Outdone | None:
    """Claims the words of a comparison with any of some rows."""
    match = _ANY.search(draft.lower)
    if match is None:
        return None
    start, end = draft.at(match.start()), draft.at(match.end())
    if any(draft.claimed[start:end]):
        return None
    number = (
        draft.pick(start + 1, end, _counts, _INSIDE_QUALITY)
        or draft.pick(max(0, start - _REACH_BEFORE), start, _counts)
        or draft.pick(start, start + 1, _counts, _INSIDE_QUALITY)
        or draft.pick(end, end + _REACH_BEHIND, _counts)
    )
    if number is None:
        draft.unread.append(match.group())
        return None
    draft.claim(start, end, "condition")
    draft.claim(number.start, number.end, "condition")
    return Outdone(number, bool(_LESS.fullmatch(match.group("word"))), start, end)


def _counts(column: Column) -> bool:
    return column.number and not column.identifier


def settle_outdone(draft: Draft, one: Outdone | None) -> None:
    """Adds the test against the most, or the least, of the rows that are told after it."""
    if one is None:
        return
    tests = list(zip(draft.where, draft.spans, strict=True))
    inner = [options for options, span in tests if span[0] >= one.end]
    column = one.number.column
    if any(each.ref.table != column.table for options in inner for each in options):
        draft.unread.append(draft.text(one.start, one.end))
        return
    kept = [pair for pair in tests if pair[1][0] < one.end]
    draft.where, draft.spans = [options for options, _ in kept], [span for _, span in kept]
    kind: Aggregate = "min" if one.less else "max"
    op: Op = "<" if one.less else ">"
    plan = Plan([column.table], [Measure(kind, ref(column))], inner)
    add_test(draft, column, Condition(ref(column), op, plan=plan), one.start, one.end)
