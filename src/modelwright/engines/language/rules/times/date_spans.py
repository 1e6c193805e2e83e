"""What a time in a question spans, from its first day to the day after: in March, last week.

All spans are half open, so that `in March` keeps the last evening of the month, whether a column
holds days or moments. A month without its year is left open, as only the data tell which year is
meant.
"""

import re
from datetime import date, timedelta

from modelwright.engines.language.rules.text.numbers import SPELLED
from modelwright.engines.language.rules.times.calendar_steps import add_months, begin, step
from modelwright.engines.language.temporal.calendar import back, move
from modelwright.engines.language.vocabulary import word_list, word_values
from modelwright_runtime.date_parsing import Order, moment_of, orders_of

MONTHS = word_list("times.months")
_SHORT = {name[:3]: at + 1 for at, name in enumerate(MONTHS)} | {"sept": 9}
_QUARTERS = word_values("times.quarters")
_HALVES = word_values("times.halves")
_INITIALS = word_values("times.initials")
Span = tuple[date, date]


def month_of(match: re.Match[str]) -> int:
    """Returns the number of the month that is named."""
    told = match.groupdict()
    return _SHORT[(told["month"] or told["first"])[:3]]


def whole_day(match: re.Match[str], today: date) -> Span:
    """Reads a day of a named month, in this year where none is told."""
    year = match.groupdict().get("year")
    day = date(int(year) if year else today.year, month_of(match), int(match.group("day")))
    return day, day + timedelta(days=1)


def iso(match: re.Match[str], _: date) -> Span:
    """Reads `2024-01-31` and `20240131`."""
    day = date.fromisoformat(match.group(0))
    return day, day + timedelta(days=1)


def in_digits(order: Order | None, match: re.Match[str], _: date) -> Span:
    """Reads `31.1.2024` and `1/31/2024`; `1.2.2024` begins with the day, `1/2/2024` does not."""
    able = orders_of(match.group(0))
    usual: Order = "dmy" if "." in match.group(0) else "mdy"
    found = next((one for one in ("ymd", order, usual, *able) if one in able), None)
    if found is None:
        raise ValueError("no date")
    day = moment_of(match.group(0), found).date()
    return day, day + timedelta(days=1)


def whole_month(match: re.Match[str], _: date) -> Span:
    """Reads a month of a year."""
    first = date(int(match.group("year")), month_of(match), 1)
    return first, add_months(first, 1)


def whole_quarter(match: re.Match[str], today: date) -> Span:
    """Reads a quarter, of this year where none is told."""
    number = _QUARTERS[match.group("quarter")]
    year = int(match.group("year") or today.year)
    return date(year, 3 * number - 2, 1), add_months(date(year, 3 * number - 2, 1), 3)


def whole_year(match: re.Match[str], _: date) -> Span:
    """Reads a year."""
    year = int(match.group("year"))
    return date(year, 1, 1), date(year + 1, 1, 1)


def half_year(match: re.Match[str], _: date) -> Span:
    """Reads `first half of 2024`, `H1 2024`."""
    first = date(int(match.group("year")), _HALVES[match.group("half")], 1)
    return first, add_months(first, 6)


def decade(match: re.Match[str], _: date) -> Span:
    """Reads `2010s`."""
    year = int(match.group("year"))
    return date(year, 1, 1), date(year + 10, 1, 1)


def century(match: re.Match[str], _: date) -> Span:
    """Reads `19th century`."""
    last = 100 * int(match.group("nth"))
    return date(last - 99, 1, 1), date(last + 1, 1, 1)


def no_year(_: re.Match[str], __: date) -> None:
    """Leaves open the year of a month."""
    return


def relative(match: re.Match[str], today: date) -> Span:
    """Reads the last, this or the next period."""
    which, unit = match.group("which"), match.group("unit")
    first = begin(today, unit)
    if which in {"this", "current", "the current"}:
        return first, step(first, unit, 1)
    if which == "next":
        return step(first, unit, 1), step(first, unit, 2)
    return step(first, unit, -1), first


def past(match: re.Match[str], today: date) -> Span:
    """Reads the last so many periods, today included."""
    said, unit = match.groupdict().get("count") or "1", match.group("unit")
    count = int(said) if said.isdigit() else SPELLED[said]
    return back(unit, count, today)


def coming(match: re.Match[str], today: date) -> Span:
    """Reads the next so many periods, from tomorrow on."""
    said, start = match.group("count"), today + timedelta(days=1)
    return start, move(match.group("unit"), start, int(said) if said.isdigit() else SPELLED[said])


def to_date(match: re.Match[str], today: date) -> Span:
    """Reads what has passed of this period."""
    unit = match.groupdict().get("unit") or _INITIALS[match.group(0)[0]]
    return begin(today, unit), today + timedelta(days=1)


def yesterday(match: re.Match[str], today: date) -> Span:
    """Reads today or the day before."""
    day = today - timedelta(days=1 if match.group(0) == "yesterday" else 0)
    return day, day + timedelta(days=1)
