"""From a half-read question to a whole plan: groups, shapes, tables, joins."""

from dataclasses import replace
from datetime import date

from modelwright.engines.language.rules.answering.charting import (
    pair_wanted,
    read_chart,
    spread_wanted,
)
from modelwright.engines.language.rules.answering.insisting import Insisted, insist, overlooked
from modelwright.engines.language.rules.answering.measuring import (
    doubt_unread,
    fall_back,
    read_measures,
)
from modelwright.engines.language.rules.columns.index import Index, ref
from modelwright.engines.language.rules.columns.schema import join_path
from modelwright.engines.language.rules.conditions.filters import read_filters
from modelwright.engines.language.rules.conditions.signs import read_signs
from modelwright.engines.language.rules.groups.comparing import read_compared
from modelwright.engines.language.rules.groups.contrasting import set_apart
from modelwright.engines.language.rules.groups.frequencies import read_frequency
from modelwright.engines.language.rules.groups.group_tests import count_groups
from modelwright.engines.language.rules.groups.grouping import read_groups
from modelwright.engines.language.rules.groups.ranges import width_of
from modelwright.engines.language.rules.lookups.lookup import as_stored
from modelwright.engines.language.rules.measures.apiece import average_rows
from modelwright.engines.language.rules.measures.differences import read_gap
from modelwright.engines.language.rules.measures.each_row import read_each_row
from modelwright.engines.language.rules.measures.products import sales_units, unprice
from modelwright.engines.language.rules.measures.quantiles import read_quantile
from modelwright.engines.language.rules.measures.shares import settle_rates
from modelwright.engines.language.rules.measures.within import ranked_within, set_aside, take_within
from modelwright.engines.language.rules.mentions.drafting import Draft, columns_of, named_tables
from modelwright.engines.language.rules.mentions.mentions import Question, read_words
from modelwright.engines.language.rules.mentions.names import read_names
from modelwright.engines.language.rules.mentions.rows import add_up, amount, in_groups
from modelwright.engines.language.rules.mentions.slips import mended
from modelwright.engines.language.rules.plans.plan import (
    Bucket,
    Condition,
    Measure,
    Order,
    Plan,
    Ref,
)
from modelwright.engines.language.rules.ranks.nth import read_nth, take_nth
from modelwright.engines.language.rules.ranks.ordering import claim_firsts, order_groups, read_order
from modelwright.engines.language.rules.ranks.superlatives import number_spans, read_superlatives
from modelwright.engines.language.rules.ranks.topmost import settle_first
from modelwright.engines.language.rules.several.relations import (
    count_once,
    count_pointing,
    exclude,
    key_refs,
    part_namesakes,
    read_lacks,
    read_never,
    require,
    show_once,
    split_both,
)
from modelwright.engines.language.rules.several.several import read_several
from modelwright.engines.language.rules.text.patterns import pattern
from modelwright.engines.language.rules.text.stopping import Stopped, never
from modelwright.engines.language.rules.times.durations import read_duration
from modelwright.engines.language.rules.times.joining import read_joining
from modelwright.engines.language.rules.times.usual_dates import default_unit

_BROKEN = pattern("measuring broken")
_KIND = 0.45
_WIDE = 20


def draft_of(text: str, index: Index, today: date, stopped: Stopped = never) -> Draft:
    """Reads a question; a second time where columns that it calls by name were left out."""
    said = read_words(text, index, stopped)
    meant = mended(said, index)
    said = read_words(meant, index, stopped) if meant != text else said
    draft = _drafted(said, index, today, [])
    missed = overlooked(draft)
    draft = _drafted(said, index, today, missed) if missed else draft
    if ranked_within(draft):
        apart = _drafted(said, index, today, missed, apart=True)
        return apart if take_within(apart) else draft
    return draft


def _drafted(
    said: Question, index: Index, today: date, insisted: list[Insisted], *, apart: bool = False
) -> Draft:
    """Reads step by step, each step taking the words it explains.

    `apart` reads what is ranked as if nothing said in each of what.
    """
    draft = Draft.of(replace(said), index, today)
    insist(draft, insisted)
    unprice(draft)
    read_joining(draft)
    read_chart(draft)
    taken = number_spans(draft)
    for read in (read_nth, read_signs, read_quantile, read_frequency, read_duration):
        read(draft)
    if len(index.tables) > 1 and not draft.charted:
        read_several(draft, taken)
        doubt_unread(draft)
        return draft
    if not pair_wanted(draft):
        read_groups(draft)
    read_lacks(draft)
    read_filters(draft, taken)
    settle_rates(draft)
    read_never(draft)
    read_names(draft)
    _read_spread(draft)
    claim_firsts(draft)
    if apart:
        set_aside(draft)
    if not read_compared(draft):
        read_superlatives(draft)
        read_order(draft)
        read_measures(draft)
        add_up(draft)
    _complete(draft)
    order_groups(draft)
    doubt_unread(draft)
    return draft


def _read_spread(draft: Draft) -> None:
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


def _complete(draft: Draft) -> None:
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


def plan_of(draft: Draft) -> Plan | None:
    """Binds the draft to tables and joins; None where tables can't be joined."""
    exclude(draft, _main(draft))
    count_pointing(draft)
    where = list(draft.where)
    if draft.limit is not None or draft.having:
        for bucket in draft.group:
            column = draft.index.column(bucket.ref)
            if column.facts.missing:
                where.append((Condition(bucket.ref, "present"),))
    settle_first(draft)
    plan = Plan(
        [],
        list(draft.select),
        where,
        list(draft.group),
        list(draft.having),
        list(draft.order),
        draft.limit,
        within=list(draft.within) if draft.apart else [],
        counted=draft.groups_counted,
        distinct=draft.distinct,
        chart=draft.chart,
    )
    take_nth(draft, plan)
    if plan.limit is not None and not plan.order and not plan.group and plan.limit > 1:
        plan.select = plan.select if any(m.ref for m in plan.select) else []
    if not _join(plan, draft):
        return None
    require(draft, plan)
    split_both(draft, plan)
    part_namesakes(draft.index, plan)
    count_once(draft.index, plan)
    show_once(draft, plan)
    plan.select = [as_stored(one) for one in plan.select]
    return plan


def _main(draft: Draft) -> str:
    """The table whose rows are asked for."""
    shown = [m.ref.table for m in draft.select if m.ref] + [b.ref.table for b in draft.group]
    tested = [one.table for one in columns_of(draft.where)]
    return (shown or named_tables(draft) or tested or [draft.index.tables[0].name])[0]


def _refs(plan: Plan) -> list[Ref]:
    found = [bucket.ref for bucket in plan.group]
    keys = [order.by for order in plan.order]
    for one in [*plan.select, *keys, *(having.measure for having in plan.having)]:
        if isinstance(one, Bucket):
            found.append(one.ref)
            continue
        found += [each for each in (one.ref, one.other) if each]
        found += columns_of(one.share)
    return found + columns_of(plan.where)


def _join(plan: Plan, draft: Draft) -> bool:
    tables = list(dict.fromkeys(one.table for one in _refs(plan)))
    counted = [m for m in plan.select if m.aggregate == "count" and m.ref is None]
    named = named_tables(draft)
    if not tables or (counted and not plan.group and named):
        tables = [*named[:1], *(one for one in tables if one not in named[:1])]
    if (counted and plan.group and named) or plan.having:
        extra = [one for one in named if one not in tables]
        tables += extra[:1]
    if draft.counted and draft.counted not in tables:
        tables = [*tables, draft.counted] if tables else [draft.counted]
    tables = tables or [draft.index.tables[0].name]
    plan.tables = tables[:1]
    for goal in tables[1:]:
        if goal in plan.tables:
            continue
        way = join_path(draft.index.keys, plan.tables[0], goal)
        if way is None:
            return False
        for key in way:
            pair = key_refs(draft.index, key)
            if pair not in plan.joins:
                plan.joins.append(pair)
                plan.tables += [t for t in (key.table, key.to_table) if t not in plan.tables]
    return True
