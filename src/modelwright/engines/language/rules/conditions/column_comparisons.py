"""Two columns of a row compared: stock below the reorder level, delivered after the due date."""

import re
from collections.abc import Mapping
from typing import cast

from modelwright.engines.language.rules.columns.index import Column, ref
from modelwright.engines.language.rules.measures.ratios import COST, only_amount
from modelwright.engines.language.rules.mentions.draft import Draft, add_test
from modelwright.engines.language.rules.mentions.mention import NEARLY_NAMED, PARTLY_NAMED, Mention
from modelwright.engines.language.rules.mentions.worth import MONEY, main_measure
from modelwright.engines.language.rules.plans.plan import Condition, Op
from modelwright.engines.language.rules.text.numbers import SPELLED
from modelwright.engines.language.rules.text.patterns import pattern, patterns
from modelwright.engines.language.rules.times.lateness import ENDED
from modelwright.engines.language.vocabulary import word_set, word_values

_CUES = patterns("columns compared")
_MORE = patterns("columns beside")
_SAME = pattern("columns same")
_ALIKE = pattern("columns alike")
_PERIODS = re.compile(r"(?:the )?(?:year|month|week|day|quarter|decade)s?\b")
_TIMES = pattern("columns times")
_PERCENT = re.compile(r"\d\s?(?:%|percent|per cent|pct) $")
_OTHER_WAY: Mapping[Op, Op] = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "=": "="}
"""How far a number is below another: more than 20 % below it is less than 80 % of it."""
_FACTORS: Mapping[str, float] = word_values("numbers.factors")
_LEADING = word_set("small_words.leading")
_SPENT = word_set("numbers.budgets")
_LEFT_REACH = 5
"""So many words before a comparison may name what is compared."""
_MONEY_REACH = 3
"""So many words before a comparison may speak of money."""


def read_beside(draft: Draft) -> None:
    """Adds a test for every two columns that are set against each other.

    `Below their reorder level` alone leaves open what is below it, so that it is refused.
    """
    if draft.several:
        return
    _read_more(draft)
    _read_same(draft)
    for told, cue in _CUES:
        for match in cue.finditer(draft.lower):
            _read_compared(draft, cast("Op", told), match)


def _read_compared(draft: Draft, op: Op, match: re.Match[str]) -> None:
    if _PERCENT.search(draft.lower, 0, match.start()):  # read with what stands before it
        return
    times = _TIMES.match(draft.lower, match.end())
    start, end = draft.at(match.start()), draft.at((times or match).end())
    sure = match.group("own") or times
    right = _named(draft, end, PARTLY_NAMED if sure else NEARLY_NAMED)
    is_period = _PERIODS.match(draft.text(end, end + 2))
    if right is None or is_period or any(draft.claimed[start:end]):
        return
    left = _named_before(draft, start, right.column, match.group())
    factor = _factor(times) if times else None
    if left is not None and (times is None or factor is not None):
        _set_against(draft, left, _OTHER_WAY[op] if times and times["down"] else op, right, factor)
    elif sure:
        draft.unread.append(draft.text(start, right.end))


def _factor(times: re.Match[str]) -> float | None:
    """`Three times the budget`, `twice`, `1.5x`, `half`, `20% above it`; not `several times`."""
    if times["percent"]:
        part = float(times["percent"]) / 100
        return round(1 + part if times["up"] else 1 - part if times["down"] else part, 9)
    said = times.group("n") or times.group("word")
    if said[0].isdigit():
        return float(said)
    known = _FACTORS.get(said) or SPELLED.get(said)
    return None if known is None else float(known)


def _read_more(draft: Draft) -> None:
    """`More baths than beds`, `as many baths as beds`."""
    for told, cue in _MORE:
        for match in cue.finditer(draft.lower):
            at, end = draft.at(match.start("one")), draft.at(match.start("two"))
            right = _named(draft, end) or _named_by_both(draft, at, end)
            left = right and _other_number(draft, at, right.column)
            if left and right and left.end <= right.end:
                draft.claim(draft.at(match.start()), left.start, "condition")
                _set_against(draft, left, cast("Op", told), right)


def _named_by_both(draft: Draft, at: int, end: int) -> Mention | None:
    """`More hours than planned` names the planned hours by both ends."""
    return next(
        (
            Mention(m.column, end, m.end, m.quality, m.named)
            for m in draft.question.mentions.over(at)
            if m.start == at and end < m.end and m.quality > NEARLY_NAMED and _compares(m.column)
        ),
        None,
    )


def _other_number(draft: Draft, at: int, right: Column) -> Mention | None:
    """The one number besides the other: hours of `more hours than planned` are the actual."""
    told = _named(draft, at)
    if told is not None and told.column is not right:
        return told
    held = {
        m.column.at: m
        for m in draft.question.mentions.starting(at, at + 1)
        if m.quality > PARTLY_NAMED and m.column is not right and _compares(m.column)
        if draft.text(at, at + 1) in {term.text for term in m.column.name.terms}
    }
    return next(iter(held.values())) if len(held) == 1 else None


def _read_same(draft: Draft) -> None:
    """`Start and end in the same borough`: the two columns of that name hold the same."""
    for match in _ALIKE.finditer(draft.lower):
        _read_alike(draft, match)
    for match in _SAME.finditer(draft.lower):
        at = draft.at(match.start("what"))
        said = draft.question.terms[at].stem
        alike = [
            column
            for column in draft.index.columns
            if column.facts.type == "string" and said in {term.stem for term in column.name.terms}
        ]
        if len(alike) != 2 or any(draft.claimed[draft.at(match.start()) : at + 1]):  # noqa: PLR2004
            continue
        one, other = alike
        held = [{value for value, _ in column.facts.top} for column in alike]
        if held[0] & held[1]:
            op: Op = "=" if match["way"] == "the same" else "!="
            draft.claim_text(match, "condition")
            start = draft.at(match.start())
            add_test(draft, one, Condition(ref(one), op, other=ref(other)), start, at + 1)


def _read_alike(draft: Draft, match: re.Match[str]) -> None:
    """`Where origin and destination are the same`: both are named, in part at least."""
    start, end = draft.at(match.start("one")), draft.at(match.end())
    second = draft.at(match.start("two"))
    left = draft.pick(start, second, lambda c: not c.identifier, PARTLY_NAMED)
    kind = left.column.facts.type if left else ""
    right = draft.pick(second, end, lambda c: c.facts.type == kind, PARTLY_NAMED)
    if left is None or right is None or left.column is right.column:
        return
    same = (match["way"] == "different") == bool(match["not"])
    draft.claim(start, end, "condition")
    made = Condition(ref(left.column), "=" if same else "!=", other=ref(right.column))
    add_test(draft, left.column, made, start, end)


def _set_against(
    draft: Draft, left: Mention, op: Op, right: Mention, times: float | None = None
) -> None:
    draft.claim(left.start, right.end, "condition")
    test = Condition(ref(left.column), op, other=ref(right.column), times=times)
    add_test(draft, left.column, test, left.start, right.end)


def _named(draft: Draft, at: int, least: float = NEARLY_NAMED) -> Mention | None:
    """The whole name of a number or a date, with no number after it."""
    while draft.text(at, at + 1) in _LEADING:
        at += 1
    found = draft.pick(at, at + 1, _compares, least) or _around(draft, at)
    if found is None or draft.text(found.end, found.end + 1)[:1].isdigit():
        return None
    return found


def _compares(column: Column) -> bool:
    return column.date or (column.number and not column.identifier)


def _around(draft: Draft, at: int) -> Mention | None:
    """A name that the comparison's own words seem to begin: `longer than the talk time`."""
    return next(
        (
            m
            for m in draft.question.mentions.over(at)
            if m.start < at and m.quality > NEARLY_NAMED and _compares(m.column) and draft.free(m)
        ),
        None,
    )


def _named_before(draft: Draft, start: int, right: Column, said: str) -> Mention | None:
    """What stands before the comparison and can be compared with the column after it."""
    timed = said.startswith(("before", "after"))

    def fits(column: Column) -> bool:
        same = (column.date and right.date) or (column.number and right.number and not timed)
        return same and column is not right and not column.identifier

    near = max(0, start - _LEFT_REACH), start
    return (
        draft.pick(*near, fits, NEARLY_NAMED)
        or draft.pick(*near, fits, PARTLY_NAMED)
        or (_earned(draft, start, right) if right.number else _ended(draft, start, right))
    )


def _ended(draft: Draft, end: int, right: Column) -> Mention | None:
    """`Finished after the planned end`: the one date that says when something was done."""
    dates = [
        one
        for one in draft.index.columns
        if one.date and one is not right and ENDED.search(one.plain_name)
    ]
    said = draft.text(end - 1, end).endswith("ed") and not draft.claimed[end - 1]
    return Mention(dates[0], end - 1, end, 1.0, 1.0) if said and len(dates) == 1 else None


def _earned(draft: Draft, end: int, right: Column) -> Mention | None:
    """`Made more than their budget`: the money that a row brings, where no word names it.

    What is over budget has cost more.
    """
    cost = only_amount(draft, COST) if draft.text(end, end + 2) in _SPENT else None
    if cost is not None and cost is not right:
        return Mention(cost, end - 1, end, 1.0, 1.0)
    main = main_measure(draft) if MONEY.search(draft.text(end - _MONEY_REACH, end)) else None
    column = draft.index.column(main.ref) if main and main.ref else None
    if column is None or column is right or (main and main.aggregate != "sum"):
        return None
    return Mention(column, end - 1, end, 1.0, 1.0)
