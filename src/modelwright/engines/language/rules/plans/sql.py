"""A plan as one DuckDB statement, built as a tree so that every name and value is quoted right."""

from dataclasses import replace
from typing import Any

from sqlglot import exp

from modelwright.engines.facts import Value
from modelwright.engines.language.rules.plans.expressions import (
    aggregated,
    bucket_of,
    column_of,
    divided,
    literal,
    percent,
)
from modelwright.engines.language.rules.plans.plan import (
    Bucket,
    Condition,
    Having,
    Measure,
    Order,
    Plan,
    Ref,
)

_MATCHES = {"contains": "%{}%", "starts": "{}%", "ends": "%{}"}
_KINDS = {"count_distinct": "distinct", "product": "sum", "mean_product": "avg"}
_WHOLE_LABELS = frozenset({"ratio", "difference", "margin"})
_SAME = "same"
"""What the table is called where its rows are compared with others of it."""
_COMPARE = {"=": "EQ", "!=": "NEQ", ">": "GT", "<": "LT", ">=": "GTE", "<=": "LTE"}


def to_sql(plan: Plan) -> str:
    """Renders the plan in DuckDB's dialect."""
    return str(_query(plan).sql(dialect="duckdb"))


def _query(plan: Plan) -> exp.Query:
    many = len(plan.tables) > 1
    query = exp.select(*_projections(plan, many)).from_(_table(plan.tables[0]))
    done = {plan.tables[0]}
    for left, right in plan.joins:
        new = right.table if left.table in done else left.table
        on = exp.EQ(
            this=column_of(left, qualified=True), expression=column_of(right, qualified=True)
        )
        query = query.join(_table(new), on=on)
        done.add(new)
    for options in plan.where:
        query = query.where(exp.or_(*(_test(one, many) for one in options)))
    if plan.group:
        groups = [*plan.group, *map(Bucket, plan.apart)]
        query = query.group_by(*(bucket_of(one, many) for one in groups))
    for one in plan.having:
        query = query.having(_test_of_group(one, many))
    query = _sorted(query, plan, many)
    if plan.distinct:
        query = query.distinct()
    if plan.limit is not None and plan.within:
        query.set("qualify", exp.Qualify(this=_among_first(plan, plan.limit, many)))
    elif plan.limit is not None:
        query = (
            query.limit(plan.limit).offset(plan.offset) if plan.offset else query.limit(plan.limit)
        )
    if plan.counted:
        query = exp.select(exp.alias_(exp.Count(this=exp.Star()), "count", quoted=True)).from_(
            query.subquery("groups")
        )
    return query if plan.combined is None else query.intersect(_query(plan.combined))


def _projections(plan: Plan, many: bool) -> list[exp.Expression]:
    shown: list[exp.Expression] = []
    for bucket in plan.group:
        inner = bucket_of(bucket, many)
        plain = bucket.unit is None and bucket.width is None and not bucket.ref.alike
        shown.append(inner if plain else exp.alias_(inner, label_of(bucket), quoted=True))
    for measure in plan.select:
        inner = _measure(measure, many)
        named = measure.aggregate or measure.share or measure.of_total or measure.growth
        read = measure.ref is not None and measure.ref.alike
        shown.append(exp.alias_(inner, label_of(measure), quoted=True) if named or read else inner)
    return shown or [exp.Star()]


def label_of(one: Measure | Bucket) -> str:
    """The name of a column of the answer."""
    if isinstance(one, Measure):
        return _label_of_measure(one)
    cut = one.unit.replace(" ", "_") if one.unit else one.width and "from"
    return f"{one.ref.column}_{cut}" if cut else one.ref.column


def _label_of_measure(one: Measure) -> str:
    if one.growth or one.share or one.of_total or one.aggregate == "percentage":
        return "growth_percent" if one.growth else "percent"
    if one.aggregate == "per":
        return f"avg_sum_{one.other.column}" if one.other else "avg_count"
    if one.aggregate is None:
        return _label_of_column(one)
    if one.against or one.aggregate == "mean_difference":
        return "difference"
    running = "running_" if one.running else ""
    if one.aggregate in _WHOLE_LABELS or (one.aggregate == "count" and one.ref is None):
        return f"{running}{one.aggregate}"
    kind = f"p{100 * one.level:g}" if one.level else _KINDS.get(one.aggregate, one.aggregate)
    return f"{running}{kind}_{_label_of_column(one)}"


def _label_of_column(one: Measure) -> str:
    """The name of what is computed with."""
    name = one.ref.column if one.ref else "rows"
    if one.ref and one.ref.lapses:
        name = f"{one.ref.lapse}s"
    if one.ref and one.ref.told_in:
        name = f"{name}_in_{one.ref.told_in[0].replace(' ', '_')}"
    if one.other and one.aggregate in {"product", "mean_product"}:
        return f"{name}_times_{one.other.column}"
    return name


def _among_first(plan: Plan, limit: int, many: bool) -> exp.Expression:
    """Whether a row stands among the first of its group."""
    place = exp.Window(
        this=exp.RowNumber(),
        partition_by=[bucket_of(one, many) for one in plan.within],
        order=exp.Order(expressions=[_ordered(one, many) for one in plan.order]),
    )
    low, high = map(exp.Literal.number, (plan.offset + 1, plan.offset + limit))
    if plan.offset:
        return exp.Between(this=place, low=low, high=high)
    return exp.LTE(this=place, expression=high)


def _sorted(query: exp.Select, plan: Plan, many: bool) -> exp.Select:
    first = [Order(bucket, descending=False) for bucket in plan.within]
    keys = [_ordered(one, many) for one in [*first, *plan.order]]
    return query.order_by(*keys) if keys else query


def _ordered(order: Order, many: bool) -> exp.Expression:
    by = _order_key(order, many)
    return exp.Ordered(this=by, desc=order.descending, nulls_first=False)


def _order_key(order: Order, many: bool) -> exp.Expression:
    if isinstance(order.by, Bucket):
        if order.by.unit == "weekday":
            return exp.func("ISODOW", exp.func("ANY_VALUE", column_of(order.by.ref, many)))
        return bucket_of(order.by, many)
    if order.by.aggregate is None and order.by.ref:
        return column_of(order.by.ref, many)
    return _measure(order.by, many)


def _table(name: str) -> exp.Table:
    return exp.Table(this=exp.to_identifier(name, quoted=True))


def _measure(measure: Measure, many: bool) -> exp.Expression:
    inner = column_of(measure.ref, many) if measure.ref else exp.Star()
    if measure.growth or measure.running or measure.against:
        return (_apart if measure.against else _over_time)(measure, many)
    whole = exp.Sum(this=inner) if measure.ref else exp.Count(this=inner)
    if measure.other and (measure.share or measure.of_total):
        whole = _of_two(measure, inner, many)
    if measure.share:
        return percent(_part(measure, whole, many), whole)
    if measure.of_total:
        return percent(whole, exp.Window(this=exp.Sum(this=whole.copy())))
    if measure.aggregate is None:
        return column_of(measure.ref, many) if measure.ref else inner
    if measure.other or measure.aggregate == "per":
        return _of_two(measure, inner, many)
    return aggregated(measure, inner)


def _of_two(measure: Measure, one: exp.Expression, many: bool) -> exp.Expression:
    if measure.ref and measure.aggregate == "per":
        parts = bucket_of(Bucket(measure.ref, measure.unit), many)
        kinds = exp.Count(this=exp.Distinct(expressions=[parts]))
        if measure.other:
            one = column_of(measure.other, many)
        return divided((exp.Sum if measure.other else exp.Count)(this=one), kinds)
    other = column_of(measure.other or measure.ref, many)  # type: ignore[arg-type]
    if measure.aggregate == "corr":
        return exp.Anonymous(this="CORR", expressions=[one, other])
    if measure.aggregate in {"product", "mean_product"}:
        made = exp.Mul(this=one, expression=other)
        return exp.Sum(this=made) if measure.aggregate == "product" else exp.Avg(this=made)
    if measure.aggregate == "mean_difference":
        return exp.Avg(this=exp.Sub(this=one, expression=other))
    parts = (one, other) if measure.each else (exp.Sum(this=one), exp.Sum(this=other))
    less = exp.Sub(this=parts[0], expression=parts[1])
    if measure.aggregate == "margin":
        return divided(exp.Paren(this=less), parts[0].copy())
    over = percent if measure.aggregate == "percentage" else divided
    return less if measure.aggregate == "difference" else over(*parts)


def _part(measure: Measure, whole: exp.Expression, many: bool) -> exp.Expression:
    tests = [exp.or_(*(_test(one, many) for one in options)) for options in measure.share]
    if measure.ref is None:
        return exp.func("COUNT_IF", exp.and_(*tests))
    where = exp.Where(this=exp.and_(*tests))
    return exp.Filter(this=whole.copy(), expression=where)


def _over_time(measure: Measure, many: bool) -> exp.Expression:
    """What a number grows by from the period before, or comes to with all before."""
    now = _measure(replace(measure, growth=(), running=()), many)
    period, *apart = (bucket_of(one, many) for one in measure.growth or measure.running)
    before = exp.Window(
        this=exp.Sum(this=now) if measure.running else exp.func("LAG", now.copy()),
        partition_by=apart,
        order=exp.Order(expressions=[exp.Ordered(this=period)]),
    )
    growth = exp.Sub(this=percent(now, before), expression=exp.Literal.number(100))
    return before if measure.running else growth


def _apart(measure: Measure, many: bool) -> exp.Expression:
    whole = _measure(replace(measure, against=()), many)
    tests = (exp.Where(this=_test(one, many)) for one in measure.against)
    one, other = (exp.Filter(this=whole.copy(), expression=where) for where in tests)
    return exp.Sub(this=one, expression=other)


def _test_of_group(one: Having, many: bool) -> exp.Expression:
    measure = _measure(one.measure, many)
    if one.plan is None:
        return _compare(measure, one.op, one.value, one.upper)
    tested: exp.Expression = getattr(exp, _COMPARE[one.op])(
        this=measure, expression=_query(one.plan).subquery()
    )
    return tested


def _test(one: Condition, many: bool) -> exp.Expression:
    column = column_of(one.ref, many)
    if one.part is not None:
        column = exp.Anonymous(this=one.part, expressions=[column])
    if one.op in {"missing", "present"}:
        empty = exp.Is(this=column, expression=exp.Null())
        return empty if one.op == "missing" else exp.Not(this=empty)
    if one.plan is not None or one.other is not None:
        return _against(column, one, many)
    if one.op in {"in", "not in"} and isinstance(one.value, tuple):
        inside = exp.In(this=column, expressions=[literal(value) for value in one.value])
        return inside if one.op == "in" else exp.Not(this=inside)
    if one.op in _MATCHES:
        return exp.ILike(this=column, expression=literal(_MATCHES[one.op].format(one.value)))
    if one.op in {"between", "outside"} and one.exclusive:
        within = exp.and_(
            exp.GTE(this=column, expression=literal(_single(one.value))),
            exp.LT(this=column.copy(), expression=literal(one.upper)),
        )
        return within if one.op == "between" else exp.Not(this=exp.Paren(this=within))
    return _compare(column, one.op, _single(one.value), one.upper)


def _single(value: Value | tuple[Value, ...] | None) -> Value | None:
    return None if isinstance(value, tuple) else value


def _against(column: exp.Expression, one: Condition, many: bool) -> exp.Expression:
    """Compares with another column, or with what another plan gives."""
    if one.plan is not None and one.op in {"in", "not in"}:
        inside = exp.In(this=column, query=_query(one.plan).subquery())
        return inside if one.op == "in" else exp.Not(this=inside)
    right = (
        _of_same(one.plan, one.same).subquery()
        if one.plan
        else column_of(one.other or one.ref, many)
    )
    if one.times is not None:
        right = exp.Mul(this=literal(one.times), expression=right)
    tested: exp.Expression = getattr(exp, _COMPARE[one.op])(this=column, expression=right)
    return tested


def _of_same(plan: Plan, same: Ref | None) -> exp.Query:
    """Another plan, over the rows alone that share a value with the row that is tested."""
    query = _query(plan)
    if same is None or not isinstance(query, exp.Select):
        return query
    of = exp.alias_(_table(same.table), _SAME, table=True, quoted=True)
    inner, outer = (
        exp.column(same.column, table=table, quoted=True) for table in (_SAME, same.table)
    )
    return query.from_(of).where(exp.EQ(this=inner, expression=outer))


def _compare(left: exp.Expression, op: str, value: Any, upper: Any = None) -> exp.Expression:
    if op == "between":
        return exp.Between(this=left, low=literal(value), high=literal(upper))
    kind = getattr(exp, _COMPARE[op])
    tested: exp.Expression = kind(this=left, expression=literal(value))
    return tested
