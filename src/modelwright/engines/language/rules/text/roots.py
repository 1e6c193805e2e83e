"""Roots of words: stems that nouns and verbs, both spellings and all tenses have in common."""

import re
from collections.abc import Mapping
from functools import lru_cache

from modelwright.engines.language.rules.text.words import stem
from modelwright.engines.language.vocabulary import word_table, word_values

_BRITISH = ((re.compile(r"is$"), "iz"), (re.compile(r"(?<=.)ae"), "e"))
_SHORTEST_LONG = 6
"""In letters: shorter stems are roots as they are."""
_SHORTEST_DEED = 4
"""In letters: less is left of no verb."""
_OF_DEEDS = ("ion", "ance", "ence", "ment", "ure", "al", "ed")
_DEEDS: Mapping[str, str] = word_values("word_forms.deeds")
_UNDONE = re.compile(
    r"(?:un|non-?)(?P<plain>\w{4,})"
    r"|(?:in|im|ir|il|dis)(?P<adjective>\w{2,}(?:ed|ive|[aeio]te|[ai]ble|[ae]nt|al|ar|id|ect|act))"
)


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


@lru_cache(maxsize=65536)
def deed(word: str) -> str:
    """Takes a verb's noun and its past form to the same letters: `failure`, `failed`, `fail`."""
    word = word[:-1] if word.endswith("s") and not word.endswith(("ss", "us", "is")) else word
    for ending, put in _DEEDS.items():
        left = word.removesuffix(ending)
        if left != word and len(left + put) >= _SHORTEST_DEED:
            word = left + put
            break
    return word[:-1] if word[-1:] == word[-2:-1] else word


def is_doer(word: str) -> bool:
    """Whether a word may be of who does something: `shippers` are no date of Shipped On."""
    return word.removesuffix("s").endswith(("er", "or"))


def is_deed(word: str) -> bool:
    """Whether a word ends as the past of verbs does, or as what is made of them: `production`."""
    return len(word) > _SHORTEST_LONG and word.removesuffix("s").endswith(_OF_DEEDS)


def undone_word(word: str) -> str:
    """Returns the word that a prefix of negation turns round, nothing where there is none."""
    bare = _UNDONE.fullmatch(word)
    return (bare["plain"] or bare["adjective"]) if bare else ""
