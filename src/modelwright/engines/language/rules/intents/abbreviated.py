"""Columns whose names are words cut short: `horTh` is hormone therapy, `airco` air conditioning.

Without this an intent that says such words in full finds no column, as no word of the name is
among them.
"""

from collections.abc import Iterator, Sequence
from functools import cache

from modelwright.engines.facts import ColumnFacts
from modelwright.engines.language.rules.text.lexicon import lexicon
from modelwright.engines.language.rules.text.roots import root
from modelwright.engines.language.rules.text.targets import listed, meanings, targets
from modelwright.engines.language.rules.text.words import squeezed, words
from modelwright.engines.language.vocabulary import word_set

SHORTEST_NAME = 4
"""Names of fewer letters are short for too many words."""
LEAST_WORDS = 2
"""Fewer words are no phrase that a name would cut short."""
_ARTICLES = word_set("small_words.articles", "small_words.of_others")
LEAST_PREFIX = 2
"""How many letters one of the words must begin with."""


def abbreviated(intent: str, columns: Sequence[ColumnFacts]) -> ColumnFacts | None:
    """Finds the one column whose name is made of the first letters of words that follow each other.

    Args:
        intent: What a user wants to predict, in words.
        columns: The table's columns.

    Returns:
        The column, None where there is none or more than one.
    """
    said = [squeezed(word.text) for word in words(intent)]
    orders = [said, *_turned(said)]
    found = [
        column
        for column in columns
        if len(squeezed(column.name)) >= SHORTEST_NAME
        and squeezed(column.name) not in said
        and any(
            _is_made_of(squeezed(column.name), order[at:])
            for order in orders
            for at in range(len(order))
        )
    ]
    return found[0] if len(found) == 1 else None


def initialled(intent: str, columns: Sequence[ColumnFacts]) -> ColumnFacts | None:
    """Finds the one column whose name is a letter before a word: `tsize` for how big a tumour is.

    A word that begins with the letter has to be said, and the other word, or one that means it.

    Args:
        intent: What a user wants to predict, in words.
        columns: The table's columns.

    Returns:
        The column, None where there is none or more than one.
    """
    said = [word for word in words(intent) if word.text not in lexicon().stop]
    roots = {root(word.text) for word in said}
    meant = frozenset[str]().union(*(one.concepts for one in meanings(words(intent))))

    def is_meant(name: str) -> bool:
        letter, rest = name[:1], root(name[1:])
        others = [one for one in said if root(one.text) != rest]
        is_known = len(name) > SHORTEST_NAME and name[1:] in listed()
        held = targets().of_names.get((rest,), frozenset())
        return (
            is_known
            and any(one.text.startswith(letter) and len(one.text) > 1 for one in others)
            and (rest in roots or bool(held & meant))
        )

    found = [column for column in columns if is_meant(squeezed(column.name))]
    return found[0] if len(found) == 1 else None


def _turned(said: Sequence[str]) -> Iterator[list[str]]:
    """Yields `tumour size` of `size of the tumour`."""
    for before, of, article, after in zip(said, said[1:], said[2:], said[3:], strict=False):
        if of == "of" and article in _ARTICLES:
            yield [after, before]


def _is_made_of(name: str, said: Sequence[str]) -> bool:
    """Whether a name is the letters of the first words, each from its beginning, in order."""

    @cache
    def fits(rest: str, at: int, began: bool) -> bool:
        if not rest:
            return at >= LEAST_WORDS and began
        if at >= len(said) or not said[at] or said[at][0] != rest[0]:
            return False
        taken = (cut for cut in range(1, len(rest) + 1) if _is_short_for(rest[:cut], said[at]))
        return any(
            fits(
                rest[cut:],
                at + 1,
                began or (cut >= LEAST_PREFIX and said[at].startswith(rest[:cut])),
            )
            for cut in taken
        )

    return fits(name, 0, False)


def _is_short_for(short: str, word: str) -> bool:
    """Whether letters stand in a word in that order, from its first letter on."""
    left = iter(word)
    return short[0] == word[0] and len(short) <= len(word) and all(one in left for one in short)
