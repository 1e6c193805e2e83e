"""Tests of a part of a text: contains the word 'East', names starting with A."""

from modelwright.engines.language.rules.columns.index import Column, ref
from modelwright.engines.language.rules.mentions.draft import Draft, add_test
from modelwright.engines.language.rules.mentions.mention import MAY_NAME, WHOLLY_NAMED
from modelwright.engines.language.rules.plans.plan import Condition, Op
from modelwright.engines.language.rules.text.patterns import patterns

_CUES = patterns("matching cues")
_REACH_BEFORE = 6
"""So many words before the cue may name the text."""
_REACH_AFTER = 5
"""So many words after it may."""
_MOST_KINDS = 50
"""A text of so few values tells kinds, of which no part is asked for."""


def read_matches(draft: Draft) -> None:
    """Adds a test for every part of a text that is asked for."""
    for kind, cue in _CUES:
        for match in cue.finditer(draft.lower):
            start, end = draft.at(match.start()), draft.at(match.end())
            if "condition" in draft.claimed[start:end]:
                continue
            column = (_written_in if kind == "part" else _column)(draft, start, end)
            if column is None:
                continue
            part = draft.question.text[slice(*match.span("part"))]
            op: Op = "starts" if kind == "starts" else "ends" if kind == "ends" else "contains"
            draft.claim_text(match, "condition")
            add_test(draft, column, Condition(ref(column), op, part), start, end)


def _column(draft: Draft, start: int, end: int) -> Column | None:
    """The text that is named beside the cue."""
    near = draft.pick(max(0, start - _REACH_BEFORE), start, _is_text, MAY_NAME, taken=True)
    after = draft.pick(end, end + _REACH_AFTER, _is_text, MAY_NAME)
    if after is not None:
        draft.claim(end, after.end, "condition")
        return after.column
    return near.column if near else None


def _written_in(draft: Draft, start: int, end: int) -> Column | None:
    """`With tea in the title`, `whose title contains tea`: a text of many kinds that is named."""
    if draft.text(end, end + 1) == "in":
        named = draft.pick(end + 2, end + 3, _is_free_text, WHOLLY_NAMED)
        draft.claim(end, named.end if named else end, "condition")
    else:
        before = range(start - 1, max(0, start - _REACH_BEFORE) - 1, -1)
        told = (draft.pick(at, at + 1, _is_free_text, WHOLLY_NAMED) for at in before)
        named = next((one for one in told if one), None)
        draft.claim(named.start if named else start, named.end if named else start, "condition")
    return named.column if named else None


def _is_free_text(column: Column) -> bool:
    return _is_text(column) and column.facts.distinct > _MOST_KINDS


def _is_text(column: Column) -> bool:
    return column.facts.type == "string"
