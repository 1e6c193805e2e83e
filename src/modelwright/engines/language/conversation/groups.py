"""Turns that are said of figures by group: the share of each, how many rows each is based on.

Beside them, the groups that are left out for their figure: `leave out the ones with fewer than 50`.
"""

import re
from collections.abc import Callable

from modelwright.engines.language.catalog.meaning import Additivity
from modelwright.engines.language.conversation.turns import Turn, rows_of
from modelwright.engines.language.conversation.words import (
    COUNTED,
    GROUPED,
    LISTED,
    NEGATING,
    NUMBER,
    TOP,
)
from modelwright.engines.language.rules.text.words import stem, words
from modelwright.engines.language.vocabulary import (
    aggregate_pattern,
    aggregates,
    any_case,
    find_cues,
)

_SHARE = r"(?:%|per ?cents?|pct|percentages?|shares?|proportions?)"
_OF_ALL = (
    r"(?: of (?:(?:the|its|their|that) )?(?:(?:grand |overall )?totals?|whole|sum|all(?: \w+)?"
    r"|it|that|them|everything))?"
)
_EACH = r"(?:each|every)(?: (?:one(?: of them)?|of (?:them|these|those)|(?P<{}>(?!one\b)\w+)))?"
_SHARES = tuple(
    any_case(f"^{one}{_OF_ALL}$")
    for one in (
        (
            rf"(?:(?:show|give|tell|express|put) (?:me )?)?(?:(?:that|this|it|those|them|these) )?"
            rf"(?:(?:in|as|by|into) )?(?:an? |the )?{_SHARE}"
        ),
        rf"(?:what(?:'?s| is| are) )?(?:the )?{_SHARE} (?:of|for|per) {_EACH.format('of')}",
        rf"(?:what(?:'?s| is| are) )?(?:{_EACH.format('its')}(?:'?s)?|their|its) {_SHARE}",
        (
            rf"(?:what|which) {_SHARE}(?: of (?:the )?(?:total|whole))?"
            rf" (?:is|are|does|do|has|have|makes?) (?:{_EACH.format('does')}|they)"
            r"(?: (?:have|make up|account for|represent))?"
        ),
    )
)
_SUMS = frozenset(word for one in aggregates() if "total" in one.words for word in one.words)
_TOTAL = any_case(r"^(?:the )?(?:total|sum of)\s+")
_SHOWING = any_case(
    r"^(?:(?:show|give|list|display|find)(?: me)?|what (?:is|are|was|were))\s+(?:the )?"
)

_ROWS = r"(?P<rows>(?!(?:is|are|was|were)\b)[\w-]+)"
_THAT = r"(?:that|this|it|those|these|they|each(?: (?:one|of (?:them|these|those)|\w+))?)"
_BASES = tuple(
    any_case(one)
    for one in (
        (
            rf"^(?:(?:on|from|across|over) )?how many {_ROWS} (?:is|are|was|were) {_THAT}"
            r" (?:based|calculated|computed|averaged|taken) (?:on|from|over|across)$"
        ),
        (
            rf"^(?:(?:is|was) (?:that|this|it) )?(?:based|calculated|computed|averaged)"
            rf" (?:on|from|over|across) how many {_ROWS}$"
        ),
        rf"^how many {_ROWS} (?:does|do|did) {_THAT} (?:cover|include|contain|represent|rest on)$",
        (
            rf"^how many {_ROWS} (?:are|is|were|was|went|go|stand|lie)"
            rf" (?:behind|into) (?:{_THAT}|(?:that|this|the|those|these) \w+)$"
        ),
    )
)
_AVERAGED = frozenset(
    word for one in aggregates() if {"average", "median"} & set(one.words) for word in one.words
)

_KEPT = r"(?:only|just|keep(?: only)?|show(?: me)? only|limit (?:it|that|this) to)"
_FEWER = r"(?:fewer|less) than|under|below"
_MORE = r"more than|over|above"
_TEST = any_case(
    rf"^(?:(?P<out>{NEGATING.pattern})|{_KEPT})\s+(?:(?:the|all|any|every)\s+)?"
    r"(?:(?P<group>\w+)\s+)??"
    r"(?:(?:with|that have|who have|that has|which have|having|(?:that|which) (?:are|is))\s+)?"
    rf"(?:(?P<fewer>{_FEWER})|(?P<more>{_MORE})|(?P<least>at least|no (?:less|fewer) than)"
    rf"|(?P<most>at most|no more than|up to))\s+[$€£]?(?P<n>\d[\d,.]*(?:k|m|bn)?|one|{NUMBER})%?"
    r"(?:\s+(?P<rows>[\w-]+))?$"
)
_OF_EACH = any_case(r"\b(?:each|every)\s+(?=\w)")
_INVERSE = {
    "fewer": "at least", "more": "at most", "least": "fewer than", "most": "more than",
}  # fmt: skip
_SAID = {"fewer": "fewer than", "more": "more than", "least": "at least", "most": "at most"}
_ONES = frozenset({
    "", "one", "ones", "those", "these", "them", "groups", "everyone", "everybody", "anyone",
    "anybody", "everything", "anything", "any", "all",
})  # fmt: skip


def of_groups(turn: Turn) -> str | None:
    """Makes the whole question of a turn that is said of figures by group."""
    return next((whole for one in _TURNS if (whole := one(turn))), None)


def is_of_groups(turn: Turn) -> bool:
    """Returns whether a turn is said of figures by group, and such were told before."""
    if GROUPED.search(turn.earlier) and (_share_of(turn) or _based(turn.said)):
        return True
    return _tested(turn) is not None


def _grouping(text: str) -> re.Match[str] | None:
    """Finds what leads to the word for the groups: `by`, `per`, the `each` of `each author has`."""
    return GROUPED.search(text) or _OF_EACH.search(text)


def _share_of(turn: Turn) -> bool:
    """Whether the shares of the very groups are asked for that were told."""
    some = next(filter(None, (one.match(turn.said) for one in _SHARES)), None)
    named = next(filter(None, some.groupdict().values()), "") if some else ""
    return some is not None and _is_the_group(turn, named.removesuffix("'s"))


def _is_the_group(turn: Turn, named: str) -> bool:
    """Whether a word is what figures were grouped by, or stands for it: `the ones`."""
    if named.lower() in _ONES:
        return True
    cue = _grouping(turn.earlier)
    behind = turn.earlier[cue.end() :] if cue else ""
    return stem(named.lower()) in {word.stem for word in words(behind)[:2]}


def _share(turn: Turn) -> str | None:
    """`As a percentage of the total`, `what's each one's share`: of sums and counts alone."""
    if not _share_of(turn) or TOP.search(turn.earlier):
        return None
    told = _SHOWING.sub("", turn.earlier)
    if any(one.group().lower() not in _SUMS for one in _figures(turn, told)):
        return None
    for pattern, wanted in ((COUNTED, "percentage of "), (_TOTAL, "share of total ")):
        if pattern.match(told):
            return pattern.sub(wanted, told, count=1)
    first = min(turn.links(told).names, key=lambda one: one.span, default=None)
    if first is not None and not first.span[0]:
        return f"share of total {told}" if first.column else f"percentage of {told}"
    return f"{told}, as a percentage of the total"


def _based(said: str) -> re.Match[str] | None:
    return next(filter(None, (one.match(said) for one in _BASES)), None)


def _basis(turn: Turn) -> str | None:
    """`How many reviews is that based on`: the rows of each group that its average is of."""
    some = _based(turn.said)
    cue = GROUPED.search(turn.earlier)
    figures = _figures(turn, turn.earlier)
    if some is None or cue is None or len(figures) != 1 or TOP.search(turn.earlier):
        return None
    (figure,) = figures
    named = [
        one
        for one in turn.links(turn.earlier).names
        if one.column and figure.end() <= one.span[0] and one.span[1] <= cue.start()
    ]
    if figure.group().lower() not in _AVERAGED or not named:
        return None
    amount = min(named, key=lambda one: one.span)
    given = f" where the {amount.text} is not missing" if turn.linker.lacks(amount) else ""
    rest = turn.earlier[amount.span[1] :].strip()
    return f"{turn.earlier[: figure.start()]}number of {some['rows']} {rest}{given}"


def _figures(turn: Turn, text: str) -> list[re.Match[str]]:
    """Finds the words for aggregates; `total` of `average total` is the column Total."""
    taken = [one.span for one in turn.links(text).names if one.column]
    found = list(aggregate_pattern().finditer(text))
    free = [one for one in found if not any(low <= one.start() < high for low, high in taken)]
    return free or found


def _tested(turn: Turn) -> re.Match[str] | None:
    """Returns what tests the figure of each group that was told; None if nothing does."""
    some = _TEST.match(turn.said)
    if some is None or not _grouping(turn.earlier):
        return None
    if not _is_the_group(turn, some["group"] or ""):
        return None
    is_meant = _is_of_the_rows if _counts_groups(turn) else _is_of_the_figure
    return some if is_meant(turn, some["rows"] or "") else None


def _counts_groups(turn: Turn) -> bool:
    """Whether the earlier question asked how many rows each group has."""
    told = _SHOWING.sub("", turn.earlier)
    if aggregate_pattern().search(told) or TOP.search(told) or LISTED.match(told):
        return False
    first = min(turn.links(told).names, key=lambda one: one.span, default=None)
    is_bare = first is not None and first.column is None and not first.span[0]
    return bool(is_bare or COUNTED.match(told) or find_cues("count", told))


def _is_of_the_rows(turn: Turn, named: str) -> bool:
    """Whether a word is what was counted, or none is said."""
    cue = _grouping(turn.earlier)
    before = turn.earlier[: cue.start()] if cue else ""
    return not named or stem(named.lower()) in {word.stem for word in words(before)}


def _is_of_the_figure(turn: Turn, named: str) -> bool:
    """Whether a word is of the figure that was told, or none is said."""
    told = _figure_told(turn)
    return bool(told) and (not named or stem(named.lower()) in {one.stem for one in words(told)})


def _figure_told(turn: Turn) -> str:
    """Returns the one figure of each group in words: `average fee`; nothing if that is not sure."""
    told = _SHOWING.sub("", turn.earlier)
    cue, figures = _grouping(told), _figures(turn, told)
    if cue is None or len(figures) > 1 or TOP.search(told) or LISTED.match(told):
        return ""
    links = turn.links(told[: cue.start()])
    if links.periods or links.values:
        return ""
    if figures:
        return told[figures[0].start() : cue.start()].strip() if not figures[0].start() else ""
    first = min(links.names, key=lambda one: one.span, default=None)
    column = turn.linker.catalog.column(first.table, first.column or "") if first else None
    is_sum = column is not None and column.additivity is Additivity.SUM
    return f"total {first.text}" if first and is_sum and not first.span[0] else ""


def _test(turn: Turn) -> str | None:
    """`Leave out the ones with fewer than 50`: groups of at least so much."""
    some, cue = _tested(turn), _grouping(turn.earlier)
    if some is None or cue is None:
        return None
    kind = next(one for one in _SAID if some[one])
    told = (_INVERSE if some["out"] else _SAID)[kind]
    if not _counts_groups(turn):
        return f"{turn.earlier} with {_figure_told(turn)} {told} {some['n']}"
    counted = [
        one.text
        for one in turn.links(turn.earlier).names
        if one.column is None and one.span[1] <= cue.start()
    ]
    rows = some["rows"] or next(
        iter(counted), rows_of(turn.links(turn.earlier), turn.linker.catalog)
    )
    return f"{turn.earlier} with {told} {some['n']} {rows}"


_TURNS: tuple[Callable[[Turn], str | None], ...] = (_share, _basis, _test)

__all__ = ["is_of_groups", "of_groups"]
