"""Two columns of a row compared: stock below the reorder level, delivered after the due date."""

import re
from typing import cast

from modelwright.engines.language.columns.index import Column, ref
from modelwright.engines.language.mentions.drafting import Draft, add_test
from modelwright.engines.language.mentions.mentions import Mention
from modelwright.engines.language.plans.plan import Condition, Op
from modelwright.engines.language.text.patterns import pattern, patterns

_CUES, _MORE = patterns("columns compared"), patterns("columns beside")
_SAME, _ALIKE = pattern("columns same"), pattern("columns alike")
_PERIODS = re.compile(r"(?:the )?(?:year|month|week|day|quarter|decade)s?\b")
_SURE, _PARTLY, _NEAR = 0.75, 0.6, 5


def read_beside(draft: Draft) -> None:
    """Adds a test for every two columns that are set against each other.

    `Below their reorder level` alone leaves open what is below it, so that it is refused.
    """
    if len(draft.index.tables) > 1:
        return
    _read_more(draft)
    _read_same(draft)
    for told, cue in _CUES:
        for match in cue.finditer(draft.lower):
            start, end = draft.at(match.start()), draft.at(match.end())
            right = _named(draft, end)
            if (
                _PERIODS.match(draft.text(end, end + 2))
                or right is None
                or any(draft.claimed[start:end])
            ):
                continue
            left = _other(draft, start, right.column, match.group())
            if left is not None:
                _set_against(draft, left, cast("Op", told), right)
            elif match.group("own"):
                draft.unread.append(draft.text(start, right.end))


def _read_more(draft: Draft) -> None:
    """`More baths than beds`, `as many baths as beds`."""
    for told, cue in _MORE:
        for match in cue.finditer(draft.lower):
            left = _named(draft, draft.at(match.start("one")))
            right = _named(draft, draft.at(match.start("two")))
            if left and right and left.column is not right.column and left.end <= right.start:
                draft.claim(draft.at(match.start()), left.start, "condition")
                _set_against(draft, left, cast("Op", told), right)


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
    left = draft.pick(start, second, lambda c: not c.identifier, _PARTLY)
    kind = left.column.facts.type if left else ""
    right = draft.pick(second, end, lambda c: c.facts.type == kind, _PARTLY)
    if left is None or right is None or left.column is right.column:
        return
    same = (match["way"] == "different") == bool(match["not"])
    draft.claim(start, end, "condition")
    made = Condition(ref(left.column), "=" if same else "!=", other=ref(right.column))
    add_test(draft, left.column, made, start, end)


def _set_against(draft: Draft, left: Mention, op: Op, right: Mention) -> None:
    draft.claim(left.start, right.end, "condition")
    test = Condition(ref(left.column), op, other=ref(right.column))
    add_test(draft, left.column, test, left.start, right.end)


def _named(draft: Draft, at: int) -> Mention | None:
    """The whole name of a number or a date, with no number after it."""
    while draft.text(at, at + 1) in {"the", "its", "their", "a"}:
        at += 1
    found = draft.pick(at, at + 1, _compares, _SURE) or _around(draft, at)
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
            if m.start < at and m.quality > _SURE and _compares(m.column) and draft.free(m)
        ),
        None,
    )


def _other(draft: Draft, start: int, right: Column, said: str) -> Mention | None:
    """What stands before the comparison and can be compared with the column after it."""
    timed = said.startswith(("before", "after"))

    def fits(column: Column) -> bool:
        same = (column.date and right.date) or (column.number and right.number and not timed)
        return same and column is not right and not column.identifier

    return draft.pick(max(0, start - _NEAR), start, fits, _SURE)
