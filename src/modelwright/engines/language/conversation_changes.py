"""What a follow-up may change of a statement, each change of one kind of part.

A change puts the part in place and tells what of it it used, or leaves the statement as it is and
returns None. What it does not tell is lost, and the follow-up is not read so.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import timedelta

from sqlglot import exp, parse_one

from modelwright.engines.language.catalog import Role
from modelwright.engines.language.checks.statement import Place
from modelwright.engines.language.conversation_parts import Link, Part, Used, meet
from modelwright.engines.language.conversation_statement import (
    DIALECT,
    AnsweredStatement,
    NoPlaceError,
)
from modelwright.engines.language.conversation_turns import OF_OURS
from modelwright.engines.language.conversation_words import (
    COUNTED,
    GROUPED,
    LISTED,
    TOP,
)
from modelwright.engines.language.linking.linking import number_of
from modelwright.engines.language.readers import NameLink, Period, ValueLink
from modelwright.engines.language.rules.text.words import stem, words
from modelwright.engines.language.vocabulary import (
    BEHIND_GROUPED,
    Aggregate,
    aggregate_pattern,
    aggregates,
    any_case,
    find_cues,
    word_set,
    word_values,
)

Probe = Callable[[str, str], AnsweredStatement]
Change = Callable[[AnsweredStatement, Part, Probe], Used | None]

_FROM_BELOW = word_set("superlatives.from_below")
_FROM_ABOVE = word_set("superlatives.from_above")
_ADDED = any_case(r"^(?:and|,)\s+(?:by\s+)?(?=\S)")
_SORTED = re.compile(
    r"^\W*(?:sorted|ordered|ranked|in (?:the )?(?:\w+ )?(?:order|ascending|descending|reverse)"
    r"|highest|lowest|largest|smallest)"
)
_ORDERED = (
    "sorted ordered ranked order by highest lowest largest smallest first ascending descending"
    " alphabetically alphabetical count number total"
)
"""Words of an order that name nothing."""
_BESIDE = any_case(r"^(?:compared|versus|vs)\b")
_ALPHABETICAL = any_case(r"\balphabet")
_SHARE = any_case(r"^(?:the )?(?:percentage|share)\b")
_FIRST_MOMENT = re.compile(r"(?<=\d)[ T]00:00(?::00(?:\.0+)?)?$")
_SHARE_BEHIND = any_case(r"^,? *as a percentage of the total$")
_BASIS = any_case(r" where the (?P<amount>.+) is not missing$")
_GROUP_TEST = any_case(
    r"^with (?P<way>at least|at most|more than|fewer than) (?P<n>\d[\d,]*) (?P<rows>[\w-]+)$"
)
_WAYS: Mapping[str, type[exp.Binary]] = {
    "at least": exp.GTE, "at most": exp.LTE, "more than": exp.GT, "fewer than": exp.LT,
}  # fmt: skip
_LED = any_case(r"\b(?:in|for|of|from|with|since|before|after|over|under)\s+$")
_NARROWING = any_case(r"^(?:for|with|in|from|who|where)\s+\S")
_NOTHING = word_set("small_words.tying")
_OPPOSITE: Sequence[tuple[Sequence[str], Sequence[str]]] = word_values("opposites.orders")
"""Ends of one order."""


# how many rows are shown, from which end


def change_limit(statement: AnsweredStatement, part: Part, _: Probe) -> Used | None:
    """`Top 5`, `make it 5`: how many rows are shown."""
    said = next((one for one in TOP.finditer(part.whole) if meet(one.span(), part.new_span)), None)
    number = number_of(said["n"].lower()) if said else None
    if said is None or number is None:
        return None
    limit, way = statement.part("limit"), said["way"].lower()
    if limit is None:
        if way not in _FROM_ABOVE | _FROM_BELOW:
            return None
        statement.order_by(statement.only_figure(), descending=way in _FROM_ABOVE)
    elif part.old and way not in part.old.lower() and meet(said.span("way"), part.new_span):
        statement.turn()
    statement.tree.set("limit", exp.Limit(expression=exp.Literal.number(int(number))))
    shown = float(limit.expression.name) if limit and limit.expression.is_int else None
    return Used(
        tuple(one for one in part.old_links.numbers if one.value == shown),
        tuple(one for one in part.new_links.numbers if meet(one.span, said.span("n"))),
        f"{said.group()} {' '.join(_FROM_ABOVE | _FROM_BELOW)}",
    )


def change_end(statement: AnsweredStatement, part: Part, _: Probe) -> Used | None:
    """`And the smallest?`: the other end of the same order."""
    old, new = part.old.lower(), part.new.lower()
    is_other_end = any(
        (old in one and new in other) or (old in other and new in one) for one, other in _OPPOSITE
    )
    if not is_other_end or statement.part("limit") is None:
        return None
    statement.turn()
    return part.used_up()


def change_order(statement: AnsweredStatement, part: Part, _: Probe) -> Used | None:
    """`Sorted by the count`, `lowest first`: the order of what is shown."""
    said, links = part.new.lower(), part.new_links
    if part.old or not _SORTED.match(said) or links.values or links.periods:
        return None
    named = [one for one in links.names if one.column]
    used = Used(new=(*named, *(one for one in links.names if one not in named)), words=_ORDERED)
    by_name = _ALPHABETICAL.search(said) or (named and not statement.is_measure(named[0]))
    if by_name:
        groups = statement.groups
        if len(groups) != 1 or (named and not _is_of(statement, groups[0], named)):
            return None
        statement.order_by(groups[0], descending="descending" in said)
        return used
    figure = statement.only_figure()
    if named and not _is_of(statement, figure, named):
        raise NoPlaceError("It is to be ordered by what is not shown.")
    is_low = bool(find_cues("superlative_low", said)) or "ascending" in said
    statement.order_by(figure, descending=not is_low)
    return used


def _is_of(statement: AnsweredStatement, node: exp.Expression, named: list[NameLink]) -> bool:
    return bool(set(statement.places(node)) & {(one.table, one.column) for one in named})


# values and periods that stand in the statement


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


# what is computed, of which groups


def change_to_count(statement: AnsweredStatement, part: Part, _: Probe) -> Used | None:
    """`How many are these`: the rows that were listed are counted."""
    if not part.begins or not COUNTED.match(part.new) or COUNTED.match(part.old):
        return None
    is_list = statement.tree.find(exp.AggFunc) is None or statement.part("having")
    if not is_list or statement.part("limit"):
        return None
    statement.tree.set("order", None)
    inner = statement.tree.subquery("found", copy=True)
    statement.tree = exp.select("count(*)").from_(inner)
    shown = tuple(one for one in part.old_links.names if one.column)
    return Used(shown, words=f"{part.old} {part.new}")


def change_to_list(statement: AnsweredStatement, part: Part, _: Probe) -> Used | None:
    """`List them`: the rows that were counted are shown."""
    if not part.begins or not LISTED.match(part.new) or not COUNTED.match(part.old):
        return None
    shown = statement.only_figure()
    is_of_rows = isinstance(shown, exp.Count) and not shown.find(exp.Distinct)
    if statement.groups or statement.part("having") or not is_of_rows:
        return None
    counted = _counted(statement, shown)
    if counted is None:
        raise NoPlaceError("It is not sure which rows were counted.")
    table = exp.to_identifier(counted, quoted=True)
    statement.tree.set("expressions", [exp.Column(this=exp.Star(), table=table)])
    return Used(words=f"{part.old} {part.new}")


def _counted(statement: AnsweredStatement, count: exp.Expression) -> str | None:
    """Returns the table of which a count counts each row once; None where that is not sure."""
    first = statement.sources[0]
    known = statement.catalog.table(first.name)
    keys = {(one.name, one.key) for one in statement.catalog.tables if one.key}
    named = set(statement.places(count))
    is_of_first = not named or (known is not None and named == {(first.name, known.key)})
    once = all(
        isinstance(join.args.get("on"), exp.EQ)
        and any(place in keys and place[0] == join.this.name for place in statement.places(join))
        for join in statement.tree.args.get("joins") or ()
    )
    return first.alias_or_name if is_of_first and once else None


def change_to_share(statement: AnsweredStatement, part: Part, _: Probe) -> Used | None:
    """`In per cent`: each figure as a share of all of them."""
    begins = part.begins and _SHARE.match(part.new)
    behind = not part.old and _SHARE_BEHIND.match(part.new)
    if not (begins or behind) or not statement.groups:
        return None
    figure = statement.only_figure()
    is_cut = statement.part("limit") or statement.part("having")
    if not isinstance(figure, exp.Count | exp.Sum) or is_cut:
        return None
    told = figure.sql(dialect=DIALECT, identify=True)
    made = parse_one(f"100.0 * {told} / sum({told}) OVER ()", dialect=DIALECT)
    holder = figure.parent
    figure.replace(made)
    if isinstance(holder, exp.Alias):
        holder.set("alias", exp.to_identifier("percent", quoted=True))
    return Used(words=f"{part.old} {part.new}")


def change_to_basis(statement: AnsweredStatement, part: Part, _: Probe) -> Used | None:
    """`How many is that based on`: the rows that an average is of."""
    some = _BASIS.search(part.whole)
    if some is None or not COUNTED.match(part.new) or some["amount"] not in part.old:
        return None
    figure = statement.only_figure()
    if not isinstance(figure, exp.Avg | exp.Median):
        return None
    _replace_figure(statement, figure, exp.Count(this=_only_column(figure)))
    return part.used_up()


def take_groups(statement: AnsweredStatement, part: Part, _: Probe) -> Used | None:
    """`With at least 50 patients`: groups of so many rows, after how many each has."""
    some = _GROUP_TEST.match(part.new)
    if some is None or part.old or not statement.groups:
        return None
    figure = statement.only_figure()
    counted = {word.stem for word in words(part.before)}
    if not isinstance(figure, exp.Count) or stem(some["rows"].lower()) not in counted:
        return None
    number = exp.Literal.number(some["n"].replace(",", ""))
    test = _WAYS[some["way"].lower()](this=figure.copy(), expression=number)
    statement.tree = statement.tree.having(test)
    return part.used_up()


def change_groups(statement: AnsweredStatement, part: Part, probe: Probe) -> Used | None:
    """`By region`, `and gender`: what the figures are grouped by."""
    is_added = _adds_groups(statement, part)
    if not (is_added or _names_groups(part)) or not _says_only_names(part):
        return None
    statement.aggregate()
    text = _ADDED.sub("", part.new)
    found = probe("number of", text if GROUPED.match(text) else f"by {text}")
    if not found.groups or found.part("where"):
        return None
    statement.join_as_in(found)
    kept = statement.groups if is_added or not part.old else _kept_groups(statement, part)
    shown = [*_shown_of(statement, kept), *found.shown(figures=False)]
    statement.group_by(shown, [*kept, *found.groups])
    _reorder(statement, found)
    used = part.used_up()
    return used if part.old else Used(new=used.new, words=used.words)


def _names_groups(part: Part) -> bool:
    """Whether what is said begins with `by`, or stands behind it."""
    cue = GROUPED.search(part.new)
    return (cue is not None and not cue.start()) or bool(BEHIND_GROUPED.search(part.before))


def _adds_groups(statement: AnsweredStatement, part: Part) -> bool:
    """Whether `and gender` is said where figures of groups are shown already."""
    names = part.new_links.names
    is_amount = any(statement.is_measure(one) for one in names if one.column)
    return bool(_ADDED.match(part.new) and statement.groups and names and not is_amount)


def _says_only_names(part: Part) -> bool:
    return bool(part.new) and not (part.new_links.values or part.new_links.numbers)


def _shown_of(
    statement: AnsweredStatement, groups: Sequence[exp.Expression]
) -> list[exp.Expression]:
    """Returns what a statement shows of these groups."""
    written = {one.sql(dialect=DIALECT) for one in groups}
    shown = statement.shown(figures=False)
    return [one for one in shown if one.unalias().sql(dialect=DIALECT) in written]


def _kept_groups(statement: AnsweredStatement, part: Part) -> list[exp.Expression]:
    """Returns the groups that stay; raises where it is not sure which one goes."""
    groups, links = statement.groups, part.old_links
    if links.values or links.numbers or links.periods:
        raise NoPlaceError("What is taken away is no group.")
    places = {(one.table, one.column) for one in links.names if one.column}
    kept = [one for one in groups if not set(statement.places(one)) & places]
    if not places and len(groups) == 1:
        return []
    if groups and len(kept) == len(groups):
        raise NoPlaceError("What is taken away is no group.")
    return kept


def _reorder(statement: AnsweredStatement, found: AnsweredStatement) -> None:
    """Keeps an order by a figure; one by what was grouped by is that of the new groups."""
    order = statement.part("order")
    kept = [one for one in order.expressions if one.find(exp.AggFunc)] if order else []
    new = found.part("order")
    by = kept or [one for one in (new.expressions if new else ()) if not one.find(exp.AggFunc)]
    if statement.part("limit") and not by:
        raise NoPlaceError("It is not said by what the first are taken.")
    statement.tree.set("order", exp.Order(expressions=[one.copy() for one in by]) if by else None)


def change_figure(statement: AnsweredStatement, part: Part, _: Probe) -> Used | None:
    """`And the median`, `average age instead`: another figure of the same rows."""
    if GROUPED.search(part.new) or not _says_only_names(part) or part.new_links.periods:
        return None
    said, told = aggregate_pattern().search(part.new), aggregate_pattern().search(part.old)
    counted = COUNTED.match(part.old) if part.begins else None
    named = _best_named(statement, part.new_links.names)
    was = tuple(one for one in part.old_links.names if one.column)
    is_other_aggregate, is_other_column = said and (told or counted), named and was
    if not is_other_aggregate and not is_other_column:
        return None
    figure = statement.only_figure()
    if was and not _is_of(statement, figure, list(was)):
        raise NoPlaceError("What is taken away is no figure.")
    column = statement.column(named) if named else _only_column(figure)
    _replace_figure(statement, figure, _figure_of(figure, column, said.group() if said else ""))
    explained = " ".join(one.group() for one in (said, told, counted) if one)
    return Used(was, (named,) if named else (), explained)


def _best_named(statement: AnsweredStatement, names: tuple[NameLink, ...]) -> NameLink | None:
    """Returns the amount that is named best; raises where several are named as well."""
    found = [one for one in names if one.column and statement.is_measure(one)]
    best = max((one.quality for one in found), default=0.0)
    found = [one for one in found if one.quality == best]
    if len({(one.table, one.column) for one in found}) > 1:
        raise NoPlaceError("Several amounts are called so.")
    return found[0] if found else None


def _only_column(figure: exp.Expression) -> exp.Expression:
    columns = list(figure.find_all(exp.Column))
    if len(columns) != 1 or figure.find(exp.Binary, exp.Case) is not None:
        raise NoPlaceError("The figure is of several columns.")
    return columns[0].copy()


def _figure_of(figure: exp.Expression, column: exp.Expression, word: str) -> exp.Expression:
    """Writes a figure of a column: that which a word names, or the same as before."""
    if word:
        told = _aggregate(word).of(column.sql(dialect=DIALECT, identify=True))
        return parse_one(told, dialect=DIALECT)
    if isinstance(figure, exp.Count):
        raise NoPlaceError("It is not said what of it is computed.")
    _only_column(figure)
    made = figure.copy()
    next(made.find_all(exp.Column)).replace(column.copy())
    return made


def _aggregate(word: str) -> Aggregate:
    return next(one for one in aggregates() if word.lower() in one.words)


def _replace_figure(
    statement: AnsweredStatement, figure: exp.Expression, made: exp.Expression
) -> None:
    """Puts a figure where the other is shown or ordered by, and calls the result after it."""
    written, having = figure.sql(dialect=DIALECT), statement.part("having")
    if having is not None and having.find(exp.AggFunc):
        raise NoPlaceError("It is not said whether the groups are others as well.")
    column = next(made.find_all(exp.Column), None)
    name = f"{made.key}_{column.name}" if column is not None else made.key
    order = statement.part("order")
    for one in [
        each
        for top in (*statement.tree.selects, *(order.expressions if order else ()))
        for each in list(top.find_all(type(figure)))
    ]:
        if one.sql(dialect=DIALECT) == written:
            holder = one.parent
            one.replace(made.copy())
            if isinstance(holder, exp.Alias) and holder.parent is statement.tree:
                holder.set("alias", exp.to_identifier(name, quoted=True))


# conditions


def drop(statement: AnsweredStatement, part: Part, _: Probe) -> Used | None:
    """`For all regions`, `just by contract`: a condition or a group that is taken away."""
    if part.new or not part.old:
        return None
    links = part.old_links
    places = {(one.table, one.column) for one in links.of_tables if one.column}
    held = [one for one in statement.conditions if set(statement.places(one)) & places]
    if len(held) == 1:
        used = _used_of(statement, held[0], part)
        held[0].replace(exp.true())
        return used
    kept = [one for one in statement.groups if not set(statement.places(one)) & places]
    if held or not kept or len(kept) == len(statement.groups):
        return None
    if statement.part("limit"):
        raise NoPlaceError("It is not said by what the first are taken.")
    written = {one.sql(dialect=DIALECT) for one in kept}
    shown = [
        one
        for one in statement.shown(figures=False)
        if one.unalias().sql(dialect=DIALECT) in written
    ]
    statement.group_by(shown, kept)
    statement.tree.set("order", None)
    return Used(tuple(one for one in links.names if one.column))


def _used_of(statement: AnsweredStatement, held: exp.Expression, part: Part) -> Used:
    """Returns the old links that a condition is made of; raises where it is made of more."""
    links, tested = part.old_links, set(statement.places(held))
    of_it = [one for one in links.of_tables if (one.table, one.column) in tested]
    values = [one for one in of_it if isinstance(one, ValueLink)]
    told = {_value(one.value) for one in values} | {_value(one.value) for one in links.numbers}
    written = {_value(one.this) for one in held.find_all(exp.Literal, exp.Boolean)}
    periods = links.periods if len(tested) == 1 and not held.find(exp.Or) else ()
    named = {(one.table, one.column) for one in of_it}
    is_told = tested <= named if values else len(tested) == 1
    if not is_told or not (written <= told or periods):
        raise NoPlaceError("The condition is of more than what changes.")
    numbers = tuple(one for one in links.numbers if _value(one.value) in written)
    return Used((*of_it, *numbers, *periods))


def _value(one: object) -> str:
    """Writes a value so that equal ones are written alike."""
    said = str(one).casefold()
    try:
        return f"{float(said):.15g}"
    except ValueError:
        return said


def add_condition(statement: AnsweredStatement, part: Part, probe: Probe) -> Used | None:
    """`Only those over 60`: one more condition."""
    links = part.new_links
    is_linked = links.values or links.periods or links.numbers or links.names
    if part.old or _BESIDE.match(part.new) or not (is_linked or _NARROWING.match(part.new)):
        return None
    found, where = _condition(probe, part.new)
    if isinstance(where, exp.EQ) and any(
        isinstance(one, exp.EQ) and _columns(one) == _columns(where) for one in statement.conditions
    ):
        raise NoPlaceError("No row is both.")
    statement.join_as_in(found)
    statement.tree = statement.tree.where(where.copy())
    return part.used_up()


def change_condition(statement: AnsweredStatement, part: Part, probe: Probe) -> Used | None:
    """`Under 50`, `since 2010`: another condition on the column of one."""
    if not part.old or not part.new or part.begins:
        return None
    led = _LED.search(part.before)
    found, where = _condition(probe, f"{led.group() if led else 'of '}{part.new}")
    tested = _columns(where)
    held = [one for one in statement.conditions if _columns(one) == tested]
    if len(held) != 1:
        return None
    old = _used_of(statement, held[0], part)
    statement.join_as_in(found)
    held[0].replace(where.copy())
    used = part.used_up()
    return Used(old.old, used.new, used.words)


def _condition(probe: Probe, said: str) -> tuple[AnsweredStatement, exp.Expression]:
    found = probe("how many", said)
    where = found.part("where")
    if where is None or found.groups:
        raise NoPlaceError("It is no condition.")
    return found, exp.paren(where.this) if isinstance(where.this, exp.Or) else where.this


def _columns(node: exp.Expression) -> set[str]:
    return {one.sql(dialect=DIALECT) for one in node.find_all(exp.Column)}


def change_nothing(_: AnsweredStatement, part: Part, __: Probe) -> Used | None:
    """Takes words that only tie others together for no change."""
    told = f"{part.old} {part.new}"
    said = OF_OURS.sub("", f" {told}")
    return Used(words=told) if all(one.text in _NOTHING for one in words(said)) else None


CHANGES: tuple[Change, ...] = (
    change_limit, change_end, change_value, change_period, change_to_count, change_to_list,
    change_to_share, change_to_basis, take_groups, change_groups, change_figure, change_order, drop,
    add_condition, change_condition, change_nothing,
)  # fmt: skip
"""The kinds of changes, in the order in which they are tried."""
