"""The shipped word lists: concepts shared by words, abbreviations, words that say little.

Small tables teach no English: that `staff` and `employees` are the same has to be known before. The
lists are data, read once, and shared by questions, intents and checks, so that a word means the
same to all of them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from modelwright.engines.language.rules.text.words import name_parts, squeezed, stem
from modelwright.engines.language.vocabulary import word_table

LONGEST_PHRASE = 4
"""In words."""
_SHORTEST_SAID = 4
"""In letters: shorter words are run together in names by chance."""
Phrases = dict[tuple[str, ...], frozenset[str]]

LASTING = frozenset({"duration", "dur", "runtime", "elapsed", "wait", "waiting", "delay"})
"""What is told in minutes where a name ends with `min`."""


@dataclass(frozen=True, slots=True)
class Lexicon:
    """What is known of English before any table is seen."""

    of_words: Phrases
    """Stems of a phrase in a sentence -> the concepts it speaks of."""
    of_names: Phrases
    """Stems of a phrase in a column's name -> the concepts it holds."""
    abbreviations: dict[str, tuple[str, ...]]
    qualifiers: frozenset[str]
    stop: frozenset[str]
    entities: frozenset[str]
    generic_targets: frozenset[str]
    class_words: frozenset[str]
    """What columns of codes are called."""
    count_words: frozenset[str]
    """What columns of counted or measured things are called."""
    aliases: tuple[frozenset[str], ...]
    """Words that stand for the same value, whichever of them a table holds."""
    row_words: frozenset[str]
    """What rows are called whatever they are."""
    asking: frozenset[str]
    """Words of asking itself, which name nothing in a table."""
    endings: tuple[str, ...]
    """What the names of columns often end with."""
    said: frozenset[str]
    """Words of four letters or more that names of columns are made of."""


@lru_cache(maxsize=1)
def lexicon() -> Lexicon:
    """Reads the word lists once."""
    raw = word_table("lexicon")
    return Lexicon(
        of_words=_phrases(raw["concepts"], "words"),
        of_names=_phrases(raw["concepts"], "columns"),
        abbreviations={short: tuple(full.split()) for short, full in raw["abbreviations"].items()},
        qualifiers=frozenset(map(stem, raw["qualifiers"])),
        stop=frozenset(raw["stop"]),
        entities=frozenset(map(stem, raw["entities"])),
        generic_targets=frozenset(map(squeezed, raw["generic_targets"])),
        class_words=frozenset(map(stem, raw["class_words"])),
        count_words=frozenset(map(stem, raw["count_words"])),
        aliases=tuple(map(frozenset, raw["aliases"])),
        row_words=frozenset(map(stem, raw["row_words"])),
        asking=frozenset(map(stem, raw["asking"])),
        endings=tuple(raw["endings"]),
        said=frozenset(word for word in _said(raw) if len(word) >= _SHORTEST_SAID),
    )


def _said(raw: dict[str, Any]) -> set[str]:
    phrases = [one for sides in raw["concepts"].values() for one in sides["columns"]]
    words = {word for phrase in phrases for word in phrase.split()}
    return words.union(raw["abbreviations"], raw["entities"], raw["class_words"])


def _phrases(concepts: dict[str, dict[str, list[str]]], side: str) -> Phrases:
    found: dict[tuple[str, ...], set[str]] = {}
    for concept, sides in concepts.items():
        for phrase in sides[side]:
            found.setdefault(tuple(map(stem, phrase.split())), set()).add(concept)
    return {phrase: frozenset(names) for phrase, names in found.items()}


def concepts_at(stems: Sequence[str], phrases: Phrases) -> list[tuple[frozenset[str], int]]:
    """Gives every word the concepts of the longest phrase around it, and that phrase's length."""
    found: list[tuple[frozenset[str], int]] = [(frozenset(), 1)] * len(stems)
    for length in range(1, LONGEST_PHRASE + 1):
        for start in range(len(stems) - length + 1):
            concepts = phrases.get(tuple(stems[start : start + length]))
            if concepts:
                found[start : start + length] = [(concepts, length)] * length
    return found


@lru_cache(maxsize=16384)
def concepts_of_name(name: str) -> frozenset[str]:
    """Returns what the name of a column or table speaks of."""
    stems = [stem(part) for part in spelled_out(name)]
    return frozenset().union(*(told for told, _ in concepts_at(stems, lexicon().of_names)))


@lru_cache(maxsize=16384)
def spelled_out(name: str) -> tuple[str, ...]:
    """Splits a column's name into words with its abbreviations written in full."""
    short = lexicon().abbreviations
    whole = squeezed(name)
    if whole in short:
        return short[whole]
    return tuple(word for part in _full_parts(name) for word in short.get(part, (part,)))


def shortened(name: str) -> list[tuple[str, range]]:
    """Returns the abbreviations in a name, and the places of their words when spelled out."""
    found, at = [], 0
    short = lexicon().abbreviations
    if squeezed(name) in short:
        return [(squeezed(name), range(len(short[squeezed(name)])))]
    for part in _full_parts(name):
        words = short.get(part, (part,))
        if words != (part,):
            found.append((part, range(at, at + len(words))))
        at += len(words)
    return found


def _full_parts(name: str) -> tuple[str, ...]:
    """Splits a name in which `min` behind what lasts is minutes: `wait_min`, not `temp_min`."""
    parts = _parts(name)
    is_lasting = len(parts) > 1 and parts[-1] == "min" and parts[-2] in LASTING
    return (*parts[:-1], "mins") if is_lasting else parts


def _parts(name: str) -> tuple[str, ...]:
    """Splits a name, also one that is run together before a usual ending: `storenum`."""
    parts, known = name_parts(name), lexicon()
    if len(parts) > 1:
        return parts
    found = (
        (parts[0].removesuffix(end), end)
        for end in known.endings
        if parts[0].endswith(end) and parts[0].removesuffix(end) in known.said
    )
    return next(found, parts)
