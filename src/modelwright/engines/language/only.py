"""The only column that could answer a question of its form, asked of what the rows are."""

import re
from collections.abc import Callable, Sequence

from modelwright.engines.facts import ColumnFacts
from modelwright.engines.language.linking import Name, Term
from modelwright.engines.language.roots import root
from modelwright.engines.language.targets import group, identifies
from modelwright.engines.language.words import fold, name_parts, words

_PAIR, _MOST_CLASSES = 2, 30
_AUX = r"will|would|is|are|was|were|does|do|did|has|have|can|could|should|must|may"
_ASKED = re.compile(
    rf"^(?:(?:predict|find out|tell(?: me)?|decide|guess|determine|estimate|know) )?(?:whether |if )?"
    rf"(?:(?:{_AUX}) (?:the |an? |this |that |these |our |my |each |some )?(?P<one>[a-z]+)"
    rf"|which (?:of (?:the|our|these) )?(?P<many>(?:[a-z]+ )??[a-z]+(?<!s)s|people) (?!(?:is|does|was) )"
    rf"|(?P<who>who|whom|whose|where will|which ones?)\b)"
)
_REASON = re.compile(r"^(?:why|what (?:made|makes|causes?|caused|is the reason|lies behind))\b|\bfor what reason\b")
_PLACE = re.compile(r"^(?:where|in which (?:place|part|town|city|area|region)|(?:from|to) where)\b")
_HERE = frozenset(
    "it they he she we this that there anyone anybody someone somebody people everyone one".split()
)
_FEATURE = frozenset({"has", "with", "had", "weekend", "holiday", "sex", "gender"})
_REASONS = frozenset(map(root, ("reason", "cause", "why", "motive", "purpose", "trigger")))


def only_answer(text: str, said: Sequence[Term], columns: Sequence[ColumnFacts], names: Sequence[Name], linked: Callable[[Term], bool]) -> ColumnFacts | None:
    """Finds the one column of yes and no for `will it …`, of causes for `why`, of places for `where`."""
    if _REASON.search(text):
        return _single(columns, _REASONS)
    if _PLACE.search(text):
        return _single(columns, group("places"))
    asked = _ASKED.search(text)
    if asked is None or not _of_rows(asked, said, names, linked):
        return None
    pairs = [one for one in columns if one.distinct == _PAIR]
    outcomes = [one for one in pairs if not _FEATURE & set(name_parts(one.name))]
    return outcomes[0] if len(outcomes) == 1 else None


def _single(columns: Sequence[ColumnFacts], stems: frozenset[str]) -> ColumnFacts | None:
    found = [
        one
        for one in columns
        if {root(part) for part in name_parts(one.name)} & stems and not identifies(one)
    ]
    return found[0] if len(found) == 1 else None


def _of_rows(asked: re.Match[str], said: Sequence[Term], names: Sequence[Name], linked: Callable[[Term], bool]) -> bool:
    """Says whether the one asked about is a row, or spoken of as if it were known."""
    if asked["who"] or asked["one"] in _HERE:
        return not any(term.concepts and not linked(term) for term in said if term.weight >= W)
    subject = root((asked["one"] or asked["many"]).split()[-1])
    return any(term.stem == subject for name in names for term in name.terms)

W = 0.5
