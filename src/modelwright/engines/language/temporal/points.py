"""Points of time in words: each pattern with the range of days that it means."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date, timedelta

from modelwright.engines.language.temporal.calendar import (
    DAYS_PER_WEEK,
    MONTHS_PER_QUARTER,
    MONTHS_PER_YEAR,
    Clock,
    Range,
    add_months,
    back,
    move,
    start_of,
    whole,
    whole_month,
    whole_years,
)
from modelwright.engines.language.vocabulary import word_list, word_values

MONTHS = word_list("times.months")
DAYS = word_list("times.weekdays")
UNITS = word_list("times.units")
SPELLED: Mapping[str, int] = word_values("times.counted")
ORDINALS: Mapping[str, int] = word_values("times.ordinals")
DECADES: Mapping[str, int] = word_values("times.decades")
SEASONS: Mapping[str, int] = word_values("times.season_months")
CENTURY = 100
"""Years; a smaller number is a year of two digits."""
PIVOT_YEAR = 50
"""Years in two digits are of this century up to here, of the last one above."""

_MONTH = rf"(?P<month>{'|'.join(MONTHS)}|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\b\.?"
_ANY_MONTH = _MONTH.replace("?P<month>", "?:")
_YEAR = r"(?P<year>(?:1[5-9]|20)\d\d)"
_SHORT_YEAR = r"(?:(?P<year>(?:1[5-9]|20)\d\d)|['\u2019](?P<short>\d\d))"
_DAY = r"(?P<day>[0-3]?\d)(?:st|nd|rd|th)?"
_COUNT = r"(?P<count>\d+|" + "|".join(sorted(map(re.escape, SPELLED), key=len, reverse=True)) + ")"
_UNIT = r"(?P<unit>day|week|fortnight|month|quarter|year|decade|century)"
_ANY_UNIT = _UNIT.replace("?P<unit>", "?:")
_THE = r"\b(?:the )?"
_WEEKDAY = r"(?P<weekday>" + "|".join(DAYS) + ")"
_LAST = r"(?P<which>last|previous|prior|this|current|next|coming|past)"

Make = Callable[[re.Match[str], Clock], "Point | None"]


@dataclass(frozen=True, slots=True)
class Point:
    """A time as it is named: a range of days, or a piece of every year, week or day."""

    start: date | None = None
    end: date | None = None
    relative: bool = False
    part: str = ""
    """`month`, `quarter`, `weekday` or `hour` where it returns."""
    values: tuple[int, ...] = ()


def _of(span: Range, *, relative: bool = False) -> Point:
    return Point(*span, relative=relative)


def _year(match: re.Match[str], clock: Clock) -> int:
    named = match.groupdict()
    if named.get("year"):
        return int(named["year"])
    if named.get("short"):
        return _long_year(int(named["short"]), clock)
    return usual_year(clock)


def _long_year(short: int, clock: Clock) -> int:
    century = clock.today.year - clock.today.year % CENTURY
    return century + short if short <= PIVOT_YEAR else century - CENTURY + short


def usual_year(clock: Clock) -> int:
    """The year of what is told without one: this year, or the last one of older data."""
    end = clock.data_end
    return end.year if end and end.year < clock.today.year else clock.today.year


def _month(match: re.Match[str]) -> int:
    return next(at for at, one in enumerate(MONTHS, 1) if one.startswith(match["month"][:3]))


def _iso_day(match: re.Match[str], _: Clock) -> Point:
    start = date(int(match["y"]), int(match["m"]), int(match["d"]))
    return _of((start, start + timedelta(days=1)))


def _digits_day(match: re.Match[str], clock: Clock) -> Point | None:
    one, other = int(match["one"]), int(match["other"])
    year = int(match["y"])
    year = year if year >= CENTURY else _long_year(year, clock)
    day_first = one > MONTHS_PER_YEAR or (other <= MONTHS_PER_YEAR and bool(clock.day_first))
    day, month = (one, other) if day_first or match["mark"] == "." else (other, one)
    start = date(year, month, day)
    return _of((start, start + timedelta(days=1)))


def _named_day(match: re.Match[str], clock: Clock) -> Point:
    start = date(_year(match, clock), _month(match), int(match["day"]))
    return _of((start, start + timedelta(days=1)))


def _named_month(match: re.Match[str], clock: Clock) -> Point:
    return _of(whole_month(_year(match, clock), _month(match)))


def _iso_month(match: re.Match[str], _: Clock) -> Point:
    return _of(whole_month(int(match["year"]), int(match["m"])))


def _lone_month(match: re.Match[str], _: Clock) -> Point:
    return Point(part="month", values=(_month(match),))


def _quarter(match: re.Match[str], clock: Clock) -> Point:
    return _nth_months(match, clock, match["quarter"], MONTHS_PER_QUARTER)


def _half(match: re.Match[str], clock: Clock) -> Point:
    return _nth_months(match, clock, match["half"], 2 * MONTHS_PER_QUARTER)


def _nth_months(match: re.Match[str], clock: Clock, nth: str, months: int) -> Point:
    """Returns the nth part, of so many months, of the year that is told, or of this or last one."""
    parts = MONTHS_PER_YEAR // months
    number = min(ORDINALS.get(nth.lower()) or int(nth), parts)  # the last of all is told as the 4th
    year, which = _year(match, clock), match.groupdict().get("which")
    if which:
        year = clock.today.year - (which == "last")
    start = date(year, months * (number - 1) + 1, 1)
    return _of((start, add_months(start, months)), relative=bool(which))


def _fiscal(match: re.Match[str], clock: Clock) -> Point:
    """A fiscal year is called by the calendar year in which it ends."""
    year = _year(match, clock)
    first = clock.first_month_of_fiscal_year
    start = date(year - (first > 1), first, 1)
    if match.groupdict().get("quarter"):
        start = add_months(start, MONTHS_PER_QUARTER * (int(match["quarter"]) - 1))
        return _of((start, add_months(start, MONTHS_PER_QUARTER)))
    return _of((start, add_months(start, MONTHS_PER_YEAR)))


def _fiscal_now(match: re.Match[str], clock: Clock) -> Point:
    steps = {"last": -1, "previous": -1, "prior": -1, "next": 1}.get(match["which"], 0)
    start = start_of("fiscal year", clock.today, clock)
    start = add_months(start, MONTHS_PER_YEAR * steps)
    return _of((start, add_months(start, MONTHS_PER_YEAR)), relative=True)


def _whole_year(match: re.Match[str], _: Clock) -> Point:
    return _of(whole_years(int(match["year"]), int(match["year"])))


def _decade(match: re.Match[str], clock: Clock) -> Point:
    named = match.groupdict()
    if named.get("decade"):
        first = int(named["decade"])
    else:
        short = DECADES.get(named.get("name") or "") or int(named.get("tens") or 0)
        first = _long_year(short, clock)
    lead = (named.get("lead") or "").strip()
    if lead == "early":
        return _of(whole_years(first, first + 3))
    if lead == "late":
        return _of(whole_years(first + 6, first + 9))
    return _of(whole_years(first, first + 9))


def _century(match: re.Match[str], _: Clock) -> Point:
    first = (int(match["nth"]) - 1) * CENTURY + 1
    return _of((date(first, 1, 1), date(first + CENTURY, 1, 1)))


def _season(match: re.Match[str], clock: Clock) -> Point | None:
    named = match.groupdict()
    year = _year(match, clock)
    which = named.get("which")
    if which:
        year = clock.today.year - (which == "last")
    start = date(year, SEASONS[match["season"]], 1)
    return _of((start, add_months(start, MONTHS_PER_QUARTER)), relative=bool(which))


def _lone_season(match: re.Match[str], _: Clock) -> Point:
    first = SEASONS[match["season"]]
    months = tuple((first - 1 + at) % MONTHS_PER_YEAR + 1 for at in range(MONTHS_PER_QUARTER))
    return Point(part="month", values=months)


def _named_unit(match: re.Match[str], clock: Clock) -> Point:
    """`Last month` is the whole one before; `past month` the days up to today."""
    unit, which = match["unit"], match["which"]
    if which == "past":
        return _of(back(unit, 1, clock.today), relative=True)
    steps = {"last": -1, "previous": -1, "prior": -1, "next": 1, "coming": 1}.get(which, 0)
    start = move(unit, start_of(unit, clock.today, clock), steps)
    return _of((start, move(unit, start, 1)), relative=True)


def _last_units(match: re.Match[str], clock: Clock) -> Point:
    return _of(back(match["unit"], _count(match), clock.today), relative=True)


def _next_units(match: re.Match[str], clock: Clock) -> Point:
    start = clock.today + timedelta(days=1)
    return _of((start, move(match["unit"], start, _count(match))), relative=True)


def _last_full_units(match: re.Match[str], clock: Clock) -> Point:
    end = start_of(match["unit"], clock.today, clock)
    count = _count(match) if match.groupdict().get("count") else 1
    return _of((move(match["unit"], end, -count), end), relative=True)


def _ago(match: re.Match[str], clock: Clock) -> Point:
    day = move(match["unit"], clock.today, -_count(match))
    unit = "day" if match["unit"] == "fortnight" else match["unit"]
    return _of(whole(unit, day, clock), relative=True)


def _year_ago(match: re.Match[str], clock: Clock) -> Point:
    """`This month last year`, `the same quarter last year`."""
    day = add_months(clock.today, -MONTHS_PER_YEAR)
    return _of(whole(match["unit"], day, clock), relative=True)


def _to_date(match: re.Match[str], clock: Clock) -> Point:
    named = match.groupdict()
    units = {"y": "year", "m": "month", "q": "quarter", "w": "week"}
    unit = named.get("unit") or units[match["letter"].lower()]
    end = clock.today + timedelta(days=1)
    return _of((start_of(unit, clock.today, clock), end), relative=True)


def _day_word(match: re.Match[str], clock: Clock) -> Point:
    steps = {
        "today": 0, "yesterday": -1, "tomorrow": 1, "the day before yesterday": -2,
        "the day after tomorrow": 2,
    }  # fmt: skip
    start = clock.today + timedelta(days=steps[" ".join(match.group().split())])
    return _of((start, start + timedelta(days=1)), relative=True)


def _named_weekday(match: re.Match[str], clock: Clock) -> Point:
    """`Last Monday` is the one before today; `next` the one after, `this` that of the week."""
    wanted, which = DAYS.index(match["weekday"]) + 1, match["which"]
    if which in {"this", "current"}:
        start = start_of("week", clock.today, clock)
        start += timedelta(days=(wanted - start.isoweekday()) % DAYS_PER_WEEK)
    elif which in {"next", "coming"}:
        ahead = (wanted - clock.today.isoweekday()) % DAYS_PER_WEEK or DAYS_PER_WEEK
        start = clock.today + timedelta(days=ahead)
    else:
        back = (clock.today.isoweekday() - wanted) % DAYS_PER_WEEK or DAYS_PER_WEEK
        start = clock.today - timedelta(days=back)
    return _of((start, start + timedelta(days=1)), relative=True)


def _relative_month(match: re.Match[str], clock: Clock) -> Point:
    """`Last March` is the latest one that is over, `next March` the first to come."""
    month, which, today = _month(match), match["which"], clock.today
    year = today.year
    if which in {"last", "previous", "past"} and month >= today.month:
        year -= 1
    elif which in {"next", "coming"} and month <= today.month:
        year += 1
    return _of(whole_month(year, month), relative=True)


def _month_of(match: re.Match[str], clock: Clock) -> Point:
    """`March last year`, `December of this year`."""
    steps = {"last": -1, "previous": -1, "prior": -1, "next": 1}.get(match["which"], 0)
    return _of(whole_month(clock.today.year + steps, _month(match)), relative=True)


def _latest(match: re.Match[str], clock: Clock) -> Point | None:
    """`The latest month` of the data, not of the calendar."""
    if clock.data_end is None:
        return None
    return _of(whole(match["unit"], clock.data_end, clock))


def _earliest(match: re.Match[str], clock: Clock) -> Point | None:
    if clock.data_start is None:
        return None
    return _of(whole(match["unit"], clock.data_start, clock))


def _holiday(match: re.Match[str], clock: Clock) -> Point:
    days = {"christmas day": (12, 25), "christmas eve": (12, 24), "christmas": (12, 25),
            "new year's day": (1, 1), "new year's eve": (12, 31), "halloween": (10, 31),
            "valentine's day": (2, 14)}  # fmt: skip
    month, day = days[" ".join(match["holiday"].replace("\u2019", "'").split())]
    which = match.groupdict().get("which")
    year = _year(match, clock)
    if which:
        passed = date(clock.today.year, month, day) < clock.today
        year = clock.today.year - (which == "last" and not passed) + (which == "next" and passed)
    start = date(year, month, day)
    return _of((start, start + timedelta(days=1)), relative=bool(which))


def _weekdays(match: re.Match[str], _: Clock) -> Point:
    return Point(part="weekday", values=(DAYS.index(match["weekday"]) + 1,))


def _weekend(_: re.Match[str], __: Clock) -> Point:
    return Point(part="weekday", values=(6, 7))


def _workdays(_: re.Match[str], __: Clock) -> Point:
    return Point(part="weekday", values=(1, 2, 3, 4, 5))


def _time_of_day(match: re.Match[str], _: Clock) -> Point:
    hours = {
        "morning": tuple(range(6, 12)), "afternoon": tuple(range(12, 18)),
        "evening": tuple(range(18, 22)), "night": (22, 23, *range(6)),
    }  # fmt: skip
    return Point(part="hour", values=hours[match["time"]])


def _hours(match: re.Match[str], _: Clock) -> Point | None:
    first = _hour(match["a"], match["ahalf"] or match["bhalf"])
    last = _hour(match["b"], match["bhalf"])
    if first >= last:
        return Point(part="hour", values=(*range(first, 24), *range(last)))
    return Point(part="hour", values=tuple(range(first, last)))


def _bounded_hour(match: re.Match[str], _: Clock) -> Point:
    hour = _hour(match["a"], match["ahalf"])
    if match["word"] in {"before", "until"}:
        return Point(part="hour", values=tuple(range(hour)))
    if match["word"] in {"after", "since", "from"}:
        return Point(part="hour", values=tuple(range(hour, 24)))
    return Point(part="hour", values=(hour,))


def _hour(digits: str, half: str) -> int:
    return int(digits) % 12 + 12 if half.startswith("p") else int(digits) % 24


def _count(match: re.Match[str]) -> int:
    told = match["count"]
    return int(told) if told.isdigit() else SPELLED[told]


def _year_range(match: re.Match[str], _: Clock) -> Point | None:
    first, last = int(match["year"]), int(match["last"])
    last += first - first % CENTURY if last < CENTURY else 0
    return _of(whole_years(first, last)) if first < last else None


def _so_far(match: re.Match[str], clock: Clock) -> Point:
    unit = next(one for one in UNITS if one in match.group())
    end = clock.today + timedelta(days=1)
    return _of((start_of(unit, clock.today, clock), end), relative=True)


_HALF = "am|pm|a\\.m\\.|p\\.m\\."
_PATTERNS: tuple[tuple[str, Make], ...] = (
    (r"\b(?P<y>\d{4})-(?P<m>[01]\d)-(?P<d>[0-3]\d)\b", _iso_day),
    (r"\b(?P<y>(?:19|20)\d\d)(?P<m>[01]\d)(?P<d>[0-3]\d)\b", _iso_day),
    (
        (r"(?<![\d./-])(?P<one>\d{1,2})(?P<mark>[/.-])(?P<other>\d{1,2})(?P=mark)"
        r"(?P<y>\d{4}|\d\d)(?![\d/-])"),
        _digits_day,
    ),
    (rf"{_THE}{_DAY} (?:of )?{_MONTH},? (?:of )?{_SHORT_YEAR}\b", _named_day),
    (rf"\b{_MONTH} (?:the )?{_DAY},? {_SHORT_YEAR}\b", _named_day),
    (rf"\b{_MONTH},? (?:of |in )?(?:the year )?{_SHORT_YEAR}\b", _named_month),
    (rf"\b{_YEAR}[-/](?P<m>0[1-9]|1[0-2])\b(?![-/]\d)", _iso_month),
    (rf"(?<![\d/])(?P<m>0?[1-9]|1[0-2])/{_YEAR}\b", _iso_month),
    (rf"\b{_YEAR} {_MONTH}", _named_month),
    (
        (r"\b(?:q(?P<quarter>[1-4]) (?:of )?)?(?:fy ?|fiscal (?:year )?)(?:'|\u2019)?"
        r"(?:(?P<year>20\d\d)|(?P<short>\d\d))\b"),
        _fiscal,
    ),
    (r"\b(?P<which>last|previous|prior|this|current|next) fiscal year\b", _fiscal_now),
    (rf"\bq(?P<quarter>[1-4])[ ,/-]*(?:of )?{_SHORT_YEAR}", _quarter),
    (rf"\b{_YEAR}[ -]?q(?P<quarter>[1-4])\b", _quarter),
    (r"\bq(?P<quarter>[1-4])(?: of)? (?P<which>last|this) year\b", _quarter),
    (
        rf"(?<![\w$€£.,-]){_YEAR}\s?[-\u2013/]\s?(?P<last>(?:1[5-9]|20)\d\d|\d\d)\b(?!-)",
        _year_range,
    ),
    (r"\bq(?P<quarter>[1-4])\b", _quarter),
    (
        (r"\b(?:the )?(?P<quarter>first|second|third|fourth|last|final|1st|2nd|3rd|4th) quarter"
        rf"(?: of|,| in)? (?:the year )?{_YEAR}\b"),
        _quarter,
    ),
    (
        (r"\b(?:the )?(?P<quarter>first|second|third|fourth|1st|2nd|3rd|4th) quarter"
        r"(?: of)? (?P<which>last|this) year\b"),
        _quarter,
    ),
    (r"\b(?:the )?(?P<quarter>first|second|third|fourth|1st|2nd|3rd|4th) quarter\b", _quarter),
    (rf"\bh(?P<half>[12])[ ,/-]*(?:of )?{_SHORT_YEAR}", _half),
    (rf"\b{_YEAR}[ -]?h(?P<half>[12])\b", _half),
    (rf"{_THE}(?P<half>first|second|1st|2nd|last) half (?:of )?(?:the year )?{_YEAR}\b", _half),
    (r"\b(?:the )?(?P<half>first|second|1st|2nd) half of (?P<which>last|this) year\b", _half),
    (r"\b(?:the )?(?P<lead>early |late )?(?P<decade>(?:1[5-9]|20)\d0)s\b", _decade),
    (r"(?<![\w.,$])(?:the )(?P<lead>early |late )?['\u2019]?(?P<tens>[2-9]0)'?s\b", _decade),
    (
        (r"\bthe (?P<lead>early |late )?(?P<name>twenties|thirties|forties|fifties|sixties"
        r"|seventies|eighties|nineties)\b"),
        _decade,
    ),
    (r"\b(?:the )?(?P<nth>1[5-9]|2[01])(?:th|st|nd|rd) century\b", _century),
    (rf"\b(?P<season>spring|summer|autumn|fall|winter) (?:of )?{_YEAR}\b", _season),
    (r"\b(?P<which>last|this) (?P<season>spring|summer|autumn|winter)\b", _season),
    (r"\b(?:in|during) (?:the )?(?P<season>spring|summer|autumn|winter)s?\b", _lone_season),
    (
        (rf"\b(?:(?P<which>last|next|this) )?(?P<holiday>christmas (?:day|eve)|christmas"
        rf"|new year['\u2019]s (?:day|eve)|halloween|valentine['\u2019]s day)(?: {_YEAR})?\b"),
        _holiday,
    ),
    (
        r"\b(?:the )?day before yesterday\b|\b(?:the )?day after tomorrow\b",
        lambda m, c: _day_word(re.match(r".*", f"the {m.group().removeprefix('the ')}"), c),  # type: ignore[arg-type]
    ),
    (r"\b(?:today|yesterday|tomorrow)\b", _day_word),
    (rf"{_THE}(?:this|same) {_UNIT} (?:of )?last year\b", _year_ago),
    (rf"\b{_MONTH},? (?:of )?(?P<which>last|this|next|previous) year\b", _month_of),
    (
        (rf"{_THE}(?:last|past|previous|prior) (?:(?P<count>\d+|two|three|four|six|twelve) )?"
        rf"(?:full|complete|whole|calendar) {_UNIT}s?\b"),
        _last_full_units,
    ),
    (rf"{_THE}(?:last|past|previous|prior|trailing|rolling) {_COUNT} {_UNIT}s?\b", _last_units),
    (rf"{_THE}(?:next|coming|following) {_COUNT} {_UNIT}s?\b", _next_units),
    (rf"\b{_COUNT} {_UNIT}s? ago\b", _ago),
    (rf"\b(?:so far )?(?:this )?{_UNIT}[- ]to[- ]date\b", _to_date),
    (rf"\bso far this {_UNIT}\b|\bthis {_ANY_UNIT} so far\b", _so_far),
    (r"\b(?P<letter>[yqmw])td\b", _to_date),
    (
        (rf"{_THE}(?:latest|most recent|newest) (?:full )?{_UNIT}\b"
        rf"(?: (?:of|in) the (?:data|table|file))?"),
        _latest,
    ),
    (rf"{_THE}last {_UNIT} (?:of|in) the (?:data|table|file|dataset)\b", _latest),
    (rf"{_THE}(?:earliest|oldest|first) {_UNIT} (?:of|in) the (?:data|table|file)\b", _earliest),
    (rf"{_THE}{_LAST} {_UNIT}\b(?!s)", _named_unit),
    (rf"\b{_LAST} {_WEEKDAY}\b", _named_weekday),
    (rf"\b(?P<which>last|this|next|previous|coming) {_MONTH}", _relative_month),
    (rf"{_THE}{_DAY} (?:of )?{_MONTH}(?! \d)", _named_day),
    (rf"\b{_MONTH} (?:the )?(?P<day>[0-3]?\d)(?:st|nd|rd|th)\b", _named_day),
    (rf"\b(?<=on ){_MONTH} (?P<day>[0-3]?\d)\b(?!,? \d)", _named_day),
    (
        (rf"\b(?:from|between) (?P<a>\d{{1,2}})(?::\d\d)? ?(?P<ahalf>{_HALF})?"
        rf" ?(?:to|and|-|until) ?(?P<b>\d{{1,2}})(?::\d\d)? ?(?P<bhalf>{_HALF})"),
        _hours,
    ),
    (
        (rf"\b(?P<word>before|after|until|since|from|at) (?P<a>\d{{1,2}})(?::\d\d)?"
        rf" ?(?P<ahalf>{_HALF}|o'clock)"),
        _bounded_hour,
    ),
    (r"\b(?:on |at |during |over )?(?:the )?weekends?\b", _weekend),
    (r"\b(?:on |during )?(?:weekdays|workdays|working days|business days)\b", _workdays),
    (rf"\b(?:on (?:a |an )?|every |each )?{_WEEKDAY}s?\b", _weekdays),
    (r"\b(?:in the |at |during the )(?P<time>morning|afternoon|evening|night)s?\b", _time_of_day),
    (
        (rf"\b(?:(?:in|during|for|since|before|after|until|through|every|each|of|by|to|and|from"
        rf"|between|compared with|vs\.?|versus) (?:the )?(?:months? of )?){_MONTH}(?! \d)"),
        _lone_month,
    ),
    (
        rf"\b{_MONTH}(?=\s*(?:to|-|\u2013|through|until|and|or|vs\.?|versus|,)\s*(?:{_ANY_MONTH}))",
        _lone_month,
    ),
    (rf"(?<![\w$€£.,-]){_YEAR}(?![\w%]|[.,]\d|-\d\d?\b)", _whole_year),
)  # fmt: skip


PATTERNS: tuple[tuple[re.Pattern[str], Make], ...] = tuple(
    (re.compile(expression), make) for expression, make in _PATTERNS
)
LEADS = re.compile(
    r"^(?:in|during|for|since|before|after|until|through|every|each|of|by|to|and|from|between|on"
    r"|at|over|compared with|vs\.?|versus)\s+(?:the\s+)?(?:months?\s+of\s+)?"
)
"""What stands before a month alone and is no part of it."""
