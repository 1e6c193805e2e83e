"""Cron lines: minute, hour, day of month, month, day of week; read in UTC.

Schedules are refused when they are given, not when they should run: a date that never comes is
found here.
"""

import re
from dataclasses import dataclass
from datetime import datetime, timedelta

_MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
_DAYS = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"]
_FIELDS: tuple[tuple[str, int, int, list[str]], ...] = (
    ("minute", 0, 59, []),
    ("hour", 0, 23, []),
    ("day of month", 1, 31, []),
    ("month", 1, 12, _MONTHS),
    ("day of week", 0, 7, _DAYS),
)
_ITEM = re.compile(r"(?:\*|(\w+)(?:-(\w+))?)(?:/(\d+))?")
DAYS_AHEAD = 366 * 8 + 1
"""29 February can be eight years away."""


class CronError(ValueError):
    """A line that is not a cron line, or that never comes; the message says why."""


@dataclass(frozen=True, slots=True)
class Cron:
    """A schedule. Where both days are restricted, one that fits is enough, as cron has it."""

    minutes: frozenset[int]
    hours: frozenset[int]
    days: frozenset[int]
    months: frozenset[int]
    weekdays: frozenset[int]
    either_day: bool

    @classmethod
    def parse(cls, line: str) -> "Cron":
        """Reads a line; refuses other than five fields, and values that are out of bounds."""
        parts = line.lower().split()
        if len(parts) != len(_FIELDS):
            raise CronError("must have five fields: minute, hour, day of month, month, day of week")
        sets = [_values(part, *field) for part, field in zip(parts, _FIELDS, strict=True)]
        weekdays = frozenset(day % 7 for day in sets[4])
        either = not parts[2].startswith("*") and not parts[4].startswith("*")
        return cls(sets[0], sets[1], sets[2], sets[3], weekdays, either)

    def after(self, moment: datetime) -> datetime:
        """Returns the first time after a moment; refuses a schedule that never comes."""
        start = moment.replace(second=0, microsecond=0) + timedelta(minutes=1)
        midnight = start.replace(hour=0, minute=0)
        for ahead in range(DAYS_AHEAD):
            day = midnight + timedelta(days=ahead)
            if self._is_on(day):
                times = (
                    day.replace(hour=hour, minute=minute)
                    for hour in sorted(self.hours)
                    for minute in sorted(self.minutes)
                )
                found = next((time for time in times if time >= start), None)
                if found:
                    return found
        raise CronError("never comes")

    def _is_on(self, day: datetime) -> bool:
        in_month, in_week = day.day in self.days, day.isoweekday() % 7 in self.weekdays
        fits = in_month or in_week if self.either_day else in_month and in_week
        return day.month in self.months and fits


def _values(part: str, name: str, low: int, high: int, words: list[str]) -> frozenset[int]:
    found: set[int] = set()
    for item in part.split(","):
        match = _ITEM.fullmatch(item)
        if not match:
            raise CronError(f"has no {name} {item!r}")
        first, last, step = match.groups()
        start = low if first is None else _number(first, name, low, high, words)
        end = start if last is None else _number(last, name, low, high, words)
        if first is None or (last is None and step):
            end = high
        if end < start or step == "0":
            raise CronError(f"has no {name} {item!r}")
        found.update(range(start, end + 1, int(step or 1)))
    return frozenset(found)


def _number(text: str, name: str, low: int, high: int, words: list[str]) -> int:
    if text in words:
        return words.index(text) + low
    if not text.isdecimal() or not low <= int(text[:9]) <= high:
        raise CronError(f"has {name} {text!r}; it goes from {low} to {high}")
    return int(text)
