"""What a result says of its SQL: nothing was found, or the data end before what was asked."""

from collections.abc import Iterator
from datetime import date, datetime

from modelwright.engines.language.catalog import Role
from modelwright.engines.language.checks.findings import Code, Finding, doubt, note
from modelwright.engines.language.checks.words import facts_of
from modelwright.engines.language.readers import Period, ReadRequest


def check_outcome(
    request: ReadRequest, used: frozenset[tuple[str, str]], *, is_empty: bool
) -> Iterator[Finding]:
    """Finds what must be told with a result.

    Args:
        request: The question, with its links.
        used: The tables and columns that the SQL holds to written values.
        is_empty: Whether the result holds nothing.

    Returns:
        Notes of periods outside the data, and a doubt where a result without any is empty.
    """
    outside = list(_outside(request, used))
    yield from outside
    if is_empty and not outside:
        yield doubt(Code.EMPTY_RESULT, "No row meets what was asked.")


def _outside(request: ReadRequest, used: frozenset[tuple[str, str]]) -> Iterator[Finding]:
    for table, name in sorted(used):
        column = request.catalog.column(table, name)
        facts = facts_of(request, table, name)
        if column is None or facts is None or column.role is not Role.DATE:
            continue
        low, high = _day(facts.minimum), _day(facts.maximum)
        for period in request.links.periods:
            told = _told(period, low, high, name)
            if told:
                yield note(Code.PERIOD_OUTSIDE, told, period.text)


def _told(period: Period, low: date | None, high: date | None, name: str) -> str:
    if high is not None and period.start is not None and period.start > high:
        return f"The data of {name} end on {high.isoformat()}, before “{period.text}”."
    if low is not None and period.end is not None and period.end <= low:
        return f"The data of {name} begin on {low.isoformat()}, after “{period.text}”."
    ends = period.start is not None and period.end is not None and high is not None
    if not ends or period.relative:
        return ""
    if period.start <= high < period.end and (period.end - high).days > 1:  # type: ignore[operator]
        return f"The data of {name} end on {high}, within “{period.text}”."
    return ""


def _day(value: object) -> date | None:
    if isinstance(value, datetime):
        return value.date()
    return value if isinstance(value, date) else None
