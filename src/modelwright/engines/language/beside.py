"""Two columns of a row compared: stock below the reorder level, delivered after the due date."""

import re

from modelwright.engines.language.drafting import Draft, add_test
from modelwright.engines.language.index import Column, ref
from modelwright.engines.language.mentions import Mention
from modelwright.engines.language.patterns import patterns
from modelwright.engines.language.plan import Condition, Op

_CUES = patterns("columns compared")
_PERIODS = re.compile(r"(?:the )?(?:year|month|week|day|quarter|decade)s?\b")
_SURE, _NEAR = 0.75, 5


def read_beside(draft: Draft) -> None:
    """Adds a test for every two columns that are set against each other.

    `Below their reorder level` alone leaves open what is below it, so that it is refused.
    """
    if len(draft.index.tables) > 1:
        return
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
            left = _other(draft, start, right.column)
            if left is not None:
                op: Op = "<" if told == "<" else ">"
                draft.claim(left.start, right.end, "condition")
                test = Condition(ref(left.column), op, other=ref(right.column))
                add_test(draft, left.column, test, left.start, right.end)
            elif match.group("own"):
                draft.unread.append(draft.text(start, right.end))


def _named(draft: Draft, at: int) -> Mention | None:
    """The whole name of a number or a date, with no number after it."""
    while draft.text(at, at + 1) in {"the", "its", "their", "a"}:
        at += 1
    found = draft.pick(at, at + 1, lambda c: c.date or (c.number and not c.identifier), _SURE)
    if found is None or draft.text(found.end, found.end + 1)[:1].isdigit():
        return None
    return found


def _other(draft: Draft, start: int, right: Column) -> Mention | None:
    """What stands before the comparison and can be compared with the column after it."""

    def fits(column: Column) -> bool:
        same = (column.date and right.date) or (column.number and right.number)
        return same and column is not right and not column.identifier

    return draft.pick(max(0, start - _NEAR), start, fits, _SURE)
