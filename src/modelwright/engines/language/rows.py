"""What a question over one table asks of its rows: the rows themselves, who they are, their sum."""

import re
from collections.abc import Sequence

from modelwright.engines.language.drafting import AMOUNTS, Draft, entity, named_tables
from modelwright.engines.language.index import Column, ref
from modelwright.engines.language.mentions import Mention
from modelwright.engines.language.patterns import pairs, pattern
from modelwright.engines.language.plan import Measure, Ref
from modelwright.engines.language.units import measures
from modelwright.engines.language.words import name_parts

_WHO = next(fits for kind, _, fits in pairs("clues roles") if kind == "who")
_HEAD = re.compile(
    r"\s*(?:(?:show|list|find|give|get|display|return|see)\b(?: (?:me|us|all|the|of|every))*\s+)?"
)
_FIRST = 2
_SAME, _WHOLE = 0.8, 0.93
_ADDED = pattern("rows added")
_NOT_ADDED = pattern("rows not added")
_PERSONS = pattern("rows persons")
_ASKED = pattern("rows asked")
_DISTINCT, _SOLD = pattern("measuring distinct"), pattern("measuring sold")
_TOLD = 0.9
_SCALE = 20
"""A column of so few different numbers is a scale, not an amount."""
_CODES = re.compile(r"\b(?:zip ?codes?|zip|post(?:al)? ?codes?)\b")
_REVENUE = re.compile(r"\b(?:revenue|turnover)\b")
_VERBAL = frozenset({"and", "who", "that", "they"})
_VERB = 3
_LOSES = re.compile(r"\b(?:lose|loses|losing|lost)(?: us)?(?: the)?$")
_PROFIT = pattern("signs profit")
LAST = re.compile(r"\s*(?:which|who|what)\b.*\b(?P<verb>\w+) (?P<way>first|last)\W*$")


def rows_asked(draft: Draft) -> bool:
    """`Employees hired after June`, `retired seniors`: rows that meet conditions, no column."""
    if len(draft.index.tables) > 1 or not draft.where:
        return False
    if any(one.plan and one.op == "not in" for (one, *_) in draft.where):
        return False
    head = _HEAD.match(draft.lower)
    begun = start = draft.at(head.end()) if head else 0
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
        and not (m.start in named and (m.quality < _WHOLE or only_rows(draft, m)))
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


def only_rows(draft: Draft, mention: Mention) -> bool:
    """`Returned orders by product`: the word names the rows, not a column that is like it.

    So do `flights` where a column of whole numbers, that are no amounts, is called Flight.
    """
    words, column = range(mention.start, mention.end), mention.column
    last = draft.question.words[mention.end - 1].text
    if last == "sales" and added(ref(column)):
        return False
    code = last.endswith("s") and column.facts.type == "integer" and not added(ref(column))
    code = code and not column.facts.name.lower().endswith("s")
    stems = {term.stem for term in draft.question.terms[mention.start : mention.end]}
    unsaid = any(one.stem in AMOUNTS and one.stem not in stems for one in column.name.terms)
    unsure = mention.quality < _WHOLE or code or unsaid
    loose = column.identifier or ((column.number or column.date) and unsure)
    return len(draft.index.tables) == 1 and loose and all(entity(draft, at) for at in words)


def _tells(draft: Draft, at: int) -> bool:
    return draft.question.terms[at].weight == 1


def added(one: Ref) -> bool:
    """Whether a column's numbers are amounts that are told as sums: revenue, profit, units."""
    return bool(_ADDED.search(" ".join(name_parts(one.column)))) and not averaged(one)


def averaged(one: Ref) -> bool:
    """Whether a column's numbers are told as averages only: medians, rates, unit costs."""
    return bool(_NOT_ADDED.search(" ".join(name_parts(one.column))))


def who(draft: Draft) -> Column | None:
    """The column that says who a row is: a name, else the text that names people."""
    texts = [column for column in draft.index.columns if column.facts.type == "string"]
    cues = _WHO, _PERSONS
    told = [(one, one.facts.name.lower(), " ".join(name_parts(one.facts.name))) for one in texts]
    found = [
        one for one, *names in told if any(map(lambda cue, name: cue.search(name), cues, names))
    ]
    return max(found, key=lambda one: one.facts.distinct, default=None)


def summed(draft: Draft) -> bool:
    """`What was our revenue in March` adds up: the column is an amount and many rows are meant."""
    if len(draft.index.tables) > 1 or draft.group or draft.order or len(draft.select) != 1:
        return False
    one = draft.select[0]
    column = draft.index.column(one.ref) if one.ref else None
    if one.aggregate or column is None or not column.number:
        return False
    return bool(
        (added(ref(column)) or _REVENUE.search(draft.lower))
        and (_ASKED.match(draft.lower) or draft.claimed[:1] == ["time"])
        and not any(_single(draft, options[0].ref.column) for options in draft.where)
        and (column.facts.distinct > _SCALE or draft.lower.startswith("how much "))
    )


def _single(draft: Draft, name: str) -> bool:
    """Whether a test of that column leaves about one row."""
    column = next(c for c in draft.index.columns if c.facts.name == name)
    many = column.number or column.date
    return not many and column.facts.distinct > _TOLD * column.facts.rows


def add_up(draft: Draft) -> None:
    """Sums the amount that a question names alone, or asks `how much` of."""
    if draft.lower.startswith("how much "):
        amounts = [m for m in draft.select if m.ref and amount(draft.index.column(m.ref))]
        draft.select = amounts or draft.select
    if summed(draft):
        draft.select = [Measure("sum", draft.select[0].ref)]
        draft.added = True


def amount(column: Column) -> bool:
    """Whether a column holds numbers to rank, not the names of rows, here or elsewhere."""
    return column.number and not (column.identifier or column.keyed or coded(column))


def coded(column: Column) -> bool:
    """Whether numbers are but names of places, which are many rows each."""
    return bool(_CODES.search(" ".join(name_parts(column.facts.name))))


def amount_at(draft: Draft, start: int, end: int) -> Mention | None:
    """The amount that begins in a stretch of words; a keyed number only by its whole name."""
    return draft.pick(start, end, amount) or draft.pick(start, end, lambda c: c.number, _WHOLE)


def of_person(draft: Draft, measure: Measure) -> bool:
    """`Who earns the most` is one row; `who sold the most` adds up."""
    asks = draft.lower.lstrip().startswith("who ")
    return asks and measure.ref is not None and not added(measure.ref)


def of_verb(draft: Draft, at: int) -> Measure | None:
    """`Earns the most`, `sold the most`: the verb itself names the amount."""
    if (
        draft.text(at, at + 1) not in {"most", "least", "best", "worst"}
        or len(draft.index.tables) > 1
    ):
        return None
    after = range(at + 1, min(at + 3, len(draft.claimed)))
    if any(entity(draft, place) and draft.claimed[place] != "condition" for place in after):
        return None
    earned = [one for one in draft.index.columns if earns(one)]
    if loses(draft, at) and len(earned) == 1:
        draft.claim(at - 2, at, "measure")
        if draft.text(at + 1, at + 2) == "money":
            draft.claim(at + 1, at + 2, "measure")
        return Measure(None, ref(earned[0]))
    named = draft.pick(max(1, at - _VERB), at, amount, 0.3)
    if named is None or sold_only(draft, named):
        return None
    draft.claim(named.start, named.end, "measure")
    return Measure(None, ref(named.column))


def sold_only(draft: Draft, mention: Mention) -> bool:
    """`Sells the most` is of how often, not of the price of one."""
    said = draft.text(mention.start, mention.end)
    return bool(_SOLD.search(said)) and not added(ref(mention.column))


def loses(draft: Draft, at: int) -> bool:
    """Whether the word before a superlative turns it round: `loses the most`."""
    return bool(_LOSES.search(draft.text(at - _VERB, at)))


def earns(column: Column) -> bool:
    """Whether a column says what was earned, losses included."""
    low = column.facts.minimum
    below = column.number and isinstance(low, int | float) and low < 0
    return below and bool(_PROFIT.search(" ".join(name_parts(column.facts.name))))


def recent(draft: Draft, head: int, at: int) -> Measure | None:
    """`Hired most recently`: the date that the verb names, else the only one."""
    if len(draft.index.tables) > 1 or not draft.text(at + 1, at + 2).startswith("recent"):
        return None
    dates = [column for column in draft.index.columns if column.date]
    named = draft.pick(head, at + 3, lambda c: c.date, 0.3)
    if named is None and len(dates) != 1:
        return None
    draft.claim(at, at + 2, "superlative")
    if named is None:
        return Measure(None, ref(dates[0]))
    draft.claim(named.start, named.end, "measure")
    return Measure(None, ref(named.column))


def last_by(draft: Draft, match: re.Match[str]) -> Ref | None:
    """The date that the verb names in `opened last`, `hired first`, else the only one."""
    verb, way = draft.at(match.start("verb")), draft.at(match.start("way"))
    if draft.claimed[way]:
        return None
    tables = set(named_tables(draft)) or {table.name for table in draft.index.tables}
    dates = [column for column in draft.index.columns if column.date and column.table in tables]
    named = draft.pick(verb, way, lambda c: c.date, 0.3)
    if named is None and len(dates) != 1:
        return None
    draft.claim(verb, way + 1, "superlative")
    return ref(named.column if named else dates[0])


def different(draft: Draft, found: Sequence[Mention]) -> bool:
    """`Different`, or `which cities …` where a city stands in many rows."""
    if _DISTINCT.search(draft.lower):
        return True
    column, alone = found[0].column, len(found) == 1
    if any(one.op == "not in" and one.ref == ref(column) for (one, *_) in draft.where):
        return True
    asks = bool(re.match(r"\s*(?:in )?which\b", draft.lower))
    lists = re.match(r"\s*(?:list|show|what are|name|give)\b", draft.lower)
    kinds = bool(lists) or (found[0].start == 0 and column.repeated)
    if kinds and len(draft.index.tables) == 1 and (not draft.where or column.repeated):
        asks = not column.number
    repeats = column.facts.distinct < column.facts.rows
    return asks and alone and repeats and not (draft.order or draft.having)


def tells_how_many(draft: Draft, one: Measure, at: int) -> bool:
    """Whether whole numbers count things, by the plural they are called: violations, goals.

    A unit that is said at a place is as good: the most kilometers.
    """
    if one.ref and measures(draft.text(at, at + 1)):
        return True
    column = draft.index.column(one.ref) if one.ref else None
    return (
        column is not None
        and column.facts.type == "integer"
        and column.name.terms[-1].text.endswith("s")
        and not averaged(ref(column))
    )


def in_groups(one: Measure, said: str = "", *, added_up: bool = False) -> Measure:
    """A number beside groups is summed where it is an amount or said to be one, else averaged."""
    summed = one.ref and (
        added_up or added(one.ref) or (_REVENUE.search(said) and not averaged(one.ref))
    )
    return Measure("sum" if summed else "avg", one.ref)
