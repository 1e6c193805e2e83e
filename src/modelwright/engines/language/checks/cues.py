"""Words of the vocabulary that say of which shape an answer is to be: `each`, `most`, `no`.

A word that is a part of a value (`No pool`) or of a column's name (`max_temp`) says nothing of it.
"""

from modelwright.engines.language.checks.statement import Statement
from modelwright.engines.language.checks.words import QuestionWords
from modelwright.engines.language.rules.text.lexicon import spelled_out
from modelwright.engines.language.rules.text.words import name_parts, stem, words
from modelwright.engines.language.vocabulary import (
    Cue,
    aggregates,
    any_case,
    find_cues,
    phrase_pattern,
)

SORTED_BY = any_case(r"\b(?:sort|sorted|order|ordered|ranked|arranged) by (?P<what>[\w ]+)")
"""What something is to be sorted by."""
SHORTEST_ABBREVIATION = 3
"""A part of a name may stand for a longer word that begins so: `diff` for a difference."""


def cues_of(said: QuestionWords, name: str) -> list[Cue]:
    """Finds the words of a list that are no part of a value or a name."""
    question = said.request.question
    taken = [one.span for one in said.request.links.values]
    return [
        cue
        for cue in find_cues(name, question)
        if not any(start <= cue.start and cue.end <= end for start, end in taken)
    ]


def is_in_a_name(sql: Statement, word: str) -> bool:
    """Returns whether a word is a part of the name of a column that is read: `max_temp`."""
    told = {stem(part.text) for part in words(word)}
    for _, column in sql.columns if told else ():
        parts = {*spelled_out(column), *name_parts(column)}
        if told <= {stem(part) for part in parts}:
            return True
        if any(len(part) > SHORTEST_ABBREVIATION and word.startswith(part) for part in parts):
            return True
    return False


def superlatives(said: QuestionWords) -> list[Cue]:
    """Finds the superlatives, those for the highest first; `highest` is no value `high`."""
    names = "superlative_high", "superlative_low"
    found = [one for name in names for one in find_cues(name, said.request.question)]
    return [one for one in found if not _stands_in_value(said, one)]


def _stands_in_value(said: QuestionWords, cue: Cue) -> bool:
    """Whether a word lies within the words for a value and is one of its own."""
    first = cue.text.casefold().split()[0]
    return any(
        one.span[0] <= cue.start and cue.end <= one.span[1] and first in str(one.value).casefold()
        for one in said.request.links.values
    )


def words_for(said: QuestionWords, aggregate: str) -> list[str]:
    """Returns the words of the question that ask for an aggregate."""
    told = next(one.words for one in aggregates() if one.name == aggregate)
    return [one.lower() for one in phrase_pattern(told).findall(said.request.question)]


def is_within_value(said: QuestionWords, span: tuple[int, int]) -> bool:
    """Returns whether a span of the question lies within the words for a value."""
    return any(
        one.span[0] <= span[0] and span[1] <= one.span[1] for one in said.request.links.values
    )
