"""Which date is meant where a question names a time and no column.

Tables have several dates, and `in 2024` says none of them. It is chosen by the rows that are spoken
of, by one rule for conditions, groups and superlatives: two dates in one answer would make a sum of
one time and a group of another.
"""

import re
from collections.abc import Iterable
from datetime import date, datetime

from modelwright.engines.language.rules.columns.index import Column, Index
from modelwright.engines.language.rules.columns.schema import of_persons, points
from modelwright.engines.language.rules.mentions.draft import Draft
from modelwright.engines.language.rules.mentions.mention import Mention
from modelwright.engines.language.rules.mentions.rows import amount
from modelwright.engines.language.rules.plans.plan import Bucket, Unit
from modelwright.engines.language.rules.text.patterns import pattern
from modelwright.engines.language.rules.text.words import name_parts
from modelwright.engines.language.rules.times.dated_rows import tell_when
from modelwright.engines.language.vocabulary import alternatives, word_set

_REACH = 4
"""In words: how far before a time the rows may be named that it is of."""
_VERB_QUALITY = 0.8
"""How surely a verb must mean a date to come first, 0 to 1."""
_AMOUNT_QUALITY = 0.55
"""How surely words must mean an amount to speak of its table, 0 to 1."""
_BEFORE_ALL = -9
"""A place for tables not named before, further back than any reach."""
_AFTER_ALL = 10**6
"""A place for tables not named at all, behind every word."""
_MOST_BY_DAY = 100
"""In days: dates that lie closer are counted by the day."""
_MOST_BY_MONTH = 12 * 366
"""In days, twelve years: dates that lie closer are counted by the month."""
_COUNT = pattern("heads count")
_KEPT = re.compile(alternatives("times.kept"))
BEGUN = re.compile(
    r"creat|open|start|beg[ai]n|order|regist|sign|submit|receiv|report|hire|born"
    r"|buil?t|construct|found|release|join|enrol"
)
"""When something began, by the name of its date or year."""
_EACH = word_set("small_words.grouping")
_OF_BIRTH = word_set("checks.of_birth")


def usual_date(draft: Draft, at: int = 0) -> Column | None:
    """The date meant where none is named: what is grouped by, else that of the rows spoken of.

    Those are of the table named shortly before the word `at`, `customers who ordered in 2024`, by
    itself or by an amount of it, `energy per farm in 2024`, else of the table named first. Over
    several tables a date that a verb names comes first: `sold in 2026` of sold_on.
    """
    dated = [column for column in draft.index.columns if column.date]
    grouped = [c for c in dated for one in draft.group if (c.table, c.facts.name) == _place(one)]
    places = _places_of_tables(draft, dict.fromkeys(column.table for column in dated))
    near = {
        table: max((p for p in told if p < at), default=_BEFORE_ALL)
        for table, told in places.items()
    }
    last = max(near.values(), default=0)
    told = last if last >= at - _REACH else None
    done = {
        m.column.at for m in draft.question.mentions if draft.home and m.quality > _VERB_QUALITY
    }
    begun = {table: min(told, default=_AFTER_ALL) for table, told in places.items()}
    first = min(begun.values(), default=_AFTER_ALL)
    when = _tables_of_time(draft)
    dated.sort(
        key=lambda c: (
            c.at not in done,
            c.distant,
            bool(draft.rows) and c.table not in when,
            near[c.table] != told,
            bool(draft.home) and told is None and begun[c.table] != first,
            bool(when) and c.table not in when,
            not _OF_BIRTH.isdisjoint(name_parts(c.facts.name)),
            c.facts.missing > 0,
            -draft.home.get(c.table, 0.0),
            -c.facts.rows,
            bool(_KEPT.search(c.facts.name.lower())),
        )
    )
    return next(iter(grouped + dated), None)


def tables_that_tell_when(index: Index, rows: str) -> list[str]:
    """Returns the table of rows where it has dates, else those that tell when they happened.

    `Price by year` of lots is that of their auction, not of the bids, of which each has several,
    nor of the persons who sold them.
    """
    dated = {column.table for column in index.columns if column.date}
    if rows in dated:
        return [rows]
    led_to = [
        table.name
        for table in index.tables
        if table.name in dated and points(index.keys, rows, table.name) and not of_persons(table)
    ]
    return tell_when(index.keys, led_to)


def _tables_of_time(draft: Draft) -> set[str]:
    """The tables whose dates a time may be of: those of the rows, or of what explains most."""
    if not draft.home:
        return set()
    home = draft.rows or max(draft.home, key=draft.home.__getitem__)
    return {home, *tables_that_tell_when(draft.index, home)}


def _places_of_tables(draft: Draft, dated: Iterable[str]) -> dict[str, list[int]]:
    """The words that speak of each table with dates, or of rows that happened when its own did."""
    found = {table: _places(draft, table) for table in dated}
    others = (table.name for table in draft.index.tables if table.name not in found)
    for rows in others if draft.home else ():
        told = _places(draft, rows)
        for table in tables_that_tell_when(draft.index, rows) if told else ():
            found[table] += told
    return found


def _places(draft: Draft, table: str) -> list[int]:
    """The words that speak of a table's rows or amounts, not to group by."""
    rows = draft.question.tables.get(table, ())
    told = [p for p in rows if not _EACH & set(draft.text(p - 2, p).split())]
    own = (m for m in draft.question.mentions if draft.home and m.column.table == table)
    return told + [
        m.end - 1
        for m in own
        if m.quality > _AMOUNT_QUALITY and amount(m.column) and not _counts(draft, m)
    ]


def _counts(draft: Draft, mention: Mention) -> bool:
    """Whether words ask for a number of rows, and name no amount: `number of rentals`."""
    begun = draft.question.words[mention.start].start
    return any(one.start() <= begun < one.end() for one in _COUNT.finditer(draft.lower))


def _place(one: Bucket) -> tuple[str, str]:
    return one.ref.table, one.ref.column


def default_unit(column: Column) -> Unit:
    """Days for a season, months for some years, else years."""
    low, high = column.facts.minimum, column.facts.maximum
    if not isinstance(low, date | datetime) or not isinstance(high, date | datetime):
        return "month"
    span = (high - low).days
    if span <= _MOST_BY_DAY:
        return "day"
    return "month" if span <= _MOST_BY_MONTH else "year"
