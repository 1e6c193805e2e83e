"""Columns of text that write numbers or dates, read as those."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from modelwright.engines.facts import ColumnFacts, Value
from modelwright.engines.language.rules.columns.value_shapes import kind_of, yes_no
from modelwright.engines.language.rules.plans.plan import COMPACT, MARKS
from modelwright_runtime.date_parsing import moment_of, order_of, pattern_of
from modelwright_runtime.number_parsing import COMMA, POINT, Form, NumberFormat, written_in

_NUMBERS_SHARE = 0.9
"""Which share of the rows must read as numbers."""
_FEWEST_DAYS = 3
"""Fewer different days are numbers of eight digits."""
_FIRST_YEAR = 1900
"""Days before it are numbers of eight digits."""
_LAST_YEAR = 2100
"""Days after it are numbers of eight digits."""


def as_numbers(
    facts: ColumnFacts, more: Sequence[Value], *, units: bool = False
) -> tuple[ColumnFacts | None, bool]:
    """Reads a text column that holds mostly numbers as those numbers.

    Those of a unit that is a word stay what they are unless `units` are read too. Also says whether
    a comma stands before the decimals.
    """
    if facts.type != "string" or not facts.top:
        return None, False
    point, comma = (_read_as(form, facts, more, units) for form in (POINT, COMMA))
    return (comma[0], True) if comma[1] > point[1] else (point[0], False)


def _read_as(
    form: Form, facts: ColumnFacts, more: Sequence[Value], units: bool
) -> tuple[ColumnFacts | None, int]:
    """Reads the numbers in one form, and says of how many rows it reads them."""
    written = written_in(form, [str(value) for value, _ in facts.top])
    if not (units or set("".join(written.unit)) <= set(MARKS)):
        return None, 0
    known = [(_number(str(value), written), times) for value, times in facts.top]
    numbers = [(value, times) for value, times in known if value is not None]
    rows = sum(times for _, times in numbers)
    if rows < _NUMBERS_SHARE * sum(times for _, times in known):
        return None, rows
    ends = [value for value, _ in numbers]
    ends += [one for one in (_number(str(value), written) for value in more) if one is not None]
    low, high = min(ends), max(ends)
    return replace(facts, type="float", minimum=low, maximum=high, top=tuple(numbers)), rows


def as_dates(
    facts: ColumnFacts, more: Sequence[Value]
) -> tuple[ColumnFacts | None, tuple[str, ...]]:
    """Reads a text column of dates in one order of year, month and day as those dates.

    Whole numbers are dates where all known ones are days of eight digits: 20140131.
    """
    if facts.type == "integer":
        return _as_days(facts, more)
    texts = [str(value) for value, _ in facts.top] if facts.type == "string" else []
    texts += [str(value) for value in more] if texts else []
    order = order_of(texts)
    patterns = {pattern_of(text, order) for text in texts} if order else {None}
    if None in patterns:
        return None, ()
    top = tuple(
        (moment_of(str(value), order).replace(tzinfo=None), times) for value, times in facts.top
    )
    days = [moment_of(text, order).replace(tzinfo=None) for text in texts]
    read = replace(facts, type="date", minimum=min(days), maximum=max(days), top=top)
    return read, tuple(sorted(filter(None, patterns), key=_short_years_first))


def _short_years_first(pattern: str) -> str:
    """`%Y` reads `15` as the year 15, where `%y` refuses `2015`."""
    return pattern.swapcase()


def _as_days(
    facts: ColumnFacts, more: Sequence[Value]
) -> tuple[ColumnFacts | None, tuple[str, ...]]:
    low, high = _day(facts.minimum), _day(facts.maximum)
    if facts.distinct < _FEWEST_DAYS or not (low and high):
        return None, ()
    known = [day for value, _ in facts.top if (day := _day(value))]
    if len(known) < len(facts.top) or not all(map(_day, more)):
        return None, ()
    top = tuple(zip(known, (times for _, times in facts.top), strict=True))
    return replace(facts, type="date", minimum=low, maximum=high, top=top), (COMPACT,)


def _day(value: Value | None) -> datetime | None:
    try:
        day = datetime.strptime(str(value), COMPACT)  # noqa: DTZ007 - tables hold naive times
    except ValueError:
        return None
    return day if _FIRST_YEAR <= day.year <= _LAST_YEAR and isinstance(value, int) else None


def alike_in(facts: ColumnFacts) -> tuple[tuple[str, str], ...]:
    """Values of a column of kinds that are spelled otherwise, with the commonest of them.

    They are one kind: `BISCOE` and `Biscoe `, and `Y` beside `Yes` in a column of yes and no.
    """
    known = len(facts.top) == facts.distinct and 2 * facts.distinct < facts.rows
    if facts.type != "string" or not known:
        return ()
    kind = kind_of if None not in yes_no(facts) else _written
    first: dict[bool | str, str] = {}
    told = [str(value) for value, _ in sorted(facts.top, key=lambda pair: -pair[1])]
    read = [(value, first.setdefault(kind(value), value)) for value in told]
    return tuple(pair for pair in read if pair[0] != pair[1])


def _written(value: str) -> str:
    return " ".join(value.casefold().split())


def _number(text: str, written: NumberFormat) -> float | None:
    if text[:1] == "0" and text[1:2].isdigit():
        return None
    for read in (written.read,) if written.form == COMMA else (float, written.read):
        try:
            return None if "(" in text else read(text)
        except ValueError:
            continue
    return None
