"""When: the times a question names, as tests of a date column."""

import re
from collections.abc import Sequence
from datetime import date, datetime

from modelwright.engines.facts import Value
from modelwright.engines.language.rules.columns.index import Column, ref
from modelwright.engines.language.rules.mentions.draft import Draft, add_test, entity, named_tables
from modelwright.engines.language.rules.mentions.mention import Mention
from modelwright.engines.language.rules.mentions.units import measures
from modelwright.engines.language.rules.plans.plan import Bucket, Condition, Unit
from modelwright.engines.language.rules.text.patterns import pattern
from modelwright.engines.language.rules.text.words import name_parts
from modelwright.engines.language.rules.times.dates import Times, find_times
from modelwright.engines.language.rules.times.ends import end_named
from modelwright.engines.language.rules.times.usual_dates import usual_date
from modelwright.engines.language.vocabulary import word_set
from modelwright_runtime.date_parsing import order_in

COMPARED = re.compile(r"\b(?:compar\w+|versus|vs\.?|split|differences?|differs?)\b")
_BESIDE = re.compile(r"(?:(?:and|or|vs|versus|against|than|compared|to|with|in|on|the) ?)+")
"""Between two times of which both are of one date: `cancelled in October compared with May`."""
_ABSENT = pattern("times absent")
_LATEST = word_set("times.latest")
"""What the name of a date has that tells of the last of several: Last Visit."""
_VERB = re.compile(r"(?:ed|paid|sent|sold|made|born|built|left|quit)$")
_ASKS_WHEN = re.compile(r"\W*(?:when|(?:what|which) (?:date|day|time)s?)\b")
_LINKS = word_set("times.before_date")
_BEYOND = word_set("numbers.beyond")
_TIMELY = word_set("times.compared")
_DATE_REACH = 4
"""In words: how far before a time the date may be named that it is of."""
_DATE_QUALITY = 0.35
"""How surely these words must mean the date, 0 to 1."""
_SURE = 0.55
"""How surely words must mean a column, 0 to 1."""
_NAMED = 0.9
"""How much of a number's name must be said, 0 to 1."""
_YEAR_QUALITY = 0.6
"""How surely the words before a year must mean a column of years, 0 to 1."""
_DAYS: tuple[tuple[int, Unit], ...] = ((1, "day"), (7, "week"), (31, "month"), (92, "quarter"))


def read_times(draft: Draft) -> None:
    """Adds a test of a date column for every time the question names."""
    dated = [column for column in draft.index.columns if column.date]
    usual = usual_date(draft)
    if usual is None:
        return
    orders = [order_in(one.facts.written[0]) for one in dated if one.facts.written]
    year = _year_meant(dated, draft.today.year)
    last: tuple[int, Column] | None = None
    for one in find_times(draft.question.text, draft.today, year, next(iter(orders), None)):
        start, end = draft.at(one.start), draft.at(one.end)
        if any(other(draft, start, end) for other in (_in_value, _in_name, _of_number)):
            continue
        if _read_absence(draft, one, start, end):
            continue
        if one.part == "ISODOW" and any(each.unit == "weekend" for each in draft.group):
            continue
        if one.part == "ISODOW" and _is_day_of_table(draft, end):
            continue
        if one.part == "HOUR" and not any(c.timed for c in dated):
            _leave_hour(draft, start, end)
            continue
        is_beside = last is not None and _BESIDE.fullmatch(draft.text(last[0], start))
        last = end, _test(draft, one, start, end, last[1] if last and is_beside else usual)


def _is_day_of_table(draft: Draft, end: int) -> bool:
    """Whether a day of the week is a value of a table that is named: ensembles on Tuesdays."""
    named = set(named_tables(draft))
    held = [one for link in draft.question.values if link.end == end for one in link.held]
    return draft.several and any(one.column.table in named for one in held)


def _read_absence(draft: Draft, one: Times, start: int, end: int) -> bool:
    """`Who haven't visited in the last 30 days`: the last visit was before, or there was none."""
    match = _ABSENT.search(draft.lower, 0, one.start)
    if match is None or one.low is None or (one.high is not None and one.high <= draft.today):
        return False
    at = draft.at(match.start())
    found = end_named(draft, at + 1, start)
    if found is None or _LATEST.isdisjoint(name_parts(found[0].facts.name)):
        return False
    column = found[0]
    draft.claim(at, end, "condition")
    before = Condition(ref(column), "<", _moment(column, one.low))
    add_test(draft, column, before, at, end)
    if column.facts.missing:
        draft.where[-1] += (Condition(ref(column), "missing"),)
    return True


def _year_meant(dated: Sequence[Column], this_year: int) -> int:
    """The year of a day told without one: this year, else the last in which any column ends."""
    ends = (column.facts.maximum for column in dated)
    years = {end.year for end in ends if isinstance(end, date)}
    return max(years) if years and this_year not in years else this_year


def _leave_hour(draft: Draft, start: int, end: int) -> None:
    """Leaves an hour unread where no column tells any, unless a value is called so."""
    if not any(link.exact and link.end == end for link in draft.question.values):
        draft.unread.append(draft.text(start, end))


def _test(draft: Draft, one: Times, start: int, end: int, usual: Column) -> Column:
    """Tests the date that is named before a time, else the usual one; tells which."""
    before = draft.pick(max(0, start - _DATE_REACH), start, lambda c: c.date, _DATE_QUALITY)
    if before and all(one.weight < 1 for one in draft.question.terms[before.start : before.end]):
        before = None  # the `of` of `number of` is none of `date_of_birth`
    named = before or _done(draft, start)
    is_told = named is not None or usual in draft.filtered
    near = usual if is_told else usual_date(draft, start) or usual
    column = named.column if named else near
    draft.usual += [] if is_told else [column]
    draft.claim(start, end, "time")
    said = (_said_of, _rows_of, _is_deed)
    if named and any(one(draft, named, start) for one in said):
        draft.claim(named.start, named.end, "time")
    add_test(draft, column, _time_test(column, one), start, end)
    return column


def _done(draft: Draft, start: int) -> Mention | None:
    """`Fines paid by card or app in May`: the date of what was done, however far before."""
    found = draft.pick(0, start, lambda c: c.date, _SURE)
    done = found and found.end == found.start + 1 and entity(draft, found.start - 1)
    return found if done and _VERB.search(draft.text(found.start, found.end)) else None  # type: ignore[union-attr]


def _in_value(draft: Draft, start: int, end: int) -> bool:
    """Whether the words are a part of a value: `2002` of 2002 African Cup of Nations."""
    return any(
        one.exact
        and one.start < end <= one.end
        and one.end - one.start > end - max(start, one.start)
        for one in draft.question.values
    )


def _in_name(draft: Draft, start: int, end: int) -> bool:
    """Whether a column is called by these words and the one before: `come again next year`."""
    said = f" {draft.text(start - 1, end)} "
    return start > 0 and any(
        said in f" {' '.join(term.text for term in draft.index.columns[at].name.terms)} "
        for at, _ in draft.index.by_stem.get(draft.question.terms[end - 1].stem, ())
    )


def _of_number(draft: Draft, start: int, end: int) -> bool:
    """`A sample size of 2000`, `over 2000` and `2000 ms` are no years."""
    if draft.text(start, end).isdigit() and _compared(draft, start, end):
        return True
    before = [m for m in draft.question.mentions if m.column.number and m.named > _NAMED]
    linked = any(draft.text(m.end, start) == "of" for m in before if m.end <= start)
    built = draft.pick(max(0, start - 1), start, lambda c: c.shape == "year", _YEAR_QUALITY)
    year = draft.text(end - 1, end).removesuffix("s")
    if built and built.end == start and len(year) == len("1950") and year.isdigit():
        return built.quality >= max((m.quality for m in _dates(draft, built)), default=0.0)
    return linked and draft.text(start, end).isdigit()


def _compared(draft: Draft, start: int, end: int) -> bool:
    """Whether a number is compared with, or has a unit: `longer than 2000`, but `later than`."""
    far, near = draft.text(start - 2, start - 1), draft.text(start - 1, start)
    than = near == "than" and far not in _TIMELY
    return near in _BEYOND or than or measures(draft.text(end, end + 1))


def _dates(draft: Draft, built: Mention) -> list[Mention]:
    return [m for m in draft.question.mentions if m.column.date and m.end == built.end]


def _said_of(draft: Draft, named: Mention, start: int) -> bool:
    """`A date of 30 July 2008` tests the date, where something else is asked for."""
    others = [m for m in draft.question.mentions if m.quality > _SURE and draft.free(m)]
    apart = [m for m in others if m.end <= named.start or named.end <= m.start]
    linked = set(draft.text(named.end, start).split()) <= _LINKS
    return linked and any(m.column is not named.column for m in apart)


def _is_deed(draft: Draft, named: Mention, _: int) -> bool:
    """`Who left the company in May`: a verb tells what was done then; nothing asks for the day."""
    is_verb = named.end == named.start + 1 and _VERB.search(draft.text(named.start, named.end))
    return bool(is_verb) and not _ASKS_WHEN.match(draft.lower)


def _rows_of(draft: Draft, named: Mention, start: int) -> bool:
    """`Meters installed before 2018` are rows of a table that is named before the date."""
    rows = draft.question.tables.get(named.column.table, ())
    linked = set(draft.text(named.end, start).split()) <= _LINKS
    return linked and any(at < named.start for at in rows)


def _time_test(column: Column, one: Times) -> Condition:
    where = ref(column)
    if one.part:
        if isinstance(one.value, tuple):
            return Condition(where, "in", one.value, part=one.part)
        return Condition(where, one.op, one.value, one.upper, part=one.part)
    low, high = _moment(column, one.low), _moment(column, one.high)
    if one.op in {"between", "outside"}:
        return Condition(where, one.op, low, high, exclusive=True)
    return Condition(where, one.op, low if one.op == ">=" else high)


def _moment(column: Column, day: date | None) -> Value | None:
    if day is None:
        return None
    if isinstance(column.facts.maximum, datetime):
        return datetime(day.year, day.month, day.day)  # noqa: DTZ001 - tables hold naive times
    return day


def join_periods(draft: Draft) -> None:
    """`2025 and 2026`: no row is of both, so either will do; compared, each is a group."""
    kept = [
        at
        for at, (one, *_) in enumerate(draft.where)
        if one.op == "between" and one.exclusive and not one.ref.lapses
    ]
    firsts = [draft.where[at][0] for at in kept]
    if len(kept) < 2 or len({one.ref for one in firsts}) > 1:  # noqa: PLR2004 - it takes two
        return
    draft.where[kept[0]] = tuple(option for at in kept for option in draft.where[at])
    for at in reversed(kept[1:]):
        del draft.where[at], draft.spans[at]
    if not any(one.unit for one in draft.group) and COMPARED.search(draft.lower):
        draft.group.append(Bucket(firsts[0].ref, _unit(firsts[0])))


def _unit(one: Condition) -> Unit:
    """How long a period is."""
    days = (one.upper - one.value).days  # type: ignore[operator,union-attr]
    return next((unit for most, unit in _DAYS if days <= most), "year")
