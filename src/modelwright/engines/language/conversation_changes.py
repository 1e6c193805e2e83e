"""What a follow-up may change of a statement, each change of one kind of part.

A change puts the part in place and returns True, or leaves the statement as it is.
"""

import re
from collections.abc import Callable, Iterator
from datetime import date, timedelta

from sqlglot import exp, parse_one

from modelwright.engines.language.conversation_parts import Part, meet
from modelwright.engines.language.conversation_statement import (
    DIALECT,
    AnsweredStatement,
    NoPlaceError,
)
from modelwright.engines.language.linking.linking import number_of
from modelwright.engines.language.readers import NameLink, Period, ValueLink
from modelwright.engines.language.rules.text.words import words
from modelwright.engines.language.vocabulary import (
    Aggregate,
    aggregates,
    find_cues,
    phrase_pattern,
)

Probe = Callable[[str, str], AnsweredStatement]
Change = Callable[[AnsweredStatement, Part, Probe], bool]

_COUNTED = re.compile(r"^(?:how many|(?:the )?number of|count(?: of)?)\b", re.IGNORECASE)
_TOP = re.compile(r"\b(?P<way>top|first|bottom|last|best|worst)\s+(?P<n>\w+)\b", re.IGNORECASE)
_FROM_BELOW = frozenset({"bottom", "worst"})
_FROM_ABOVE = frozenset({"top", "best"})
_GROUPED = re.compile(
    r"\b(?:by|per|for each|for every|in each|grouped by|broken down by|split by)\s+\S",
    re.IGNORECASE,
)
_BEHIND_BY = re.compile(r"\b(?:by|per|each|every)\s+(?:the\s+)?$", re.IGNORECASE)
_ADDED = re.compile(r"^(?:and|,)\s+(?:by\s+)?(?=\S)", re.IGNORECASE)
_SORTED = re.compile(r"^\W*(?:sorted|ordered|ranked|in |highest|lowest|largest|smallest)")
_ALPHABETICAL = re.compile(r"\balphabet", re.IGNORECASE)
_LISTED = re.compile(r"^(?:list|show|name|display)\b", re.IGNORECASE)
_SHARE = re.compile(r"^(?:the )?(?:percentage|share)\b", re.IGNORECASE)
_LED = re.compile(r"\b(?:in|for|of|from|with|since|before|after|over|under)\s+$", re.IGNORECASE)
_NARROWING = re.compile(r"^(?:for|with|in|from|who|where)\s+\S", re.IGNORECASE)
_NOTHING = frozenset({
    "are", "is", "was", "were", "there", "the", "a", "an", "of", "for", "in", "with", "that",
    "which", "who", "have", "has", "do", "did", "does",
})  # fmt: skip
"""Words that only tie others together."""
_OPPOSITE = (
    ({"largest", "biggest", "highest", "most", "best"}, {"smallest", "lowest", "least", "worst"}),
    ({"oldest"}, {"youngest", "newest"}),
    ({"longest", "tallest"}, {"shortest"}),
    ({"heaviest"}, {"lightest"}),
    ({"fastest"}, {"slowest"}),
    ({"latest", "last", "newest"}, {"earliest", "first", "oldest"}),
)
"""Ends of one order."""


# how many rows are shown, from which end


def change_limit(statement: AnsweredStatement, part: Part, _: Probe) -> bool:
    """`Top 5`, `make it 5`: how many rows are shown."""
    said = next((one for one in _TOP.finditer(part.whole) if meet(one.span(), part.new_span)), None)
    number = number_of(said["n"].lower()) if said else None
    if said is None or number is None:
        return False
    was_limited, way = statement.part("limit") is not None, said["way"].lower()
    if not was_limited:
        if way not in _FROM_ABOVE | _FROM_BELOW:
            return False
        statement.order_by(statement.only_figure(), descending=way in _FROM_ABOVE)
    elif part.old and way not in part.old.lower() and meet(said.span("way"), part.new_span):
        statement.turn()
    statement.tree.set("limit", exp.Limit(expression=exp.Literal.number(int(number))))
    return True


def change_end(statement: AnsweredStatement, part: Part, _: Probe) -> bool:
    """`And the smallest?`: the other end of the same order."""
    old, new = part.old.lower(), part.new.lower()
    is_other_end = any(
        (old in one and new in other) or (old in other and new in one) for one, other in _OPPOSITE
    )
    if not is_other_end or statement.part("limit") is None:
        return False
    statement.turn()
    return True


def change_order(statement: AnsweredStatement, part: Part, _: Probe) -> bool:
    """`Sorted by the count`, `lowest first`: the order of what is shown."""
    said, links = part.new.lower(), part.new_links
    if part.old or not _SORTED.match(said) or links.values or links.periods:
        return False
    named = [one for one in links.names if one.column]
    by_name = _ALPHABETICAL.search(said) or (named and not statement.is_measure(named[0]))
    if by_name:
        if len(statement.groups) != 1:
            return False
        statement.order_by(statement.groups[0], descending="descending" in said)
        return True
    is_low = bool(find_cues("superlative_low", said)) or "ascending" in said
    statement.order_by(statement.only_figure(), descending=not is_low)
    return True


# values and periods that stand in the statement


def change_value(statement: AnsweredStatement, part: Part, _: Probe) -> bool:
    """`And France`: another value of the same column."""
    if part.new_links.periods or part.loses_words:
        return False
    done = False
    for new in part.new_links.values:
        for old in part.old_links.values:
            if (old.table, old.column) == (new.table, new.column):
                done |= _put(statement, old, new)
    return done


def _put(statement: AnsweredStatement, old: ValueLink, new: ValueLink) -> bool:
    place, done = (old.table, old.column), False
    for literal in list(statement.tree.find_all(exp.Literal)):
        test = literal.find_ancestor(exp.Predicate)
        is_same = str(literal.this).casefold() == str(old.value).casefold()
        if test is not None and is_same and place in statement.places(test):
            literal.replace(exp.convert(new.value))
            done = True
    return done


def change_period(statement: AnsweredStatement, part: Part, _: Probe) -> bool:
    """`And in 2024`: the days of the new period in place of those of the old one."""
    old, new = part.old_links.periods, part.new_links.periods
    if len(old) != 1 or len(new) != 1 or part.loses_words:
        return False
    moved = dict(_moved(old[0], new[0]))
    found = [
        one
        for one in statement.tree.find_all(exp.Literal)
        if str(one.this) in moved and one.find_ancestor(exp.Predicate) is not None
    ]
    for one in found:
        text = moved[str(one.this)]
        one.replace(exp.Literal.string(text) if one.is_string else exp.Literal.number(text))
    return bool(found)


def _moved(old: Period, new: Period) -> Iterator[tuple[str, str]]:
    """Tells which written days, years and months take the place of which; none if it is not one."""
    if old.part or new.part:
        if old.part == new.part and len(old.values) == len(new.values):
            yield from zip(map(str, old.values), map(str, new.values), strict=True)
        return
    if (old.start is None, old.end is None) != (new.start is None, new.end is None):
        return
    if old.start and new.start:
        yield from _written(old.start, new.start)
    if old.end and new.end:
        yield old.end.isoformat(), new.end.isoformat()
        yield from _written(old.end - timedelta(days=1), new.end - timedelta(days=1))


def _written(old: date, new: date) -> Iterator[tuple[str, str]]:
    """Tells a day, and its year where a column holds years."""
    yield old.isoformat(), new.isoformat()
    yield str(old.year), str(new.year)


# what is computed, of which groups


def change_to_count(statement: AnsweredStatement, part: Part, _: Probe) -> bool:
    """`How many are these`: the rows that were listed are counted."""
    if not part.begins or not _COUNTED.match(part.new) or _COUNTED.match(part.old):
        return False
    is_list = statement.tree.find(exp.AggFunc) is None or statement.part("having")
    if not is_list or statement.part("limit"):
        return False
    statement.tree.set("order", None)
    inner = statement.tree.subquery("found", copy=True)
    statement.tree = exp.select("count(*)").from_(inner)
    return True


def change_to_list(statement: AnsweredStatement, part: Part, _: Probe) -> bool:
    """`List them`: the rows that were counted are shown."""
    if not part.begins or not _LISTED.match(part.new) or not _COUNTED.match(part.old):
        return False
    shown = statement.only_figure()
    is_of_rows = isinstance(shown, exp.Count) and not shown.find(exp.Distinct)
    if statement.groups or statement.part("having") or not is_of_rows:
        return False
    table = exp.to_identifier(statement.sources[0].alias_or_name, quoted=True)
    statement.tree.set("expressions", [exp.Column(this=exp.Star(), table=table)])
    return True


def change_to_share(statement: AnsweredStatement, part: Part, _: Probe) -> bool:
    """`In per cent`: each figure as a share of all of them."""
    if not part.begins or not _SHARE.match(part.new) or not statement.groups:
        return False
    figure = statement.only_figure()
    if not isinstance(figure, exp.Count | exp.Sum) or statement.part("limit"):
        return False
    told = figure.sql(dialect=DIALECT, identify=True)
    figure.replace(parse_one(f"100.0 * {told} / sum({told}) OVER ()", dialect=DIALECT))
    return True


def change_groups(statement: AnsweredStatement, part: Part, probe: Probe) -> bool:
    """`By region`, `and gender`: what the figures are grouped by."""
    links = part.new_links
    cue, added = _GROUPED.search(part.new), _ADDED.match(part.new)
    is_amount = any(statement.is_measure(one) for one in links.names if one.column)
    is_added = bool(added and statement.groups and links.names and not is_amount)
    is_named = (cue is not None and not cue.start()) or _BEHIND_BY.search(part.before)
    if links.values or links.numbers or not part.new or not (is_named or is_added):
        return False
    statement.only_figure()
    text = _ADDED.sub("", part.new)
    found = probe("number of", text if _GROUPED.match(text) else f"by {text}")
    if not found.groups or found.part("where"):
        return False
    statement.join_as_in(found)
    shown, groups = found.shown(figures=False), found.groups
    if is_added or (not part.old and statement.groups):
        shown, groups = [*statement.shown(figures=False), *shown], [*statement.groups, *groups]
    statement.group_by(shown, groups)
    _reorder(statement, found)
    return True


def _reorder(statement: AnsweredStatement, found: AnsweredStatement) -> None:
    """Keeps an order by a figure; one by what was grouped by is that of the new groups."""
    order = statement.part("order")
    kept = [one for one in order.expressions if one.find(exp.AggFunc)] if order else []
    new = found.part("order")
    by = kept or [one for one in (new.expressions if new else ()) if not one.find(exp.AggFunc)]
    if statement.part("limit") and not by:
        raise NoPlaceError("It is not said by what the first are taken.")
    statement.tree.set("order", exp.Order(expressions=[one.copy() for one in by]) if by else None)


def change_figure(statement: AnsweredStatement, part: Part, _: Probe) -> bool:
    """`And the median`, `average age instead`: another figure of the same rows."""
    links = part.new_links
    if not part.new or _GROUPED.search(part.new) or links.values or links.numbers or links.periods:
        return False
    pattern = phrase_pattern([word for one in aggregates() for word in one.words])
    said, told = pattern.search(part.new), pattern.search(part.old)
    named = _best_named(statement, links.names)
    is_count = part.begins and _COUNTED.match(part.old) is not None
    was_named = any(one.column for one in part.old_links.names)
    if not (said and (told or is_count)) and not (named and was_named):
        return False
    figure = statement.only_figure()
    column = statement.column(named) if named else _only_column(figure)
    _replace_figure(statement, figure, _figure_of(figure, column, said.group() if said else ""))
    return True


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
    """Puts a figure wherever the other stands, and calls the result after it."""
    written = figure.sql(dialect=DIALECT)
    column = next(made.find_all(exp.Column), None)
    name = f"{made.key}_{column.name}" if column is not None else made.key
    for one in list(statement.tree.find_all(type(figure))):
        if one.sql(dialect=DIALECT) == written:
            holder = one.parent
            one.replace(made.copy())
            if isinstance(holder, exp.Alias) and holder.parent is statement.tree:
                holder.set("alias", exp.to_identifier(name, quoted=True))


# conditions


def drop(statement: AnsweredStatement, part: Part, _: Probe) -> bool:
    """`For all regions`, `just by contract`: a condition or a group that is taken away."""
    if part.new or not part.old:
        return False
    links = part.old_links
    places = {(one.table, one.column) for one in links.of_tables if one.column}
    held = [one for one in statement.conditions if set(statement.places(one)) & places]
    if len(held) == 1:
        held[0].replace(exp.true())
        return True
    kept = [one for one in statement.groups if not set(statement.places(one)) & places]
    if not kept or len(kept) == len(statement.groups):
        return False
    written = {one.sql(dialect=DIALECT) for one in kept}
    shown = [
        one
        for one in statement.shown(figures=False)
        if one.unalias().sql(dialect=DIALECT) in written
    ]
    statement.group_by(shown, kept)
    statement.tree.set("order", None)
    return True


def add_condition(statement: AnsweredStatement, part: Part, probe: Probe) -> bool:
    """`Only those over 60`: one more condition."""
    links = part.new_links
    is_linked = links.values or links.periods or links.numbers or links.names
    if part.old or not (is_linked or _NARROWING.match(part.new)):
        return False
    found, where = _condition(probe, part.new)
    statement.join_as_in(found)
    statement.tree = statement.tree.where(where.copy())
    return True


def change_condition(statement: AnsweredStatement, part: Part, probe: Probe) -> bool:
    """`Under 50`, `since 2010`: another condition on the column of one."""
    if not part.old or not part.new or part.begins:
        return False
    led = _LED.search(part.before)
    found, where = _condition(probe, f"{led.group() if led else 'of '}{part.new}")
    tested = _columns(where)
    held = [one for one in statement.conditions if _columns(one) == tested]
    if len(held) != 1:
        return False
    statement.join_as_in(found)
    held[0].replace(where.copy())
    return True


def _condition(probe: Probe, said: str) -> tuple[AnsweredStatement, exp.Expression]:
    found = probe("how many", said)
    where = found.part("where")
    if where is None or found.groups:
        raise NoPlaceError("It is no condition.")
    return found, exp.paren(where.this) if isinstance(where.this, exp.Or) else where.this


def _columns(node: exp.Expression) -> set[str]:
    return {one.sql(dialect=DIALECT) for one in node.find_all(exp.Column)}


def change_nothing(_: AnsweredStatement, part: Part, __: Probe) -> bool:
    """Takes words that only tie others together for no change."""
    return all(one.text in _NOTHING for one in words(f"{part.old} {part.new}"))


CHANGES: tuple[Change, ...] = (
    change_limit, change_end, change_value, change_period, change_to_count, change_to_list,
    change_to_share, change_groups, change_figure, change_order, drop, add_condition,
    change_condition, change_nothing,
)  # fmt: skip
"""The kinds of changes, in the order in which they are tried."""
