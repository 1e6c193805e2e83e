"""Finds the times that a text names, and joins points to ranges: since, before, from … to.

Numbers and names of times (2024, `May`) would else be taken for values and amounts.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from itertools import pairwise

from modelwright.engines.language.readers import Period
from modelwright.engines.language.temporal.calendar import Clock, latest_month, whole_month
from modelwright.engines.language.temporal.points import LEADS, PATTERNS, Point, usual_year
from modelwright.engines.language.vocabulary import word_set

_LEAD = re.compile(
    r"(?:\b(?P<no>not|except|excluding|but not|other than|outside(?: of)?|apart from)\s+)?"
    r"(?:\b(?P<lead>in|on or before|on or after|on|during|before|after|since|until|till|up to"
    r"|through|thru|from|between|prior to|earlier than|later than|no later than|no earlier than"
    r"|by|as of|starting|beginning|ending|of|for|at|within|over|throughout)"
    r"(?: (?:in|from|on))?)?"
    r"\s*(?:\bthe )?(?:\b(?:end|start|beginning) of )?(?:\bthe )?"
    r"(?:\b(?:months? of |years? |calendar years? |period |week of |day of ))?$"
)
_CONNECTED = re.compile(
    r"\s*(?P<word>to|and|-|\u2013|until|till|through|thru)\s+(?:the )?(?:end of )?"
    r"|\s*(?P<dash>-|\u2013)\s*"
)
_AFTERWARDS = re.compile(
    r"\s*(?:,\s*)?(?:(?P<on>onwards?|and (?:later|after|onwards?|newer|beyond)"
    r"|or (?:later|after|newer)|on(?= |$)(?! the| a))"
    r"|(?P<back>and (?:earlier|before|older)|or (?:earlier|before|older)))"
)
AGAINST = re.compile(r"\s*,?\s*(?:vs\.?|versus|compared (?:to|with))(?: in)?\s*")
"""What stands between two times that are set beside each other."""
_COMPARED = re.compile(
    r"(?:\b(?:over|above|under|below|than|least|most|exceeds?|exceeding|beyond|number|code|id|size"
    r"(?: of)?|top|first|last|=|[<>]=?)|[$€£#])\s*$"
)
_COUNTED = re.compile(
    r"\s*(?:dollars?|usd|eur|euros?|pounds?|gbp|km|kilomet|miles?|kg|g\b|lbs?|tons?|units?|people"
    r"|persons|employees|customers|orders|rows|feet|ft|met(?:er|re)|m\b|cm|mm|hours?|minutes?"
    r"|seconds?|ms\b|points?|calories|kcal|votes?|%|percent|sq|square|times|items|sales\b(?= or))"
)
SO_FAR = re.compile(r" so far\b")
SO_FAR_IN = re.compile(r"\bso far (?:in )?$")
"""What says of a period that only what has passed of it is meant."""
_FROM_IT_ON = word_set("times.from_it_on")
_OPEN_END = word_set("times.from_it_on", "times.as_of")
_BEFORE = word_set("times.before_it")
_UP_TO = word_set("times.up_to_it")
_AFTER = word_set("times.after_it")


@dataclass(frozen=True, slots=True)
class _Found:
    """A point of time and where it stands."""

    point: Point
    start: int
    end: int


def find_periods(text: str, clock: Clock) -> list[Period]:
    """Finds all times of a text, in their order.

    Args:
        text: A question.
        clock: Today, the days that the data know, and the reporting calendar.

    Returns:
        Periods that do not overlap; those that return every year, week or day name a `part`.
    """
    points = _compared(text, _shared_years(text, _points(text.lower(), clock)), clock)
    found: list[Period] = []
    at = 0
    while at < len(points):
        period, used = _period(text, points[at:])
        found.append(period)
        at += used
    return found


def _points(text: str, clock: Clock) -> list[_Found]:
    found: list[_Found] = []
    for pattern, make in PATTERNS:
        for match in pattern.finditer(text):
            start, end = match.span()
            if any(start < one.end and one.start < end for one in found):
                continue
            try:
                point = make(match, clock)
            except ValueError:
                continue
            if point is None or _is_amount(text, match):
                continue
            if point.part == "month":
                start += len(lead.group()) if (lead := LEADS.match(match.group())) else 0
            found.append(_up_to_now(text, _Found(point, start, end), clock))
    return sorted(found, key=lambda one: one.start)


def _up_to_now(text: str, one: _Found, clock: Clock) -> _Found:
    """`2026 so far`, `so far in 2026`: what of a period has passed, up to today."""
    first, after, tomorrow = one.point.start, one.point.end, clock.today + timedelta(days=1)
    before, behind = SO_FAR_IN.search(text[: one.start]), SO_FAR.match(text, one.end)
    if not (before or behind) or first is None or after is None or not first < tomorrow <= after:
        return one
    point = replace(one.point, end=tomorrow, relative=True)
    start = before.start() if before else one.start
    return _Found(point, start, behind.end() if behind else one.end)


def _is_amount(text: str, match: re.Match[str]) -> bool:
    """Whether four digits are an amount: `over 2000`, `1500 miles`."""
    if not match.group().isdigit() or len(match.group()) != len("2024"):
        return False
    return bool(_COMPARED.search(text[: match.start()]) or _COUNTED.match(text, match.end()))


def _shared_years(text: str, points: list[_Found]) -> list[_Found]:
    """`January to March 2024`: the first month is of the year that the second names."""
    told = list(points)
    for at in range(len(told) - 2, -1, -1):
        one, after = told[at], told[at + 1]
        month_alone = one.point.part == "month" and len(one.point.values) == 1
        start, end = after.point.start, after.point.end
        if not (month_alone and start and end) or not _joins(text, one, after):
            continue
        is_month = whole_month(start.year, start.month) == (start, end)
        if is_month or (end - start).days == 1:
            month = one.point.values[0]
            year = start.year - (month > start.month)
            told[at] = replace(one, point=Point(*whole_month(year, month)))
    return told


def _compared(text: str, points: Sequence[_Found], clock: Clock) -> list[_Found]:
    """`October compared with September`: the last of each, not those of all years."""
    told = list(points)
    for at, pair in enumerate(pairwise(points)):
        one, after = pair
        alone = all(each.point.part == "month" and len(each.point.values) == 1 for each in pair)
        if alone and AGAINST.fullmatch(text.lower(), one.end, after.start):
            spans = (
                latest_month(each.point.values[0], usual_year(clock), clock.today) for each in pair
            )
            told[at : at + 2] = [
                replace(each, point=Point(*span, relative=True))
                for each, span in zip(pair, spans, strict=True)
            ]
    return told


def _joins(text: str, one: _Found, after: _Found) -> bool:
    between = text[one.end : after.start].lower()
    return bool(re.fullmatch(r"\s*(?:to|and|or|-|\u2013|until|through|,|vs\.?|versus)\s*", between))


def _period(text: str, points: Sequence[_Found]) -> tuple[Period, int]:
    """Makes the next period; tells how many points it takes."""
    one = points[0]
    lead = _LEAD.search(text[: one.start].lower())
    word = (lead["lead"] or "") if lead else ""
    negated = bool(lead and lead["no"])
    start = lead.start() if lead and (word or negated) else one.start
    start += len(text[start : one.start]) - len(text[start : one.start].lstrip())
    if len(points) > 1 and (end := _end_of_range(text, one, points[1], word)):
        return _joined(text, (start, points[1].end), one.point, end, negated=negated), 2
    after = _AFTERWARDS.match(text.lower(), one.end)
    stop = after.end() if after else one.end
    low, high = _bounds(one.point, word, after)
    told = text[start:stop]
    point = one.point
    period = Period(
        told, (start, stop), low, high, point.relative, point.part, point.values, negated
    )
    return (_open_part(period, word) if point.part else period), 1


def _end_of_range(text: str, one: _Found, after: _Found, word: str) -> Point | None:
    """Returns the last point of a range; None where the two are not one."""
    connected = _CONNECTED.fullmatch(text.lower(), one.end, after.start)
    if connected is None:
        return None
    is_and = connected["word"] == "and"
    if is_and and word != "between":
        return None
    return after.point if bool(one.point.part) == bool(after.point.part) else None


def _joined(
    text: str, span: tuple[int, int], first: Point, last: Point, *, negated: bool
) -> Period:
    told = text[span[0] : span[1]]
    if first.part:
        values = _run(first.values[0], last.values[-1], 12 if first.part == "month" else 7)
        return Period(told, span, None, None, False, first.part, values, negated)
    relative = first.relative or last.relative
    return Period(told, span, first.start, last.end, relative, negated=negated)


def _run(first: int, last: int, most: int) -> tuple[int, ...]:
    if first <= last:
        return tuple(range(first, last + 1))
    return (*range(first, most + 1), *range(1, last + 1))


def _bounds(
    point: Point, word: str, after: re.Match[str] | None
) -> tuple[date | None, date | None]:
    """Turns a point to the range that its leading word makes; `from 2023` is of that time."""
    low, high = point.start, point.end
    if after:
        return (low, None) if after["on"] else (None, high)
    if word in _BEFORE:
        return None, low
    if word in _UP_TO:
        return None, high
    if word in _AFTER:
        return high, None
    if word in _OPEN_END:
        return low, None
    return low, high


def _open_part(period: Period, word: str) -> Period:
    """`Before June`, `since March` without a year: the months on that side of the year."""
    if period.part != "month":
        return period
    first = period.values[0]
    if word in _BEFORE:
        return replace(period, values=tuple(range(1, first)))
    if word in _AFTER:
        return replace(period, values=tuple(range(first + 1, 13)))
    if word in _UP_TO:
        return replace(period, values=tuple(range(1, first + 1)))
    if word in _FROM_IT_ON:
        return replace(period, values=tuple(range(first, 13)))
    return period
