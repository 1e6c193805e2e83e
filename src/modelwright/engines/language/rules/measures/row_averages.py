"""What each row brings, and a number of each of something: revenue per order, with their total."""

import re
from dataclasses import replace

from modelwright.engines.language.rules.columns.index import Column, ref
from modelwright.engines.language.rules.mentions.draft import Draft, entity
from modelwright.engines.language.rules.plans.plan import Aggregate, Bucket, Measure

_THEIRS = re.compile(
    r"\b(?:with|and) (?:their|its) (?:respective )?"
    r"(?:average|mean|avg|median|total|sum|number|count|share|highest|lowest|max\w*|min\w*)\b"
)
_BY_ROWS = re.compile(r"\bby (?:the |their )?(?:number|count)s? of ")
_OWN = re.compile(r"\b(?:with|and) their (?!\w+ (?:of|from)\b)")
_SUM = re.compile(r"\b(?:total|sum)\b")
_PER = re.compile(r"\b(?:per|for each|for every) (?=\w)")
_SURE = 0.6
"""How surely words must mean a column, 0 to 1."""
_MEANS: dict[Aggregate | None, Aggregate] = {
    "sum": "avg",
    "difference": "mean_difference",
    "product": "mean_product",
}


def read_theirs(draft: Draft) -> None:
    """`All topics with their total revenue`: a number of each."""
    if draft.several or draft.group:
        return
    by, match = _BY_ROWS.search(draft.lower), _THEIRS.search(draft.lower)
    at = draft.at(by.end()) if by else 0
    if by and any(entity(draft, place) for place in range(at, min(at + 2, len(draft.claimed)))):
        match = by
    if match is None:
        return
    named = draft.pick(0, draft.at(match.start()), _repeats, _SURE)
    if named is not None:
        draft.claim(named.start, named.end, "group")
        draft.group.append(Bucket(ref(named.column)))


def _repeats(column: Column) -> bool:
    return column.repeated and column.facts.type == "string"


def show_owners(draft: Draft) -> None:
    """`List all bars with their seats` names the bars too."""
    match = _OWN.search(draft.lower)
    at = draft.at(match.start()) if match else 0
    plain = all(one.ref and not one.aggregate and not one.share for one in draft.select)
    if match is None or not (draft.select and plain) or draft.group or draft.order:
        return
    before = [t for t, places in draft.question.tables.items() if places and min(places) < at]
    shown = {one.ref.table for one in draft.select if one.ref}
    if "select" not in draft.claimed[:at] and shown == set(before):
        draft.select.insert(0, Measure(None, ref(draft.index.naming(before[0]))))


def average_rows(draft: Draft) -> None:
    """`Revenue per order by region` is what an order brings, not what all do."""
    places = [draft.at(match.end()) for match in _PER.finditer(draft.lower)]
    rows = [at for at in places if draft.claimed[at] in {"", "rows"} and entity(draft, at)]
    if not rows or _SUM.search(draft.lower) or draft.several:
        return
    draft.claim(rows[0], rows[0] + 1, "rows")
    told = [*draft.select, *(one.by for one in draft.order if isinstance(one.by, Measure))]
    means = {
        m: replace(m, aggregate=_MEANS[m.aggregate])
        for m in told
        if m.aggregate in _MEANS and m.ref
    }
    draft.select = [means.get(one, one) for one in draft.select]
    draft.order = [
        replace(one, by=means.get(one.by, one.by)) if isinstance(one.by, Measure) else one
        for one in draft.order
    ]
