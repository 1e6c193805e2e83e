"""Conditions that are said after a question: put behind it, or in the place of one of its own.

Said after a question, `under 10` narrows it or takes the place of what it said before: which of
both is settled here, or the turn is left to other readers.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from modelwright.engines.language.catalog.meaning import Catalog, Role
from modelwright.engines.language.conversation.turns import (
    ASKED_OTHERWISE,
    Turn,
    moved_period,
    rows_of,
)
from modelwright.engines.language.conversation.words import LED, NEGATING, TOP
from modelwright.engines.language.readers import Links, Period, ValueLink
from modelwright.engines.language.vocabulary import any_case, find_cues

Place = tuple[str, str | None]

_ONLY = any_case(r"\b(?:only|just)\s+(?P<rest>.+)$")
_ONLY_BEHIND = any_case(r"^(?P<rest>.+?)\s+(?:only|alone)$")
_CONDITION = any_case(
    r"^(?:(?:for|of)\s+)?(?:those|these|the ones|ones)\s+\S"
    r"|^(?:with|without|where|who|whose|that|for|in|from|among|since|before|after|between)\s+\S"
)
_THOSE = any_case(r"^(?:(?:for|of|the|those|these|ones)\s+)*(?:ones?\s+)?")
_ONES = any_case(r"\s+(?:ones?|please)$")
_PREPOSITION = any_case(
    r"^(?:in|for|of|from|with|without|among|on|at|since|before|after|between|over|under"
    r"|above|below|where)\b"
)
_CLAUSE = any_case(r"^(?:who|that|which|whose)\b|^\w+ing\b")
_PRESENTED = any_case(
    r"\b(?:chart|plot|graph|histogram|ascending|descending|alphabetical\w*|first|percent\w*"
    r"|per cent|shares?|instead|same)\b|%"
)
"""Words that change how something is shown."""
_LEFT_OUT = any_case(
    rf"^{NEGATING.pattern}\s+(?P<what>(?:the\s+)?[\w.&'/-]+(?: [\w.&'/-]+){{0,2}})$"
)
"""A name of few words that is left out."""
_INVERSE = {
    "fewer than": "at least", "less than": "at least", "under": "at least", "below": "at least",
    "more than": "at most", "over": "at most", "above": "at most", "at least": "fewer than",
    "at most": "more than",
}  # fmt: skip
_ONES_OUT = (
    rf"^{NEGATING.pattern}\s+(?:(?:all|any)\s+)?(?:(?:of\s+)?(?:the|those|these)\s+)?"
    r"(?:ones?|those|these|everyone|everything)\s+"
)
_DOUBLY_DENIED = any_case(
    rf"{_ONES_OUT}(?P<who>who|that|which)\s*(?P<verb>is|are|was|were|has|have|had|'s|'re)"
    r"\s+(?:not|no longer|never|n't)\s+(?P<rest>\S.*)$"
)
_TESTED_OUT = any_case(
    rf"{_ONES_OUT}(?:with|that have|who have|that has|which have|having)\s+"
    rf"(?P<way>{'|'.join(_INVERSE)})\s+(?P<n>\d[\d.,]*)\s+(?P<amount>[\w-]+)$"
)
_FIGURE = any_case(r"\s*(?:the\s+|an?\s+)?[$€£]?\d[\d.,]*(?:k|m|bn|%)?")
_BARE = any_case(r"^(?:only|just|and|but|now|those|the|ones?|with|for|\s|,)*$")
_SET_BESIDE = any_case(
    r"^(?:how (?:does|do|did) (?:that|it|this|they) )?(?:compare[ds]?(?: (?:it|that|this|them))?"
    r" (?:to|with|against)|in comparison (?:to|with)|as against|versus|vs\.?|against)\s+"
    r"(?P<other>\S.*)$"
)
_ARTICLE = any_case(r"^(?:the|that of|those of|that in|those in|in|for|of)\s+(?:the\s+)?")
MOST_BESIDE_PERIOD = 3
"""Letters beside a period that say nothing else: `in`."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """Words that compare with a number: `over 60`."""

    start: int
    end: int
    columns: frozenset[Place]
    """What is named right before them, or right after."""


def is_set_beside(whole: str) -> bool:
    """Returns whether something is to be told beside what was asked: `compared to the south`."""
    return _SET_BESIDE.match(LED.sub("", whole)) is not None


def set_beside(turn: Turn, whole: str) -> str | None:
    """`Compared to the south`: tells another value, or another period, beside the only one."""
    some = _SET_BESIDE.match(LED.sub("", whole))
    if some is None:
        return None
    other = _ARTICLE.sub("", some["other"])
    said, held = turn.links(other), turn.links(turn.earlier)
    moved = moved_period(turn, other)
    if moved:
        return f"{turn.earlier} compared to {moved}"
    if said.periods:
        is_one = len(said.periods) == len(held.periods) == 1 and _is_all(other, said.periods[0])
        return f"{turn.earlier} compared to {other}" if is_one else None
    places = {(one.table, one.column) for one in said.values if _is_all(other, one)}
    spans = {one.span for one in held.values if (one.table, one.column) in places}
    return f"{turn.earlier} compared to {other}" if len(spans) == 1 else None


def _is_all(text: str, link: Period | ValueLink) -> bool:
    """Whether a link tells a text from its first word on, and the rest names no more."""
    return link.span[0] == 0 and len(text[link.span[1] :].split()) <= 1


def compared(turn: Turn, whole: str) -> str | None:
    """`Under 10`: puts a comparison in the place of the one of the same column, or the only one."""
    said, old = list(_comparisons(turn, whole)), list(_comparisons(turn, turn.earlier))
    if len(said) != 1 or len(old) != 1:
        return None
    (new,) = said
    beside = whole[: new.start] + whole[new.end :]
    for link in turn.links(whole).names:
        beside = beside.replace(link.text, "")
    is_same = not new.columns or bool(new.columns & old[0].columns)
    if not _BARE.match(beside) or not is_same:
        return None
    return turn.earlier[: old[0].start] + whole[new.start : new.end] + turn.earlier[old[0].end :]


def _comparisons(turn: Turn, text: str) -> Iterator[Comparison]:
    links = turn.links(text)
    times = [one.span for one in links.periods]
    for cue in (*find_cues("above", text), *find_cues("below", text)):
        figure = _FIGURE.match(text, cue.end)
        if figure is None or any(start <= figure.end() - 1 < end for start, end in times):
            continue
        beside = (
            (one.table, one.column)
            for one in links.names
            if one.column
            and (
                not text[one.span[1] : cue.start].strip()
                if one.span[1] <= cue.start
                else not text[figure.end() : one.span[0]].strip()
            )
        )
        yield Comparison(cue.start, figure.end(), frozenset(beside))


def narrowed(turn: Turn, whole: str, catalog: Catalog) -> str | None:
    """`Only players with ten years`: what narrows is put behind the earlier question as it is said.

    Where the earlier question names another value of the same column, or a period in place of
    which one is said, it is left to who puts one in the place of the other.
    """
    said = LED.sub("", whole)
    only = _ONLY.search(said) or _ONLY_BEHIND.match(said)
    rest = only["rest"] if only else said
    if not only and not _CONDITION.match(rest):
        return None
    told, earlier = turn.links(rest), turn.links(turn.earlier)
    if any(one.search(rest) for one in (_PRESENTED, TOP)) or ASKED_OTHERWISE.search(
        _without_names(rest, told)
    ):
        return None
    held = {(one.table, one.column) for one in earlier.values}
    denies = rest.lower().startswith("without ")
    if any(denies or (one.table, one.column) in held for one in told.values):
        return None
    if told.periods and _is_only_a_period(rest, told, earlier):
        return None
    if not only and not _tells_rows(rest, told, catalog):
        return None
    return f"{turn.earlier} {_as_condition(turn, rest, earlier)}"


def _without_names(text: str, links: Links) -> str:
    """Blanks out names and values: the `per` of `hours per week` groups nothing."""
    for start, end in [one.span for one in links.of_tables]:
        text = text[:start] + "_" * (end - start) + text[end:]
    return text


def turned_round(turn: Turn, whole: str) -> str | None:
    """`Leave out the ones with fewer than 3 rooms`: only those with at least 3.

    Rows that hold nothing of it are neither; where there are such, it is not turned round.
    """
    said = LED.sub("", whole)
    denied, tested = _DOUBLY_DENIED.match(said), _TESTED_OUT.match(said)
    some = denied or tested
    links = turn.links(some[some.lastgroup or 0] if some else "")
    columns = [one for one in links.of_tables if one.column]
    if some is None or not columns or any(map(turn.linker.lacks, columns)):
        return None
    if denied:
        return f"only those {denied['who']} {denied['verb']} {denied['rest']}"
    way = _INVERSE[some["way"].lower()]
    return f"only those with {way} {some['n']} {some['amount']}"


def left_out(turn: Turn, whole: str) -> str | None:
    """`Exclude the UK`: what no link tells is left out as it is said, for the readers to know."""
    some = _LEFT_OUT.match(LED.sub("", whole))
    if some is None or not some["what"]:
        return None
    said = turn.links(some["what"])
    told = said.values or said.periods or said.numbers or said.names
    if told or ASKED_OTHERWISE.search(whole) or _PRESENTED.search(whole):
        return None
    return f"{turn.earlier} excluding {some['what']}"


def _is_only_a_period(rest: str, told: Links, earlier: Links) -> bool:
    start, end = told.periods[0].span[0], told.periods[-1].span[1]
    beside = _THOSE.sub("", rest[:start]) + rest[end:]
    return bool(earlier.periods) or len(beside.strip()) < MOST_BESIDE_PERIOD


def _tells_rows(rest: str, told: Links, catalog: Catalog) -> bool:
    """Returns whether a phrase tells which rows are meant, not what is shown of them."""
    if told.values or told.periods or told.numbers or _CLAUSE.match(_THOSE.sub("", rest)):
        return True
    named = (catalog.column(one.table, one.column) for one in told.names if one.column)
    return any(one is not None and one.role is Role.FLAG for one in named)


def _as_condition(turn: Turn, rest: str, earlier: Links) -> str:
    """Words what narrows so that it may stand behind a question."""
    kept = _ONES.sub("", _THOSE.sub("", rest))
    is_value = any(one.span[0] == 0 for one in turn.links(kept).values)  # `Engineering`
    if not is_value and _CLAUSE.match(kept):
        return f"for {rows_of(earlier, turn.linker.catalog)} {kept}"
    lead = rest if rest.lower().startswith("for ") and not _PREPOSITION.match(kept) else kept
    return lead if _PREPOSITION.match(lead) else f"for {lead}"
