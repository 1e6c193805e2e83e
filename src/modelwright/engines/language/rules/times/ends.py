"""Which dates a time lasts between: those that words have roots of, else a start and an end.

A noun or a verb names a date by its root: `issuance` of Issued On, `arriving` of Arrival Time.
"""

import re
from collections.abc import Sequence
from functools import lru_cache

from modelwright.engines.language.rules.columns.index import Column
from modelwright.engines.language.rules.mentions.draft import Draft, named_tables
from modelwright.engines.language.rules.text.lexicon import spelled_out
from modelwright.engines.language.rules.text.patterns import pattern
from modelwright.engines.language.rules.text.roots import deed, root
from modelwright.engines.language.rules.text.words import stem
from modelwright.engines.language.rules.times.usual_dates import BEGUN
from modelwright.engines.language.vocabulary import word_set, word_values

_FIRST_LETTERS = 4
"""In letters: `application` and applied are alike so far."""
_SHORTEST_ROOT = 3
"""In letters: shorter roots are those of any words."""
_TWO = 2
_START = re.compile(r"\b(?:start|beg[aiu]n|from\b)")
"""Names of dates when something begins."""
_END = re.compile(r"\b(?:end|finish|until\b)")
"""Names of dates when it ends."""
_SPAN = pattern("durations spans")
"""Names of dates when a stay, a journey, a job or the like begins or ends."""
_MADE = pattern("durations made")
"""Names of dates when a row was made."""
_BOOKED = pattern("durations booked")
"""Verbs that make rows."""
_DUE = word_set("times.due")
_OF_BIRTH = word_set("checks.of_birth")
_PLAIN = word_set("checks.of_any_date")
_DEEDS: dict[str, str] = word_values("checks.deeds")
End = tuple[Column, int, int]
"""A date, and the words that name it, from the first to behind the last."""


def end_named(draft: Draft, start: int, stop: int) -> End | None:
    """Finds the one date whose name has most of the words of a stretch, by their roots.

    Args:
        draft: The question.
        start: The first word.
        stop: The one behind the last.

    Returns:
        The date with its words; None where no name has any, or two have as many.
    """
    said = range(max(0, start), min(stop, len(draft.question.words)))
    found: dict[int, list[int]] = {}
    dates = [one for one in draft.index.columns if one.date]
    for one in dates:
        places = [at for at in said if _names(draft.question.words[at].text, one)]
        if places:
            found[one.at] = places
    most = max(map(len, found.values()), default=0)
    best = [one for one in dates if len(found.get(one.at, ())) == most]
    if not most or len(best) != 1:
        return None
    places = found[best[0].at]
    return best[0], places[0], places[-1] + 1


def _names(word: str, date: Column) -> bool:
    return names_date(word, date.facts.name)


def names_date(word: str, name: str) -> bool:
    """Whether a word has a root in common with a date's name: `issuance` with Issued On."""
    return any(_alike(word, part) for part in _telling(name))


def makes_rows(said: Sequence[str], name: str) -> bool:
    """Whether a word is a verb that makes rows, and a date is when they were made: created_at."""
    made = _MADE.search(" ".join(spelled_out(name)))
    return made is not None and any(_BOOKED.fullmatch(word) for word in said)


@lru_cache(maxsize=4096)
def _telling(name: str) -> tuple[str, ...]:
    """Returns the words by which a date's name tells it from others."""
    return tuple(part for part in spelled_out(name) if part not in _PLAIN)


@lru_cache(maxsize=65536)
def _alike(word: str, part: str) -> bool:
    """Whether two words have a root in common, or begin alike."""
    first = word[:_FIRST_LETTERS]
    begin = len(first) == _FIRST_LETTERS and first == part[:_FIRST_LETTERS]
    return begin or any(len(one) >= _SHORTEST_ROOT for one in _roots(word) & _roots(part))


@lru_cache(maxsize=65536)
def _roots(word: str) -> frozenset[str]:
    verb = _DEEDS.get(stem(word), word)
    return frozenset(form(one) for one in (word, verb) for form in (root, deed, stem))


def pair(draft: Draft) -> list[Column]:
    """The two dates of the table spoken of, else of the only one that has two, in their order.

    Of more they are those that by their names are a start and an end. A birth begins no stay.
    """
    names = [table.name for table in draft.index.tables]
    held = {name: _two([c for c in draft.index.in_table(name) if _happens(c)]) for name in names}
    able = [name for name in names if len(held[name]) == _TWO]
    told = [name for name in named_tables(draft) if name in able] or able
    return sorted(held[told[0]], key=early) if len(told) == 1 else []


def _happens(column: Column) -> bool:
    return column.date and _OF_BIRTH.isdisjoint(spelled_out(column.facts.name))


def _two(dates: list[Column]) -> list[Column]:
    if len(dates) <= _TWO:
        return dates
    named = [one for cue in (_START, _END) for one in dates if cue.search(one.plain_name)]
    if len(named) == _TWO:
        return named
    return [one for one in dates if _SPAN.search(one.plain_name) and not _is_due(one)]


def _is_due(column: Column) -> bool:
    return not _DUE.isdisjoint(spelled_out(column.facts.name))


def early(date: Column) -> tuple[str, str]:
    """When the values of a date begin and end, to be put in order by."""
    return str(date.facts.minimum or ""), str(date.facts.maximum or "")


def start_before(draft: Draft, until: Column) -> Column | None:
    """The date with which rows begin that end by another: the first that each of them has.

    Dates that are only due are none, nor are births. One whose name says that something began goes
    before others.
    """
    others = _others(draft, until)
    before = [one for one in others if early(one)[0][:10] <= early(until)[0][:10]]
    return min(before, key=_begins, default=None)


def next_after(draft: Draft, since: Column) -> Column | None:
    """The first date after another by which rows begin: the arrival that was booked before."""
    after = [one for one in _others(draft, since) if early(one) > early(since)]
    return min(after, key=lambda one: (one.facts.missing, early(one)), default=None)


def _others(draft: Draft, date: Column) -> Sequence[Column]:
    held = [one for one in draft.index.in_table(date.table) if _happens(one) and not _is_due(one)]
    names = [f" {one.plain_name}" for one in held]
    own = [one for one in held if not one.plain_name.endswith(tuple(names))]
    return [one for one in own if one is not date]  # `user created_at` is not the ticket's own


def _begins(date: Column) -> tuple[bool, bool, tuple[str, str]]:
    return date.facts.missing > 0, BEGUN.search(date.plain_name) is None, early(date)
