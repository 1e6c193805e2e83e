"""Times in a question: in March, last quarter, since 5 May 2019, on weekends, before 9 am."""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import date, timedelta
from functools import partial
from itertools import pairwise

from modelwright.engines.language.rules.plans.plan import Op
from modelwright.engines.language.rules.text.numbers import SPELLED
from modelwright.engines.language.rules.text.patterns import pattern
from modelwright.engines.language.rules.times import date_spans as spans
from modelwright.engines.language.rules.times.calendar_steps import add_months
from modelwright.engines.language.rules.times.date_spans import MONTHS, Span, month_of
from modelwright.engines.language.temporal.calendar import latest_month
from modelwright.engines.language.temporal.grammar import AGAINST, SO_FAR, SO_FAR_IN
from modelwright.engines.language.vocabulary import word_list, word_values
from modelwright_runtime.date_parsing import Order

_MONTH = r"(?P<month>" + "|".join(MONTHS) + r"|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\b\.?"
_YEAR = r"(?P<year>(?:19|20)\d\d)"
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_DAYS = word_list("times.weekdays")
_LATE = frozenset({"pm", "p.m."})
_TIMES = word_values("times.hours_of_day")
_NIGHT = tuple(word_values("times.hours_of_night"))
Maker = Callable[[re.Match[str], date], Span | None]
Cues = tuple[tuple[re.Pattern[str], Maker], ...]


@dataclass(frozen=True, slots=True)
class Times:
    """A test of a date column: whole days from `low` to before `high`, or a piece of the date."""

    op: Op
    start: int
    end: int
    low: date | None = None
    high: date | None = None
    part: str | None = None
    value: int | tuple[int, ...] | None = None
    upper: int | None = None


def find_times(
    text: str, today: date, year: int | None = None, order: Order | None = None
) -> list[Times]:
    """Reads all times of a sentence, the widest first; days without a year are in `year`.

    `order` is that of dates in digits where they could be of several.
    """
    lower = text.lower()
    points = _points(lower, today, year or today.year, order)
    found: list[Times] = []
    for one in [*_ranges(lower, points), *_pieces(lower)]:
        if all(one.end <= other.start or other.end <= one.start for other in found):
            found.append(one)
    return sorted(found, key=lambda one: one.start)


@dataclass(frozen=True, slots=True)
class _Point:
    low: date
    high: date
    start: int
    end: int
    month: int | None = None
    """Set where only a month is named, without its year."""


def _points(text: str, today: date, year: int, order: Order | None) -> list[_Point]:
    found: list[_Point] = []
    cues: Cues = ((_DIGITS, partial(spans.in_digits, order)), *_POINTS)
    for cue, make in cues:
        for match in cue.finditer(text):
            if any(match.start() < one.end and one.start < match.end() for one in found):
                continue
            try:
                told = today.replace(year=year, day=1) if make in _DATED else today
                span = make(match, told)
            except ValueError:
                continue
            if span is None:
                month = month_of(match)
                span = latest_month(month, year, today)
                found.append(_Point(*span, *match.span(), month))
            else:
                found.append(_up_to_now(text, _Point(*span, match.start(), match.end()), today))
    return _compared(text, _same_year(text, sorted(found, key=lambda one: one.start)))


def _up_to_now(text: str, one: _Point, today: date) -> _Point:
    """`2026 so far`, `so far this year`: what of a period has passed, up to today."""
    before, behind = SO_FAR_IN.search(text[: one.start]), SO_FAR.match(text, one.end)
    tomorrow = today + timedelta(days=1)
    if not (before or behind) or not one.low < tomorrow <= one.high:
        return one
    start, end = before.start() if before else one.start, behind.end() if behind else one.end
    return replace(one, high=tomorrow, start=start, end=end)


def _compared(text: str, points: list[_Point]) -> list[_Point]:
    """`In October compared with September`: the last of each, not those of all years."""
    told = list(points)
    for at, (one, after) in enumerate(pairwise(points)):
        if one.month and after.month and AGAINST.fullmatch(text, one.end, after.start):
            told[at : at + 2] = [replace(each, month=None) for each in (one, after)]
    return told


def _same_year(text: str, points: list[_Point]) -> list[_Point]:
    """`March and April 2026`: the first month is of the year that the second names."""
    told = list(points)
    for at in range(len(told) - 2, -1, -1):
        one, after = told[at], told[at + 1]
        whole = not after.month and after.low.day == 1 and add_months(after.low, 1) == after.high
        if one.month and whole and _BESIDE.fullmatch(text, one.end, after.start):
            first = date(after.low.year, one.month, 1)
            told[at] = _Point(first, add_months(first, 1), one.start, one.end)
    return told


def _ranges(text: str, points: list[_Point]) -> list[Times]:
    found: list[Times] = []
    skip = False
    for one, after in zip(points, [*points[1:], None], strict=False):
        if skip:
            skip = False
            continue
        lead = _LEAD.search(text, 0, one.start)
        start = lead.start() if lead else one.start
        word = lead.group(1) if lead else ""
        if after and _TO.fullmatch(text, one.end, after.start) and word in {"between", "from"}:
            found.append(_between(one, after, start))
            skip = True
        else:
            found.append(_single(one, word, start))
    return found


def _between(one: _Point, after: _Point, start: int) -> Times:
    if one.month and after.month:
        return Times("between", start, after.end, part="MONTH", value=one.month, upper=after.month)
    low = date(after.low.year, one.month, 1) if one.month else one.low
    if low.year != after.low.year and after.low < low:
        low = low.replace(year=after.low.year)
    return Times("between", start, after.end, low=low, high=after.high)


def _single(one: _Point, word: str, start: int) -> Times:
    denied = _DENIED.fullmatch(word) is not None
    if one.month and word != "since":
        op: Op = {"before": "<", "until": "<", "after": ">"}.get(word, "!=" if denied else "=")  # type: ignore[assignment]
        return Times(op, start, one.end, part="MONTH", value=one.month)
    if word in {"before", "prior to", "earlier than"}:
        return Times("<", start, one.end, high=one.low)
    if word in {"until", "up to", "through"}:
        return Times("<", start, one.end, high=one.high)
    if word in {"after", "later than"}:
        return Times(">=", start, one.end, low=one.high)
    if word in {"since", "from", "starting"}:
        return Times(">=", start, one.end, low=one.low)
    return Times("outside" if denied else "between", start, one.end, low=one.low, high=one.high)


def _pieces(text: str) -> list[Times]:
    found = [
        Times("in", *match.span(), part="ISODOW", value=days)
        for cue, days in ((_WEEKEND, (6, 7)), (_WORKDAYS, (1, 2, 3, 4, 5)))
        for match in cue.finditer(text)
    ]
    found += [
        Times("=", *match.span(), part="ISODOW", value=_DAYS.index(match.group(1)) + 1)
        for match in _WEEKDAY.finditer(text)
    ]
    for match in _TIME_OF_DAY.finditer(text):
        if match.group("when") == "night":
            found.append(Times("in", *match.span(), part="HOUR", value=_NIGHT))
            continue
        low, high = _TIMES[match.group("when")]
        found.append(Times("between", *match.span(), part="HOUR", value=low, upper=high))
    return found + [_hours(match) for match in _HOURS.finditer(text)]


def _hours(match: re.Match[str]) -> Times:
    first = _hour(match.group("a"), match.group("ahalf") or match.group("bhalf") or "")
    if match.group("b"):
        last = _hour(match.group("b"), match.group("bhalf")) - 1
        return Times("between", *match.span(), part="HOUR", value=first, upper=last)
    word = match.group("word")
    op: Op = "<" if word in {"before", "until"} else ">=" if word in {"after", "since"} else "="
    return Times(op, *match.span(), part="HOUR", value=first)


def _hour(digits: str, half: str) -> int:
    return int(digits) % 12 + 12 if half in _LATE else int(digits) % 24


_DATED = (spans.whole_day, spans.whole_quarter)


_BEFORE_MONTH = pattern("dates before month").pattern
_JOINED = r"(?:and|or|to|with|vs\.?|versus|compared (?:to|with))"
_BESIDE = re.compile(rf"\s*,?\s*{_JOINED}?\s*")
_FIRST_MONTH = _MONTH.replace("?P<month>", "?P<first>")
_ANY_MONTH = _MONTH.replace("?P<month>", "?:")
_MONTH_ALONE = rf"(?:(?:{_BEFORE_MONTH}){_MONTH}|{_FIRST_MONTH}(?= {_JOINED} {_ANY_MONTH}))"
_WEEKEND = re.compile(r"\b(?:(?:on|at|over|during) )?(?:the )?(weekends?)\b")
_WORKDAYS = re.compile(r"\b(?:on|during) (?:weekdays|working days|workdays)\b")
_WEEKDAY = re.compile(r"\b(?:on )?(?:an? )?(" + "|".join(_DAYS) + r")s?\b")
_TIME_OF_DAY = re.compile(
    r"\b(?:(?:in|during) the |at |in |(?<=day ))(?P<when>morning|afternoon|evening|night)s?\b"
)
_DIGITS = re.compile(r"(?<![\d./-])\d{1,4}([/.-])\d{1,2}\1\d{2,4}(?![\d/-]|\.\d)")
_COUNT = r"(?P<count>\d+|" + "|".join(SPELLED) + r")"
_UNIT = r"(?P<unit>day|week|month|quarter|year)"
_POINTS: Cues = tuple(
    (re.compile(expression), make)
    for expression, make in (
        (r"\b\d{4}-\d\d-\d\d\b|\b(?:19|20)\d\d[01]\d[0-3]\d\b", spans.iso),
        (rf"\b{_DAY} (?:of )?{_MONTH},? {_YEAR}\b", spans.whole_day),
        (rf"\b{_MONTH} {_DAY},? {_YEAR}\b", spans.whole_day),
        (rf"\b{_DAY} (?:of )?{_MONTH}", spans.whole_day),
        (rf"\b{_MONTH} (?:the )?{_DAY}\b", spans.whole_day),
        (rf"\b{_MONTH},? (?:of )?{_YEAR}\b", spans.whole_month),
        (rf"\b(?P<quarter>q[1-4]),? ?(?:of )?{_YEAR}?\b", spans.whole_quarter),
        (rf"\b(?P<quarter>first|second|third|fourth) quarter(?: of {_YEAR})?", spans.whole_quarter),
        (rf"\b(?P<quarter>last|final) quarter of {_YEAR}", spans.whole_quarter),
        (rf"\b(?P<half>h[12]|(?:first|second) half),? (?:of )?{_YEAR}\b", spans.half_year),
        (r"\b(?P<year>(?:19|20)\d0)s\b", spans.decade),
        (r"\b(?P<nth>\d{1,2})(?:st|nd|rd|th) century\b", spans.century),
        (rf"\b(?:this )?{_UNIT}[- ]to[- ]date\b|\b[yqmw]td\b", spans.to_date),
        (rf"\b(?P<which>last|previous|this|current|(?<!the )next) {_UNIT}\b", spans.relative),
        (rf"\b(?:last|past|previous) {_COUNT} {_UNIT}s\b", spans.past),
        (rf"\b(?:next|coming|following) {_COUNT} {_UNIT}s?\b", spans.coming),
        (rf"\bpast {_UNIT}\b", spans.past),
        (r"\b(?:yesterday|today)\b", spans.yesterday),
        (_MONTH_ALONE, spans.no_year),
        (rf"\b{_YEAR}\b(?!\s?[%$€])", spans.whole_year),
    )
)  # fmt: skip
_DENIED = re.compile(
    r"(?:but )?not (?:in|on|during|for|from)|(?:except|excluding|outside(?: of)?|other than"
    r"|apart from)(?: in| on| during| for| from)?"
)
_LEAD = re.compile(
    rf"\b({_DENIED.pattern}|in|on|during|before|after|since|until|up to|through|from|between"
    r"|prior to|earlier than|later than|starting|of|for)(?: the)?(?: month of| year)? $"
)
_TO = re.compile(r"\s*(?:and|to|until|till|through|-|\N{EN DASH})\s*(?:the )?")
_HOURS = re.compile(
    r"\b(?:(?P<word>before|after|until|since|at|around|between|from) )(?P<a>\d{1,2})(?::\d\d)?\s?"
    r"(?P<ahalf>am|pm|a\.m\.|p\.m\.|o'clock)?(?:\s*(?:and|to|-|until)\s*(?P<b>\d{1,2})(?::\d\d)?\s?"
    r"(?P<bhalf>am|pm|a\.m\.|p\.m\.))?(?<=m)"
)
