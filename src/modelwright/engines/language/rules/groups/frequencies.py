"""How many rows come to each of something, on average: orders per customer, calls a day.

`Average orders per customer` is no average of a column: rows are counted first and the counts
averaged. It is read before `average` and `per` are, each of which alone would make another question
of it.
"""

from collections.abc import Mapping
from typing import cast

from modelwright.engines.language.rules.columns.index import Column, ref
from modelwright.engines.language.rules.columns.schema import Key
from modelwright.engines.language.rules.groups.grouping import PERIODS
from modelwright.engines.language.rules.measures.extremes import counted_table
from modelwright.engines.language.rules.mentions.draft import Draft, entity
from modelwright.engines.language.rules.mentions.rows import added, amount
from modelwright.engines.language.rules.plans.plan import Measure, Ref, Unit
from modelwright.engines.language.rules.text.patterns import patterns
from modelwright.engines.language.rules.times.usual_dates import usual_date
from modelwright.engines.language.vocabulary import word_set, word_values

_CUES = patterns("frequencies")
_ADVERBS: Mapping[str, str] = word_values("times.how_often")
_WORTHS = word_set("averages.worths")
_KIND_QUALITY = 0.42
"""How surely a word must mean the column whose values rows come to, 0 to 1."""
_NAME_SAID = 0.8
"""How much of a name must be said to call a number so, 0 to 1."""
_AMOUNT_QUALITY = 0.6
"""How surely words must mean the amount that is added up, 0 to 1."""
_SURE = 0.6
"""How surely words must mean a column, 0 to 1."""
_ALL_SAID = 0.9
"""How much of the words a name must explain to be their own, 0 to 1."""


def read_frequency(draft: Draft) -> None:
    """Reads the rows that are counted and what they come to, before `per` makes groups of it."""
    for _, cue in _CUES:
        for match in cue.finditer(draft.lower):
            said = match.groupdict()
            at = draft.at(match.end("rows")) - 1
            place = draft.at(match.start("each")) if "each" in said else at
            unit = _ADVERBS.get(said.get("way", ""))
            if any(_telling(draft, one) for one in range(draft.at(match.start("rows")), at)):
                continue
            counts = _counts(draft, at) and not _names_amount(draft, at + 1)
            found = (
                _frequency(draft, at, place, unit) if counts else _summed(draft, at, place, unit)
            )
            if found is None:
                continue
            draft.claim(at, at + 1, "rows")
            for name in said.keys() - {"rows"}:
                draft.claim_text(match, "measure", name)
            draft.select.append(found)
            return


def _telling(draft: Draft, at: int) -> bool:
    """Whether a word before the rows says which of them, and was not read."""
    named = draft.question.mentions.quality_at(at) > _SURE
    held = draft.question.is_value(at)
    return at in draft.open_words() and not (named or held or entity(draft, at))


def _counts(draft: Draft, at: int) -> bool:
    """Whether a word names the rows, and no number is called so."""
    said = [m for m in draft.question.mentions.over(at) if m.named > _NAME_SAID]
    numbers = [m for m in said if m.explained > _ALL_SAID and amount(m.column)]
    return entity(draft, at) and not draft.claimed[at] and not numbers


def _names_amount(draft: Draft, at: int) -> bool:
    """Whether a word is of an amount: `value` of `average monthly order value`."""
    named = any(m.quality > _SURE and amount(m.column) for m in draft.question.mentions.over(at))
    return named or draft.text(at, at + 1) in _WORTHS


def _frequency(draft: Draft, rows: int, place: int, unit: str | None) -> Measure | None:
    said = unit or draft.text(place, place + 1)
    many = draft.several
    table = counted_table(draft, rows) if many else draft.index.tables[0].name
    if table is None:
        return None
    if said in PERIODS | {"hour"}:
        date = _date(draft, table)
        return Measure("per", ref(date), unit=cast("Unit", said)) if date else None
    each = _pointing(draft, table, place) if many else None
    if each is None:
        named = draft.pick(
            place, place + 1, lambda c: c.table == table and _repeats(c), _KIND_QUALITY
        )
        if named is not None:
            draft.claim(place, named.end, "measure")
            each = ref(named.column)
    return Measure("per", each) if each else None


def _summed(draft: Draft, at: int, place: int, unit: str | None) -> Measure | None:
    """`Average monthly revenue`: the sum of an amount over the periods, no mean of the rows."""
    said, date = unit or draft.text(place, place + 1), usual_date(draft)
    told = [m for m in draft.question.mentions.over(at) if m.end > at and amount(m.column)]
    named = max(told, key=lambda m: m.quality, default=None)
    many = draft.several
    if many or date is None or named is None or said not in PERIODS or draft.claimed[at]:
        return None
    own = {term.text for term in named.column.name.terms}
    if max(named.quality, named.explained) < _AMOUNT_QUALITY or not added(ref(named.column)):
        return None
    if {said, *(way for way, each in _ADVERBS.items() if each == said)} & own:
        return None
    draft.claim(named.start, named.end, "measure")
    return Measure("per", ref(date), ref(named.column), unit=cast("Unit", said))


def _date(draft: Draft, table: str) -> Column | None:
    usual = usual_date(draft)
    dates = [usual, *draft.index.in_table(table)]
    return next((one for one in dates if one and one.date and one.table == table), None)


def _repeats(column: Column) -> bool:
    whole = column.facts.type in {"string", "integer"}
    return whole and not amount(column) and column.facts.distinct < column.facts.rows


def _pointing(draft: Draft, table: str, place: int) -> Ref | None:
    """The column that points to the table named at a place, from the rows or from what ties both.

    `Courses per student` counts the rows of the grades, which point to either.
    """
    goal = counted_table(draft, place)
    if goal is None or goal == table:
        return None
    keys = draft.index.keys
    own = [key for key in keys if (key.table, key.to_table) == (table, goal)]
    tied = {key.table for key in keys if key.to_table == table}
    either = own or [key for key in keys if key.to_table == goal and key.table in tied]
    return _end(draft, either[0]) if either else None


def _end(draft: Draft, key: Key) -> Ref:
    columns = draft.index.columns
    return ref(next(c for c in columns if (c.table, c.facts.name) == (key.table, key.column)))
