"""Whether the rows themselves are asked for, and whether each value but once."""

import re
from collections.abc import Sequence

from modelwright.engines.language.rules.columns.index import ref
from modelwright.engines.language.rules.mentions.drafting import Draft, entity
from modelwright.engines.language.rules.mentions.mention import Mention
from modelwright.engines.language.rules.mentions.rows import added, only_rows
from modelwright.engines.language.rules.text.patterns import pattern

_HEAD = re.compile(
    r"\s*(?:(?:show|list|find|give|get|display|return|see)\b(?: (?:me|us|all|the|of|every))*\s+)?"
)
_ALL = re.compile(
    rf"{_HEAD.pattern}(?:(?:all|every|the|our|whole|entire|full) )*"
    r"(?P<rows>(?P<plain>rows?|records?|entries|data|everything|table|dataset)|\w+)"
    r"(?: (?:in|of|from) the (?:table|data|dataset))?\W*"
)
_FIRST = 2
_SAME, _WHOLE, _SPELT = 0.8, 0.93, 0.75
_DISTINCT = pattern("measuring distinct")
_VERBAL = frozenset({"and", "who", "that", "they"})


def rows_asked(draft: Draft) -> bool:
    """`Employees hired after June`, `retired seniors`: rows that meet conditions, no column."""
    if len(draft.index.tables) > 1 or not draft.where:
        return not (draft.where or draft.charted) and _all_rows(draft)
    if any(one.plan and one.op == "not in" for (one, *_) in draft.where):
        return False
    head = _HEAD.match(draft.lower)
    begun = start = draft.at(head.end()) if head else 0
    while draft.claimed[start : start + 1] == ["negation"]:
        start += 1
    for low, high in sorted(draft.spans):
        start = high if low == start else start
    until = min((low for low, _ in draft.spans if low >= start), default=len(draft.claimed))
    named = [at for at in range(start, min(start + _FIRST, until)) if entity(draft, at)]
    named = named or [start - 1] * (start > begun)
    if not named or not draft.question.words[named[0]].text.endswith(("s", "people", "staff")):
        return False
    others = [
        m
        for m in draft.question.mentions
        if any(not draft.claimed[at] for at in range(m.start, m.end) if _tells(draft, at))
        and m.quality > _SAME / 2
        and not (m.column.identifier or m.column in draft.filtered)
        and not (
            m.start in named and (m.quality < _WHOLE or only_rows(draft, m)) and not _own(draft, m)
        )
        and not doing(draft, m)
    ]
    return not others


def doing(draft: Draft, mention: Mention) -> bool:
    """`People working more than 50 hours`: the verb of a test names no column to show."""
    last = mention.end - 1
    verb = draft.question.words[last].text.endswith("ing")
    verb = verb or draft.text(last - 1, last) in _VERBAL
    unsure = mention.quality < _WHOLE and mention.start == last
    done = draft.question.words[last].text.endswith("ed")
    ends = {mention.end, mention.end + done}
    return verb and unsure and any(low in ends for low, _ in draft.spans)


def _own(draft: Draft, mention: Mention) -> bool:
    """`Sales this year` are money, `sessions from Asia` what session_id names: no rows."""
    table = any(mention.start in places for places in draft.question.tables.values())
    said, column = draft.text(mention.start, mention.end), mention.column
    stems = {term.stem for term in draft.question.terms[mention.start : mention.end]}
    rest = {term.stem for term in column.name.terms} - stems
    names = column.facts.type == "string" and column.repeated and rest <= {"name"}
    named = (column.refers and mention.named > _SPELT) or (names and mention.explained == 1)
    return not table and (named or (said == "sales" and added(ref(column))))


def _all_rows(draft: Draft) -> bool:
    """`Show all rows`, `orders`: nothing but the rows of the only table."""
    match = _ALL.fullmatch(draft.lower) if len(draft.index.tables) == 1 else None
    if match is None:
        return False
    at = draft.at(match.start("rows"))
    named = max(draft.question.mentions.over(at), key=lambda m: m.quality, default=None)
    rows = entity(draft, at) and draft.question.words[at].text.endswith("s")
    return bool(match["plain"]) or (rows and (named is None or only_rows(draft, named)))


def different(draft: Draft, found: Sequence[Mention]) -> bool:
    """`Different`, or `which cities …` where a city stands in many rows."""
    if _DISTINCT.search(draft.lower):
        return True
    column, alone = found[0].column, len(found) == 1
    if any(one.op == "not in" and one.ref == ref(column) for (one, *_) in draft.where):
        return True
    asks = bool(re.match(r"\s*(?:in )?which\b", draft.lower))
    lists = re.match(r"\s*(?:list|show|what are|name|give|all)\b", draft.lower)
    kinds = bool(lists) or (found[0].start == 0 and (column.repeated or column.refers))
    if (
        kinds
        and len(draft.index.tables) == 1
        and (not draft.where or column.repeated or column.refers)
    ):
        asks = not column.number or column.refers
    repeats = column.facts.distinct < column.facts.rows
    return asks and alone and repeats and not (draft.order or draft.having)


def _tells(draft: Draft, at: int) -> bool:
    return draft.question.terms[at].weight == 1
