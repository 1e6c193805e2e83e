"""From a half-read question to a whole plan: groups, shapes, tables, joins.

The stages only mark words and note what they mean. Tables and joins are chosen here, at the end,
when all columns are known: chosen earlier, a word read later could need a table that can't be
reached any more.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from modelwright.engines.language.rules.answering.second_pass import (
    Insisted,
    overlooked_requests,
    take_requests,
)
from modelwright.engines.language.rules.answering.stages import read_all
from modelwright.engines.language.rules.columns.index import Index
from modelwright.engines.language.rules.columns.schema import join_path, points
from modelwright.engines.language.rules.lookups.lookup import as_stored
from modelwright.engines.language.rules.measures.first_of_each import ranked_within, take_within
from modelwright.engines.language.rules.mentions.draft import Draft, columns_of, named_tables
from modelwright.engines.language.rules.mentions.mentions import Question, read_words
from modelwright.engines.language.rules.mentions.slips_of_spelling import mend_slips
from modelwright.engines.language.rules.mentions.units import without_units
from modelwright.engines.language.rules.plans.plan import (
    Bucket,
    Condition,
    Having,
    Order,
    Plan,
    Ref,
    refs_of,
)
from modelwright.engines.language.rules.ranks.first_row import settle_first
from modelwright.engines.language.rules.ranks.places import take_nth
from modelwright.engines.language.rules.several.relations import (
    count_once,
    count_pointing,
    exclude_lacking,
    join_along,
    part_namesakes,
    require_having,
    show_once,
    split_both,
)
from modelwright.engines.language.rules.text.stopping import Stopped, never
from modelwright.engines.language.rules.times.usual_dates import tables_that_tell_when

Options = tuple[Condition, ...]
"""Conditions of which one is enough."""


def draft_of(text: str, index: Index, today: date, stopped: Stopped = never) -> Draft:
    """Reads a question; a second time where columns that it calls by name were left out."""
    said = read_words(text, index, stopped)
    meant = mend_slips(said, index)
    said = read_words(meant, index, stopped) if meant != text else said
    said.values = without_units(said, index.columns)
    draft = _drafted(said, index, today, [])
    missed = overlooked_requests(draft)
    draft = _drafted(said, index, today, missed) if missed else draft
    if rows := _rows_of_other_times(draft):
        draft = _drafted(said, index, today, missed, rows=rows)
    if ranked_within(draft):
        apart = _drafted(said, index, today, missed, aside=True)
        return apart if take_within(apart) else draft
    return draft


def _drafted(
    said: Question,
    index: Index,
    today: date,
    insisted: list[Insisted],
    *,
    aside: bool = False,
    rows: str = "",
) -> Draft:
    """Reads stage by stage; `aside` reads what is ranked as if nothing said in each of what.

    `rows` is the table whose rows times are of, where it is known.
    """
    draft = Draft.of(replace(said), index, today)
    draft.aside, draft.rows = aside, rows
    take_requests(draft, insisted)
    return read_all(draft)


def _rows_of_other_times(draft: Draft) -> str:
    """The table whose rows are read, where a time was taken for that of what they only lead to."""
    if not (draft.several and draft.usual) or draft.lacking:
        return ""
    rows = _rows_read(draft)
    told = tables_that_tell_when(draft.index, rows) if rows else []
    return rows if told and any(one.table not in told for one in draft.usual) else ""


def _rows_read(draft: Draft) -> str:
    """The table that leads to all others that a draft reads, whatever date its times are of."""
    usual = {(one.table, one.facts.name) for one in draft.usual}

    def is_of_usual(part: Options | Bucket | Order) -> bool:
        return bool(usual & {(one.table, one.column) for one in refs_of(part, (Plan,))})

    where = [one for one in draft.where if not is_of_usual(one)]
    group = [one for one in draft.group if not is_of_usual(one)]
    order = [one for one in draft.order if not is_of_usual(one)]
    plan = Plan([], list(draft.select), where, group, list(draft.having), order)
    if not (_refs(plan) or named_tables(draft)) or not _join(plan, draft):
        return ""
    leading = (
        one
        for one in plan.tables
        if all(other == one or points(draft.index.keys, one, other) for other in plan.tables)
    )
    return next(leading, "")


def plan_of(draft: Draft) -> Plan | None:
    """Binds the draft to tables and joins; None where tables can't be joined."""
    exclude_lacking(draft, _main(draft))
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
        [_of_these_rows(one, draft.where, where) for one in draft.having],
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
    require_having(draft, plan)
    split_both(draft, plan)
    part_namesakes(draft.index, plan)
    count_once(draft.index, plan)
    show_once(draft, plan)
    plan.select = [as_stored(one) for one in plan.select]
    return plan


def _of_these_rows(one: Having, told: Sequence[Options], kept: Sequence[Options]) -> Having:
    """Compares groups with a number of the rows that they are of: those of the same month.

    What is told of each group is of those that are named, `kept` leaving out rows of none.
    """
    if one.plan is None:
        return one
    is_of_each = any(measure.aggregate == "per" for measure in one.plan.select)
    return replace(one, plan=replace(one.plan, where=[*(kept if is_of_each else told)]))


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
    """Joins the tables that a plan reads; tells whether they can be joined."""
    first, *others = _tables_of(plan, draft)
    plan.tables = [first]
    for goal in others:
        if goal in plan.tables:
            continue
        way = join_path(draft.index.keys, first, goal)
        if way is None:
            return False
        join_along(draft.index, plan, way)
    return True


def _tables_of(plan: Plan, draft: Draft) -> list[str]:
    """The tables that a plan reads: those of its columns, and those whose rows it counts."""
    tables = list(dict.fromkeys(one.table for one in _refs(plan)))
    counts = any(m.aggregate == "count" and m.ref is None for m in plan.select)
    named = named_tables(draft)
    if not tables or (counts and not plan.group and named):
        tables = [*named[:1], *(one for one in tables if one not in named[:1])]
    if (counts and plan.group) or plan.having:
        tables += [one for one in named if one not in tables][:1]
    if draft.counted and draft.counted not in tables:
        tables.append(draft.counted)
    return tables or [draft.index.tables[0].name]
