"""Which words of an intent are answers: values a column holds, or words that mean one of them.

An intent often tells the answers and not the column: `paid back or defaulted`. Values point to
their column more surely than any name, unless so many columns hold them that they tell nothing.
"""

import re
from collections.abc import Sequence
from functools import lru_cache

from modelwright.engines.facts import ColumnFacts
from modelwright.engines.language.rules.columns.linking import Term
from modelwright.engines.language.rules.intents.tasks import BINARY_VALUES, MOST_CLASSES
from modelwright.engines.language.rules.text.lexicon import lexicon
from modelwright.engines.language.rules.text.roots import root
from modelwright.engines.language.rules.text.targets import group, meanings
from modelwright.engines.language.rules.text.words import name_parts, squeezed, stem, words
from modelwright.engines.language.vocabulary import word_set

SPELLED = 0.8
"""How surely a word that is a value speaks of its column, 0 to 1."""
PARTLY = 0.7
"""The same of a word that is a part of a value."""
MEANT = 0.55
"""The same of a word that only means one."""
_MOST_VALUES = 200
"""More values than these are no answers one of which would be said."""
_LONGEST_VALUE = 4
"""In words."""
_SHORTEST_PART = 3
"""In letters; a shorter part of a value tells nothing."""
_EITHER = re.compile(r"(?<![\w-])([\w-]+) or ([\w-]+)(?![\w-])")
_FEWEST_LISTED = 3
"""Values of one column in a row that are answers to choose from: `low, medium or high`."""
_PARTED = re.compile(r",? (?:or|and|to) (?:an? )?|, ?(?:an? )?| ?/ ?", re.IGNORECASE)
_TRIVIAL = word_set("values.of_any_column")


def answers(said: Sequence[Term], column: ColumnFacts) -> dict[int, float]:
    """Finds the places of the words that speak of values of the column, and how surely."""
    if column.type not in {"string", "boolean"} or column.distinct > _MOST_VALUES:
        return {}
    values = tuple(str(value) for value, _ in column.top)
    found = _spelled(said, values)
    if column.type == "string" and column.distinct <= MOST_CLASSES:
        for at, word in enumerate(said):
            found.setdefault(at, _near(word, values))
    return {at: sure for at, sure in found.items() if sure > 0}


def either_of(intent: str, columns: Sequence[ColumnFacts]) -> tuple[ColumnFacts, str] | None:
    """Finds the one column of classes that both sides of an `or` are values of: `CH or MM`.

    Returns:
        The column and the intent without the two values; None where there is none or more than one.
    """
    found = [
        (column, intent[: pair.start()] + intent[pair.end() :])
        for column in columns
        if column.type == "string" and column.distinct <= MOST_CLASSES
        for held in [{str(value) for value, _ in column.top}]
        for pair in _EITHER.finditer(intent)
        if pair[1] != pair[2] and held.issuperset(pair.groups())
    ]
    return found[0] if len(found) == 1 else None


def listed_of(intent: str, columns: Sequence[ColumnFacts]) -> tuple[ColumnFacts, str] | None:
    """Finds the one column whose values an intent lists as its answers: `(low, medium or high)`.

    Returns:
        The column and the intent without the list; None where there is none or more than one.
    """
    found = [
        (column, f"{intent[: listed.start()].rstrip(' (:,')} {intent[listed.end() :].lstrip(' )')}")
        for column in columns
        if column.type == "string" and BINARY_VALUES <= column.distinct <= MOST_CLASSES
        for listed in [_list_of(intent, tuple(str(value) for value, _ in column.top))]
        if listed is not None
    ]
    return found[0] if len(found) == 1 else None


def _list_of(intent: str, values: tuple[str, ...]) -> re.Match[str] | None:
    """Finds three or more values in a row; in brackets two, and the first `to` the last."""
    pattern = _pattern_of(values)
    for listed in pattern.finditer(intent) if pattern else ():
        said = {squeezed(one) for one in _PARTED.split(listed.group())}
        is_bracketed = intent[: listed.start()].rstrip().endswith("(")
        if len(said) >= (BINARY_VALUES if is_bracketed else _FEWEST_LISTED):
            return listed
    return None


@lru_cache(maxsize=1024)
def _pattern_of(values: tuple[str, ...]) -> re.Pattern[str] | None:
    told = sorted({value.strip() for value in values} - {""}, key=len, reverse=True)
    if not told:
        return None
    value = "|".join(re.escape(one) for one in told)
    joint = "(?:, ?(?:or |and )?| or | and | ?/ ?| to )(?:an? )?"
    return re.compile(rf"(?<![\w-])(?:{value})(?:{joint}(?:{value}))+(?![\w-])", re.IGNORECASE)


def stems_of_values(columns: Sequence[ColumnFacts]) -> frozenset[str]:
    """Returns the telling stems of the classes that the columns hold."""
    return frozenset[str]().union(
        *(
            _read(tuple(str(value) for value, _ in column.top))[0]
            for column in columns
            if column.type == "string" and column.distinct <= MOST_CLASSES
        )
    )


def _spelled(said: Sequence[Term], values: Sequence[str]) -> dict[int, float]:
    whole = {stem(squeezed(value)) for value in values} - _TRIVIAL
    found: dict[int, float] = {}
    for at in range(len(said)):
        for length in range(1, _LONGEST_VALUE + 1):
            run = said[at : at + length]
            joined = stem(_thousands("".join(squeezed(word.text) for word in run)))
            short = "".join(word.text[:1] for word in run)
            if any(
                len(one) >= _SHORTEST_PART and not one.isdigit() and one in whole
                for one in (joined, short)
            ):
                found |= dict.fromkeys(range(at, at + len(run)), SPELLED)
    return found


def _near(word: Term, values: tuple[str, ...]) -> float:
    stems, concepts = _read(values)
    if word.stem in stems or any(word.stem.startswith(one) for one in stems):
        return PARTLY
    return MEANT if word.concepts & concepts else 0.0


@lru_cache(maxsize=4096)
def _read(values: tuple[str, ...]) -> tuple[frozenset[str], frozenset[str]]:
    """Returns the telling stems of values and what they mean; what all values say tells nothing."""
    read = [words(" ".join(name_parts(value))) for value in values]
    stems = [
        {
            root(word.text)
            for word in found
            if word.text not in lexicon().stop | _TRIVIAL and len(word.text) >= _SHORTEST_PART
        }
        for found in read
    ]
    telling = [{stem for stem in one if not stem.isdigit()} - group("vague") for one in stems]
    meant = [
        frozenset[str]().union(*(about.concepts for about in meanings(found)))
        for value, found in zip(values, read, strict=True)
        if len(value) > 1
    ]
    return frozenset[str]().union(*telling), frozenset[str]().union(*meant)


def _thousands(text: str) -> str:
    """Writes 50000 as 50k, as the values of income bands do."""
    return text[:-3] + "k" if text.isdigit() and text.endswith("000") else text
