"""A level said by its place: first class, third floor, 2nd grade."""

import re

from modelwright.engines.language.rules.columns.index import Column
from modelwright.engines.language.rules.mentions.draft import Draft
from modelwright.engines.language.rules.mentions.mention import MAY_NAME, Mention
from modelwright.engines.language.rules.mentions.negation import add_value
from modelwright.engines.language.rules.ranks.places import PLACES
from modelwright.engines.language.rules.text.lexicon import concepts_of_name, spelled_out
from modelwright.engines.language.rules.text.words import stem

_DIGITS = re.compile(r"(\d)(?:st|nd|rd|th)")
_MOST_LEVELS = 12
"""More different numbers are no levels."""


def read_levels(draft: Draft) -> None:
    """`First class passengers` are those whose class is 1, of a column of few whole numbers."""
    if draft.several:
        return
    for at, word in enumerate(draft.question.words[:-1]):
        digits = _DIGITS.fullmatch(word.text)
        place = int(digits[1]) if digits else 0
        place = PLACES.index(word.text) + 1 if word.text in PLACES else place
        named = draft.pick(at + 1, at + 2, _tells_levels, MAY_NAME) if place else None
        if named is None or draft.claimed[at] or not _is_called(draft, named):
            continue
        add_value(draft, named.column, place, at, at + 2)


def _tells_levels(column: Column) -> bool:
    facts = column.facts
    few = facts.type == "integer" and 2 < facts.distinct <= _MOST_LEVELS  # noqa: PLR2004 - two are yes and no
    return few and facts.minimum in {0, 1} and "price" not in concepts_of_name(facts.name)


def _is_called(draft: Draft, named: Mention) -> bool:
    """Whether a word is a level's own name, or ends it: the first `sale` is no Price of 1."""
    said = draft.question.terms[named.start].stem
    return any(stem(part).endswith(said) for part in spelled_out(named.column.facts.name))
