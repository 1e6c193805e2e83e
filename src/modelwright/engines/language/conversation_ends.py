"""Turns that ask for one end of figures by group, or for the figure at an end.

`Which one has the most?` after figures of groups asks for their first; `how many does it have?`
after the first of them asks for its figure. Both are answered by the group with its figure.
"""

import re

from modelwright.engines.language.catalog import Role
from modelwright.engines.language.conversation_turns import Turn, ends_of
from modelwright.engines.language.conversation_words import COUNTED, END, GROUPED, TOP
from modelwright.engines.language.readers import NameLink
from modelwright.engines.language.vocabulary import aggregate_pattern, any_case

_HIGH = "most|highest|largest|biggest|greatest|top|maximum"
_LOW = "fewest|least|lowest|smallest|bottom|minimum"
_END = rf"(?:(?P<high>{_HIGH})|(?:{_LOW}))"
_WHICH_END = any_case(
    rf"^(?:which|what|who)(?P<whom>(?: \w+){{0,3}}?) (?:is|was|has|had|have|got|gets|comes) "
    rf"(?:out )?(?:the )?{_END}(?: (?:one|of (?:them|these|those|all)))?$"
    rf"|^(?:(?:only|just|show(?: me)?)\s+)*(?:the )?{_END.replace('high', 'high2')} one$"
)
_OF_THOSE = frozenset({"", "one", "of them", "of these", "of those", "one of them"})
_AT_END = any_case(
    rf"^(?:which|what) (?P<group>[\w ]+?) (?:has|have|had|got|gets|\w+ed|wrote|won|made|sold)"
    rf" (?:the )?{_END} (?P<what>\S.*)$"
)
_HOW_MANY = any_case(
    r"^(?:(?:with|by) )?how (?:many|much|high|low|large|big)(?: (?P<what>\w+))??"
    r"(?: (?:is|are|was|were) (?:it|that|this|they|those|there)"
    r"|(?: (?:is|are) that)? (?:does|did|do|has|had) (?:it|that|this|he|she|they)"
    r"(?: (?:one|have|has|had|get|got|make|write|sell|win))?)?(?: exactly)?$"
)
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
    """Returns of which groups an end is asked, and which; None where none is, or of what is not."""
    some = _WHICH_END.match(END.sub("", turn.said))
    if some is None:
        return None
    whom = (some["whom"] or "").strip().lower()
    end = "top 1" if some["high"] or some["high2"] else "bottom 1"
    if whom in _OF_THOSE:
        return "", end
    named = turn.links(f"by {whom}").names
    is_whole = any(one.column and one.span == (3, 3 + len(whom)) for one in named)
    if not is_whole and re.search(
        rf"\b(?:by|per|each|every) {whom}\b", turn.earlier, re.IGNORECASE
    ):
        return "", end  # a unit of time: `per month`
    return (whom, end) if is_whole else None


def _which_end(turn: Turn) -> str | None:
    """`Which one has the most`: the first of the groups that were told, with its figure."""
    asked, cues = _asked_end(turn), list(GROUPED.finditer(turn.earlier))
    is_figure = COUNTED.match(turn.earlier) or aggregate_pattern().search(turn.earlier)
    if asked is None or not is_figure or len(cues) > 1 or TOP.search(turn.earlier):
        return None
    whom, end = asked
    if ends_of(turn.earlier[: cues[0].start()] if cues else turn.earlier):
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
    what = before["what"]
    named = sorted(turn.links(what).names, key=lambda one: one.span)
    is_figure = aggregate_pattern().match(what) or _FIGURE.match(what)
    if not named or (named[0].span[0] > 0 and not is_figure):
        return None
    said = (some["what"] or "").lower()
    if said and said not in what.lower().split():
        return None
    end = "top 1" if before["high"] else "bottom 1"
    return f"{_as_figure(turn, what, named[0])} by {before['group'].strip()}, {end}"


def _as_figure(turn: Turn, what: str, first: NameLink) -> str:
    """Words what there is most of: rows are counted, amounts added up."""
    if aggregate_pattern().match(what) or _FIGURE.match(what):
        return what
    column = turn.linker.catalog.column(first.table, first.column or "")
    is_amount = column is not None and column.role is Role.MEASURE
    return f"total {what}" if is_amount else f"number of {what}"


__all__ = ["at_an_end", "is_of_an_end"]
