"""Days counted by weeks, months, quarters and years, as a reporting calendar counts them.

Every period of a question ends at these functions; a month counted otherwise in two places would
make bounds that overlap.
"""

from calendar import monthrange
from dataclasses import dataclass
from datetime import date, datetime, timedelta

MONTHS_PER_YEAR = 12
"""Years are moved by months, so that a leap day becomes the 28th."""
MONTHS_PER_QUARTER = 3
"""Quarters are those of the calendar year, whichever month the fiscal year begins with."""
DAYS_PER_WEEK = 7
"""Which of the days begins a week is said by `Clock.first_day_of_week`."""
YEARS_PER_DECADE = 10
"""Decades begin with the years that end in 0."""
FIRST_YEAR = 1500
"""Whole numbers from here on may be years: `founded in 1850` is no amount."""
LAST_YEAR = 2100
"""Up to here they may be."""
DAY_LENGTH = len("2024-01-31")
"""Characters of a day in ISO."""

Range = tuple[date, date]
"""The first day and the first one that is no longer meant."""


@dataclass(frozen=True, slots=True)
class Clock:
    """What relative times are told by."""

    today: date
    data_start: date | None = None
    data_end: date | None = None
    """The last day that the data know; None where it is not known."""
    first_day_of_week: int = 1
    """1 is Monday, 7 is Sunday."""
    first_month_of_fiscal_year: int = 1
    day_first: bool | None = None
    """How `03/04/2024` is written in the data; None where nothing tells."""


def day_of(value: object) -> date | None:
    """Returns the day of a value of the data; None where it is neither a day nor a moment."""
    if isinstance(value, datetime):
        return value.date()
    return value if isinstance(value, date) else None


def add_months(day: date, months: int) -> date:
    """Moves a day by months; the 31st becomes the last day of a shorter month."""
    month = day.year * MONTHS_PER_YEAR + day.month - 1 + months
    year, month = divmod(month, MONTHS_PER_YEAR)
    return date(year, month + 1, min(day.day, monthrange(year, month + 1)[1]))


def start_of(unit: str, day: date, clock: Clock) -> date:
    """Returns the first day of the unit of time that a day lies in."""
    if unit == "week":
        return day - timedelta(days=(day.isoweekday() - clock.first_day_of_week) % DAYS_PER_WEEK)
    if unit == "month":
        return day.replace(day=1)
    if unit == "quarter":
        return date(day.year, (day.month - 1) // MONTHS_PER_QUARTER * MONTHS_PER_QUARTER + 1, 1)
    if unit in {"year", "decade", "century"}:
        years = {"year": 1, "decade": YEARS_PER_DECADE, "century": 100}[unit]
        return date(max(1, day.year - day.year % years), 1, 1)
    if unit == "fiscal year":
        first = date(day.year, clock.first_month_of_fiscal_year, 1)
        return first if first <= day else add_months(first, -MONTHS_PER_YEAR)
    return day


def move(unit: str, day: date, count: int) -> date:
    """Moves a day by so many units of time."""
    days = {"day": 1, "week": DAYS_PER_WEEK, "fortnight": 2 * DAYS_PER_WEEK, "weekend": 7}
    if unit in days:
        return day + timedelta(days=days[unit] * count)
    months = {"month": 1, "quarter": 3, "year": 12, "decade": 120, "century": 1200}
    return add_months(day, months.get(unit, MONTHS_PER_YEAR) * count)


def back(unit: str, count: int, today: date) -> Range:
    """Returns the days back to so many units of time ago, today included."""
    start = move(unit, today, -count)
    if unit in {"day", "week", "fortnight"}:
        start += timedelta(days=1)
    return start, today + timedelta(days=1)


def whole(unit: str, day: date, clock: Clock) -> Range:
    """Returns the whole unit of time that a day lies in."""
    start = start_of(unit, day, clock)
    return start, move(unit, start, 1)


def whole_month(year: int, month: int) -> Range:
    """Returns a month."""
    start = date(year, month, 1)
    return start, add_months(start, 1)


def latest_month(month: int, year: int, today: date) -> Range:
    """Returns a month of a year, or of the year before where it is still to come."""
    return whole_month(year - ((year, month) > (today.year, today.month)), month)


def whole_years(first: int, last: int) -> Range:
    """Returns the years from one to another, both included."""
    return date(first, 1, 1), date(last + 1, 1, 1)
