"""Which of several rows or groups that tie is shown: always the same ones."""

from dataclasses import replace

from modelwright.engines.language.rules.columns.index import Index, ref
from modelwright.engines.language.rules.plans.plan import Bucket, Measure, Order, Plan


def settled(plan: Plan, index: Index) -> Plan:
    """Sorts what ties by what is shown, so that the same question always gets the same answer."""
    if plan.limit is None or not plan.order:
        return plan
    known = {_read(one.by) for one in plan.order} | {(one.ref, one.unit) for one in plan.within}
    ties = [Order(by, descending=False) for by in _shown(plan, index) if _read(by) not in known]
    return replace(plan, order=[*plan.order, *ties])


def _read(by: Measure | Bucket) -> object:
    return by if isinstance(by, Measure) and by.aggregate else (by.ref, by.unit)


def _shown(plan: Plan, index: Index) -> list[Measure | Bucket]:
    """What tells rows or groups apart: of rows the key of their table, then what is shown."""
    if plan.group:
        return [*map(Bucket, plan.apart), *plan.group]
    if any(one.aggregate or one.share for one in plan.select):
        return []
    own = index.in_table(plan.tables[0])
    keys = [c for c in own if c.identifier and c.facts.distinct == c.facts.rows]
    key = [] if plan.distinct else [ref(column) for column in keys[:1]]
    refs = [*key, *(one.ref for one in plan.select if one.ref and (plan.joins or not key))]
    return [Measure(None, one) for one in dict.fromkeys(refs or [ref(own[0])])]
