"""Times told by texts that are written as dates, `31/12/2024`, of which a table has several."""

from collections.abc import Iterator

from sqlglot import exp

from modelwright.engines.language.checks.asked_for import is_date_named
from modelwright.engines.language.checks.findings import Code, Finding, doubt
from modelwright.engines.language.checks.statement import Place, Statement
from modelwright.engines.language.checks.words import QuestionWords, facts_of
from modelwright.engines.language.rules.columns.typed_text import as_dates

READS_DATES = "TRY_STRPTIME"
"""What reads a text as the date that it is."""


def check_written_dates(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds periods held against one of several written dates that no word tells apart."""
    calls = (one for one in sql.find_all(exp.Anonymous) if one.name.upper() == READS_DATES)
    told = (sql.places(one) for one in calls if one.find_ancestor(exp.DateDiff) is None)
    for place in dict.fromkeys(place for places in told for place in places):
        others = [] if is_date_named(said, sql, place) else _others(said, sql, place)
        if others:
            message = f"{place[1]} was taken for the time; {', '.join(others)} may be meant."
            yield doubt(Code.AMBIGUOUS_NAME, message, place[1], *others)


def _others(said: QuestionWords, sql: Statement, place: Place) -> list[str]:
    """Returns the other texts of a table that are written as dates."""
    table = sql.catalog.table(place[0])
    names = [one.name for one in table.columns if one.name != place[1]] if table else []
    return [name for name in names if _is_written(said, (place[0], name))]


def _is_written(said: QuestionWords, place: Place) -> bool:
    facts = facts_of(said.request, *place)
    return facts is not None and facts.type == "string" and as_dates(facts, ())[0] is not None


CHECKS = (check_written_dates,)
