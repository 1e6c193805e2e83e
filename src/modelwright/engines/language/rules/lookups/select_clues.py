"""What speaks for a column being the one asked for: features for the ranker of columns."""

import re
from collections.abc import Sequence

from modelwright.engines.language.rules.columns.index import Column
from modelwright.engines.language.rules.lookups.clues import compare
from modelwright.engines.language.rules.mentions.mention import EXACTLY_NAMED, Mention
from modelwright.engines.language.rules.mentions.mentions import Question
from modelwright.engines.language.rules.text.patterns import pairs
from modelwright.engines.language.rules.text.stopping import heeding
from modelwright.engines.language.vocabulary import word_set

_ASKING = word_set("lookups.heads")
_QUESTION_WORDS = word_set("lookups.asking")
_BEFORE_TEST = word_set("lookups.before_test")
_ROLES = pairs("clues roles")
_MOST_PARTS = 4
"""So many words of a name are paired: more would be as many weights."""


def all_select_clues(
    question: Question,
    columns: Sequence[Column],
    spans: Sequence[tuple[int, int]],
    used: frozenset[int],
) -> list[dict[str, float]]:
    """The clues of every column, compared with each other."""
    asked, lower = _asked_words(question, spans), question.text.lower()
    roles = [(role, fits) for role, asks, fits in _ROLES if asks.search(lower)]
    found = [
        select_clues(question, column, roles, spans, used) | _pair_clues(asked, column)
        for column in heeding(question.stopped, columns)
    ]
    free = [one for one in found if not one["used"]]
    for key in ("quality", "after wh", "early quality"):
        compare(free, key)
    return found


def select_clues(
    question: Question,
    column: Column,
    roles: Sequence[tuple[str, re.Pattern[str]]],
    spans: Sequence[tuple[int, int]],
    used: frozenset[int],
) -> dict[str, float]:
    """What speaks for a column being asked for.

    `roles` are those that the question asks for, each with the names that fit it; `spans` are the
    words of conditions.
    """
    named = question.mentions.of(column.at)
    clues: dict[str, float] = {
        "used": float(column.at in used),
        "number": float(column.number),
        "first column": float(column.at == 0),
        "identifier": float(column.identifier),
        f"shape {column.shape}": 1.0,
    }
    name = column.facts.name.lower()
    unnamed = "" if named else " unnamed"
    for role, fits in roles:
        told = f"{role} {'fits' if fits.search(name) else 'not'}"
        clues[told] = 1.0
        clues[f"{told}{unnamed}"] = 1.0
        clues[f"{role} {column.facts.type}"] = 1.0
        clues[f"{role} of {column.shape}"] = 1.0
    outside = [m for m in named if not any(low <= m.start and m.end <= high for low, high in spans)]
    if not outside:
        clues["unnamed"] = 1.0
        return clues
    return clues | _best_named(question, outside, spans, column.at in used)


def _best_named(
    question: Question, outside: Sequence[Mention], spans: Sequence[tuple[int, int]], used: bool
) -> dict[str, float]:
    """How well, where and after which words the column is named."""
    best = max(outside, key=lambda m: m.quality - 0.015 * m.start)
    before = {word.text for word in question.words[max(0, best.start - 3) : best.start]}
    close = min((abs(low - best.end) for low, _ in spans if low >= best.end), default=9)
    return {
        "quality": best.quality,
        "named": best.named,
        "explained": best.explained,
        "early quality": best.quality / (1 + 0.1 * best.start),
        "exact": float(best.named > EXACTLY_NAMED and best.explained > EXACTLY_NAMED),
        "length": min(4, best.end - best.start),
        "place": min(1.0, best.start / 12),
        "after wh": float(bool(before & _ASKING)),
        "first words": float(best.start <= 2),  # noqa: PLR2004
        "early": float(best.start <= 4),  # noqa: PLR2004
        "before value": float(close <= 1),
        "near value": float(close <= 3),  # noqa: PLR2004
        "after with": float(bool(before & _BEFORE_TEST)),
        "used and named": float(used) * best.quality,
        "last": float(best.end >= len(question.words) - 1),
        "mentions": min(3, len(outside)),
    }  # fmt: skip


def _asked_words(question: Question, spans: Sequence[tuple[int, int]]) -> list[str]:
    """The words outside conditions, and how the question begins."""
    found = question.words
    free = [
        word.stem
        for at, word in enumerate(found)
        if word.text.isalpha() and not any(low <= at < high for low, high in spans)
    ]
    begins = [" ".join(word.text for word in found[:2])]
    wh = next((at for at, word in enumerate(found) if word.text in _QUESTION_WORDS), None)
    asks = [] if wh is None else [" ".join(word.stem for word in found[wh : wh + 2])]
    return list(dict.fromkeys([*free, *begins, *(f"asks {one}" for one in asks)]))


def _pair_clues(asked: Sequence[str], column: Column) -> dict[str, float]:
    """Pairs what is asked with the words of the column's name and its type."""
    parts = [term.stem for term in column.name.terms[:_MOST_PARTS]]
    clues = {f"{word}>{part}": 1.0 for word in asked for part in parts}
    clues |= {f"{word}>{column.facts.type}": 1.0 for word in asked[-2:]}
    clues |= {f"part {part}": 1.0 for part in parts}
    if parts:
        clues[f"head {parts[-1]}"] = 1.0
    return clues
