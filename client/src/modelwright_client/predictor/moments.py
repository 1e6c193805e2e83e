"""Dates as they are written: ISO, or numbers in one of three orders, to moments in UTC."""

import re
from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

Order = Literal["ymd", "mdy", "dmy"]
"""Which of year, month and day comes first."""
ORDERS: tuple[Order, ...] = ("ymd", "mdy", "dmy")
EXAMPLES: dict[Order, str] = {"ymd": "2024/12/31", "mdy": "12/31/2024", "dmy": "31/12/2024"}
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)
NO_DATE = int(np.iinfo(np.int64).min)
YEAR_DIGITS, SHORT_YEAR_DIGITS = 4, 2
CENTURY = 69
"""Years of two digits from here on are of the twentieth century, as POSIX has it."""
NOON = 12
_WRITTEN = re.compile(
    r"\s*(\d{1,4})([/.-])(\d{1,2})\2(\d{1,4})"
    r"(?:[ T]+(\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?(?: ?([AaPp])\.?[Mm]\.?)?)?\s*",
    re.ASCII,
)

_PLAIN = re.compile(r"(?:[1-9]\d{3}-\d\d-\d\d(?:[T ]\d\d:\d\d:\d\d)?\n)*", re.ASCII)
"""Lines that are read the same, or refused, by datetime and by numpy, which is quicker."""


def moment_of(value: str, order: Order | None = None) -> datetime:
    """Reads a date or date-time in this order, or in ISO; without a zone it is taken as UTC.

    Raises ValueError for what is neither, OverflowError for what lies too far away.
    """
    if order and (written := _WRITTEN.fullmatch(value)):
        return _ordered(written, order)
    moment = datetime.fromisoformat(value)
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)


def microseconds(value: Any, order: Order | None = None) -> int:
    """Gives microseconds since 1970, the smallest 64-bit integer for a gap."""
    return NO_DATE if value is None else (moment_of(value, order) - EPOCH) // MICROSECOND


def stamps_of(values: Sequence[str | None], order: Order | None = None) -> NDArray[np.int64]:
    """Reads strings and gaps as `microseconds` does, shape (n,)."""
    texts = [value for value in values if value is not None]
    if _PLAIN.fullmatch("".join(f"{text}\n" for text in texts)):
        with suppress(ValueError):
            read = np.array(texts, dtype="datetime64[us]").astype(np.int64)
            stamps = np.full(len(values), NO_DATE)
            stamps[[value is not None for value in values]] = read
            return stamps
    return np.array([microseconds(value, order) for value in values], dtype=np.int64)


def order_of(texts: Sequence[str]) -> Order | None:
    """Gives the one order in which all strings are dates, if there is one."""
    found: frozenset[Order] = frozenset(ORDERS if texts else ())
    for text in texts:
        found &= orders_of(text)
        if not found:
            return None
    return "ymd" if "ymd" in found else min(found) if len(found) == 1 else None


def pattern_of(value: str, order: Order) -> str | None:
    """Gives the pattern of strptime that a text of this order follows, if one does."""
    written = _WRITTEN.fullmatch(value)
    if not written or written[0] != " ".join(value.split()) or "." in value[written.end(4) :]:
        return None
    first, mark, _, third, hour, _, second, half = written.groups()
    years = "%y" if len(first) <= len(third) == SHORT_YEAR_DIGITS else "%Y"
    parts = "ymd" if len(first) == YEAR_DIGITS else order
    day = mark.join(years if one == "y" else f"%{one}" for one in parts)
    time = f"{'T' if 'T' in value else ' '}{'%I' if half else '%H'}:%M" if hour else ""
    return day + time + ":%S" * bool(second) + " %p" * bool(half)


def order_in(pattern: str) -> Order:
    """Gives the order of a pattern that `pattern_of` gave."""
    orders: dict[str, Order] = {"%m": "mdy", "%d": "dmy"}
    return orders.get(pattern[:2], "ymd")


def orders_of(value: str) -> frozenset[Order]:
    """Gives the orders in which a text is a date; all of them where the year comes first."""
    written = _WRITTEN.fullmatch(value)
    return frozenset(order for order in ORDERS if written and _is_ordered(written, order))


def _is_ordered(written: re.Match[str], order: Order) -> bool:
    try:
        _ordered(written, order)
    except ValueError:
        return False
    return True


def _ordered(written: re.Match[str], order: Order) -> datetime:
    first, _, second, third, hour, minute, second_of, half = written.groups()
    if len(first) == YEAR_DIGITS:
        year, month, day = first, second, third
    elif order == "mdy":
        month, day, year = first, second, third
    elif order == "dmy":
        day, month, year = first, second, third
    else:
        raise ValueError("the year does not come first")
    hours = int(hour or 0)
    if half:
        if not 1 <= hours <= NOON:
            raise ValueError("no hour of half a day")
        hours = hours % NOON + (NOON if half in "Pp" else 0)
    return datetime(
        _year(year), int(month), int(day), hours, int(minute or 0), int(second_of or 0), tzinfo=UTC
    )


def _year(digits: str) -> int:
    if len(digits) == SHORT_YEAR_DIGITS:
        return int(digits) + (1900 if int(digits) >= CENTURY else 2000)
    if len(digits) != YEAR_DIGITS:
        raise ValueError("a year has two or four digits")
    return int(digits)
