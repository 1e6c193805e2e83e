"""Questions that work on the tables at hand.

Who is refused has to see what would work. The examples are built of the tables' own names, so that
each of them can be asked as it stands.
"""

from collections.abc import Sequence
from itertools import zip_longest

from modelwright.engines.facts import KEYLIKE
from modelwright.engines.language.rules.columns.index import Column, Index
from modelwright.engines.language.rules.mentions.draft import Draft
from modelwright.engines.language.rules.plans.sentences import spoken
from modelwright.engines.language.rules.text.patterns import pattern

_TIMES = pattern("suggesting times")
_LEAST_KINDS = 2
"""With fewer different values there is nothing to group by."""
_MOST_KINDS = 40
"""Groups by more different values are no overview; numbers of so few may be codes."""
_TWO_DATES = 2
"""A time is from one date to another."""
_MOST_SUGGESTIONS = 4
"""More are not read."""
_MOST_LISTED = 5
"""So many words are quoted."""


def suggestions(index: Index) -> list[str]:
    """Up to four questions made from the tables' columns, of several tables each in turn."""
    if len(index.tables) == 1:
        return _of_table(index, index.tables[0].name, "rows")
    told = (_of_table(index, one.name, spoken(one.name))[::-1] for one in index.tables)
    turns = zip_longest(*told, fillvalue="")
    return [one for turn in turns for one in turn if one][:_MOST_SUGGESTIONS]


def _of_table(index: Index, name: str, rows: str) -> list[str]:
    columns = [c for c in index.in_table(name) if 2 * c.facts.missing <= c.facts.rows]
    numbers = [c for c in columns if _is_amount(c)]
    groups = [c for c in columns if not c.number and _makes_groups(c)]
    found = [f"How many {rows} are there?"]
    if numbers:
        found.append(f"What is the average {_said(numbers[0])}?")
    if groups:
        found.append(f"Number of {rows} per {_said(groups[0])}")
    if numbers and groups:
        found.append(f"Average {_said(numbers[0])} by {_said(groups[0])}")
    return found


def _makes_groups(column: Column) -> bool:
    return _LEAST_KINDS <= column.facts.distinct <= min(_MOST_KINDS, column.facts.rows - 1)


def _is_amount(column: Column) -> bool:
    """Whether its numbers are not only codes, years or names of rows."""
    named = column.identifier or column.keyed or KEYLIKE.search(column.facts.name)
    told = column.textual or column.shape == "year"
    return column.number and column.facts.distinct > _MOST_KINDS and not (named or told)


def _said(column: Column) -> str:
    return spoken(column.facts.name)


def why_not(draft: Draft) -> str:
    """Says what of a question was found nowhere."""
    unread = [draft.question.words[at].raw for at in draft.open_words()]
    if unread:
        return f"Nothing in the tables was found for {quoted(unread)}."
    return "The question was not understood well enough to answer it."


def quoted(words: Sequence[str]) -> str:
    """Quotes the first of some words."""
    return ", ".join(f'"{word}"' for word in words[:_MOST_LISTED])


def time_between(draft: Draft) -> str:
    """What to write where a time is asked for and it is not said between which dates."""
    dates = [column for column in draft.index.columns if column.date]
    pair = [spoken(one.facts.name) for one in dates if one.table == dates[0].table][:2]
    if len(pair) < _TWO_DATES or not _TIMES.search(draft.lower):
        return ""
    return f' A time is read from one date to another: "average time from {pair[0]} to {pair[1]}".'
