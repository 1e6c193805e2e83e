"""Changes of how many rows are shown, from which end, in which order."""

from collections.abc import Sequence

from sqlglot import exp

from modelwright.engines.language.conversation.changes.change import SORTED, Probe
from modelwright.engines.language.conversation.changes.computed import is_of
from modelwright.engines.language.conversation.parts import Part, Used, meet
from modelwright.engines.language.conversation.statement import AnsweredStatement, NoPlaceError
from modelwright.engines.language.conversation.words import TOP
from modelwright.engines.language.linking.linking import number_of
from modelwright.engines.language.vocabulary import any_case, find_cues, word_set, word_values

_FROM_BELOW = word_set("superlatives.from_below")
_FROM_ABOVE = word_set("superlatives.from_above")
_ORDERED = (
    "sorted ordered ranked order by highest lowest largest smallest first ascending descending"
    " alphabetically alphabetical count number total"
)
"""Words of an order that name nothing."""
_ALPHABETICAL = any_case(r"\balphabet")
_OPPOSITE: Sequence[tuple[Sequence[str], Sequence[str]]] = word_values("opposites.orders")
"""Ends of one order."""


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
    if part.old or not SORTED.match(said) or links.values or links.periods:
        return None
    named = [one for one in links.names if one.column]
    used = Used(new=(*named, *(one for one in links.names if one not in named)), words=_ORDERED)
    by_name = _ALPHABETICAL.search(said) or (named and not statement.is_measure(named[0]))
    if by_name:
        groups = statement.groups
        if len(groups) != 1 or (named and not is_of(statement, groups[0], named)):
            return None
        statement.order_by(groups[0], descending="descending" in said)
        return used
    figure = statement.only_figure()
    if named and not is_of(statement, figure, named):
        raise NoPlaceError("It is to be ordered by what is not shown.")
    is_low = bool(find_cues("superlative_low", said)) or "ascending" in said
    statement.order_by(figure, descending=not is_low)
    return used
