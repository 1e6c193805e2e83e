"""What is more or less than any other: a population larger than that of any country in Africa."""

from dataclasses import dataclass

from modelwright.engines.language.rules.columns.index import Column, ref
from modelwright.engines.language.rules.mentions.drafting import Draft, add_test
from modelwright.engines.language.rules.mentions.mention import Mention
from modelwright.engines.language.rules.plans.plan import Aggregate, Condition, Measure, Op, Plan
from modelwright.engines.language.rules.text.patterns import pattern

_ANY, _LESS = pattern("outdoing any"), pattern("filters less")
_BEFORE, _AFTER, _SURE = 6, 8, 0.5


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
        draft.pick(start + 1, end, _counts, _SURE)
        or draft.pick(max(0, start - _BEFORE), start, _counts)
        or draft.pick(start, start + 1, _counts, _SURE)
        or draft.pick(end, end + _AFTER, _counts)
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
