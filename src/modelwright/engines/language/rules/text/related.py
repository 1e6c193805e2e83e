"""Words that belong together though none means the other, as `rough` and `smooth`."""

from collections.abc import Sequence
from functools import lru_cache

from modelwright.engines.language.rules.text.lexicon import Phrases, concepts_at
from modelwright.engines.language.rules.text.roots import root
from modelwright.engines.language.vocabulary import word_table


def related(stems: Sequence[str]) -> list[tuple[frozenset[str], int]]:
    """Gives every word the fields of the longest phrase around it, and that phrase's length."""
    return concepts_at(stems, _fields())


@lru_cache(maxsize=1)
def _fields() -> Phrases:
    raw = word_table("related")
    found: dict[tuple[str, ...], set[str]] = {}
    for at, field in enumerate(raw):
        for phrase in field.split():
            found.setdefault(tuple(map(root, phrase.split("_"))), set()).add(str(at))
    return {phrase: frozenset(at) for phrase, at in found.items()}
