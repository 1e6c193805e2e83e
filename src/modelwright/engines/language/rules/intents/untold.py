"""The column meant by an intent that names none: the table's own target, or the one in a place.

`What will this house go for` names nothing that a column is called. Tables that are shared mark
their target by its place or its kind; that is trusted only where the intent speaks of nothing else.
"""

import re
from collections.abc import Sequence

from modelwright.engines.facts import ColumnFacts
from modelwright.engines.language.rules.columns.linking import Term
from modelwright.engines.language.rules.columns.name_terms import column_names, units_of
from modelwright.engines.language.rules.intents.only import only_answer
from modelwright.engines.language.rules.intents.shapes import asked_units, asks_yes_or_no
from modelwright.engines.language.rules.intents.tasks import BINARY_VALUES, MOST_CLASSES
from modelwright.engines.language.rules.text.lexicon import lexicon
from modelwright.engines.language.rules.text.roots import root
from modelwright.engines.language.rules.text.targets import group, identifies, is_thing
from modelwright.engines.language.rules.text.words import fold, squeezed

_ASIDE_WEIGHT = 0.25
"""Lighter words are said beside what is asked for."""
_PLACE = re.compile(r"\b(?P<place>first|last|final|right-?most|left-?most) (?:column|field)\b")
_TARGET = re.compile(
    r"\b(?:targets?|labels?|class(?:es)?|outcomes?|outputs?|results?|ground truth|y"
    r"|(?:target|response|dependent|outcome|explained) (?:variable|column|field))\b"
)
_THING = re.compile(
    r"\b(?:what does|how [a-z]+ (?:is|are|does|do|will)|of|will) (?:the|an?) (?P<thing>[a-z]+)"
)
_OF_A_KIND = re.compile(
    r"^(?:which|what) [a-z]+ (?:is|was) (?:it|this|that)\b|^what (?:is|was) (?:it|this|that)\b"
    r"|^(?:classify|sort|label|categori[sz]e|recogni[sz]e|identify|tell apart)"
    r" (?:the |these |all |each |every |an? )?[a-z]+$"
)


def untold(intent: str, said: Sequence[Term], columns: Sequence[ColumnFacts]) -> ColumnFacts | None:
    """Finds what an intent means by its form alone; words of something else leave nothing."""
    text = fold(intent).strip(" .?!")
    place = _PLACE.search(text)
    if place is not None:
        return columns[0 if place.group("place").startswith(("first", "left")) else -1]
    named = [one for one in columns if squeezed(one.name) in lexicon().generic_targets]
    only = named[0] if len(named) == 1 else None
    if _TARGET.search(text) and not any(_tells(word) for word in said):
        return only or (columns[-1] if not named and _learnable(columns[-1]) else None)
    if not said or _of_other_things(text, columns):
        return None
    if only is not None and _asks_for_its_classes(text, only):
        return only
    return so_measured(asked_units(text), columns) or only_answer(
        text, said, columns, column_names(columns)
    )


def _asks_for_its_classes(text: str, target: ColumnFacts) -> bool:
    """Whether yes or no is asked of a column of two values, or which kind of one with more."""
    if target.distinct == BINARY_VALUES:
        return asks_yes_or_no(text)
    is_of_kinds = BINARY_VALUES < target.distinct <= MOST_CLASSES
    return is_of_kinds and _OF_A_KIND.search(text) is not None


def _of_other_things(text: str, columns: Sequence[ColumnFacts]) -> bool:
    """Returns whether a thing is spoken of that no row is and no column is called by."""
    called = {term.stem for name in column_names(columns) for term in name.terms}
    return any(
        not is_thing(one["thing"]) and root(one["thing"]) not in called | group("spoken of")
        for one in _THING.finditer(text)
    )


def so_measured(units: frozenset[str], columns: Sequence[ColumnFacts]) -> ColumnFacts | None:
    """Finds the one column that is measured as is asked: the only time for `how long`."""
    found = [
        column
        for name, column in zip(column_names(columns), columns, strict=True)
        if units_of(name) & units
        and column.type in {"integer", "float"}
        and column.distinct > BINARY_VALUES
        and not identifies(column)
    ]
    return found[0] if len(found) == 1 else None


def _tells(word: Term) -> bool:
    return word.weight >= _ASIDE_WEIGHT and not _TARGET.search(f"{word.text} variable")


def _learnable(column: ColumnFacts) -> bool:
    if column.type == "date" or column.distinct < BINARY_VALUES or identifies(column):
        return False
    return column.type != "string" or column.distinct <= MOST_CLASSES
