"""Roots of words: stems that nouns and verbs, both spellings and all tenses have in common."""

import re
from functools import lru_cache

from modelwright.engines.language.rules.text.words import stem
from modelwright.engines.language.vocabulary import word_table

_BRITISH = ((re.compile(r"is$"), "iz"), (re.compile(r"(?<=.)ae"), "e"))
_SHORTEST_LONG = 6
"""In letters: shorter stems are roots as they are."""


@lru_cache(maxsize=1)
def irregular() -> dict[str, str]:
    """Returns the plain form of each irregular one: `buy` of `bought`."""
    raw = word_table("targets")
    return dict(raw["irregular"])


@lru_cache(maxsize=65536)
def root(word: str) -> str:
    """Returns the root of one folded word: `keep` of `kept`, `utiliz` of `utilisation`."""
    return _plain(stem(irregular().get(word, word)))


def root_of_stem(stem: str) -> str:
    """Returns the root of what is a stem already."""
    regular = irregular().get(stem)
    return root(regular) if regular else _plain(stem)


def _plain(stem: str) -> str:
    """Takes what nouns add to a stem off, and spells it the American way."""
    if len(stem) < _SHORTEST_LONG:
        return stem
    stem = stem.removesuffix("ion").removesuffix("at")
    for british, american in _BRITISH:
        stem = british.sub(american, stem)
    return stem
