"""The only column that could answer a question of its form, asked of what the rows are.

`Will it rain tomorrow` names no column and needs none, where only one of them can be what happens.
The form of the question chooses, and only where nothing else could be meant.
"""

import re
from collections.abc import Sequence

from modelwright.engines.facts import ColumnFacts
from modelwright.engines.language.rules.columns.linking import Name, Term
from modelwright.engines.language.rules.intents.tasks import BINARY_VALUES, MOST_CLASSES
from modelwright.engines.language.rules.text.lexicon import lexicon
from modelwright.engines.language.rules.text.roots import root
from modelwright.engines.language.rules.text.targets import group, identifies, targets
from modelwright.engines.language.rules.text.words import name_parts, squeezed
from modelwright.engines.language.vocabulary import word_set

_TELLING_WEIGHT = 0.5
"""Lighter words of an intent do not tell what is asked."""
_PLAIN_WEIGHT = 0.5
"""Lighter parts of a name only qualify it."""
_AUX = r"will|would|is|are|was|were|does|do|did|has|have|can|could|should|must|may"
_ASKED = re.compile(
    r"^(?:(?:predict|find out|tell(?: me)?|decide|guess|determine|estimate|know|say|flag|spot) )?"
    r"(?:whether |if )?"
    rf"(?:(?:{_AUX}) (?:the |an? |this |that |these |our |my |each |some )?"
    r"(?!(?!it |he |she )[a-z]+ an? )(?P<one>[a-z]+)"
    r"|which (?:of (?:the|our|these) )?(?P<many>(?:[a-z]+ )??[a-z]+(?<!s)s|people)"
    r" (?!(?:is|does|was|has) )"
    r"|(?P<who>who(?! (?:is|was|are) (?:the|an?|your|our) )|whom|whose|which ones?"
    r"|where (?:will|would))\b)"
)
_SAID_TO_BE = re.compile(r"\b(?:is|was) (?:it|he|she|this|that) an? [a-z]+")
"""A kind that something may be of: of several columns, the one that is an outcome is none of it."""
_CAUSE = re.compile(
    r"^(?:why|what (?:made|makes|causes?|caused|is the reason|lies behind))\b"
    r"|\b(?:for what|the) reason\b"
)
_PLACE = re.compile(
    r"^(?:(?:from |to )?where|in which (?:place|part|town|city|area|region|country))\b"
)
_VAGUELY = re.compile(
    r"\b(?:risks?|risky|danger(?:ous)?|worr(?:y|ied)|concerned|trouble|careful|attention"
    r"|an eye on|harmless|harmful|intervene|should|ought to|have to|has to|needs?|must)\b"
)
_FEATURE = word_set("names.features")


def only_answer(
    text: str, said: Sequence[Term], columns: Sequence[ColumnFacts], names: Sequence[Name]
) -> ColumnFacts | None:
    """Finds the one outcome for `will it …`, the one cause for `why`, the one place for `where`.

    Of several outcomes the last column is meant where only what to do is asked.
    """
    if _CAUSE.search(text):
        return _single(columns, group("causes"))
    if _PLACE.search(text):
        return _single(columns, group("places"))
    asked, is_vague = _ASKED.search(text), _VAGUELY.search(text) is not None
    if asked is None or not (is_vague or _of_rows(asked, said, names)):
        return None
    return _only_outcome(text, columns, names, is_vague=is_vague)


def _only_outcome(
    text: str, columns: Sequence[ColumnFacts], names: Sequence[Name], *, is_vague: bool
) -> ColumnFacts | None:
    """Finds the one column of yes and no that tells what befalls rows; vaguely asked the last."""
    of_two = [
        (one, name)
        for one, name in zip(columns, names, strict=True)
        if one.distinct == BINARY_VALUES and not _FEATURE & set(name_parts(one.name))
    ]
    if len(of_two) > 1 and _SAID_TO_BE.search(text):
        return None
    found = [one for one, name in of_two if is_outcome(name)] or [one for one, _ in of_two]
    if len(found) == 1:
        return found[0]
    last = columns[-1]
    stands_last = last in found or (not found and last.distinct <= MOST_CLASSES)
    return last if is_vague and stands_last and is_outcome(names[-1]) else None


def _named(subject: str, names: Sequence[Name]) -> bool:
    return any(term.stem == root(subject) for name in names for term in name.terms)


def _single(columns: Sequence[ColumnFacts], stems: frozenset[str]) -> ColumnFacts | None:
    found = [
        one
        for one in columns
        if {root(part) for part in name_parts(one.name)} & stems
        and not identifies(one)
        and (one.type != "float" or one.distinct <= MOST_CLASSES)
    ]
    return found[0] if len(found) == 1 else None


def is_outcome(name: Name) -> bool:
    """Returns whether a column is called as what befalls rows, not as what they are."""
    held = frozenset[str]().union(
        *(part.concepts for part in name.terms if part.weight >= _PLAIN_WEIGHT)
    )
    return bool(held & targets().outcomes) or squeezed(name.written) in lexicon().generic_targets


def _of_rows(asked: re.Match[str], said: Sequence[Term], names: Sequence[Name]) -> bool:
    """Returns whether the one asked about is a row, or spoken of as if it were known."""
    if asked["who"] or root(asked["one"] or "") in group("spoken of"):
        return not any(term.concepts for term in said if term.weight >= _TELLING_WEIGHT)
    return _named((asked["one"] or asked["many"]).split()[-1], names)
