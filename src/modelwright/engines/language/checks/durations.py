"""Whether a time that something lasts is told by the dates that begin and end it."""

import re
from collections.abc import Iterator

from sqlglot import exp

from modelwright.engines.language.catalog.meaning import Role
from modelwright.engines.language.checks.dates import (
    OF_BIRTH,
    dates_of,
    has_gaps,
    is_date_named,
    is_same_time,
    rivals_of,
)
from modelwright.engines.language.checks.findings import Code, Finding, doubt, fault, note
from modelwright.engines.language.checks.statement import Place, Statement
from modelwright.engines.language.checks.unexplained import rows_by_other_names
from modelwright.engines.language.checks.words import QuestionWords, facts_of
from modelwright.engines.language.rules.text.lexicon import concepts_of_name, spelled_out
from modelwright.engines.language.rules.text.words import stem
from modelwright.engines.language.rules.times.ends import makes_rows, names_date
from modelwright.engines.language.vocabulary import alternatives, any_case, word_set

_LATEST = word_set("times.latest")
_DUE = word_set("times.due")
"""Dates by which something should be done: nothing begins then."""
_ENDING = word_set("checks.of_ends")
"""What the names of dates have that end something."""
_LONGEST = any_case(r"\b(?:longest|shortest)\b")
_TIME_SAID = any_case(
    rf"\bhow long\b|\btimes?\b|\b(?:{alternatives('checks.units_of_time')}|minute|second)s?\b"
    r"|\bduration|\bto \w+$|\bbetween\b"
)
_TIME_ASKED = any_case(
    r"\btime (?:to|until|till|between)\b|\blead times?\b|\bhow long (?:does|do|did) .*\btake\b"
)
LASTS = re.compile(
    r"time|wait|dur|length|long|hour|minute|\bmins?\b|day|sec|week|month|year|night|delay|age\b"
    r"|term|tenure|period|speed|\blife|span\b|\bms\b|\blos\b|elapsed|turnaround"
)
"""Names of numbers that may tell how long something is."""
_AHEAD = any_case(r"\b(?:in advance|ahead|beforehand|lead times?)\b")
DATES_OF_DURATION = 2
"""Columns between which the time is told."""


def check_durations(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds how long something lasts told by two dates of which neither ends it, nor is named.

    `Bookings longer than a week` are not those that were made a week before.
    """
    for one in sql.find_all(exp.DateDiff):
        places = sorted({place for place in sql.places(one) if place[1] in dates_of(sql, place[0])})
        if len(places) != DATES_OF_DURATION or one.find(exp.Coalesce):
            continue  # until today no second date is named
        unnamed = [each for each in places if not _is_end_named(said, sql, each)]
        if len(unnamed) < DATES_OF_DURATION:
            if not _AHEAD.search(said.request.question):  # that is until the next date
                yield from _other_ends(said, sql, places, unnamed)
            continue
        yield from _unnamed_ends(said, sql, places)


def _unnamed_ends(said: QuestionWords, sql: Statement, places: list[Place]) -> Iterator[Finding]:
    told = " and ".join(name for _, name in places)
    if far := _how_far(said, sql):
        message = f"It is told by the time between {told}; {far} may be meant."
        yield doubt(Code.AMBIGUOUS_NAME, message, far)
    if not any(_ENDING & set(spelled_out(name)) for _, name in places):
        yield fault(Code.OTHER_DATE, f"Nothing speaks of the time between {told}.")
    for table, name in places:
        facts = facts_of(said.request, table, name)
        if facts is not None and facts.missing and _ENDING & set(spelled_out(name)):
            left = f"In all of {table}, {facts.missing:,} rows have no {name}"
            yield note(Code.OTHER_DATE, f"{left} and are left out.")


def check_times_asked(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds the `time to refund` that is told by the amount refunded: no figure of it is a time."""
    told = _TIME_ASKED.search(said.request.question)
    if told is None or sql.find(exp.DateDiff) is not None:
        return
    columns = [sql.catalog.column(*place) for place in sql.columns]
    names = [one.name for one in columns if one is not None and one.role is Role.MEASURE]
    if not any(LASTS.search(" ".join(spelled_out(name)).casefold()) for name in names):
        yield fault(Code.OTHER_KIND, f"“{told.group()}” asks for a time.", told.group())


def check_tenures(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds how long people are there that is also told of those who left, of whom nothing is said.

    A tenure that ends today where no date of leaving is given is that of all who ever joined.
    """
    for one in sql.find_all(exp.DateDiff):
        left = sql.places(one.find(exp.Coalesce) or exp.Null())
        if any(has_gaps(said, place) for place in left) and not sql.tests:
            yield fault(Code.OTHER_ROWS, "Those who left are told of as well.")


def check_ages_of_rows(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds the average age of patients that is that of their visits: who comes twice counts twice.

    Where each row has somebody else's name, rows and people are the same.
    """
    lapses = list(sql.find_all(exp.DateDiff))
    born = {one[1] for each in lapses for one in sql.places(each) if _is_of_birth(one[1])}
    if not born or sql.limits:
        return
    for word in said.all:
        if word.raw in rows_by_other_names(said, sql) and not _is_named_once(said, sql, word.stem):
            message = f"“{word.raw}” may have several rows, each of which is told of."
            yield fault(Code.OTHER_ROWS, message, word.raw)


def _is_of_birth(name: str) -> bool:
    return not OF_BIRTH.isdisjoint(spelled_out(name))


def _is_named_once(said: QuestionWords, sql: Statement, noun: str) -> bool:
    """Whether a column that is called by a noun has another value in each row."""
    for name in set(sql.tables):
        table = sql.catalog.table(name)
        for column in table.columns if table else ():
            facts = facts_of(said.request, name, column.name)
            is_of = stem(spelled_out(column.name)[0]) == noun
            if is_of and facts is not None and facts.distinct == facts.rows:
                return True
    return False


def _is_end_named(said: QuestionWords, sql: Statement, place: Place) -> bool:
    """Whether a word names an end of a time by its root; rows do not: `orders longer than`."""
    table = sql.catalog.table(place[0])
    rows = set(table.row_nouns) if table else set()
    by_root = any(names_date(word.text, place[1]) for word in said.all if word.text not in rows)
    by_row = makes_rows([word.text for word in said.all], place[1])
    return by_root or by_row or is_date_named(said, sql, place)


def _other_ends(
    said: QuestionWords, sql: Statement, places: list[Place], unnamed: list[Place]
) -> Iterator[Finding]:
    """Finds other dates than one that no word names, which as many rows have: `days to approve`."""
    for table, name in unnamed:
        taken = facts_of(said.request, table, name)
        others = [
            one
            for one in rivals_of(said, sql, table)
            if (table, one) not in places
            and _DUE.isdisjoint(spelled_out(one))
            and not is_same_time(one, name)
            and _is_end(one) == _is_end(name)
            and (facts := facts_of(said.request, table, one)) is not None
            and taken is not None
            and facts.missing <= taken.missing
        ]
        if others:
            message = f"It is told by {name}; {', '.join(others)} may be meant."
            yield doubt(Code.AMBIGUOUS_NAME, message, name, *others)


def _is_end(name: str) -> bool:
    """Whether a date ends something by its name, or tells of the last of several."""
    return not (_ENDING | _LATEST).isdisjoint(spelled_out(name))


def _how_far(said: QuestionWords, sql: Statement) -> str:
    """Returns the column of how long something is, where `longest` may be that or a time."""
    if not _LONGEST.search(said.request.question) or _TIME_SAID.search(said.request.question):
        return ""
    tables = sql.read_tables
    names = [one.name for each in tables for one in each.columns if one.role is Role.MEASURE]
    return next((name for name in names if "distance" in concepts_of_name(name)), "")
