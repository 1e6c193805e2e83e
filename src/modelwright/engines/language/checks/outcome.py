"""What a result says of its SQL: nothing was found, or the data end before what was asked.

Some mistakes show only once the SQL has run: a value that no row has, a period after the last date.
"""

from collections.abc import Iterator
from datetime import date

from modelwright.engines.facts import ColumnFacts
from modelwright.engines.language.catalog.meaning import Role
from modelwright.engines.language.checks.findings import Code, Finding, doubt, fault, note
from modelwright.engines.language.checks.words import facts_of
from modelwright.engines.language.readers import Period, ReadRequest
from modelwright.engines.language.temporal.calendar import day_of
from modelwright.engines.language.vocabulary import find_cues

LAST_YEAR = 9998
"""Greater numbers are no years."""
MONTHS = 12
"""Of a year."""


def check_outcome(
    request: ReadRequest, used: frozenset[tuple[str, str]], *, is_empty: bool
) -> Iterator[Finding]:
    """Finds what must be told with a result.

    Args:
        request: The question, with its links.
        used: The tables and columns that the SQL holds to written values.
        is_empty: Whether the result holds nothing.

    Returns:
        A fault where the data hold nothing of any period that is asked for, notes where they hold
        a part of it or of several, and a doubt where a result without any of these is empty.
    """
    outside = list(_outside(request, used))
    yield from outside
    if is_empty and not outside:
        yield doubt(Code.EMPTY_RESULT, "No row meets what was asked.")


def _outside(request: ReadRequest, used: frozenset[tuple[str, str]]) -> Iterator[Finding]:
    denied = bool(find_cues("negation", request.question))
    for table, name in sorted(used):
        column = request.catalog.column(table, name)
        facts = facts_of(request, table, name)
        if column is None or facts is None or column.role is not Role.DATE:
            continue
        periods = request.links.periods
        outside = [(one, told) for one in periods if (told := _without(one, facts))]
        are_all = len(outside) == len(periods) and not denied
        make = fault if are_all and not _held_by(request, used - {(table, name)}) else note
        for period, told in outside:
            yield make(Code.PERIOD_OUTSIDE, told, period.text)
        for period in periods:
            if told := _cut(period, facts):
                yield note(Code.PERIOD_OUTSIDE, told, period.text)


def _held_by(request: ReadRequest, others: frozenset[tuple[str, str]]) -> bool:
    """Whether other dates that are tested hold something of a period."""
    for table, name in others:
        column, facts = request.catalog.column(table, name), facts_of(request, table, name)
        if column is None or facts is None or column.role is not Role.DATE:
            continue
        low, _ = _ends(facts)
        if low and any(not _without(one, facts) for one in request.links.periods):
            return True
    return False


def _without(period: Period, facts: ColumnFacts) -> str:
    """Tells where the data begin or end that hold nothing of a period; empty where they do."""
    low, high = _ends(facts)
    if low is not None and high is not None and _holds_no_month(period, low, high):
        ends = f"begin {_told(low, facts)} and end {_told(high, facts)}"
        return f"The data of {facts.name} {ends}, without “{period.text}”."
    if high is not None and period.start is not None and period.start > high:
        return f"The data of {facts.name} end {_told(high, facts)}, before “{period.text}”."
    if low is not None and period.end is not None and period.end <= low:
        return f"The data of {facts.name} begin {_told(low, facts)}, after “{period.text}”."
    return ""


def _holds_no_month(period: Period, low: date, high: date) -> bool:
    """Whether a month that returns every year is none of those from one day to another."""
    first, last = low.year * MONTHS + low.month - 1, high.year * MONTHS + high.month - 1
    held = {one % MONTHS + 1 for one in range(first, min(last, first + MONTHS) + 1)}
    is_of_months = period.part == "month" and not period.negated
    return is_of_months and held.isdisjoint(period.values)


def _cut(period: Period, facts: ColumnFacts) -> str:
    """Tells where the data end within a period that is not told from today."""
    _, high = _ends(facts)
    if period.start is None or period.end is None or high is None or period.relative:
        return ""
    if period.start <= high < period.end and (period.end - high).days > 1:
        return f"The data of {facts.name} end {_told(high, facts)}, within “{period.text}”."
    return ""


def _told(day: date, facts: ColumnFacts) -> str:
    """Tells a day, of a column of years its year alone."""
    return f"in {day.year}" if isinstance(facts.minimum, int) else f"on {day.isoformat()}"


def _ends(facts: ColumnFacts) -> tuple[date | None, date | None]:
    """Returns the first and the last day of a column of dates, or of numbers that are years."""
    low, high = facts.minimum, facts.maximum
    if isinstance(low, int) and isinstance(high, int) and date.min.year <= low <= high <= LAST_YEAR:
        return date(low, 1, 1), date(high, 12, 31)
    return day_of(low), day_of(high)
