"""Tests of a part of a text: contains the word 'East', names starting with A."""

from modelwright.engines.language.drafting import Draft, add_test, named_tables
from modelwright.engines.language.index import Column, ref
from modelwright.engines.language.patterns import patterns
from modelwright.engines.language.plan import Condition, Op

_CUES = patterns("matching cues")
_BEFORE, _AFTER = 6, 5


def read_matches(draft: Draft) -> None:
    """Adds a test for every part of a text that is asked for."""
    for kind, cue in _CUES:
        for match in cue.finditer(draft.lower):
            start, end = draft.at(match.start()), draft.at(match.end())
            if "condition" in draft.claimed[start:end]:
                continue
            column = _column(draft, start, end)
            if column is None:
                continue
            part = draft.question.text[slice(*match.span("part"))]
            op: Op = "contains" if kind == "contains" else "starts" if kind == "starts" else "ends"
            draft.claim_text(match, "condition")
            add_test(draft, column, Condition(ref(column), op, part), start, end)


def _column(draft: Draft, start: int, end: int) -> Column | None:
    """The text that is named beside the cue, else what names the rows."""
    near = draft.pick(max(0, start - _BEFORE), start, _textual, 0.45, taken=True)
    after = draft.pick(end, end + _AFTER, _textual, 0.45)
    if after is not None:
        draft.claim(end, after.end, "condition")
        return after.column
    if near is not None:
        return near.column
    tables = named_tables(draft) or [draft.index.tables[0].name]
    naming = draft.index.naming(tables[0])
    return naming if _textual(naming) else None


def _textual(column: Column) -> bool:
    return column.facts.type == "string"
