"""What a question leaves out: a count of its groups, their order, ranges of a distribution."""

from modelwright.engines.language.rules.answering.charting import (
    spread_wanted,
)
from modelwright.engines.language.rules.answering.measuring import (
    fall_back,
)
from modelwright.engines.language.rules.columns.index import ref
from modelwright.engines.language.rules.groups.contrasting import set_apart
from modelwright.engines.language.rules.groups.group_tests import count_groups
from modelwright.engines.language.rules.groups.ranges import width_of
from modelwright.engines.language.rules.measures.apiece import average_rows
from modelwright.engines.language.rules.measures.differences import read_gap
from modelwright.engines.language.rules.measures.each_row import read_each_row
from modelwright.engines.language.rules.measures.products import sales_units
from modelwright.engines.language.rules.mentions.drafting import Draft, named_tables
from modelwright.engines.language.rules.mentions.rows import amount, in_groups
from modelwright.engines.language.rules.plans.plan import (
    Bucket,
    Measure,
    Order,
)
from modelwright.engines.language.rules.text.patterns import pattern
from modelwright.engines.language.rules.times.usual_dates import default_unit

_BROKEN = pattern("measuring broken")
_KIND = 0.45
"""How well words name an amount that stands right before the groups."""
_WIDE = 20
"""A number of more different values is shown in ranges."""


def read_spread(draft: Draft) -> None:
    """A distribution is counts: in ranges for numbers, in values for the rest."""
    broken = _BROKEN.search(draft.lower) if len(draft.index.tables) == 1 else None
    if not (spread_wanted(draft) or broken) or draft.group:
        return
    if broken:
        draft.claim_text(broken, "group")
    named = draft.pick(0, len(draft.claimed), least=0.45)
    if named is None:
        return
    draft.claim(named.start, named.end, "group")
    column = named.column
    if column.number and column.facts.distinct > _WIDE:
        draft.group.append(Bucket(ref(column), width=width_of(column.facts)))
        draft.chart = draft.chart or (None if broken else "histogram")
    elif column.date:
        draft.group.append(Bucket(ref(column), default_unit(column)))
    else:
        draft.group.append(Bucket(ref(column)))
    draft.select.append(Measure("count"))


def complete(draft: Draft) -> None:
    """Fills in what the words leave out."""
    fall_back(draft)
    set_apart(draft)
    read_gap(draft)
    read_each_row(draft)
    count_groups(draft)
    if not draft.group and (draft.having or _counts_rank(draft)):
        _group_by_shown(draft)
    bare = bool(draft.having) or draft.only_group
    if draft.group and not draft.select and not bare:
        draft.select.append(_kind_before(draft) or sales_units(draft) or Measure("count"))
    grouped = {bucket.ref for bucket in draft.group}
    own = [m for m in draft.select if not (m.aggregate == "avg" and m.ref in grouped)]
    draft.select = own or draft.select
    draft.select = [m for m in draft.select if m.aggregate or m.share or m.ref not in grouped]
    if draft.group and not draft.select and not bare:
        draft.select.append(Measure("count"))
    plain = [m for m in draft.select if m.aggregate is None and m.ref and not m.share]
    if plain and len(plain) < len(draft.select) and not draft.group:
        draft.group = [Bucket(m.ref) for m in plain if m.ref]
        draft.select = [m for m in draft.select if m not in plain]
    if draft.group:
        draft.select = [
            m if m.aggregate or m.share or m.of_total else in_groups(draft, m) for m in draft.select
        ]
    average_rows(draft)
    if not draft.order and draft.group and draft.select:
        draft.order.append(_natural(draft))


def _kind_before(draft: Draft) -> Measure | None:
    """`Pipeline value by stage`: the amount whose kind stands right before the groups."""
    at = draft.claimed.index("group") if "group" in draft.claimed else 0
    named = draft.pick(at - 1, at, amount, _KIND) if at and len(draft.index.tables) == 1 else None
    said = draft.question.terms[at - 1].stem
    if named is None or draft.order or said not in {one.stem for one in named.column.name.terms}:
        return None
    draft.claim(named.start, named.end, "measure")
    return in_groups(draft, Measure(None, ref(named.column)))


def _counts_rank(draft: Draft) -> bool:
    """`Apps ranked by number of reviews` are groups too."""
    counted = any(one.by == Measure("count") for one in draft.order)
    return counted and any(one.ref and not one.aggregate for one in draft.select)


def _group_by_shown(draft: Draft) -> None:
    """`Students with more than one pet` are groups of rows, one for each student."""
    shown = [m.ref for m in draft.select if m.aggregate is None and m.ref]
    tables = named_tables(draft)
    if not shown and tables:
        shown = [ref(draft.index.naming(tables[0]))]
    draft.group = [Bucket(one) for one in shown]
    draft.select = [m for m in draft.select if m.aggregate]


def _natural(draft: Draft) -> Order:
    first = draft.group[0]
    column = draft.index.column(first.ref)
    if first.width is not None or first.unit or column.number or column.date:
        return Order(first, descending=False)
    return Order(draft.select[0], descending=True)
