"""Whether the rows themselves are asked for, and whether each value but once.

`Employees hired after June` wants rows, `which cities have hotels` each city once, and neither says
so. Shown wrongly, the answer lists the column of a test, or one name a hundred times.
"""

import re
from collections.abc import Sequence

from modelwright.engines.language.rules.columns.index import ref
from modelwright.engines.language.rules.mentions.draft import Draft, entity
from modelwright.engines.language.rules.mentions.mention import NEARLY_NAMED, Mention
from modelwright.engines.language.rules.mentions.rows import OWN_NAME, added, only_rows
from modelwright.engines.language.rules.text.patterns import pattern
from modelwright.engines.language.vocabulary import word_set

_HEAD = re.compile(
    r"\s*(?:(?:show|list|find|give|get|display|return|see)\b(?: (?:me|us|all|the|of|every))*\s+)?"
)
_ALL = re.compile(
    rf"{_HEAD.pattern}(?:(?:all|every|the|our|whole|entire|full) )*"
    r"(?P<rows>(?P<plain>rows?|records?|entries|data|everything|table|dataset)|\w+)"
    r"(?: (?:in|of|from) the (?:table|data|dataset))?\W*"
)
_WHICH = re.compile(r"\s*(?:in )?which\b")
_LISTS = re.compile(r"\s*(?:list|show|what are|name|give|all)\b")
_ROWS_REACH = 2
"""So many words after what asks for them may name the rows."""
_NAMED = 0.4
"""How good a mention is at least that may ask for a column."""
_DISTINCT = pattern("measuring distinct")
_VERBAL = word_set("lookups.before_verbs")


def rows_asked(draft: Draft) -> bool:
    """`Employees hired after June`, `retired seniors`: rows that meet conditions, no column."""
    if draft.several or not draft.where:
        return not (draft.where or draft.charted) and _all_rows(draft)
    if any(one.plan and one.op == "not in" for (one, *_) in draft.where):
        return False
    rows = _rows_at(draft)
    if not rows or not draft.question.words[rows[0]].text.endswith(("s", "people", "staff")):
        return False
    return not any(_asks_column(draft, mention, rows) for mention in draft.question.mentions)


def _rows_at(draft: Draft) -> list[int]:
    """Where rows are named: after what asks for them and conditions that stand before them."""
    head = _HEAD.match(draft.lower)
    begun = start = draft.at(head.end()) if head else 0
    while draft.claimed[start : start + 1] == ["negation"]:
        start += 1
    for low, high in sorted(draft.spans):
        start = high if low == start else start
    until = min((low for low, _ in draft.spans if low >= start), default=len(draft.claimed))
    named = [at for at in range(start, min(start + _ROWS_REACH, until)) if entity(draft, at)]
    return named or [start - 1] * (start > begun)


def _asks_column(draft: Draft, mention: Mention, rows: Sequence[int]) -> bool:
    """Whether words that nothing explains name a column, and not the rows or what they do."""
    told = [at for at in range(mention.start, mention.end) if _is_telling(draft, at)]
    if all(draft.claimed[at] for at in told) or mention.quality <= _NAMED:
        return False
    if mention.column.identifier or mention.column in draft.filtered:
        return False
    of_rows = mention.quality < OWN_NAME or only_rows(draft, mention)
    if mention.start in rows and of_rows and not _is_own_name(draft, mention):
        return False
    return not is_test_verb(draft, mention)


def is_test_verb(draft: Draft, mention: Mention) -> bool:
    """`People working more than 50 hours`: the verb of a test names no column to show."""
    last = mention.end - 1
    verb = draft.question.words[last].text.endswith("ing")
    verb = verb or draft.text(last - 1, last) in _VERBAL
    unsure = mention.quality < OWN_NAME and mention.start == last
    done = draft.question.words[last].text.endswith("ed")
    ends = {mention.end, mention.end + done}
    return verb and unsure and any(low in ends for low, _ in draft.spans)


def _is_own_name(draft: Draft, mention: Mention) -> bool:
    """`Sales this year` are money, `sessions from Asia` what session_id names: no rows."""
    table = mention.start in draft.question.table_words
    said, column = draft.text(mention.start, mention.end), mention.column
    stems = {term.stem for term in draft.question.terms[mention.start : mention.end]}
    rest = {term.stem for term in column.name.terms} - stems
    names = column.facts.type == "string" and column.repeated and rest <= {"name"}
    named = (column.refers and mention.named > NEARLY_NAMED) or (names and mention.explained == 1)
    return not table and (named or (said == "sales" and added(ref(column))))


def _all_rows(draft: Draft) -> bool:
    """`Show all rows`, `orders`: nothing but the rows of the only table."""
    match = _ALL.fullmatch(draft.lower) if not draft.several else None
    if match is None:
        return False
    at = draft.at(match.start("rows"))
    named = max(draft.question.mentions.over(at), key=lambda m: m.quality, default=None)
    rows = entity(draft, at) and draft.question.words[at].text.endswith("s")
    return bool(match["plain"]) or (rows and (named is None or only_rows(draft, named)))


def asks_different(draft: Draft, found: Sequence[Mention]) -> bool:
    """`Different`, or `which cities …` where a city stands in many rows."""
    if _DISTINCT.search(draft.lower):
        return True
    column, repeats = found[0].column, found[0].column.repeated or found[0].column.refers
    if any(one.op == "not in" and one.ref == ref(column) for (one, *_) in draft.where):
        return True
    unique = column.facts.distinct >= column.facts.rows
    if len(found) > 1 or unique or draft.order or draft.having:
        return False
    lists = _LISTS.match(draft.lower) or (found[0].start == 0 and repeats)
    if lists and not draft.several and (repeats or not draft.where):
        return not column.number or column.refers
    return bool(_WHICH.match(draft.lower))


def _is_telling(draft: Draft, at: int) -> bool:
    return draft.question.terms[at].weight == 1
