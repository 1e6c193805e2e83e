"""Turns that ask for one end of figures by group, or for the figure at an end.

`Which one has the most?` after figures of groups asks for their first; `how many does it have?`
after the first of them asks for its figure. Both are answered by the group with its figure.
"""

import re
from collections.abc import Sequence

from sqlglot import exp, parse_one
from sqlglot.errors import SqlglotError

from modelwright.engines.language.catalog.meaning import Additivity, CatalogColumn, Role
from modelwright.engines.language.conversation.statement import DIALECT
from modelwright.engines.language.conversation.turns import Turn, ends_of
from modelwright.engines.language.conversation.words import COUNTED, END, GROUPED, TOP
from modelwright.engines.language.rules.text.words import stem, words
from modelwright.engines.language.vocabulary import (
    aggregate_pattern,
    any_case,
    word_set,
    word_values,
)

_HIGH = "most|highest|largest|biggest|greatest|top|maximum"
_LOW = "fewest|least|lowest|smallest|bottom|minimum"
_END = rf"(?P<high>{_HIGH})|(?P<low>{_LOW})|(?P<named>\w+est)"
_WHICH_END = any_case(
    rf"^(?:which|what|who)(?P<whom>(?: \w+){{0,3}}?) (?:is|was|has|had|have|got|gets|comes) "
    rf"(?:out )?(?:the )?(?:{_END})(?: (?:one|of (?:them|these|those|all)))?$"
)
_THE_END = any_case(rf"^(?:(?:only|just|show(?: me)?)\s+)*(?:the )?(?:{_END}) one$")
_MEASURED: Sequence[tuple[Sequence[str], Sequence[str], Sequence[str]]] = word_values(
    "superlatives.of_amounts"
)
"""What is first by an amount, what is last, and what the amount is called."""
_OF_THOSE = frozenset({"", "one", "of them", "of these", "of those", "one of them"})
_AT_END = any_case(
    rf"^(?:which|what) (?P<group>[\w ]+?) (?:has|have|had|got|gets|\w+ed|wrote|won|made|sold)"
    rf" (?:the )?(?:(?P<high>{_HIGH})|(?P<low>{_LOW})) (?P<what>\S.*)$"
)
_HOW_MANY = any_case(
    r"^(?:(?:with|by) )?how (?:many|much|high|low|large|big)(?: (?P<what>\w+))??"
    r"(?: (?:is|are|was|were) (?:it|that|this|they|those|there)"
    r"|(?: (?:is|are) that)? (?:does|did|do|has|had) (?:it|that|this|he|she|they)"
    r"(?: (?:one|have|has|had|get|got|make|write|sell|win))?)?(?: exactly)?$"
)
_FIGURES = {exp.Sum: "total", exp.Avg: "average", exp.Max: "maximum", exp.Min: "minimum"}
_OF_HOW_MUCH = word_set("superlatives.of_how_many")
_FIGURE = any_case(r"^(?:number of|numbers of)\s+")


def at_an_end(turn: Turn) -> str | None:
    """Makes the whole question of a turn that asks for an end, or of what stands there."""
    return _which_end(turn) or _figure_at_end(turn)


def is_of_an_end(turn: Turn) -> bool:
    """Returns whether a turn asks so, whatever was asked before."""
    return _asked_end(turn) is not None or (
        _HOW_MANY.match(turn.said) is not None and _AT_END.match(turn.earlier) is not None
    )


def _asked_end(turn: Turn) -> tuple[str, str] | None:
    """Returns of which groups an end is asked, and which; None where none is, or of what is not.

    The end is empty where the figure that was told is not what such an end is of: `the oldest` of
    groups with their average price.
    """
    said = END.sub("", turn.said)
    some = _WHICH_END.match(said) or _THE_END.match(said)
    if some is None or (some["named"] and not _is_of_groups(turn)):
        return None
    whom = (some.groupdict().get("whom") or "").strip().lower()
    end = _named_end(turn, some["named"]) if some["named"] else _end(some)
    if whom in _OF_THOSE:
        return "", end
    named = turn.links(f"by {whom}").names
    is_whole = any(one.column and one.span == (3, 3 + len(whom)) for one in named)
    if not is_whole and re.search(
        rf"\b(?:by|per|each|every) {whom}\b", turn.earlier, re.IGNORECASE
    ):
        return "", end  # a unit of time: `per month`
    return (whom, end) if is_whole else None


def _end(some: re.Match[str]) -> str:
    return "top 1" if some["high"] else "bottom 1"


def _is_of_groups(turn: Turn) -> bool:
    """Whether the earlier question asked for figures by group."""
    is_figure = COUNTED.match(turn.earlier) or aggregate_pattern().search(turn.earlier)
    return bool(is_figure and GROUPED.search(turn.earlier))


def _named_end(turn: Turn, named: str) -> str:
    """Returns which end of a figure is told by its amount: the longest of lengths."""
    known = {word.stem for word in words(turn.earlier)}
    for first, last, amounts in _MEASURED:
        if known & set(map(stem, amounts)) and named.lower() in {*first, *last}:
            return "top 1" if named.lower() in first else "bottom 1"
    return ""


def _which_end(turn: Turn) -> str | None:
    """`Which one has the most`: the first of the groups that were told, with its figure."""
    asked, cues = _asked_end(turn), list(GROUPED.finditer(turn.earlier))
    is_figure = COUNTED.match(turn.earlier) or aggregate_pattern().search(turn.earlier)
    if asked is None or not is_figure or len(cues) > 1 or TOP.search(turn.earlier):
        return None
    whom, end = asked
    if not end or ends_of(turn.earlier[: cues[0].start()] if cues else turn.earlier):
        return None
    if not cues:
        return f"{turn.earlier} by {whom}, {end}" if whom else None
    if not whom:
        return f"{turn.earlier}, {end}"
    names = [one.span[1] for one in turn.links(turn.earlier).names if one.span[0] == cues[0].end()]
    if not names:
        return None
    return f"{turn.earlier[: cues[0].end()]}{whom}{turn.earlier[max(names) :]}, {end}"


def _figure_at_end(turn: Turn) -> str | None:
    """`How many does it have`: the figure by which the first of its kind was found."""
    some, before = _HOW_MANY.match(END.sub("", turn.said)), _AT_END.match(turn.earlier)
    if some is None or before is None:
        return None
    what, said = before["what"], (some["what"] or "").lower()
    named = sorted(turn.links(what).names, key=lambda one: one.span)
    is_figure = aggregate_pattern().match(what) or _FIGURE.match(what)
    is_other = said and said not in what.lower().split()
    if not named or is_other or (named[0].span[0] > 0 and not is_figure):
        return None
    group, end = before["group"].strip(), _end(before)
    if is_figure:
        return f"{what} by {group}, {end}"
    column = turn.linker.catalog.column(named[0].table, named[0].column or "")
    if column is None or column.role is not Role.MEASURE:
        return f"number of {what} by {group}, {end}"
    figure = _ranking_figure(turn.sql, is_high=bool(before["high"])) or _usual_figure(
        column, before
    )
    return _told_at_end(figure, what, group, end) if figure else None


def _told_at_end(figure: str, what: str, group: str, end: str) -> str:
    if figure == "minimum":
        return f"{end} {group} by minimum {what}"  # of `minimum price, bottom 1` either end is read
    return f"{figure} {what} by {group}, {end}"


def _ranking_figure(sql: str, *, is_high: bool) -> str:
    """Returns the figure by which the first was found, in words; nothing where it is not known."""
    try:
        tree = parse_one(sql, dialect=DIALECT) if sql else None
    except SqlglotError:
        return ""
    order = tree.args.get("order") if isinstance(tree, exp.Select) else None
    by = order.expressions[0].this if order else None
    if isinstance(tree, exp.Select) and isinstance(by, exp.Column):
        shown = [one.this for one in tree.selects if isinstance(one, exp.Alias)]
        by = next((one for one in shown if one.parent.alias == by.name), by)
    if isinstance(by, exp.Column):
        return "maximum" if is_high else "minimum"
    return next((told for kind, told in _FIGURES.items() if isinstance(by, kind)), "")


def _usual_figure(column: CatalogColumn, before: re.Match[str]) -> str:
    """Words what there is most of: amounts are added up, of others there is one end.

    There is no most of what does not add up.
    """
    if column.additivity is Additivity.SUM:
        return "total"
    if (before["high"] or before["low"]).lower() in _OF_HOW_MUCH:
        return ""
    return "maximum" if before["high"] else "minimum"


__all__ = ["at_an_end", "is_of_an_end"]
