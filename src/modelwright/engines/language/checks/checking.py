"""All checks of one candidate."""

from modelwright.engines.language.catalog import Catalog
from modelwright.engines.language.checks import (
    aggregates,
    asked_for,
    averages,
    comparisons,
    dates_of_things,
    everyday,
    groups,
    joins,
    kind,
    left_out,
    literals,
    money,
    negation,
    not_held,
    periods,
    ranges,
    ranking,
    restricting,
    told_of,
    unexplained,
    unsaid,
    written,
)
from modelwright.engines.language.checks.findings import Code, Finding, fault
from modelwright.engines.language.checks.statement import Statement, UnparsedError
from modelwright.engines.language.checks.words import QuestionWords
from modelwright.engines.language.readers import ReadRequest

CHECKS = (
    *unexplained.CHECKS,
    *literals.CHECKS,
    *negation.CHECKS,
    *ranking.CHECKS,
    *groups.CHECKS,
    *aggregates.CHECKS,
    *comparisons.CHECKS,
    periods.check_dropped_periods,
    *kind.CHECKS,
    *left_out.CHECKS,
    *not_held.CHECKS,
    *money.CHECKS,
    *restricting.CHECKS,
    *written.CHECKS,
    *asked_for.CHECKS,
    *dates_of_things.CHECKS,
    *averages.CHECKS,
    *everyday.CHECKS,
    *ranges.CHECKS,
    *periods.CHECKS,
    *unsaid.CHECKS,
    *told_of.CHECKS,
    *joins.CHECKS,
)


def check(sql: str, request: ReadRequest, said: QuestionWords | None = None) -> list[Finding]:
    """Checks SQL against the question that it is to answer.

    Args:
        sql: One SELECT in DuckDB's dialect.
        request: The question, with catalog and links.
        said: Its words, where several statements are checked.

    Returns:
        What is wrong, doubtful or worth telling; nothing where all is accounted for.
    """
    said = said or QuestionWords(request)
    try:
        statement = said.statement(sql)
    except UnparsedError as error:
        return [fault(Code.UNPARSED, f"The SQL cannot be read: {error}")]
    return list(dict.fromkeys(one for each in CHECKS for one in each(said, statement)))


def used_columns(sql: str, catalog: Catalog) -> frozenset[tuple[str, str]]:
    """Returns the tables and columns that SQL reads; none where it cannot be parsed."""
    try:
        return Statement.read(sql, catalog).columns
    except UnparsedError:
        return frozenset()


def tested_columns(sql: str, said: QuestionWords) -> frozenset[tuple[str, str]]:
    """Returns the columns that SQL compares with written values; none where it is not parsed."""
    try:
        tests = said.statement(sql).tests
    except UnparsedError:
        return frozenset()
    return frozenset(place for one in tests for place in one.columns)
