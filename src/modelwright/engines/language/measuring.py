"""What is asked of the rows: counts, sums, averages, shares, or the values of columns."""

import re
from typing import cast

from modelwright.engines.language.drafting import (
    Draft,
    best_mentions,
    claim_rows,
    columns_of,
    entity,
    named_tables,
)
from modelwright.engines.language.growth import read_growth
from modelwright.engines.language.index import Column, ref
from modelwright.engines.language.lexicon import lexicon
from modelwright.engines.language.lookup import choose_aggregate, choose_select
from modelwright.engines.language.mentions import Mention
from modelwright.engines.language.patterns import pattern, patterns
from modelwright.engines.language.plan import Aggregate, Bucket, Measure
from modelwright.engines.language.rows import (
    added,
    amount,
    averaged,
    different,
    in_groups,
    only_rows,
    rows_asked,
)
from modelwright.engines.language.shares import CORRELATED, read_correlation, read_share
from modelwright.engines.language.words import name_parts, stem

_KINDS = patterns("measuring kinds")
_COUNT = pattern("measuring count")
_RANGE = pattern("measuring range")
_SOLD, _UNITS = pattern("measuring sold"), pattern("measuring units")
_DISTINCT = pattern("measuring distinct")
_EVERYTHING = pattern("measuring everything")
_JOINED = re.compile(r"(?:,|,? and)(?: the)? (?P<next>\w+)")
_MEANS = frozenset({"average", "mean", "median", "avg"})
_DATED = frozenset({"latest", "earliest", "first", "last", "most recent"})
_SPELT, _SAID = 0.75, 0.9
"""How good a mention is at least where the only fault is a slip in spelling."""
_SUMMED = pattern("measuring summed")
_KINDS_OF_ROWS = frozenset({"type", "status", "group", "level", "clas", "kind"})
"""What a name says of the rows: `admissions` alone are no admission types."""


def read_measures(draft: Draft) -> None:
    """Decides what to show, and claims the words that say it."""
    if read_growth(draft) or read_share(draft) or read_correlation(draft):
        return
    _read_range(draft)
    _read_aggregates(draft)
    _read_count(draft)
    if draft.only_group and not draft.select:
        return
    bare = not draft.select and not draft.order and not draft.group and rows_asked(draft)
    if bare or (_EVERYTHING.search(draft.lower) and not draft.group):
        draft.select, draft.everything = [], True
        draft.claim(0, len(draft.claimed), "everything")
        return
    timed = all(isinstance(one.by, Bucket) for one in draft.order)
    if (not draft.select and timed) or (
        draft.order and not draft.group and not any(m.aggregate for m in draft.select)
    ):
        _read_columns(draft)
    if not draft.select and not draft.group and len(draft.index.tables) > 1:
        _show_table(draft)


def _read_aggregates(draft: Draft) -> None:
    before, places = list(draft.select), []
    for kind, cue in _KINDS:
        for match in cue.finditer(draft.lower):
            had = len(draft.select)
            _read_aggregate(draft, cast("Aggregate", kind), match)
            places += [match.start()] * (len(draft.select) - had)
    found = zip(places, draft.select[len(before) :], strict=True)
    draft.select = before + [one for _, one in sorted(found, key=lambda pair: pair[0])]
    for measure in draft.select:
        for mention in draft.question.mentions:
            if measure.ref == ref(mention.column) and mention.quality > 0.6:  # noqa: PLR2004
                draft.claim(mention.start, mention.end, "measure")


def _read_aggregate(draft: Draft, kind: Aggregate, match: re.Match[str]) -> None:
    at, end = draft.at(match.start()), draft.at(match.end())
    if draft.claimed[at] or _part_of_name(draft, at, kind):
        return
    counted = draft.lower[match.end() :].startswith(" number of")
    if counted and not draft.pick(end, end + 4, lambda c: c.number, 0.7):
        return
    dated = draft.pick(end, end + 2, lambda c: c.date) if match.group() in _DATED else None
    named = dated or _argument(draft, at, end) or _shared_argument(draft, match)
    if named is None or (match.group() in _DATED and not named.column.date):
        return
    draft.claim(at, end + 2 if counted else end, "measure")
    measure = Measure(kind, ref(named.column))
    if measure not in draft.select:
        draft.select.append(measure)


def _read_range(draft: Draft) -> None:
    """`Salary range`, `min to max fee`: the lowest and the highest."""
    found = list(_RANGE.finditer(draft.lower))
    if not found or len(draft.index.tables) > 1:
        return
    match = found[0]
    at, end = draft.at(match.start()), draft.at(match.end())
    if any(m.start <= at < m.end and m.named > _SPELT for m in draft.question.mentions):
        return
    named = draft.pick(at - 2, at, amount, _SPELT) or draft.pick(end, end + 4, amount, _SPELT)
    if named is not None:
        for each in found:
            draft.claim_text(each, "measure")
        draft.claim(named.start, named.end, "measure")
        draft.select += [Measure("min", ref(named.column)), Measure("max", ref(named.column))]


def _part_of_name(draft: Draft, at: int, kind: Aggregate) -> bool:
    """`median income` of a column called median_income is that column."""
    full = lexicon().abbreviations.get(draft.text(at, at + 1), ())
    words = {draft.question.terms[at].stem, *map(stem, full)}
    return not (kind == "avg" and draft.index.large) and any(
        m.start <= at < m.end
        and m.named > 0.9  # noqa: PLR2004 - the whole name
        and any(term.stem in words for term in m.column.name.terms)
        and (kind not in {"max", "min"} or m.quality > 0.95 or draft.text(at - 1, at) in _MEANS)  # noqa: PLR2004
        for m in draft.question.mentions
    )


def _argument(draft: Draft, at: int, end: int) -> Mention | None:
    """The number that an aggregate is of: what follows it, else the word itself, else before."""
    found = draft.pick(end, end + 6, lambda c: c.number and not c.identifier)
    if found is not None:
        between = draft.text(end, found.start)
        if re.search(r"\b(?:by|per|where|with|who|whose|for each)\b", between):
            found = None
    own = draft.pick(at, at + 1, lambda c: c.number or c.date, 0.4)
    if own and found and own.end > end and draft.worth(own) > draft.worth(found):
        return own
    return found or own or draft.pick(max(0, at - 5), at, lambda c: c.number)


def _shared_argument(draft: Draft, match: re.Match[str]) -> Mention | None:
    """`Minimum and maximum weight`: the column that the aggregate joined to it took."""
    joined = _JOINED.match(draft.lower, match.end())
    if joined is None or draft.claimed[draft.at(joined.start("next"))] != "measure":
        return None
    start = draft.at(joined.end())
    return draft.pick(start, start + 4, lambda c: c.number and not c.identifier, taken=True)


def _read_count(draft: Draft) -> None:
    match = _COUNT.search(draft.lower)
    if not match or any(m.aggregate == "count" for m in draft.select):
        return
    start, end = draft.at(match.start()), draft.at(match.end())
    if draft.claimed[min(start, len(draft.claimed) - 1)] in {"measure", "select", "group"}:
        return
    named = draft.pick(start + 1, end + 3, least=0.6)
    distinct = (
        bool(match.group("distinct"))
        or _kinds_counted(draft, end)
        or bool(_DISTINCT.search(draft.text(end, end + 2)))
    )
    if distinct:
        named = draft.pick(end, end + 1, least=_SPELT) or named or _kinds_of(draft, end)
    elif named is not None and (named.named < 0.8 or named.explained < 0.95):  # noqa: PLR2004
        units = amount(named.column) and added(ref(named.column)) and not entity(draft, end)
        named = named if units and named.named > _SPELT and named.start == end else None
    draft.claim_text(match, "measure")
    if named is not None and (distinct or not _rows_named(draft, end, named)):
        measure = _counted(draft, named, distinct)
        draft.claim(named.start, named.end, "measure")
        draft.select.append(measure)
        return
    draft.select.append(_units_sold(draft, end) or Measure("count"))
    claim_rows(draft, end, end + 2)


def _units_sold(draft: Draft, end: int) -> Measure | None:
    """`How many monitors were sold` adds up the units of a value."""
    valued = draft.claimed[end : end + 1] == ["condition"]
    if not valued or len(draft.index.tables) > 1 or not _SOLD.search(draft.lower):
        return None
    units = [c for c in draft.index.columns if amount(c) and added(ref(c))]
    found = [c for c in units if _UNITS.search(" ".join(name_parts(c.facts.name)))]
    return Measure("sum", ref(found[0])) if len(found) == 1 else None


def _kinds_counted(draft: Draft, end: int) -> bool:
    """`Number of cities per region`, `how many cities` count the cities, not the rows."""
    named = draft.pick(end, end + 1, lambda c: c.facts.type == "string", _SPELT)
    if named is None or len(draft.index.tables) > 1:
        return False
    facts = named.column.facts
    grouped = bool(draft.group) and 2 * facts.distinct < facts.rows
    kind = {term.stem for term in named.column.name.terms} - {draft.question.terms[end].stem}
    repeats = (grouped or named.column.repeated) and not kind & _KINDS_OF_ROWS
    return repeats and named.column.yes is None


def _kinds_of(draft: Draft, start: int) -> Mention | None:
    """`Different forms of governments`: the text column that the words name at least in part."""
    return draft.pick(start, start + 4, lambda c: not c.number, least=0.45)


def _counted(draft: Draft, named: Mention, distinct: bool) -> Measure:
    column = named.column
    if distinct:
        return Measure("count_distinct", ref(column))
    if column.number and not column.identifier:
        kind = _trained(draft, column) if draft.where else "sum"
        return Measure("sum" if kind == "none" else kind, ref(column))  # type: ignore[arg-type]
    return Measure("count", ref(column))


def _trained(draft: Draft, column: Column) -> str:
    return choose_aggregate(draft.question, column, len(draft.where))


def _rows_named(draft: Draft, end: int, named: Mention) -> bool:
    """Whether what is counted are rows: a table's name, or a word for rows that no number bears."""
    near = range(end, min(end + 2, len(draft.claimed)))
    table = any(at in places for places in draft.question.tables.values() for at in near)
    if table and named.quality < 0.95:  # noqa: PLR2004
        return True
    if named.column.number and not named.column.identifier and named.named > 0.8:  # noqa: PLR2004
        return table
    return table or any(entity(draft, at) for at in near) or named.named < 0.8  # noqa: PLR2004


def _read_columns(draft: Draft) -> None:
    found = [m for m in best_mentions(draft) if not (draft.group and only_rows(draft, m))]
    if any(amount(m.column) and m.explained > _SAID for m in found):
        found = [m for m in found if not (m.column.keyed and only_rows(draft, m))]
    draft.distinct = bool(found) and not draft.group and different(draft, found)
    if draft.charted and len(found) == 1 and not found[0].column.number and not draft.group:
        draft.claim(found[0].start, found[0].end, "group")
        draft.group.append(Bucket(ref(found[0].column)))
        return
    for mention in found:
        draft.claim(mention.start, mention.end, "select")
        measure = Measure(None, ref(mention.column))
        if measure not in draft.select and ref(mention.column) not in [b.ref for b in draft.group]:
            draft.select.append(measure)
    if draft.group and draft.select:
        draft.select = [_grouped(draft, one) for one in draft.select]


def _show_table(draft: Draft) -> None:
    """A table asked for by its own name is shown by the column that names its rows."""
    tables = named_tables(draft)
    if tables:
        draft.select.append(Measure(None, ref(draft.index.naming(tables[0]))))


def _grouped(draft: Draft, one: Measure) -> Measure:
    column = next(c for c in draft.index.columns if ref(c) == one.ref)
    if not column.number:
        return Measure("count_distinct", one.ref)
    summed = one.ref and _SUMMED.search(draft.lower) and not averaged(one.ref)
    return Measure("sum", one.ref) if summed else in_groups(one)


def doubt_unread(draft: Draft) -> None:
    """An average or a superlative that found nothing to apply to makes the reading doubtful."""
    for _, cue in _KINDS:
        for match in cue.finditer(draft.lower):
            if not draft.claimed[draft.at(match.start())]:
                draft.doubts += 0.6
    if (
        CORRELATED.search(draft.lower)
        and not any(m.other for m in draft.select)
        and not draft.charted
    ):
        draft.doubts += 0.6


def fall_back(draft: Draft) -> None:
    """With conditions but nothing asked, the trained ranker says which column is meant."""
    if draft.select or draft.order or draft.group or draft.everything:
        return
    if draft.where and draft.index.large and len(draft.index.tables) == 1:
        draft.everything = True
        return
    used = columns_of(draft.where)
    tables = {one.table for one in used} or {t.name for t in draft.index.tables}
    columns = [c for c in draft.index.columns if c.table in tables]
    column = choose_select(draft.question, columns, ())
    draft.select.append(Measure(None, ref(column)))
    draft.doubts += 0.2
