"""The words of columns' names that a word of a question may mean."""

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

_ROOT, _FUZZY_FROM = 5, 4
_RATES = frozenset({"rate", "rates"})
"""Shares, not ratings, for all that their stem is the same."""
_AMOUNTS = frozenset({"sales", "income", "expense", "price", "quantity"})
"""Concepts of numbers; of texts, such as Sales Rep, only where no number is called so."""


def meant(index: Index, term: Term) -> dict[tuple[int, int], float]:
    """The words of column names that a word means, as (column, word) -> how surely."""
    found = dict.fromkeys(index.by_stem.get(term.stem, ()), SAME)
    if term.text == "units":
        priced = {at for at, _ in index.by_concept.get("price", ())}
        found = {place: sure for place, sure in found.items() if place[0] not in priced}
    told = any(index.columns[at].number for at, _ in found)
    for concept in sorted(term.concepts):
        places = index.by_concept.get(concept, ())
        if concept in _AMOUNTS:
            numbers = [place for place in places if index.columns[place[0]].number]
            places = [place for place in numbers if not told] or ([] if numbers else places)
        for place in places:
            found.setdefault(place, CONCEPT)
    found = {place: SHORT for text, place in index.short if without_vowels(text, term.stem)} | found
    if "sales" in term.concepts and not any(index.columns[at].number for at, _ in found):
        prices = index.by_concept.get("price", ())
        found |= {one: CONCEPT for one in prices if index.columns[one[0]].priced}
    if not found and len(term.text) >= _FUZZY_FROM:
        for (text, stemmed), places in index.by_text.items():
            near = spelled_alike(term.text, text)
            near = near or PREFIX * (term.stem.startswith(stemmed) and len(stemmed) > _ROOT)
            if near:
                found |= dict.fromkeys(places, near)
        found = dict(sorted(found.items()))
    if term.text in _RATES:
        named = {place: index.columns[place[0]].name.terms[place[1]].text for place in found}
        return {one: found[one] for one in found if not named[one].startswith("rating")}
    return found
