"""Changes of the values and periods that a statement tests."""

import re
from collections.abc import Iterator
from datetime import timedelta

from sqlglot import exp

from modelwright.engines.language.catalog.meaning import Role
from modelwright.engines.language.checks.statement import Place
from modelwright.engines.language.conversation.changes.change import Probe
from modelwright.engines.language.conversation.parts import Link, Part, Used
from modelwright.engines.language.conversation.statement import (
    DIALECT,
    AnsweredStatement,
    NoPlaceError,
)
from modelwright.engines.language.readers import NameLink, Period, ValueLink

_FIRST_MOMENT = re.compile(r"(?<=\d)[ T]00:00(?::00(?:\.0+)?)?$")


def change_value(statement: AnsweredStatement, part: Part, _: Probe) -> Used | None:
    """`And France`: another value of the same column."""
    old, new = part.old_links.values, part.new_links.values
    pairs = [(a, b) for a in old for b in new if (a.table, a.column) == (b.table, b.column)]
    done = [(a, b) for a, b in pairs if _put(statement, a, b)]
    if len({one.span for pair in done for one in pair}) > 2:  # noqa: PLR2004 - old and new
        raise NoPlaceError("Several values change.")
    if not done:
        return None
    return Used(
        _with_names([one for one, _ in done], part.old_links.names),
        _with_names([one for _, one in done], part.new_links.names),
    )


def _with_names(values: list[ValueLink], names: tuple[NameLink, ...]) -> tuple[Link, ...]:
    """Adds the names of the columns that values are of."""
    places = {(one.table, one.column) for one in values}
    return (*values, *(one for one in names if (one.table, one.column) in places))


def _put(statement: AnsweredStatement, old: ValueLink, new: ValueLink) -> bool:
    place, done = (old.table, old.column), False
    for test in statement.tests_of(place):
        for literal in list(test.find_all(exp.Literal)):
            if str(literal.this).casefold() != str(old.value).casefold():
                continue
            sides = [one for one in (test.this, test.args.get("expression")) if one is not literal]
            is_bare = isinstance(test, exp.EQ | exp.NEQ | exp.In) and literal.parent is test
            if not is_bare or not all(one is None or isinstance(one, exp.Column) for one in sides):
                raise NoPlaceError("The value is compared with what is made of the column.")
            literal.replace(exp.convert(new.value))
            done = True
    return done


def change_period(statement: AnsweredStatement, part: Part, _: Probe) -> Used | None:
    """`And in 2024`: the days of the new period in place of those of the old one."""
    old, new = part.old_links.periods, part.new_links.periods
    if len(old) != 1 or len(new) != 1 or old[0].negated != new[0].negated:
        return None
    moved = _moves(old[0], new[0])
    place = _dated(statement, moved)
    if place is None:
        return None
    tests = statement.tests_of(place)
    literals = [literal for test in tests for literal in test.find_all(exp.Literal)]
    is_whole = all(set(statement.places(one)) == {place} for one in tests)
    if not is_whole or not all(_day(one) in moved for one in literals):
        raise NoPlaceError("The time is tested otherwise as well.")
    if old[0].part and len({_written_columns(one) for one in tests}) > 1:
        raise NoPlaceError("Several parts of the time are tested.")
    for one in literals:
        text = moved[_day(one)] + str(one.this).removeprefix(_day(one))
        one.replace(exp.Literal.string(text) if one.is_string else exp.Literal.number(text))
    return Used(old, new)


def _day(literal: exp.Literal) -> str:
    """Returns what is written, of a day's first moment its day: `2025-01-01 00:00:00`."""
    return _FIRST_MOMENT.sub("", str(literal.this))


def _dated(statement: AnsweredStatement, moved: dict[str, str]) -> Place | None:
    """Returns the one date that is compared with what moves; raises where several are."""
    dates = [
        (table.name, column.name)
        for table in statement.catalog.tables
        for column in table.columns
        if column.role is Role.DATE
    ]
    found = [
        place
        for place in dates
        for test in statement.tests_of(place)
        if any(_day(one) in moved for one in test.find_all(exp.Literal))
    ]
    if len(set(found)) > 1:
        raise NoPlaceError("Several dates are tested.")
    return found[0] if found else None


def _written_columns(test: exp.Expression) -> str:
    """Writes what a comparison looks at."""
    column = test.find(exp.Column)
    while column is not None and column.parent is not test:
        column = column.parent
    return column.sql(dialect=DIALECT) if column is not None else ""


def _moves(old: Period, new: Period) -> dict[str, str]:
    """Tells what takes the place of what is written; not what would move in two ways."""
    moved = list(_moved(old, new))
    several = {one for one, to in moved for other, away in moved if one == other and to != away}
    return {one: to for one, to in moved if one not in several}


def _moved(old: Period, new: Period) -> Iterator[tuple[str, str]]:
    """Tells which written days, years and months take the place of which; none if it is not one."""
    if old.part or new.part:
        if old.part == new.part and len(old.values) == len(new.values):
            yield from zip(map(str, old.values), map(str, new.values), strict=True)
        return
    if (old.start is None, old.end is None) != (new.start is None, new.end is None):
        return
    if old.start and new.start:
        yield old.start.isoformat(), new.start.isoformat()
    if old.end and new.end:
        yield old.end.isoformat(), new.end.isoformat()
        last, new_last = old.end - timedelta(days=1), new.end - timedelta(days=1)
        yield last.isoformat(), new_last.isoformat()
        if all(map(_is_of_years, (old, new))):
            yield str(last.year), str(new_last.year)
    if old.start and new.start and all(map(_is_of_years, (old, new))):
        yield str(old.start.year), str(new.start.year)


def _is_of_years(one: Period) -> bool:
    ends = [end for end in (one.start, one.end) if end]
    return all((end.month, end.day) == (1, 1) for end in ends)
