"""What a question over several tables counts or adds up: rows, kinds, people, money.

Joined tables repeat rows, so that it matters what is counted: rows of which table, different
values, or people that a column counts. It is settled from the words right behind the count, before
tables are joined.
"""

import re

from modelwright.engines.language.rules.columns.index import ref
from modelwright.engines.language.rules.measures.extremes import counted_table, numbered
from modelwright.engines.language.rules.mentions.draft import AMOUNTS, Draft
from modelwright.engines.language.rules.mentions.mention import SURELY_NAMED, Mention
from modelwright.engines.language.rules.mentions.rows import amount
from modelwright.engines.language.rules.plans.plan import Measure
from modelwright.engines.language.rules.several.condition_clauses import after_tail
from modelwright.engines.language.rules.text.patterns import pattern
from modelwright.engines.language.vocabulary import word_set

_COUNT = pattern("heads count")
_AGGREGATED = pattern("heads aggregated")
_LIVING = re.compile(r"\w+ (?:live|living|reside)")
_PARTED = word_set("small_words.behind_heads")
_MUCH = re.compile(r"\bhow much(?: money| revenue)?(?= (?:was|were|has|have|had|did)\b)")


def read_counts(draft: Draft) -> None:
    """Adds counts and sums, and claims the words that ask for them."""
    _read_much(draft)
    counts = [m for m in _COUNT.finditer(draft.lower) if not draft.claimed[draft.at(m.start())]]
    for match in counts:
        _read_count(draft, match)


def _read_much(draft: Draft) -> None:
    """`How much was paid` adds up the amounts of what is spoken of."""
    match = _MUCH.search(draft.lower)
    if match is None or any(draft.claimed[draft.at(match.start()) : draft.at(match.end())]):
        return
    home = max(draft.home, key=draft.home.__getitem__)
    own = [c for c in draft.index.in_table(home) if amount(c)]
    told = [c for c in own if AMOUNTS & {term.stem for term in c.name.terms}]
    named = draft.pick(draft.at(match.end()), len(draft.claimed), amount)
    column = named.column if named else next(iter(told), None)
    if column is not None:
        draft.claim_text(match, "measure")
        draft.claim(*((named.start, named.end) if named else (0, 0)), "measure")
        draft.select.append(Measure("sum", ref(column)))


def _read_count(draft: Draft, match: re.Match[str]) -> None:
    """`How many singers`, `the number of different countries`, `number of products` as a column."""
    start, end = draft.at(match.start()), draft.at(match.end())
    distinct = bool(match.group("distinct"))
    if after_tail(draft, match.start()) or inside_name(draft, start) or _ends_name(draft, start):
        return
    own = None if distinct else numbered(draft, start, end + 3)
    if own is not None and _AGGREGATED.search(draft.lower[: match.start()]):
        return
    draft.claim_text(match, "measure")
    if own is not None and own.end > end and draft.free(own):
        draft.claim(own.start, own.end, "measure")
        summed = match.group().startswith(("how", "total"))
        draft.select.append(Measure("sum" if summed else None, ref(own.column)))
        return
    counted = _counted(draft, end, distinct=distinct)
    if counted not in draft.select:
        draft.select.append(counted)


def _ends_name(draft: Draft, at: int) -> bool:
    """`Phone numbers` of a column called so are no counts."""
    before = draft.question.mentions.over(at - 1)
    plural = draft.text(at, at + 1) == "numbers"
    return plural and any(m.end == at and m.quality > SURELY_NAMED for m in before)


def _counted(draft: Draft, end: int, *, distinct: bool) -> Measure:
    """What the words after `how many` have counted: rows of a table, values, people."""
    reach = next((at for at in range(end, end + 4) if draft.text(at, at + 1) in _PARTED), end + 4)
    named = draft.pick(end, reach, least=0.42 if distinct else 0.6)
    table = counted_table(draft, end)
    different = _different(draft, end, named, table) if distinct else None
    if different is not None:
        return different
    people = None if table and not _LIVING.match(draft.text(end, end + 2)) else _people(draft, end)
    if people is not None:
        return people
    if table is not None:
        draft.counted = draft.counted or table
        places = [at for at in draft.question.tables[table] if end <= at < end + 3]
        draft.claim(places[0], places[0] + 1, "rows")
        return Measure("count")
    if named is not None and not named.column.number:
        draft.claim(end, named.end, "measure")
        is_done = named.column.date and not distinct  # `bookings` of booked_at are rows
        return Measure("count" if draft.group or is_done else "count_distinct", ref(named.column))
    is_value = draft.question.is_value(end)
    if end in draft.open_words() and not is_value:
        draft.unread.append(draft.text(end, end + 1))
    return Measure("count")


def _different(draft: Draft, end: int, named: Mention | None, table: str | None) -> Measure | None:
    """`How many different singers`, `how many different countries`: rows by key, or values."""
    is_table = table is not None and end in draft.question.tables[table]
    if table and is_table and (named is None or named.start > end + 1):
        draft.claim(end, end + 1, "rows")
        return Measure("count_distinct", ref(draft.index.key(table) or draft.index.naming(table)))
    if named is None:
        return None
    draft.claim(end, named.end, "measure")
    return Measure("count_distinct", ref(named.column))


def _people(draft: Draft, end: int) -> Measure | None:
    """`How many people` adds up a column of people."""
    named = draft.pick(end, end + 1, lambda c: c.number and not c.identifier, 0.45)
    if named is None or named.end != end + 1:
        return None
    draft.claim(end, end + 1, "measure")
    return Measure("sum", ref(named.column))


def inside_name(draft: Draft, at: int) -> bool:
    """Whether a word is inside a column's name: `per` of miles per gallon."""
    return any(m.start < at and m.quality > SURELY_NAMED for m in draft.question.mentions.over(at))
