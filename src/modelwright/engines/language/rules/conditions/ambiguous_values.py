"""Values that two columns hold alike: a team at home or away, an airport at either end."""

from modelwright.engines.facts import Value
from modelwright.engines.language.rules.columns.index import Column
from modelwright.engines.language.rules.lookups.clues import Wanted
from modelwright.engines.language.rules.mentions.draft import Draft
from modelwright.engines.language.rules.mentions.mention import NAMED
from modelwright.engines.language.rules.text.words import words
from modelwright.engines.language.vocabulary import word_set

_SHARED = 0.5
"""Columns alike hold at least so much of each other's values."""
_WAYS = word_set("small_words.ways")


def columns_alike(draft: Draft, one: Wanted) -> list[Column]:
    """Returns the columns that a value may as well be of: `games of Everton` are both kinds.

    None where a word of the question tells the columns apart: `home`, `away`, `from`.
    """
    if one.features.get("named", 0.0) > NAMED:
        return []
    held = [
        held.column
        for link in draft.question.values
        if (link.start, link.end) == (one.start, one.end)
        for held in link.held
        if held.value == one.value and held.column.table == one.column.table
    ]
    return [
        other for other in held if other is not one.column and _hold_alike(draft, one.column, other)
    ]


def other_forms(draft: Draft, one: Wanted) -> list[Value]:
    """Returns the values of a column that are a value's singular or plural: `Lava domes` too."""
    said = str(one.value).lower()
    stems = tuple(word.stem for word in words(said))
    held = draft.index.values.get(stems[0], {}).get(stems, ()) if stems else ()
    others = [each.value for each in held if each.column is one.column]
    return [each for each in others if _is_plural(said, str(each).lower())]


def _is_plural(one: str, other: str) -> bool:
    short, long = sorted((one, other), key=len)
    return long in {f"{short}s", f"{short}es"}


def _hold_alike(draft: Draft, one: Column, other: Column) -> bool:
    mine, theirs = ({term.stem for term in column.name.terms} for column in (one, other))
    values = [{value for value, _ in column.facts.top} for column in (one, other)]
    shared = len(values[0] & values[1]) >= _SHARED * min(map(len, values))
    said = {term.stem for term in draft.question.terms}
    told = said & (mine ^ theirs) or {word.text for word in draft.question.words} & _WAYS
    return bool(mine & theirs) and 2 * one.facts.distinct < one.facts.rows and shared and not told
