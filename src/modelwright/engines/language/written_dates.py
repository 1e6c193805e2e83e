"""Dates that a table holds as texts or whole numbers: `12/31/2024`, `31 Dec 2024`, `20241231`.

The catalog tells how a column writes them; readers and checks see a column of dates, and what
they write over it is written over the text that is read as a date.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime
from typing import TYPE_CHECKING

from modelwright.engines.facts import ColumnFacts, Value
from modelwright_runtime.date_parsing import order_of, pattern_of

if TYPE_CHECKING:
    from sqlglot import exp

COMPACT = "%Y%m%d"
"""How days are written as whole numbers."""
SEPARATOR = " | "
"""Stands between the formats of a column that writes dates in several."""
DIRECTIVES = frozenset("YymdbBHIMSp")
"""What formats are made of: the same for Python and DuckDB."""
OF_DAY = frozenset("HIMSp")
"""Those that tell a time of day."""
NEEDED = (frozenset("Yy"), frozenset("mbB"), frozenset("d"))
"""A format tells the year, the month and the day."""
READS_DATES = "TRY_STRPTIME"
"""What reads a text as the date that it is, or as nothing."""
FEWEST_DAYS = 3
"""Fewer different days are numbers of eight digits."""
FIRST_YEAR = 1900
"""Days before it are numbers of eight digits."""
LAST_YEAR = 2100
"""Days after it are numbers of eight digits."""


def formats_of(facts: ColumnFacts, more: Sequence[Value] = ()) -> tuple[str, ...]:
    """Tells how a column of texts, or of whole numbers, writes dates.

    Texts have one order of year, month and day, which some of them must tell: `03/04/2024` alone
    may be either. Whole numbers are days where some are known, and all of those are.

    Args:
        facts: What the column holds.
        more: Values beyond those of its facts.

    Returns:
        Formats of `strptime`, one for each way of writing; none where it holds no dates.
    """
    known = [value for value, _ in facts.top] + list(more)
    if facts.type == "integer":
        ends = [one for one in (facts.minimum, facts.maximum) if one is not None]
        days = [_compact_day(one) for one in [*known, *ends]]
        return (COMPACT,) if len(set(days)) >= FEWEST_DAYS and all(days) else ()
    texts = [str(value) for value in known] if facts.type == "string" else []
    order = order_of(texts)
    found = {pattern_of(text, order) for text in texts} if order else {None}
    formats = [one for one in found if one is not None]
    return tuple(sorted(formats, key=str.swapcase)) if None not in found else ()


def _compact_day(value: Value) -> date | None:
    try:
        day = datetime.strptime(str(value), COMPACT)  # noqa: DTZ007 - tables hold naive times
    except ValueError:
        return None
    is_usual = FIRST_YEAR <= day.year <= LAST_YEAR and isinstance(value, int)
    return day.date() if is_usual else None


def parsed_formats(told: str) -> tuple[str, ...]:
    """Returns the formats of dates that a catalog tells of a column.

    Args:
        told: Formats with ` | ` between them.

    Returns:
        All of them; none where one is no format of a whole date.
    """
    formats = tuple(told.split(SEPARATOR)) if "%" in told else ()
    return formats if all(map(_is_format, formats)) else ()


def _is_format(told: str) -> bool:
    directives = {one[:1] for one in told.split("%")[1:]}
    is_plain = told.isprintable() and directives <= DIRECTIVES
    return is_plain and all(directives & some for some in NEEDED)


def sql_type_of(formats: Sequence[str]) -> str:
    """Returns the type that texts of these formats are read as.

    Args:
        formats: How dates are written.

    Returns:
        DATE, or TIMESTAMP where a format tells a time of day.
    """
    is_timed = any(f"%{one}" in told for told in formats for one in OF_DAY)
    return "TIMESTAMP" if is_timed else "DATE"


def read_as_dates(
    facts: ColumnFacts, formats: Sequence[str], more: Sequence[Value] = ()
) -> ColumnFacts:
    """Tells what a column of texts holds once they are read as dates.

    Args:
        facts: What the column holds as it is stored.
        formats: How dates are written.
        more: Values beyond those of its facts.

    Returns:
        Facts of dates; of texts that are none of these nothing is told.
    """
    is_day = sql_type_of(formats) == "DATE"
    read: Mapping[Value, date | None] = {
        value: _read(str(value), formats, is_day)
        for value in (*(one for one, _ in facts.top), *more)
    }
    days = [day for day in read.values() if day is not None]
    top = tuple((day, times) for value, times in facts.top if (day := read[value]) is not None)
    low, high = (min(days), max(days)) if days else (None, None)
    missing = facts.missing + sum(times for value, times in facts.top if read[value] is None)
    told = replace(facts, type="date", missing=missing, minimum=low, maximum=high, top=top)
    return replace(told, written=tuple(formats))


def _read(text: str, formats: Sequence[str], is_day: bool) -> date | None:
    for one in formats:
        try:
            moment = datetime.strptime(text, one)  # noqa: DTZ007 - tables hold naive times
        except ValueError:
            continue
        return moment.date() if is_day else moment
    return None


def date_of(column: "exp.Expression", formats: Sequence[str]) -> "exp.Expression":
    """Writes SQL that reads a column of texts, or of whole numbers, as dates.

    Args:
        column: The column.
        formats: How dates are written.

    Returns:
        SQL that gives nothing where a text is none of these.
    """
    from sqlglot import exp  # noqa: PLC0415 - heavy

    listed = exp.Array(expressions=[exp.Literal.string(one) for one in formats])
    text = exp.cast(column, "varchar") if COMPACT in formats else column
    read = exp.Anonymous(this=READS_DATES, expressions=[text, listed])
    return exp.cast(read, sql_type_of(formats))


def is_reading(node: "exp.Expression") -> bool:
    """Tells whether SQL reads a text as a date.

    Args:
        node: A node of a statement.

    Returns:
        Whether it is a call that does.
    """
    from sqlglot import exp  # noqa: PLC0415 - heavy

    is_call = isinstance(node, exp.Anonymous) and node.name.upper() == READS_DATES
    return is_call or isinstance(node, exp.StrToTime | exp.StrToDate | exp.StrToUnix)
