"""Dates as they are written: ISO, in digits of one order, with a month's name, or months alone."""

import re
from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta, timezone
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from modelwright_runtime.missing_values import says_nothing
from modelwright_runtime.number_parsing import hour_of_day

Order = Literal["ymd", "mdy", "dmy", "named", "month"]
"""Which of year, month and day comes first; any, where the month has its English name.

A month or a quarter of a year (`2024-12`, `Dec 2024`, `2024-Q4`) is its first day.
"""
NAMED: Order = "named"
MONTH: Order = "month"
DIGITS: tuple[Order, ...] = ("ymd", "mdy", "dmy")
ORDERS: tuple[Order, ...] = (*DIGITS, NAMED, MONTH)
EXAMPLES: dict[Order, str] = {
    "ymd": "2024/12/31", "mdy": "12/31/2024", "dmy": "31/12/2024", "named": "31 Dec 2024",
    "month": "2024-12",
}  # fmt: skip
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)
NO_DATE = int(np.iinfo(np.int64).min)
YEAR_DIGITS = 4
"""Digits of a year that is written in full."""
SHORT_YEAR_DIGITS = 2
"""Digits of a year without its century."""
CENTURY_PIVOT = 69
"""Years of two digits from here on are of the twentieth century, as POSIX has it."""
_TIME = (
    r"[ T]+(\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?(?: ?([AaPp])\.?[Mm]\.?)?"
    r"( ?(?:[Zz]|[+-]\d{2}(?::?\d{2})?))?"
)
_WRITTEN = re.compile(rf"\s*(\d{{1,4}})([/.-])(\d{{1,2}})\2(\d{{1,4}})(?:{_TIME})?\s*", re.ASCII)
_DAY = r"(\d{1,2})(?:st|nd|rd|th)?"
"""A day of the month, as a number or an ordinal."""
_MONTH = r"([A-Za-z]{3,9})"
"""A month's name, or the first letters of it."""
_YEAR = r"(\d{4}|\d{2})"
"""A year, with or without its century."""
_NAMED = re.compile(
    rf"\s*(?:{_MONTH}\.?[ -]{_DAY}(?:, ?|[ -]){_YEAR}|{_DAY}[ -]?{_MONTH}[.,]?[ -]?{_YEAR})"
    rf"(?:,?{_TIME})?\s*",
    re.ASCII,
)
_FULL_YEAR = r"((?:1[6-9]|2[01])\d\d)"
_PART = r"([A-Za-z]{3,9}|[Qq][1-4])"
_OF_YEAR = re.compile(
    rf"\s*(?:{_FULL_YEAR}(?:[-/](\d{{1,2}})|[-/ ]?{_PART})"
    rf"|(?:(\d{{1,2}})[-/]|{_PART}\.?(?:, |[-/ ])?){_FULL_YEAR})\s*",
    re.ASCII,
)
_PATTERNS = {NAMED: _NAMED, MONTH: _OF_YEAR}
_DOTTED = re.compile(r"\s*\d{1,2}\.\d{1,2}\.\d{4}(?!\d).*", re.ASCII)
"""A date whose dots tell that the day comes first."""
_COMPACT = re.compile(r"\d{8}T\d{6}", re.ASCII)
"""A moment in ISO's basic form."""
_MONTHS = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september",
    "october", "november", "december",
)  # fmt: skip
_SHORT_NAME = 3
"""Letters of a month's short name."""

_PLAIN = re.compile(r"(?:[1-9]\d{3}-\d\d-\d\d(?:[T ]\d\d:\d\d:\d\d)?\n)*", re.ASCII)
"""Lines that are read the same, or refused, by datetime and by numpy, which is quicker."""


def moment_of(value: str, order: Order | None = None) -> datetime:
    """Reads a date or date-time in this order, by a month's name, or in ISO; in UTC without a zone.

    Args:
        value: What is written.
        order: The order of year, month and day; without it ISO and days as `31.12.2024` alone.

    Returns:
        The moment in UTC.

    Raises:
        ValueError: It is neither.
        OverflowError: It lies too far away.
    """
    if order is None and _DOTTED.fullmatch(value):
        order = "dmy"
    for form in (order, NAMED) if order else ():
        if written := _pattern(form).fullmatch(value):
            return _ordered(written, form)
    moment = datetime.fromisoformat(value)
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)


def microseconds(value: Any, order: Order | None = None) -> int:
    """Returns microseconds since 1970, the smallest 64-bit integer for a gap.

    Where an order is given, words that say that nothing is known are gaps too.

    Args:
        value: What is written, None for a gap.
        order: The order of year, month and day; without it ISO alone.

    Returns:
        Microseconds since 1970.

    Raises:
        ValueError: It is no date.
        OverflowError: It lies too far away.
    """
    if value is None or (order and says_nothing(value)):
        return NO_DATE
    return (moment_of(value, order) - EPOCH) // MICROSECOND


def stamps_of(values: Sequence[str | None], order: Order | None = None) -> NDArray[np.int64]:
    """Reads strings and gaps as `microseconds` does, shape (n,).

    Args:
        values: What is written, None for gaps, n of them.
        order: The order of year, month and day; without it ISO alone.

    Returns:
        Microseconds since 1970.

    Raises:
        ValueError: One is no date.
        OverflowError: One lies too far away.
    """
    texts = [value for value in values if value is not None]
    if _PLAIN.fullmatch("".join(f"{text}\n" for text in texts)):
        with suppress(ValueError):
            read = np.array(texts, dtype="datetime64[us]").astype(np.int64)
            stamps = np.full(len(values), NO_DATE)
            stamps[[value is not None for value in values]] = read
            return stamps
    return np.array([microseconds(value, order) for value in values], dtype=np.int64)


def order_of(texts: Sequence[str]) -> Order | None:
    """Returns the one order of the digits in which all strings are dates, if there is one.

    Those in ISO and with a month's name, which have no other reading, may stand beside them.

    Args:
        texts: Different strings of a column, without gaps.

    Returns:
        The order, or None.
    """
    if texts and all(_is_ordered(text, MONTH) for text in texts):
        return MONTH
    digits, named, written = frozenset(DIGITS), False, False
    for text in texts:
        orders = orders_of(text)
        if NAMED in orders:
            named = True
        else:
            written = True
            digits &= orders
        if not digits:
            return None
    if not written:
        return NAMED if named else None
    if "ymd" in digits:
        return "ymd"
    return min(digits) if len(digits) == 1 else _on_first_days(texts)


def _on_first_days(texts: Sequence[str]) -> Order | None:
    """Returns the order in which dates that have two are first days of months in several years."""
    written = [one.groups()[:4] for one in map(_WRITTEN.fullmatch, texts) if one]
    first, _, second, years = (set(one) for one in zip(*written, strict=True))
    days: dict[Order, set[str]] = {"dmy": first, "mdy": second}
    ones = [order for order, found in days.items() if found <= {"1", "01"}]
    several = len(written) == len(texts) and len(years) > 1
    return ones[0] if several and len(ones) == 1 else None


def pattern_of(value: str, order: Order) -> str | None:
    """Returns the pattern of strptime that a text of this order follows, if one does.

    Months have none: questions look them up as they are written.

    Args:
        value: A date.
        order: The order of its parts.

    Returns:
        A pattern such as `%d.%m.%Y`, or None.
    """
    if order not in DIGITS:
        return _pattern_of_named(value) if order == NAMED else None
    if _COMPACT.fullmatch(value):
        return "%Y%m%dT%H%M%S"
    written = _WRITTEN.fullmatch(value)
    if not written or written[0] != " ".join(value.split()) or "." in value[written.end(4) :]:
        return None
    first, mark, _, third, hour, _, second, half, zone = written.groups()
    if zone:
        return None
    years = "%y" if len(first) <= len(third) == SHORT_YEAR_DIGITS else "%Y"
    parts = "ymd" if len(first) == YEAR_DIGITS else order
    day = mark.join(years if one == "y" else f"%{one}" for one in parts)
    time = f"{'T' if 'T' in value else ' '}{'%I' if half else '%H'}:%M" if hour else ""
    return day + time + ":%S" * bool(second) + " %p" * bool(half)


def order_in(pattern: str) -> Order:
    """Returns the order of a pattern that `pattern_of` gave.

    Args:
        pattern: The pattern.

    Returns:
        The order.
    """
    orders: dict[str, Order] = {"%m": "mdy", "%b": "mdy", "%B": "mdy", "%d": "dmy"}
    return orders.get(pattern[:2], "ymd")


def orders_of(value: str) -> frozenset[Order]:
    """Returns the orders in which a text is a date; all of digits where the year comes first.

    Args:
        value: A text.

    Returns:
        Orders; none where it is no date.
    """
    found = frozenset(order for order in ORDERS if _is_ordered(value, order))
    return found or (frozenset(DIGITS) if _is_iso(value) else found)


def _is_iso(value: str) -> bool:
    """Returns whether a text is a moment in ISO, with a zone perhaps or parts of a second."""
    try:
        compact = _COMPACT.fullmatch(value) is not None
        return (compact or value[4:5] == "-") and bool(moment_of(value))
    except (ValueError, OverflowError):
        return False


def _is_ordered(value: str, order: Order) -> bool:
    written = _pattern(order).fullmatch(value)
    try:
        return written is not None and bool(_ordered(written, order))
    except (ValueError, OverflowError):
        return False


def _pattern(order: Order) -> re.Pattern[str]:
    return _PATTERNS.get(order, _WRITTEN)


def _pattern_of_named(value: str) -> str | None:
    """Puts directives in place of what a date with a month's name is made of."""
    written = _NAMED.fullmatch(value)
    if not written or written[11] or written[0] != " ".join(value.split()):
        return None
    month = "%b" if len(written[1] or written[5]) == _SHORT_NAME else "%B"
    year = "%Y" if len(written[3] or written[6]) == YEAR_DIGITS else "%y"
    hour = "%I" if written[10] else "%H"
    directives = month, "%d", year, "%d", month, year, hour, "%M", "%S", "%p"
    pattern, at = "", 0
    for number, directive in enumerate(directives, start=1):
        low, high = written.span(number)
        if low >= 0:
            pattern, at = pattern + value[at:low] + directive, high
    pattern += value[at + bool(written[10]) :]
    with suppress(ValueError):
        if datetime.strptime(value, pattern).replace(tzinfo=UTC) == moment_of(value, NAMED):
            return pattern
    return None


def _ordered(written: re.Match[str], order: Order) -> datetime:
    if order == MONTH:
        year, number, name, other, part, last = written.groups()
        month = _month_of(name or part) if name or part else int(number or other)
        return datetime(int(year or last), month, 1, tzinfo=UTC)
    *_, hour, minute, second_of, half, zone = written.groups()
    year, month, day = _day(written, order)
    hours = hour_of_day(int(hour or 0), half)
    there = _zone(zone.strip()) if zone else UTC
    clock = hours, int(minute or 0), int(second_of or 0)
    return datetime(_year(year), month, int(day), *clock, tzinfo=there).astimezone(UTC)


def _zone(written: str) -> timezone:
    """Returns the zone of `Z`, `+01`, `-0530` or `+05:30`."""
    if written in "Zz":
        return UTC
    hours, minutes = int(written[1:3]), int(written[-2:]) if len(written) > len("+01") else 0
    away = timedelta(hours=hours, minutes=minutes)
    return timezone(-away if written[0] == "-" else away)


def _day(written: re.Match[str], order: Order) -> tuple[str, int, str]:
    """Returns the year, the month and the day of what is written."""
    if order == NAMED:
        month = month_called(written[1] or written[5])
        return written[3] or written[6], month, written[2] or written[4]
    first, _, second, third = written.groups()[:4]
    if len(first) == YEAR_DIGITS:
        return first, int(second), third
    if order == "ymd":
        raise ValueError("the year does not come first")
    return (third, int(first), second) if order == "mdy" else (third, int(second), first)


def _month_of(name: str) -> int:
    """Returns the month of an English name, the first one of a quarter."""
    return int(name[1]) * 3 - 2 if name[1].isdigit() else month_called(name)


def month_called(name: str) -> int:
    """Returns the number of the month of this English name or the first letters of it.

    Args:
        name: What is written for a month.

    Returns:
        1 to 12, or 0.
    """
    short = name.strip().rstrip(".").lower()
    if len(short) < _SHORT_NAME:
        return 0
    return next((at for at, one in enumerate(_MONTHS, start=1) if one.startswith(short)), 0)


def _year(digits: str) -> int:
    if len(digits) == SHORT_YEAR_DIGITS:
        return int(digits) + (1900 if int(digits) >= CENTURY_PIVOT else 2000)
    if len(digits) != YEAR_DIGITS:
        raise ValueError("a year has two or four digits")
    return int(digits)
