"""What `how many` and `number of` count: rows, kinds, units, or a column of counts."""

from modelwright.engines.language.rules.columns.index import Column, ref
from modelwright.engines.language.rules.lookups.lookup import choose_aggregate
from modelwright.engines.language.rules.measures.products import only_units
from modelwright.engines.language.rules.mentions.claiming import claim_rows
from modelwright.engines.language.rules.mentions.drafting import Draft, entity
from modelwright.engines.language.rules.mentions.mention import Mention
from modelwright.engines.language.rules.mentions.rows import added, amount
from modelwright.engines.language.rules.plans.plan import Measure
from modelwright.engines.language.rules.text.patterns import pattern
from modelwright.engines.language.rules.text.words import name_parts, stem

_SOLD = pattern("measuring sold")
_COUNT = pattern("measuring count")
_DISTINCT = pattern("measuring distinct")
_PART, _SPELT, _LITERAL = 0.45, 0.75, 0.95
_BUYS, _WERE = (
    frozenset({"bought", "ordered", "purchased"}),
    frozenset({"were", "was", "been", "got"}),
)
"""Who bought something is counted as rows, what was bought in units."""
_PIECES = frozenset({"items", "units", "pieces"})
_CLAIMED = frozenset({"measure", "select", "group", "condition"})
_NUMBERS = frozenset({"number", "num", "nr", "n", "count", "cnt", "quantity", "qty"})
"""What a name says that holds a count of something."""
_KINDS_OF_ROWS = frozenset({"type", "status", "group", "level", "clas", "kind"})
"""What a name says of the rows: `admissions` alone are no admission types."""


def read_count(draft: Draft) -> None:
    """Adds what is counted, and claims the words that say it."""
    match = _COUNT.search(draft.lower)
    if not match or any(m.aggregate == "count" for m in draft.select):
        return
    start, end = draft.at(match.start()), draft.at(match.end())
    if draft.claimed[min(start, len(draft.claimed) - 1)] in _CLAIMED:
        return
    noun = next((at for at in range(end, end + 4) if not _tested(draft, at)), end)
    named = draft.pick(start + 1, noun + 3, least=0.6)
    distinct = (
        bool(match.group("distinct"))
        or _kinds_counted(draft, noun)
        or bool(_DISTINCT.search(draft.text(end, end + 2)))
    )
    told = None if distinct else _numbered(draft, start, noun)
    if told is not None:
        draft.claim(start, told.end, "measure")
        draft.select.append(_counted(draft, told, distinct=False))
        return
    if distinct:
        named = draft.pick(noun, noun + 1, least=_SPELT) or named or _kinds_of(draft, end)
    elif named is not None and (
        _describes(draft, named) or _headless(draft, named) or _money(draft, named)
    ):
        named = None
    elif named is not None and (named.named < 0.8 or named.explained < 0.95):  # noqa: PLR2004
        units = amount(named.column) and added(ref(named.column)) and not entity(draft, end)
        named = named if units and named.named > _SPELT and named.start == end else None
    draft.claim_text(match, "measure")
    if named is not None and (distinct or not _rows_named(draft, end, named)):
        measure = _counted(draft, named, distinct)
        draft.claim(named.start, named.end, "measure")
        draft.select.append(measure)
        return
    draft.select.append(_units_sold(draft, end) or _owners(draft, noun) or Measure("count"))
    claim_rows(draft, end, end + 2)


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
    rows = any(noun in places for places in draft.question.tables.values())
    if len(draft.index.tables) > 1 or rows or draft.claimed[start]:
        return None
    places = range(start, start + 1), range(noun, noun + 1)
    picked = (
        draft.pick(at.start, at.stop, lambda c: amount(c) and bool(_told_of(c)), _PART)
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
    if len(draft.index.tables) > 1 or not (column.repeated and "name" in own):
        return None
    said = draft.question.terms[at].stem if at < len(draft.claimed) else ""
    owned = said in owners and {stem(part) for part in own - {"name"}} <= {said}
    return Measure("count_distinct", ref(column)) if owned else None


def _called_so(draft: Draft, at: int) -> Column | None:
    """`How many parties` of rows of which each has a party's name: Party Name."""
    said = draft.question.terms[at].stem if at < len(draft.claimed) else ""
    rows = any(at in places for places in draft.question.tables.values())
    if len(draft.index.tables) > 1 or not said or rows:
        return None
    names = ((one, [term.stem for term in one.name.terms[:2]]) for one in draft.index.columns)
    found = (one for one, own in names if own == [said, "name"])
    return next((one for one in found if 2 * one.facts.distinct < one.facts.rows), None)


def _units_sold(draft: Draft, end: int) -> Measure | None:
    """`How many monitors were sold` adds up the units of a value."""
    valued = draft.claimed[end : end + 1] == ["condition"]
    said = draft.text(end, end + 1) in _PIECES
    sold = _SOLD.search(draft.lower)
    at = draft.at(sold.start()) if sold else 0
    buys = sold and draft.text(at, at + 1) in _BUYS and draft.text(at - 1, at) not in _WERE
    if buys and at + 1 < len(draft.claimed):
        return None
    if not (valued or said) or len(draft.index.tables) > 1 or not sold:
        return None
    units = only_units(draft)
    if units is None:
        return None
    draft.claim(end, end + said, "measure")
    draft.claim_text(sold, "measure")
    return Measure("sum", ref(units))


def _kinds_counted(draft: Draft, end: int) -> bool:
    """`Number of cities per region`, `how many cities` count the cities, not the rows."""
    named = draft.pick(end, end + 1, lambda c: c.facts.type == "string", _SPELT)
    if named is None or len(draft.index.tables) > 1:
        return False
    table = {stem(part) for part in name_parts(named.column.table)}
    if named.quality < _LITERAL and draft.question.terms[end].stem in table:
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
    return draft.pick(start, start + 4, lambda c: not c.number, least=0.45)


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
    table = any(at in places for places in draft.question.tables.values() for at in near)
    if table and named.quality < 0.95:  # noqa: PLR2004
        return True
    if named.column.number and not named.column.identifier and named.named > 0.8:  # noqa: PLR2004
        return table or (named.start > end and draft.question.terms[end].stem == "row")
    return table or any(entity(draft, at) for at in near) or named.named < 0.8  # noqa: PLR2004
