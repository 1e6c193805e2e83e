"""What people teach: right SQL for a question, kept so that relative dates stay relative.

`Last month` that was verified in May must not answer for April for ever.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from modelwright.engines.language.readers import Period
from modelwright.engines.language.rules.text.words import words
from modelwright.engines.language.temporal.calendar import Clock
from modelwright.engines.language.temporal.grammar import find_periods
from modelwright.engines.language.vocabulary import any_case, cue_words

_PLACE = re.compile(r"\{\{(\d+)\.(start|end|last|year)\}\}")
_NOW = any_case(r"\b(?:current_date|current_timestamp|now\s*\(|today\s*\()")
_OPENING = "{{"


class FixedDatesError(Exception):
    """SQL holds fixed dates for words that move with the day; the message says which."""


@dataclass(frozen=True, slots=True)
class Taught:
    """A question with the SQL that somebody found right, its relative dates left open."""

    question: str
    template: str


def as_template(question: str, sql: str, asked_on: date) -> str:
    """Opens the dates of SQL that stand for relative times of its question.

    Args:
        question: The question in words.
        sql: The SQL that is right for it on the day it was asked.
        asked_on: That day.

    Returns:
        The SQL with a place for each bound of a relative time.

    Raises:
        FixedDatesError: A relative time has no counterpart among the SQL's dates.
    """
    if _OPENING in sql:
        raise FixedDatesError(f"SQL to be kept may not hold “{_OPENING}”.")
    for number, period in enumerate(_relative(question, asked_on)):
        opened = sql
        for name, text in _bounds(period):
            opened = re.sub(rf"(?<!\d){re.escape(text)}(?!\d)", f"{{{{{number}.{name}}}}}", opened)
        if opened == sql and not _NOW.search(sql):
            told = (
                f"“{period.text.strip()}” moves with the day, and no date of the SQL stands for it"
            )
            raise FixedDatesError(f"{told}; use its first day and the day after its last.")
        sql = opened
    return sql


def resolved(question: str, template: str, today: date) -> str:
    """Fills in the dates of a template for another day.

    Args:
        question: The question that the template answers.
        template: The SQL with open places.
        today: The day on which it is asked again.

    Returns:
        The SQL for that day.
    """
    periods = _relative(question, today)

    def put(match: re.Match[str]) -> str:
        number = int(match.group(1))
        told = dict(_bounds(periods[number])) if number < len(periods) else {}
        return told.get(match.group(2), match.group())

    return _PLACE.sub(put, template)


def _relative(question: str, day: date) -> list[Period]:
    return [one for one in find_periods(question, Clock(day)) if one.relative]


def _bounds(period: Period) -> Iterator[tuple[str, str]]:
    """Yields the names and the texts of a time's bounds; years only where it is a whole one."""
    start, end = period.start, period.end
    if start is not None:
        yield "start", start.isoformat()
    if end is not None:
        yield "end", end.isoformat()
        yield "last", (end - timedelta(days=1)).isoformat()
    if start and end and (start.month, start.day, end) == (1, 1, date(start.year + 1, 1, 1)):
        yield "year", str(start.year)


def nearest(question: str, taught: Sequence[Taught], most: int) -> list[Taught]:
    """Finds the taught questions that share most telling words with a question.

    Args:
        question: The question that is asked.
        taught: What was taught.
        most: How many to give at most.

    Returns:
        The nearest first; none without a word in common.
    """
    wanted = _telling(question)

    def shared(one: Taught) -> float:
        told = _telling(one.question)
        return len(wanted & told) / max(1, len(wanted | told))

    found = sorted(taught, key=lambda one: -shared(one))
    return [one for one in found[:most] if shared(one) > 0]


def _telling(question: str) -> frozenset[str]:
    return frozenset(one.stem for one in words(question) if one.text not in cue_words("idle"))
