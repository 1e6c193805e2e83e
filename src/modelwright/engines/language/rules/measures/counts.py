"""What `how many` and `number of` count: rows, kinds, units, or a column of counts."""

from modelwright.engines.language.rules.columns.index import Column, ref
from modelwright.engines.language.rules.lookups.lookup import choose_aggregate
from modelwright.engines.language.rules.measures.products import only_units
from modelwright.engines.language.rules.mentions.draft import Draft, entity
from modelwright.engines.language.rules.mentions.mention import Mention
from modelwright.engines.language.rules.mentions.row_nouns import claim_rows
from modelwright.engines.language.rules.mentions.rows import added, amount, in_unit, measured_in
from modelwright.engines.language.rules.mentions.units import unit_at
from modelwright.engines.language.rules.plans.plan import Measure
from modelwright.engines.language.rules.text.patterns import pattern
from modelwright.engines.language.rules.text.words import name_parts, stem
from modelwright.engines.language.vocabulary import word_set

_SOLD = pattern("measuring sold")
_COUNT = pattern("measuring count")
_DISTINCT = pattern("measuring distinct")
_KINDS_QUALITY = 0.45
"""How surely words must mean a text whose kinds are counted, 0 to 1: the rest was said already."""
_NAMED_QUALITY = 0.6
"""How surely words must mean a column to be counted, 0 to 1."""
_NAME_SAID = 0.8
"""How much of a column's name must be said to be no word for rows, 0 to 1."""
_COUNT_QUALITY = 0.45
"""How surely a word must mean a column that counts it, 0 to 1; its name is checked besides."""
_KIND_QUALITY = 0.75
"""How surely a word must mean the kinds that are counted, 0 to 1."""
_ALL_SAID = 0.95
"""How much of the words a name must explain to be all that is meant, 0 to 1."""
_BUYS = word_set("verbs.of_buying")
_WERE = word_set("verbs.of_being_done")
_PIECES = word_set("names.pieces")
_CLAIMED = frozenset({"measure", "select", "group", "condition"})
_NUMBERS = word_set("names.counts")
_KINDS_OF_ROWS = word_set("names.kinds_of_rows")


def read_count(draft: Draft) -> None:
    """Adds what is counted, and claims the words that say it."""
    match = _COUNT.search(draft.lower)
    if not match or any(m.aggregate == "count" for m in draft.select):
        return
    start, end = draft.at(match.start()), draft.at(match.end())
    if _is_read(draft, start):
        return
    noun = next((at for at in range(end, end + 4) if not _tested(draft, at)), end)
    distinct = (
        bool(match.group("distinct"))
        or _kinds_counted(draft, noun)
        or bool(_DISTINCT.search(draft.text(end, end + 2)))
    )
    if not distinct and _read_unit(draft, start, end):
        return
    told = None if distinct else _numbered(draft, start, noun)
    if told is not None:
        draft.claim(start, told.end, "measure")
        draft.select.append(_counted(draft, told, distinct=False))
        return
    if distinct:
        named = _kinds_named(draft, start, end, noun)
    else:
        named = _number_named(draft, start, end, noun)
    draft.claim_text(match, "measure")
    if named is not None and (distinct or not _rows_named(draft, end, named)):
        measure = _counted(draft, named, distinct)
        draft.claim(named.start, named.end, "measure")
        draft.select.append(measure)
        return
    draft.select.append(_units_sold(draft, end) or _owners(draft, noun) or Measure("count"))
    claim_rows(draft, end, end + 2)


def _is_read(draft: Draft, start: int) -> bool:
    """Whether a word of counting is claimed already, or ends the name of a number."""
    if draft.claimed[min(start, len(draft.claimed) - 1)] in _CLAIMED:
        return True
    before = draft.question.mentions.over(start)
    return any(one.start < start and _is_called(one) for one in before)


def _read_unit(draft: Draft, start: int, end: int) -> bool:
    """`How many tons were sold` adds up the one amount that is measured so."""
    texts = [word.text for word in draft.question.words]
    if draft.several or end >= len(texts) or draft.claimed[end]:
        return False
    unit, after = unit_at(texts, end)
    column = measured_in(draft, unit)
    if column is None:
        return False
    draft.claim(start, after, "measure")
    draft.select.append(Measure("sum", in_unit(ref(column), unit)))
    return True


def _is_called(named: Mention) -> bool:
    """Whether words are the whole name of a number: `mite count` counts no rows."""
    return named.column.number and min(named.named, named.explained) >= _ALL_SAID


def _kinds_named(draft: Draft, start: int, end: int, noun: int) -> Mention | None:
    """The column whose different values are counted."""
    named = draft.pick(noun, noun + 1, least=_KIND_QUALITY)
    named = named or draft.pick(start + 1, noun + 3, least=_NAMED_QUALITY)
    return named or _kinds_of(draft, end)


def _number_named(draft: Draft, start: int, end: int, noun: int) -> Mention | None:
    """The column that is counted or added up: by all of its name, or by a telling unit."""
    named = draft.pick(start + 1, noun + 3, least=_NAMED_QUALITY)
    if named is None or _describes(draft, named) or _headless(draft, named):
        return None
    if _money(draft, named):
        return None
    if named.named >= _NAME_SAID and named.explained >= _ALL_SAID:
        return named
    units = amount(named.column) and added(ref(named.column)) and not entity(draft, end)
    return named if units and named.named > _KIND_QUALITY and named.start == end else None


def _describes(draft: Draft, named: Mention) -> bool:
    """Whether what is done tells of the rows, no number: `R rated movies`."""
    word = draft.question.words[named.end - 1].text
    own = {term.text for term in named.column.name.terms}
    return word.endswith("ed") and word not in own and entity(draft, named.end)


def _money(draft: Draft, named: Mention) -> bool:
    """Whether sales are counted that a column tells the amounts of: `how many sales`."""
    said = draft.text(named.start, named.end)
    return said == "sales" and named.column.facts.type == "float" and draft.index.large


def _headless(draft: Draft, named: Mention) -> bool:
    """Whether only what qualifies a number is said: `passengers` are no sum of Passenger Class."""
    said = {term.stem for term in draft.question.terms[named.start : named.end]}
    own = [term.stem for term in named.column.name.terms]
    able = named.column.number and not named.column.keyed
    return able and own[-1] not in said and not said.isdisjoint(own[:-1])


def _numbered(draft: Draft, start: int, noun: int) -> Mention | None:
    """`How many bags`, `number of bags` where a column is called Number of Bags."""
    rows = noun in draft.question.table_words
    if draft.several or rows or draft.claimed[start]:
        return None
    places = range(start, start + 1), range(noun, noun + 1)
    picked = (
        draft.pick(at.start, at.stop, lambda c: amount(c) and bool(_told_of(c)), _COUNT_QUALITY)
        for at in places
    )
    found = next((one for one in picked if one and one.end > noun), None)
    said = found and {term.stem for term in draft.question.terms[noun : found.end]}
    return found if found and said == _told_of(found.column) else None


def _told_of(column: Column) -> set[str]:
    """What a column counts by its own name, nothing where its name says no number."""
    parts = name_parts(column.facts.name)
    told = {stem(part) for part in parts if part not in _NUMBERS | {"of"}}
    return told if _NUMBERS & set(parts) else set()


def _tested(draft: Draft, at: int) -> bool:
    """Whether a word before what is counted tests it: `Thai` of `how many Thai restaurants`."""
    return draft.claimed[at : at + 1] == ["condition"]


def _owners(draft: Draft, at: int) -> Measure | None:
    """`How many restaurants` of restaurant_inspections are its different names."""
    table = draft.index.tables[0].name
    column = draft.index.naming(table)
    owners = {stem(part) for part in name_parts(table)[:-1]}
    if (named := _called_so(draft, at)) is not None:
        return Measure("count_distinct", ref(named))
    own = {term.text for term in column.name.terms}
    if draft.several or not (column.repeated and "name" in own):
        return None
    said = draft.question.terms[at].stem if at < len(draft.claimed) else ""
    owned = said in owners and {stem(part) for part in own - {"name"}} <= {said}
    return Measure("count_distinct", ref(column)) if owned else None


def _called_so(draft: Draft, at: int) -> Column | None:
    """`How many parties` of rows of which each has a party's name, or a key of it: Party ID."""
    said = draft.question.terms[at].stem if at < len(draft.claimed) else ""
    rows = at in draft.question.table_words
    if draft.several or not said or rows:
        return None
    names = ((one, [term.stem for term in one.name.terms[:2]]) for one in draft.index.columns)
    found = [(one, own[1:]) for one, own in names if own[:1] == [said]]
    named = (one for one, rest in found if rest == ["name"])
    named = (one for one in named if 2 * one.facts.distinct < one.facts.rows)
    keys = (
        one for one, rest in found if rest and one.refers and len(one.name.terms) == len(rest) + 1
    )
    return next(named, None) or next(keys, None)


def _units_sold(draft: Draft, end: int) -> Measure | None:
    """`How many monitors were sold` adds up the units of a value."""
    valued = draft.claimed[end : end + 1] == ["condition"]
    said = draft.text(end, end + 1) in _PIECES
    sold = _SOLD.search(draft.lower)
    at = draft.at(sold.start()) if sold else 0
    buys = sold and draft.text(at, at + 1) in _BUYS and draft.text(at - 1, at) not in _WERE
    if buys and at + 1 < len(draft.claimed):
        return None
    if not (valued or said) or draft.several or not sold:
        return None
    units = only_units(draft)
    if units is None:
        return None
    draft.claim(end, end + said, "measure")
    draft.claim_text(sold, "measure")
    return Measure("sum", ref(units))


def _kinds_counted(draft: Draft, end: int) -> bool:
    """`Number of cities per region`, `how many cities` count the cities, not the rows."""
    named = draft.pick(end, end + 1, lambda c: c.facts.type == "string", _KIND_QUALITY)
    if named is None or draft.several:
        return False
    table = {stem(part) for part in name_parts(named.column.table)}
    if named.quality < _ALL_SAID and draft.question.terms[end].stem in table:
        return False
    facts = named.column.facts
    grouped = bool(draft.group) and 2 * facts.distinct < facts.rows
    said = {term.stem for term in draft.question.terms[named.start : named.end]}
    kind = {term.stem for term in named.column.name.terms} - said
    large = draft.index.large and 2 * facts.distinct < facts.rows
    repeats = grouped or large or named.column.refers
    repeats = repeats and not kind & _KINDS_OF_ROWS
    return repeats and named.column.yes is None


def _kinds_of(draft: Draft, start: int) -> Mention | None:
    """`Different forms of governments`: the text column that the words name at least in part."""
    return draft.pick(start, start + 4, lambda c: not c.number, least=_KINDS_QUALITY)


def _counted(draft: Draft, named: Mention, distinct: bool) -> Measure:
    column = named.column
    if distinct or (column.keyed and not column.identifier):
        return Measure("count_distinct", ref(column))
    if column.number and not column.identifier:
        kind = _trained(draft, column) if draft.where else "sum"
        return Measure("sum" if kind == "none" else kind, ref(column))  # type: ignore[arg-type]
    return Measure("count", ref(column))


def _trained(draft: Draft, column: Column) -> str:
    kind = choose_aggregate(draft.question, column, len(draft.where))
    return "sum" if kind == "count" and draft.index.large else kind


def _rows_named(draft: Draft, end: int, named: Mention) -> bool:
    """Whether what is counted are rows: a table's name, or a word for rows that no number bears."""
    near = range(end, min(end + 2, len(draft.claimed)))
    table = not draft.question.table_words.isdisjoint(near)
    if table and named.quality < _ALL_SAID:
        return True
    if named.column.number and not named.column.identifier and named.named > _NAME_SAID:
        return table or (named.start > end and draft.question.terms[end].stem == "row")
    return table or any(entity(draft, at) for at in near) or named.named < _NAME_SAID
