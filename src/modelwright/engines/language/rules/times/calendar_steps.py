"""Steps of the calendar: the first day of a period, and periods before and after."""

from datetime import date, timedelta


def add_months(start: date, months: int) -> date:
    """Returns the first day of the month so many months from a day's."""
    at = start.year * 12 + start.month - 1 + months
    return date(at // 12, at % 12 + 1, 1)


def begin(today: date, unit: str) -> date:
    """Returns the first day of the day, week, month, quarter or year that a day is in."""
    if unit == "day":
        return today
    if unit == "week":
        return today - timedelta(days=today.weekday())
    month = {"month": today.month, "quarter": today.month - (today.month - 1) % 3, "year": 1}
    return date(today.year, month[unit], 1)


def step(first: date, unit: str, count: int) -> date:
    """Returns the first day of the period so many of its kind later."""
    if unit in {"day", "week"}:
        return first + timedelta(days=count * (7 if unit == "week" else 1))
    return add_months(first, count * {"month": 1, "quarter": 3, "year": 12}[unit])
