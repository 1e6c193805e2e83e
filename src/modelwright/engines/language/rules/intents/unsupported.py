"""Wishes that no model of one column can meet, told by how they are built: `unsupported.toml`.

A wish for clusters or topics would otherwise be read for the words that fit a column, and a model
be built of something nobody asked for. The kinds stand in data, each with what can be done instead.
"""

import re
import tomllib
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from modelwright.engines.language.rules.intents.constructions import (
    Construction,
    compiled,
    marked,
    marked_clauses,
)
from modelwright.engines.language.rules.intents.horizons import looks_as_far
from modelwright.engines.language.rules.text.words import name_parts

WISHES = Path(__file__).with_name("unsupported.toml")
_SPANS = {
    "UNIT_TO": re.compile(r"\b(days|hours|weeks|months|time) to\b"),
    "PERCENTILE": re.compile(r"\b[pq] ?\d\d\b|percentile|quantile|quartile|decile"),
    "LEAD_TIME": re.compile(r"\blead time\b"),
    "UNIT_AHEAD": re.compile(r"\b\d+ ?[dhwmy]\b"),
}
"""What names of columns hold that one word does not tell."""
_SPELLED = {"100": "hundred", "1000": "thousand", "1000000": "million"}


@dataclass(frozen=True, slots=True)
class UnsupportedWish:
    """A kind of wish with how it is said, its name and what can be done instead."""

    kind: str
    named: str
    instead: str
    said: Construction
    unless: Construction | None
    unless_clauses: Construction | None
    """What makes a wish ordinary where one clause says it, with the columns that are called."""
    held: frozenset[str]
    """Words of names of columns that hold what the wish asks for, so that it can be predicted."""
    held_unless: Construction | None
    """What is a wish though a column is named so."""
    in_clauses: bool
    """Whether it is told by one clause alone, with the columns that are called in it."""
    fields: frozenset[str]
    """Fields of a request that say it; where one is given, words do not."""

    @property
    def sentence(self) -> str:
        """The refusal: what is asked for by its name, and the remedy."""
        return f"The intent asks for {self.named}: no model can be built of that. {self.instead}"

    def is_meant(self, intent: str, names: Sequence[frozenset[str]]) -> bool:
        """Returns whether a marked intent asks for it, and no column (as words) holds it."""
        if not self.said.means_more_than(intent, names):
            return False
        if self.unless is not None and self.unless.found(intent):
            return False
        if not any(self.held & name for name in names):
            return True
        return self.held_unless is not None and self.held_unless.found(intent)


def unsupported_wish(
    intent: str, columns: Iterable[str] = (), given: Collection[str] = ()
) -> UnsupportedWish | None:
    """Finds the kind of wish that an intent words and that cannot be met.

    Args:
        intent: What a user wants to predict, in words.
        columns: The names of the table's columns.
        given: Fields of the request that are given.

    Returns:
        The first kind of the table that fits, None for an ordinary wish.
    """
    columns = tuple(columns)
    whole, clauses = [marked(intent, columns)], marked_clauses(intent, columns)
    names = [_words_of(name, whole[0]) for name in columns]
    return next(
        (
            wish
            for wish in unsupported_wishes()
            if wish.fields.isdisjoint(given)
            and not (wish.unless_clauses and any(map(wish.unless_clauses.found, clauses)))
            and any(wish.is_meant(one, names) for one in (clauses if wish.in_clauses else whole))
        ),
        None,
    )


def _words_of(name: str, intent: str) -> frozenset[str]:
    """Returns the words of a name and what it holds; times ahead only as far as is asked."""
    parts = name_parts(name)
    told = " ".join(parts)
    spans = {word for word, pattern in _SPANS.items() if pattern.search(told)}
    spans -= set() if looks_as_far(intent, told) else {"UNIT_AHEAD"}
    return frozenset(parts) | spans | {_SPELLED[one] for one in parts if one in _SPELLED}


@cache
def unsupported_wishes() -> tuple[UnsupportedWish, ...]:
    """Returns the kinds of wishes, in the order in which they are looked for."""
    told = tomllib.loads(WISHES.read_text(encoding="utf-8"))
    classes = {name: tuple(words.split()) for name, words in told["classes"].items()}
    return tuple(
        UnsupportedWish(
            one["kind"],
            one["named"],
            one["instead"],
            compiled(one["said"], classes),
            compiled(one["unless"], classes) if "unless" in one else None,
            compiled(one["unless_clauses"], classes) if "unless_clauses" in one else None,
            frozenset(one.get("held", "").split()),
            compiled(one["held_unless"], classes) if "held_unless" in one else None,
            one.get("in_clauses", False),
            frozenset(one.get("fields", "").split()),
        )
        for one in told["wish"]
    )
