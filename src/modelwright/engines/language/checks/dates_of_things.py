"""Times told by the date of what rows only lead to: units sold by when the product was launched.

Rows that are counted or added up happened on a date of their own, or when what they belong to did.
That on which a product was launched or a customer was born is another, and has to be named.
So has the day on which members joined, where something else was done or a weekday is asked for.
"""

from collections.abc import Iterator

from modelwright.engines.language.catalog.meaning import Role
from modelwright.engines.language.checks.dates import (
    dated_places,
    dates_of,
    is_date_named,
    usual_groups,
)
from modelwright.engines.language.checks.findings import Code, Finding, doubt, fault
from modelwright.engines.language.checks.statement import Place, Statement
from modelwright.engines.language.checks.words import QuestionWords
from modelwright.engines.language.rules.columns.schema import of_persons
from modelwright.engines.language.rules.text.lexicon import spelled_out
from modelwright.engines.language.rules.text.roots import deed, irregular, is_deed
from modelwright.engines.language.rules.times.dated_rows import reached, tell_when
from modelwright.engines.language.rules.times.usual_dates import BEGUN
from modelwright.engines.language.vocabulary import any_case, cue_words, word_set

_COMING = frozenset(map(deed, word_set("checks.of_coming")))
"""What is done once with what is there from then on."""
_OF_NO_EVENT = word_set("checks.of_no_event")
"""Verbs of how something came to be there, or of what it always is."""
_RETURNING = frozenset({"weekday", "hour"})
"""Times that return so often that nobody asks for them of what is done once."""
_DID = any_case(r"\b(?:did|do|does)(?:n't)?\s+(?:\w+\s+)?(?P<verb>\w+)")
_PAST = "ed"


def check_dates_of_things(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds times of rows that are told by the date of what those only lead to."""
    for table, name in sorted(dated_places(said, sql) | usual_groups(sql)):
        if is_date_named(said, sql, (table, name)):
            continue
        if _is_of_others(said, sql, table) or _is_of_a_deed(said, sql, table):
            yield doubt(Code.OTHER_DATE, f"Nothing speaks of {name}, which the time is told by.")


def _is_of_others(said: QuestionWords, sql: Statement, table: str) -> bool:
    """Whether rows are read that lead to those of a table, and happened at another time."""
    return any(table not in _tables_of_times(said, sql, one) for one in _leading(sql, table))


def _leading(sql: Statement, table: str) -> list[str]:
    """Returns the tables that are read and lead to another one."""
    keys = sql.catalog.relationships
    return [one for one in sorted(set(sql.tables)) if table in reached(keys, one)]


def _tables_of_times(said: QuestionWords, sql: Statement, rows: str) -> list[str]:
    """Returns the tables that tell when rows happened: their own, or what they belong to."""
    if dates_of(sql, rows):
        return [rows]
    persons = {one.name for one in said.request.tables if of_persons(one)}
    keys = sql.catalog.relationships
    led_to = [one for one in sorted(reached(keys, rows) - persons) if dates_of(sql, one)]
    return tell_when(keys, led_to)


def _is_of_a_deed(said: QuestionWords, sql: Statement, table: str) -> bool:
    """Whether something was done with the rows, of which only another table can tell when.

    `How many products did we sell in 2025` asks for no product launched then.
    """
    keys = sql.catalog.relationships
    beyond = {table} | reached(keys, table)
    is_done = any(
        table in (led_to := reached(keys, one.name))
        and led_to - beyond  # else they are parts of the rows, as payments are of a rental
        and table not in (_tables_of_times(said, sql, one.name) or [table])
        for one in sql.catalog.tables
    )
    return is_done and not _leading(sql, table) and any(map(_is_event, _deeds(said, sql)))


def _is_event(verb: str) -> bool:
    return not (BEGUN.search(verb) or verb in _OF_NO_EVENT)


def _deeds(said: QuestionWords, sql: Statement) -> Iterator[str]:
    """Yields the verbs that tell what was done, and are no part of a name that is read."""
    links = said.request.links
    spans = [one.span for one in links.values]
    spans += [one.span for one in links.names if (one.table, one.column) in sql.columns]
    asked = {one["verb"].casefold() for one in _DID.finditer(said.request.question)}
    for word in said.all:
        is_past = word.text.endswith(_PAST) or word.text in irregular()
        is_deed = is_past or (word.text in asked and word.text not in cue_words("idle"))
        if is_deed and not any(start <= word.start < end for start, end in spans):
            yield word.text


def check_dates_of_coming(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds `how many members trained on a Monday` told by the day on which members joined."""
    returns = any(one.part in _RETURNING for one in said.request.links.periods)
    for table, name in sorted(_times(said, sql)):
        if not _tells_coming(sql, table, name):
            continue
        is_said = is_date_named if not returns else _is_done_then
        if is_said(said, sql, (table, name)):
            continue
        if returns or _tests_deed(sql) or any(map(_is_event, _deeds(said, sql))):
            make = fault if returns else doubt
            yield make(Code.OTHER_DATE, f"Nothing speaks of {name}, which the time is told by.")


def _times(said: QuestionWords, sql: Statement) -> set[Place]:
    """Returns the dates that tell the times of the question, and those that make groups."""
    is_timed = bool(said.request.links.periods)
    tested = {place for test in sql.tests if is_timed for place in test.columns}
    dates = {place for place in tested if sql.role(place) is Role.DATE}
    return dates | dated_places(said, sql) | usual_groups(sql)


def _is_done_then(said: QuestionWords, sql: Statement, place: Place) -> bool:
    """Whether a word is that for what was done on a date."""
    del sql
    done = set(map(deed, spelled_out(place[1]))) & _COMING
    return not done.isdisjoint(deed(word.text) for word in said.all)


def _tests_deed(sql: Statement) -> bool:
    """Whether rows are told apart by whether something was done: cancelled, yes or no."""
    places = {place for test in sql.tests for place in test.columns}
    flags = [name for table, name in places if sql.role((table, name)) is Role.FLAG]
    return any(is_deed(part) for name in flags for part in spelled_out(name))


def _tells_coming(sql: Statement, table: str, name: str) -> bool:
    """Whether the only date of a table says since when its rows are there: joined, built."""
    is_coming = not _COMING.isdisjoint(map(deed, spelled_out(name)))
    return is_coming and dates_of(sql, table) == [name]


CHECKS = (check_dates_of_things, check_dates_of_coming)
