"""What a question leaves out: a count of its groups, their order, ranges of a distribution."""

from collections.abc import Callable

from modelwright.engines.chart_spec import ChartType
from modelwright.engines.language.rules.answering.charts import spread_wanted
from modelwright.engines.language.rules.answering.shown_numbers import fall_back
from modelwright.engines.language.rules.columns.index import ref
from modelwright.engines.language.rules.groups.group_tests import count_groups
from modelwright.engines.language.rules.groups.opposed_groups import set_apart
from modelwright.engines.language.rules.groups.ranges import width_of
from modelwright.engines.language.rules.measures.differences import read_gap
from modelwright.engines.language.rules.measures.each_row import read_each_row
from modelwright.engines.language.rules.measures.products import sales_units
from modelwright.engines.language.rules.measures.row_averages import average_rows
from modelwright.engines.language.rules.mentions.draft import Draft, named_tables
from modelwright.engines.language.rules.mentions.mention import MAY_NAME
from modelwright.engines.language.rules.mentions.rows import amount, in_groups
from modelwright.engines.language.rules.plans.plan import Bucket, Measure, Order
from modelwright.engines.language.rules.text.patterns import pattern
from modelwright.engines.language.rules.times.usual_dates import default_unit

_BROKEN = pattern("measuring broken")
_MOST_VALUES_APART = 20
"""A number of more different values is shown in ranges."""


def read_spread(draft: Draft) -> None:
    """A distribution is counts: in ranges for numbers, in values for the rest."""
    broken = _BROKEN.search(draft.lower) if not draft.several else None
    if not (spread_wanted(draft) or broken) or draft.group:
        return
    if broken:
        draft.claim_text(broken, "group")
    named = draft.pick(0, len(draft.claimed), least=MAY_NAME)
    if named is None:
        return
    draft.claim(named.start, named.end, "group")
    column = named.column
    if column.number and column.facts.distinct > _MOST_VALUES_APART:
        draft.group.append(Bucket(ref(column), width=width_of(column.facts)))
        draft.chart = draft.chart or (None if broken else ChartType.HISTOGRAM)
    elif column.date:
        draft.group.append(Bucket(ref(column), default_unit(column)))
    else:
        draft.group.append(Bucket(ref(column)))
    draft.select.append(Measure("count"))


def complete(draft: Draft) -> None:
    """Fills in what the words leave out."""
    for step in _STEPS:
        step(draft)


def _lacks_number(draft: Draft) -> bool:
    """Whether groups have no number beside them, and are not themselves what is asked for."""
    bare = draft.having or draft.only_group
    return bool(draft.group) and not draft.select and not bare


def _show_amount(draft: Draft) -> None:
    """Groups without a number show the amount that is named before them, units sold, or counts."""
    if _lacks_number(draft):
        draft.select.append(_amount_before(draft) or sales_units(draft) or Measure("count"))


def _drop_grouped(draft: Draft) -> None:
    """What makes the groups is not shown beside them, nor averaged, where there is more to show."""
    grouped = {bucket.ref for bucket in draft.group}
    own = [m for m in draft.select if m.aggregate != "avg" or m.ref not in grouped]
    draft.select = [
        m for m in own or draft.select if m.aggregate or m.share or m.ref not in grouped
    ]


def _compute_in_groups(draft: Draft) -> None:
    """Columns that are shown in groups are added up, averaged or counted."""
    if draft.group:
        draft.select = [
            m if m.aggregate or m.share or m.of_total else in_groups(draft, m) for m in draft.select
        ]


def _amount_before(draft: Draft) -> Measure | None:
    """`Pipeline value by stage`: the amount whose kind stands right before the groups."""
    at = draft.claimed.index("group") if "group" in draft.claimed else 0
    named = draft.pick(at - 1, at, amount, MAY_NAME) if at and not draft.several else None
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
    if draft.group or not (draft.having or _counts_rank(draft)):
        return
    shown = [m.ref for m in draft.select if m.aggregate is None and m.ref]
    tables = named_tables(draft)
    if not shown and draft.tested is not None and not draft.several:
        shown = [ref(draft.tested)]
    if not shown and tables:
        shown = [ref(draft.index.naming(tables[0]))]
    draft.group = [Bucket(one) for one in shown]
    draft.select = [m for m in draft.select if m.aggregate]


def _order_groups(draft: Draft) -> None:
    """Groups without an order come by time or number, else the greatest first."""
    if draft.order or not (draft.group and draft.select):
        return
    first = draft.group[0]
    column = draft.index.column(first.ref)
    by_itself = first.width is not None or first.unit or column.number or column.date
    by = Order(first, descending=False) if by_itself else Order(draft.select[0], descending=True)
    draft.order.append(by)


_STEPS: tuple[Callable[[Draft], object], ...] = (
    fall_back, set_apart, read_gap, read_each_row, count_groups, _group_by_shown, _show_amount,
    _drop_grouped, _compute_in_groups, average_rows, _order_groups,
)  # fmt: skip
"""What is filled in, in this order: each step builds on what those before it have settled."""
