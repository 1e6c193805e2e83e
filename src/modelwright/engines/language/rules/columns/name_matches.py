"""The words of columns' names that a word of a question may mean.

A question spells a name as people speak: in the plural, shortened, by a word that means the same,
with a slip of the pen. How sure each of these is stands here alone, as mentions compete by it:
judged by each rule for itself, one word would be sure to one and doubtful to the next.
"""

from modelwright.engines.language.rules.columns.index import Index
from modelwright.engines.language.rules.columns.linking import (
    CONCEPT,
    PREFIX,
    SAME,
    SHORT,
    Term,
    spelled_alike,
    without_vowels,
)
from modelwright.engines.language.rules.text.roots import deed, is_deed, is_doer

_LONGEST_SHORT = 5
"""In letters: no longer part of a name is found at the start of a word."""
_FUZZY_FROM = 4
"""In letters: shorter words are too much alike to be taken for slips."""
Hits = dict[tuple[int, int], float]
"""By (column, word of its name) how surely it is meant."""
_RATES = frozenset({"rate", "rates"})
"""Shares, not ratings, for all that their stem is the same."""
_AMOUNTS = frozenset({"sales", "income", "expense", "price", "quantity"})
"""Concepts of numbers; of texts, such as Sales Rep, only where no number is called so."""


def meant(index: Index, term: Term) -> Hits:
    """The words of column names that a word means, as (column, word) -> how surely."""
    found = _same_stem(index, term)
    found |= _same_concept(index, term, found)
    found = {place: SHORT for text, place in index.short if without_vowels(text, term.stem)} | found
    if "sales" in term.concepts and not _has_number(index, found):
        prices = index.by_concept.get("price", ())
        found |= {one: CONCEPT for one in prices if index.columns[one[0]].priced}
    if not found and len(term.text) >= _FUZZY_FROM:
        found = _nearly_spelled(index, term)
    if term.text in _RATES:
        named = {place: index.columns[place[0]].name.terms[place[1]].text for place in found}
        return {one: found[one] for one in found if not named[one].startswith("rating")}
    return found


def _same_stem(index: Index, term: Term) -> Hits:
    """Words of the same stem; `units` are not those of a unit price."""
    places = index.by_stem.get(term.stem, ())
    if is_doer(term.text):
        places = [one for one in places if not _text(index, one).endswith(("ed", "ing"))]
    found = dict.fromkeys(places, SAME)
    done = dict.fromkeys(_same_deed(index, term), SAME)
    if done:
        said = {place for place in found if _text(index, place).startswith(term.text[:-1])}
        return done | dict.fromkeys(said, SAME)
    if term.text != "units":
        return found
    priced = {at for at, _ in index.by_concept.get("price", ())}
    return {place: sure for place, sure in found.items() if place[0] not in priced}


def _same_deed(index: Index, term: Term) -> list[tuple[int, int]]:
    """What a verb's noun says that was done: `production` is what was produced, no product."""
    if not is_deed(term.text):
        return []
    found = index.by_deed.get(deed(term.text), ())
    return [place for place in found if _text(index, place) != term.text]


def _text(index: Index, place: tuple[int, int]) -> str:
    return index.columns[place[0]].name.terms[place[1]].text


def _same_concept(index: Index, term: Term, same: Hits) -> Hits:
    """Words that share a concept, beside those of the same stem."""
    found: Hits = {}
    told = _has_number(index, same)
    for concept in sorted(term.concepts):
        places = index.by_concept.get(concept, ())
        if concept in _AMOUNTS:
            numbers = [place for place in places if index.columns[place[0]].number]
            places = [place for place in numbers if not told] or ([] if numbers else places)
        found |= {place: CONCEPT for place in places if place not in same}
    return found


def _has_number(index: Index, found: Hits) -> bool:
    return any(index.columns[at].number for at, _ in found)


def _nearly_spelled(index: Index, term: Term) -> Hits:
    """Words a slip away, and beginnings of the word; in the order of the columns."""
    found: Hits = {}
    for (text, stemmed), places in index.by_text.items():
        near = spelled_alike(term.text, text)
        near = near or PREFIX * (term.stem.startswith(stemmed) and len(stemmed) > _LONGEST_SHORT)
        if near:
            found |= dict.fromkeys(places, near)
    return dict(sorted(found.items()))
