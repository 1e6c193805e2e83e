"""Whether a figure is told of the periods that the question says, and as one of each period.

Periods that were dropped, `in October` of several years, and figures a period: `average monthly
revenue` is no mean of the orders of a month.
"""

import re
from collections.abc import Iterator
from datetime import date

from sqlglot import exp

from modelwright.engines.facts import ColumnFacts
from modelwright.engines.language.catalog.meaning import Additivity, Role
from modelwright.engines.language.checks.cues import is_within_value
from modelwright.engines.language.checks.findings import Code, Finding, doubt, fault
from modelwright.engines.language.checks.statement import Place, Statement
from modelwright.engines.language.checks.words import QuestionWords, facts_of
from modelwright.engines.language.rules.text.lexicon import spelled_out
from modelwright.engines.language.rules.text.words import words
from modelwright.engines.language.temporal.calendar import day_of
from modelwright.engines.language.vocabulary import alternatives, any_case, word_values

_UNITS: dict[str, str] = dict(word_values("times.how_often"))
_MEANS = alternatives("averages.means")
_PER_PERIOD = any_case(
    rf"\b(?P<mean>{_MEANS})\s+(?:\w+\s+){{1,4}}?(?:per|an?|each|every)\s+(?P<unit>"
    rf"{'|'.join(dict.fromkeys(_UNITS.values()))})\b"
    rf"|\b(?:{_MEANS})\s+(?P<way>{'|'.join(_UNITS)})\b"
)
_PER_THING = any_case(
    rf"\b(?:{_MEANS})\s+(?:\w+\s+){{1,4}}?(?:per|for\s+each|of\s+each)\s+(?P<thing>[a-z]+)\b"
)
MANY = 20
"""So many groups are things, of which the average is asked, rather than kinds to compare."""
_MONTH = any_case(rf"\b(?:{alternatives('times.months', 'times.short_months')})\b")
_ALL_YEARS = any_case(
    r"\b(?:19|20)\d\d\b|\b(?:each|every|all)\s+(?:the\s+)?(?:years?|[a-z]+(?:ber|ary|ch|il|ay|ne|ly|st)s?)\b"
    r"|\b(?:usual\w*|typical\w*|always|across)\b"
)
_TO_COME = re.compile(r"\b(?:will|won't|shall|(?:is|are) going to)\b")
"""Not `Will`, who is somebody."""
_READS_THE_CLOCK = re.compile(r"current_date|now\(|today\(", re.IGNORECASE)
PERIODS = (exp.TimestampTrunc, exp.DateTrunc, exp.Year)
"""What cuts moments into periods."""


def averages_periods(said: QuestionWords, sql: Statement) -> bool:
    """Whether a figure a period is asked for, and sums are divided by the number of periods."""
    return bool(sql.divisors) and _PER_PERIOD.search(said.request.question) is not None


def check_times_to_come(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds `how many trips will there be` where the data hold nothing that is yet to come."""
    told = next((one for one in _TO_COME.finditer(said.request.question)), None)
    if told is None or is_within_value(said, told.span()) or "will" in _parts_of_names(sql):
        return
    dates = [
        facts_of(said.request, table, one.name)
        for table in sorted(set(sql.tables))
        if (known := sql.catalog.table(table)) is not None
        for one in known.columns
        if one.role is Role.DATE
    ]
    last = max(filter(None, (day_of(one.maximum) for one in dates if one)), default=None)
    if last is not None and last <= said.request.today:
        message = f"The data end on {last.isoformat()}, and hold nothing that is yet to come."
        yield fault(Code.OTHER_DATE, message, told.group())


def _parts_of_names(sql: Statement) -> set[str]:
    return {part.casefold() for _, name in sql.written_columns for part in spelled_out(name)}


def check_dropped_periods(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds periods of the question whose bounds the SQL does not hold."""
    if _READS_THE_CLOCK.search(sql.sql):
        return
    for period in said.request.links.periods:
        ends = [one for one in (period.start, period.end) if one is not None]
        written = {told for one in ends for told in (one.isoformat(), str(one.year))}
        is_held = any(one in sql.sql for one in written)
        if ends and not is_held and not is_within_value(said, period.span):
            yield fault(Code.PERIOD_DROPPED, f"“{period.text}” has no counterpart.", period.text)


def check_means_of_periods(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds `average revenue per month` that is the mean order of each month.

    What adds up is added up a period first, and the sums are averaged. `Average monthly revenue`
    asks for nothing else; where `per month` is said, groups may be meant as well.
    """
    asked = _PER_PERIOD.search(said.request.question)
    cut = next((one for one in sql.group_keys if isinstance(one, PERIODS)), None)
    if asked is None or cut is None:
        return
    unit = "year" if isinstance(cut, exp.Year) else cut.args["unit"].name.casefold()
    wanted = _UNITS[asked["way"].casefold()] if asked["way"] else asked["unit"].casefold()
    for one in sql.find_all(exp.Avg):
        place = sql.place(one.this)
        if place and unit == wanted and _adds_up(said, sql, place, asked.group()):
            make = fault if asked["way"] else doubt
            message = f"“{asked.group()}” may be that of the sums of each {unit}."
            yield make(Code.MEAN_OF_ROWS, message, place[1], unit)


def check_means_of_things(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds `average spend per customer` that is the mean order of each customer.

    What each customer spends in all, averaged over them, is as likely meant.
    """
    asked = _PER_THING.search(said.request.question)
    groups = [place for key in sql.group_keys for place in sql.places(key)]
    if asked is None or not groups or sql.find(*PERIODS) is not None:
        return
    facts = [facts_of(said.request, *place) for place in groups]
    if any(one is None or one.distinct < MANY for one in facts):
        return
    columns = [(place, sql.catalog.column(*place)) for place in groups]
    keys = [place[1] for place, column in columns if column and column.role is Role.ID]
    key = next(iter([*keys, groups[0][1]]))
    for one in sql.find_all(exp.Avg):
        place = sql.place(one.this)
        if place and _adds_up(said, sql, place, asked.group()):
            message = f"“{asked.group()}” may be that of the sums of each {asked['thing']}."
            yield doubt(Code.MEAN_OF_ROWS, message, place[1], asked["thing"].casefold(), key)


def _adds_up(said: QuestionWords, sql: Statement, place: Place, asked: str) -> bool:
    """Whether a column is an amount of which a period has several, and no row's own figure is said.

    `Average order value per day` is of orders.
    """
    column, table = sql.catalog.column(*place), sql.catalog.table(place[0])
    facts = facts_of(said.request, *place)
    if column is None or table is None or facts is None:
        return False
    nouns = {word.stem for noun in table.row_nouns for word in words(noun)}
    own = {word.stem for word in words(column.label)}
    is_of_rows = any(word.stem in nouns - own for word in words(asked))
    return column.additivity is Additivity.SUM and not is_of_rows


def check_open_months(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds `in October` where the data hold those of several years: the last may be meant."""
    question = said.request.question
    told = _MONTH.search(question)
    if told is None or _ALL_YEARS.search(question) or sql.is_over_time:
        return
    for test in sql.tests:
        months = {int(one.name) for one in test.literals if one.is_int}
        if test.node.find(exp.Month) is None or len(months) != 1 or len(test.columns) != 1:
            continue
        facts = facts_of(said.request, *test.columns[0])
        held = list(_held(facts, months.pop(), said.request.today)) if facts else []
        if len(held) > 1:
            start, end = held[-1]
            message = f"“{told.group()}” may be that of {start.year} alone."
            place = test.columns[0][1]
            yield doubt(
                Code.OPEN_PERIOD, message, told.group(), place, start.isoformat(), end.isoformat()
            )


def _held(facts: ColumnFacts, month: int, today: date) -> Iterator[tuple[date, date]]:
    """Yields the first days of a month, and of the one after it, in each year of the data."""
    low, high = day_of(facts.minimum), day_of(facts.maximum)
    if low is None or high is None:
        return
    for year in range(low.year, min(high, today).year + 1):
        start = date(year, month, 1)
        end = date(year + month // 12, month % 12 + 1, 1)
        if start <= min(high, today) and end > low:
            yield start, end


CHECKS = (check_times_to_come, check_means_of_periods, check_means_of_things, check_open_months)
