"""What a question over one table asks of its rows: the rows themselves, who they are, their sum."""

import re
from dataclasses import replace

from modelwright.engines.facts import ColumnFacts
from modelwright.engines.language.rules.columns.index import Column, ref
from modelwright.engines.language.rules.columns.value_shapes import yes_no
from modelwright.engines.language.rules.mentions.draft import AMOUNTS, Draft, entity
from modelwright.engines.language.rules.mentions.mention import Mention
from modelwright.engines.language.rules.mentions.units import (
    differs,
    is_measured,
    is_of_kind,
    is_physical,
    is_same_unit,
    is_told_in,
    lasts,
    lasts_hours,
    measures,
    times,
    unit_at,
)
from modelwright.engines.language.rules.plans.plan import Measure, Ref
from modelwright.engines.language.rules.text.lexicon import concepts_of_name, spelled_out
from modelwright.engines.language.rules.text.patterns import pairs, pattern
from modelwright.engines.language.rules.text.roots import root
from modelwright.engines.language.rules.text.words import name_parts, stem
from modelwright.engines.language.vocabulary import alternatives, word_list, word_set

_WHO = next(fits for kind, _, fits in pairs("clues roles") if kind == "who")
OWN_NAME = 0.93
"""How good a mention is at least that names a column, where its words may be those for the rows."""
_ADDED = pattern("rows added")
_NOT_ADDED = pattern("rows not added")
_PERSONS = pattern("rows persons")
_ASKED = pattern("rows asked")
SOLD = pattern("measuring sold")
_UNIQUE = 0.9
"""A text of more different values than this share of the rows leaves about one row each."""
_EXACT = 12
"""Decimals of how many of a unit another one is."""
_SCALE = 20
"""A column of so few different numbers is a scale, not an amount."""
_CODES = re.compile(r"\b(?:zip ?codes?|zip|post(?:al)? ?codes?)\b")
_MASSES = re.compile(r"kg|lbs|km|miles|[km]wh|lit(?:re|er)s|tons|tonnes|gallons")
_MOST = word_set("superlatives.of_verbs")
_PEOPLE = word_set("checks.concepts_of_somebody")
_LENGTHS = frozenset({"dur", "length", "time", "tot"})
"""Stems in names of times that say no more than their units."""
_AVERAGED = re.compile(rf"\b(?:{alternatives('averages.means')})\b")
_KEY_NAMES = word_set("checks.key_names")
_KINDS = word_set("names.kinds_of_rows")
_DOERS = word_list("names.ends_of_doers")
_NO_DOERS = word_set("names.no_doers")
_SHORTEST_DOER = 5
"""Letters of the shortest word for who does something: `baker`."""
_NAME = re.compile(r"[A-Z][^\W\d]*[.]?(?:[ '-]+[^\W\d]+[.]?)*")
"""Words of letters, the first of them a capital one: `Ruth Adeyemi`."""
_SUMMED = {stem(word) for word in word_list("catalog.amounts")}
"""Stems of what amounts are called: `total` is no word for the rows."""
_NO_DEEDS = {root(word) for word in word_list("catalog.amounts")}
_COUNTS = frozenset({"cnt", "count"})
_REVENUE = re.compile(r"\b(?:revenue|turnover|payroll)\b")
_VERB_REACH = 3
"""So many words before a superlative its verb may stand."""
_LOSES = re.compile(r"\b(?:lose|loses|losing|lost)(?: us)?(?: the)?$")
_PROFIT = pattern("signs profit")


def only_rows(draft: Draft, mention: Mention) -> bool:
    """`Returned orders by product`: the word names the rows, not a column that is like it.

    So do `flights` where a column of whole numbers, that are no amounts, is called Flight.
    """
    words = range(mention.start, mention.end)
    single = not draft.several
    return single and _is_loose(draft, mention) and all(entity(draft, at) for at in words)


def _is_loose(draft: Draft, mention: Mention) -> bool:
    """Whether words name a key, or a number or a date that they only sound like."""
    column, last = mention.column, draft.question.words[mention.end - 1].text
    sums = added(ref(column))
    if sums and stem(last) in _SUMMED:
        return False
    if column.identifier or not (column.number or column.date):
        return column.identifier
    stems = {term.stem for term in draft.question.terms[mention.start : mention.end]}
    unsaid = any(one.stem in AMOUNTS and one.stem not in stems for one in column.name.terms)
    plural = last.endswith("s") and not column.facts.name.lower().endswith("s")
    code = plural and column.facts.type == "integer" and not sums
    return mention.quality < OWN_NAME or code or unsaid


def added(one: Ref) -> bool:
    """Whether a column's numbers are amounts that are told as sums: revenue, profit, units."""
    return bool(_ADDED.search(" ".join(name_parts(one.column)))) and not averaged(one)


def averaged(one: Ref) -> bool:
    """Whether a column's numbers are told as averages only: medians, rates, unit costs."""
    return bool(_NOT_ADDED.search(" ".join(name_parts(one.column))))


def person_column(draft: Draft) -> Column | None:
    """The column that says who a row is: a name, else the text that names people.

    Kinds of people are none, `personal_status`, nor is whether there are any: `partner`, yes or no.
    """
    texts = [column for column in draft.index.columns if _is_of_names(column.facts)]
    found = [column for column in texts if _is_of_who(column.facts.name)]
    found = found or [column for column in texts if names_doers(column.facts)]
    return max(found, key=lambda one: (not is_key(one), one.facts.distinct), default=None)


def names_doers(facts: ColumnFacts) -> bool:
    """Whether a text tells who did something: it is called `potter`, and its values are names."""
    word = spelled_out(facts.name)[-1]
    is_doer = word.endswith(_DOERS) and len(word) >= _SHORTEST_DOER and word not in _NO_DOERS
    values = [str(value) for value, _ in facts.top]
    return is_doer and len(values) > 1 and all(map(_NAME.fullmatch, values))


def may_tell_who(facts: ColumnFacts) -> bool:
    """Whether a text may say who somebody is, by its name or by its values."""
    return _is_of_names(facts) and (_is_of_who(facts.name) or names_doers(facts))


def _is_of_names(facts: ColumnFacts) -> bool:
    """Whether a column holds text that is neither a kind nor yes and no."""
    says_more = facts.type == "string" and yes_no(facts) == (None, None)
    return says_more and not tells_kinds(facts.name)


def _is_of_who(name: str) -> bool:
    is_name = any(_WHO.search(one) for one in (name.lower(), " ".join(spelled_out(name))))
    return is_name or _PERSONS.search(" ".join(name_parts(name))) is not None


def is_key(column: Column) -> bool:
    """Whether a column tells rows apart by a number: `member_no` beside names."""
    return column.identifier or spelled_out(column.facts.name)[-1] in _KEY_NAMES


def tells_kinds(name: str) -> bool:
    """Whether a column tells of what kind its rows are, by the last word of its name."""
    return stem(spelled_out(name)[-1]) in _KINDS


def summed(draft: Draft) -> bool:
    """`What was our revenue in March` adds up: the column is an amount and many rows are meant."""
    if draft.several or draft.group or draft.order or len(draft.select) != 1:
        return False
    one = draft.select[0]
    column = draft.index.column(one.ref) if one.ref else None
    if one.aggregate or column is None or not column.number:
        return False
    return bool(
        _adds(draft, ref(column))
        and (_ASKED.match(draft.lower) or draft.claimed[:1] == ["time"])
        and not any(_leaves_one_row(draft, options[0].ref.column) for options in draft.where)
        and (column.facts.distinct > _SCALE or draft.lower.startswith("how much "))
    )


def _leaves_one_row(draft: Draft, name: str) -> bool:
    """Whether a test of that column leaves about one row."""
    column = next(c for c in draft.index.columns if c.facts.name == name)
    many = column.number or column.date
    return not many and column.facts.distinct > _UNIQUE * column.facts.rows


def in_asked_unit(draft: Draft) -> None:
    """Tells what is computed in the unit that is asked for: `total talk time in hours`."""
    texts = [word.text for word in draft.question.words]
    for at, word in enumerate(texts[:-1]):
        unit, end = unit_at(texts, at + 1)
        if word != "in" or draft.claimed[at + 1] == "condition" or not measures(unit):
            continue
        draft.select = [_told_in(draft, one, unit) for one in draft.select]
        draft.order = [
            replace(one, by=_told_in(draft, one.by, unit)) if isinstance(one.by, Measure) else one
            for one in draft.order
        ]
        if any(one.ref and (one.ref.told_in or _is_in(unit, one.ref)) for one in draft.select):
            draft.claim(at, end, "measure")
    draft.select = [_in_unit_named(draft, one) for one in draft.select]


def _in_unit_named(draft: Draft, one: Measure) -> Measure:
    """`Total hours` of a column of minutes, which was found by its unit alone."""
    if one.ref is None or one.ref.told_in:
        return one
    adds = one.aggregate == "sum" or (one.aggregate is None and _adds(draft, one.ref))
    own = name_parts(one.ref.column)
    for mention in draft.question.mentions.of(draft.index.column(one.ref).at):
        said = draft.text(mention.start, mention.end).split()
        units = [word for word in said if lasts_hours(word) and word not in own]
        is_named = draft.claimed[mention.start] == "measure"
        if is_named and len(units) == 1 and (adds or averages(draft)):
            return _told_in(draft, one, units[0])
    return one


def averages(draft: Draft) -> bool:
    """Whether a word asks for an average."""
    return _AVERAGED.search(draft.lower) is not None


def _is_in(unit: str, one: Ref) -> bool:
    """Whether a column's name says that its numbers are told in a unit."""
    return is_same_unit(unit, one.column) and not differs(unit, one.column)


def _told_in(draft: Draft, one: Measure, unit: str) -> Measure:
    if one.ref is None or one.other or one.share or not draft.index.column(one.ref).number:
        return one
    return replace(one, ref=in_unit(one.ref, unit))


def in_unit(one: Ref, unit: str) -> Ref:
    """A column with its numbers told in a unit: square feet of `area_sqm`."""
    size = round(times(unit, one.column), _EXACT)
    return one if size == 1.0 else replace(one, told_in=(unit, size))


def measured_in(draft: Draft, unit: str) -> Column | None:
    """The one amount that is measured in a unit, or in another of its kind: `weight_kg`.

    Where no name tells a unit, miles are of the only length or distance. Days and longer are times
    that something happened in.
    """
    names = [one for one in draft.index.columns if amount(one) and is_measured(one.facts.name)]
    found = [one for one in names if is_told_in(unit, one.facts.name)]
    if not found and is_physical(unit):
        amounts = (one for one in draft.index.columns if amount(one))
        found = [one for one in amounts if is_of_kind(unit, one.facts.name)]
    if lasts(unit):
        found = [one for one in found if lasts_hours(unit) and _is_time_said(draft, one)]
    return found[0] if len(found) == 1 else None


def _is_time_said(draft: Draft, column: Column) -> bool:
    """Whether hours may be those of a column: all of its name is said, but for its unit."""
    own = {term.stem for term in column.name.terms if not measures(term.text)}
    return own - _LENGTHS <= {term.stem for term in draft.question.terms}


def add_up(draft: Draft) -> None:
    """Sums the amount that a question names alone, or asks `how much` of."""
    if draft.lower.startswith("how much "):
        _keep_amounts(draft)
        if not (draft.select or draft.group or draft.order):
            _add_up_mass(draft)
    if summed(draft) or _asks_how_much(draft):
        draft.select = [Measure("sum", draft.select[0].ref)]
        draft.added = True


def _keep_amounts(draft: Draft) -> None:
    """Shows the amounts alone among what is named; without one, the sum of what a verb names."""
    amounts = [m for m in draft.select if m.ref and amount(draft.index.column(m.ref))]
    done = None if amounts or draft.several else _amount_of_deed(draft)
    draft.select = amounts or ([Measure("sum", ref(done))] if done else draft.select)
    draft.added = draft.added or done is not None


def _add_up_mass(draft: Draft) -> None:
    """Sums the one mass of some rows, where nothing says of what they are asked."""
    masses = [c for c in draft.index.columns if amount(c) and _is_mass(c)]
    if draft.where and not draft.several and len(masses) == 1:
        draft.select = [Measure("sum", ref(masses[0]))]
        draft.added = True


def _amount_of_deed(draft: Draft) -> Column | None:
    """The one amount that is called by what was done: `how much was refunded`, Refund Amount."""
    deeds = {root(term.text) for term in draft.question.terms} - _NO_DEEDS
    amounts = (one for one in draft.index.columns if amount(one) and added(ref(one)))
    told = [c for c in amounts if deeds & {root(part) for part in name_parts(c.facts.name)}]
    return told[0] if len(told) == 1 else None


def _asks_how_much(draft: Draft) -> bool:
    """`How much flour was used` is the sum of Flour (kg), whatever else adds up by its name."""
    if draft.several or draft.group or draft.order or len(draft.select) != 1:
        return False
    one = draft.select[0]
    column = draft.index.column(one.ref) if one.ref and not one.aggregate else None
    return bool(
        column is not None
        and draft.lower.startswith("how much ")
        and amount(column)
        and _is_mass(column)
        and not averaged(ref(column))
        and not any(_leaves_one_row(draft, options[0].ref.column) for options in draft.where)
    )


def _is_mass(column: Column) -> bool:
    """Whether a name ends in a unit of what is had more or less of: kg, tonnes, kWh."""
    return _MASSES.fullmatch(name_parts(column.facts.name)[-1]) is not None


def amount(column: Column) -> bool:
    """Whether a column holds numbers to rank, not the names of rows, here or elsewhere."""
    return column.number and not (column.identifier or column.keyed or coded(column))


def coded(column: Column) -> bool:
    """Whether numbers are but names of places, which are many rows each."""
    return bool(_CODES.search(column.plain_name))


def amount_at(draft: Draft, start: int, end: int) -> Mention | None:
    """The amount that begins in a stretch of words; a keyed number only by its whole name."""
    return draft.pick(start, end, amount) or draft.pick(start, end, lambda c: c.number, OWN_NAME)


def of_person(draft: Draft, measure: Measure, person: Column, *, many: bool) -> bool:
    """`Who earns the most` is one row; `who sold the most` adds up, unless each row is a person.

    So does `who has the most miles` of people who have several rows.
    """
    asks = draft.lower.lstrip().startswith("who ")
    if not asks or measure.ref is None:
        return False
    if any(_is_person_key(column) for column in draft.index.in_table(measure.ref.table)):
        return True
    repeats = 2 * person.facts.distinct <= person.facts.rows
    adds = added(measure.ref) or (many and repeats and _adds(draft, measure.ref))
    return not adds


def _is_person_key(column: Column) -> bool:
    """Whether every row is a person, by a key of its own: `staff_no`."""
    unique = column.facts.distinct == column.facts.rows
    return unique and is_key(column) and names_people(column.facts.name)


def names_people(name: str) -> bool:
    """Whether a column's name speaks of people: of staff, members, customers."""
    told = concepts_of_name(name) & _PEOPLE
    return bool(told) or _PERSONS.search(" ".join(spelled_out(name))) is not None


def of_verb(draft: Draft, at: int) -> Measure | None:
    """`Earns the most`, `sold the most`: the verb itself names the amount."""
    if draft.text(at, at + 1) not in _MOST or draft.several:
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
    named = draft.pick(max(1, at - _VERB_REACH), at, amount, 0.3)
    if named is None or sold_only(draft, named):
        return None
    draft.claim(named.start, named.end, "measure")
    return Measure(None, ref(named.column))


def sold_only(draft: Draft, mention: Mention) -> bool:
    """`Sells the most` is of how often, not of the price of one."""
    said = draft.text(mention.start, mention.end)
    return bool(SOLD.search(said)) and not added(ref(mention.column))


def loses(draft: Draft, at: int) -> bool:
    """Whether the word before a superlative turns it round: `loses the most`."""
    return bool(_LOSES.search(draft.text(at - _VERB_REACH, at)))


def earns(column: Column) -> bool:
    """Whether a column says what was earned, losses included."""
    low = column.facts.minimum
    below = column.number and isinstance(low, int | float) and low < 0
    return below and bool(_PROFIT.search(column.plain_name))


def marks(column: Column) -> bool:
    """Whether numbers lie so near each other that they are marks, not amounts: 70 to 95 points."""
    low, high = column.facts.minimum, column.facts.maximum
    numbers = isinstance(low, int | float) and isinstance(high, int | float)
    return bool(numbers and low > high / 2)  # type: ignore[operator]


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


def in_groups(draft: Draft, one: Measure, *, added_up: bool = False) -> Measure:
    """A number beside groups is summed where it is an amount or said to be one, else averaged."""
    summed = one.ref and (added_up or _adds(draft, one.ref))
    return Measure("sum" if summed else "avg", one.ref)


def _adds(draft: Draft, one: Ref) -> bool:
    """Whether a number is an amount, is called revenue, or counts or measures what adds up."""
    return added(one) or (
        not averaged(one) and bool(_REVENUE.search(draft.lower) or _is_quantity(draft, one))
    )


def _mostly_none(column: Column) -> bool:
    """Whether whole numbers count what most rows have none of: medals, injuries."""
    facts = column.facts
    numbers = facts.type == "integer" and isinstance(facts.maximum, int) and facts.maximum > 1
    return numbers and facts.minimum == 0 and bool(facts.top) and facts.top[0][0] == 0


def _is_quantity(draft: Draft, one: Ref) -> bool:
    """Whether whole numbers count things, `kegs`, or a unit of `weight_kg` is itself said: `kg`."""
    column, unit = draft.index.column(one), name_parts(one.column)[-1]
    if _MASSES.fullmatch(unit):
        return any(word.text == unit for word in draft.question.words)
    if _mostly_none(column):
        return True
    many = column.facts.type == "integer" and column.facts.distinct > _SCALE and not marks(column)
    counts = not _COUNTS.isdisjoint(name_parts(one.column))
    counts = counts or (unit.endswith("s") and not (unit.endswith("ss") or lasts(unit)))
    return many and counts
