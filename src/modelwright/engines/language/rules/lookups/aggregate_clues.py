"""What speaks for each aggregate of a selected column."""

import re

from modelwright.engines.language.rules.columns.index import Column
from modelwright.engines.language.rules.mentions.mentions import Question
from modelwright.engines.language.rules.text.patterns import patterns
from modelwright.engines.language.vocabulary import word_set

_CLOSE = 12
"""So many letters before a name, or from the beginning, are beside it."""
_AGGREGATES = patterns("clues aggregates")
_TELLING = word_set("lookups.telling")


def aggregate_clues(question: Question, column: Column, conditions: int) -> dict[str, float]:
    """What speaks for each aggregate of a selected column."""
    text = question.text.lower()
    own = column.facts.name.lower()
    named = [m.start for m in question.mentions.of(column.at)]
    at = question.words[min(named)].start if named else len(text)
    kind = "n" if column.number else "t"
    clues = {
        f"{kind}": 1.0,
        "conditions": min(4, conditions) / 4,
        f"{kind} first": float(at < _CLOSE),
    }
    clues |= _cue_clues(text, own, at, kind)
    if question.words:
        clues[f"{kind} 1 {question.words[0].text}"] = 1.0
        clues[f"{kind} 12 {' '.join(w.text for w in question.words[:2])}"] = 1.0
        clues[f"{kind} 123 {' '.join(w.text for w in question.words[:3])}"] = 1.0
    if named:
        clues |= _neighbour_clues(question, min(named), kind)
    clues |= {f"{kind} has {word.text}": 1.0 for word in question.words if word.text in _TELLING}
    for term in column.name.terms:
        clues[f"column {term.stem}"] = 1.0
    if re.search(r"number|no\b|#|total|count", own):
        clues[f"{kind} counts"] = 1.0
    return clues


def _cue_clues(text: str, own: str, at: int, kind: str) -> dict[str, float]:
    """Which aggregates are said, and whether right before the column or as a part of its name."""
    clues: dict[str, float] = {}
    for name, cue in _AGGREGATES:
        match = cue.search(text)
        if match and re.search(rf"\b{re.escape(match.group())}\b", own):
            clues[f"{name} in name"] = 1.0
        elif match:
            clues[f"{kind} {name}"] = 1.0
            if match.end() <= at and at - match.end() < _CLOSE:
                clues[f"{kind} {name} near"] = 1.0
    return clues


def _neighbour_clues(question: Question, first: int, kind: str) -> dict[str, float]:
    """The words before and after the column's name."""
    before = [word.text for word in question.words[max(0, first - 3) : first]]
    after = [word.text for word in question.words[first + 1 : first + 3]]
    clues = {f"{kind} before {word}": 1.0 for word in before}
    clues[f"{kind} just before {' '.join(before[-2:])}"] = 1.0
    return clues | {f"{kind} after {word}": 1.0 for word in after}
