"""A plan told in one sentence."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, datetime, timedelta

from modelwright.engines.language.rules.plans.plan import Bucket, Condition, Measure, Plan, Ref
from modelwright.engines.language.rules.text.lexicon import spelled_out
from modelwright.engines.language.wording import listed

_OPS = {
    "=": "is", "!=": "is not", ">": "is more than", "<": "is less than", ">=": "is at least",
    "<=": "is at most", "between": "is between", "outside": "is not between",
    "in": "is one of", "not in": "is none of",
    "contains": "contains", "starts": "starts with", "ends": "ends with",
    "missing": "is missing", "present": "is given",
}  # fmt: skip
_AGGREGATES = {
    "count": "number of", "count_distinct": "number of different", "sum": "total", "avg": "average",
    "min": "lowest", "max": "highest", "median": "median", "corr": "correlation of",
}  # fmt: skip
_MOST_SPELLINGS = 5
"""More spellings that are read as one are not told."""
_PARTS = {"MONTH": "month of", "ISODOW": "weekday number of", "HOUR": "hour of", "YEAR": "year of"}


def sentence(plan: Plan) -> str:
    """Says what the plan shows, of which rows, how grouped, sorted and cut."""
    tables = listed([_plain(name) for name in plan.tables])
    text = f"{_shown(plan)} of {tables}{_rows(plan)}{_sorted(plan)}"
    if plan.combined is not None:
        text += f", that are also in {_inner(plan.combined)}"
    return text + _read_as(plan) + "."


def _shown(plan: Plan) -> str:
    said = listed([_measure(one) for one in plan.select])
    if not plan.select and plan.group:
        said = listed([_bucket(one) for one in plan.group])
    said = f"number of different {said}" if plan.counted else said
    if not said:
        return "All columns"
    return f"{'Different values of the' if plan.distinct else 'The'} {said}"


def _rows(plan: Plan) -> str:
    """Of which rows, in which groups."""
    text = ""
    if plan.where:
        text += " where " + " and ".join(_options(one) for one in plan.where)
    if plan.group and plan.select:
        text += " for each " + listed([_bucket(one) for one in plan.group])
    if plan.apart:
        text += f" (those of one name told apart by {listed([_name(one) for one in plan.apart])})"
    for one in plan.having:
        inner = f"{_OPS[one.op]} ({_inner(one.plan)})" if one.plan else ""
        test = inner or _test(one.op, one.value, one.upper)
        text += f" with {_measure(one.measure)} {test}"
    return text


def _sorted(plan: Plan) -> str:
    """In which order, and how many."""
    text = ""
    if plan.order:
        ways = [f"{_key(one.by)} {'falling' if one.descending else 'rising'}" for one in plan.order]
        text += ", sorted by " + listed(ways)
    if plan.limit is not None:
        first = f"number {plan.offset + 1}" if plan.offset else "the first"
        first += f" {plan.limit}" if plan.limit > 1 else ""
        first += f" of each {listed([_bucket(one) for one in plan.within])}" if plan.within else ""
        text += f", {first} only"
    return text


def _inner(plan: Plan) -> str:
    """A plan inside of a sentence."""
    said = sentence(plan).rstrip(".")
    return f"{said[0].lower()}{said[1:]}"


def _read_as(plan: Plan) -> str:
    """Tells which spellings are read as one."""
    refs = [*(one.ref for one in plan.group), *(one.ref for one in plan.select if one.ref)]
    refs += [one.ref for options in plan.where for one in options]
    told = dict.fromkeys(pair for one in refs for pair in one.alike)
    read = [f"{written.strip()} read as {shown}" for written, shown in told]
    return f" ({listed(read[:_MOST_SPELLINGS])})" if read else ""


def _key(one: Measure | Bucket) -> str:
    return _bucket(one) if isinstance(one, Bucket) else _measure(one)


def _measure(one: Measure) -> str:
    if one.growth or one.share or one.of_total or one.running:
        return _over_all(one)
    if one.against:
        first, second = map(_condition, one.against)
        return f"{_measure(replace(one, against=()))} where {first} minus that where {second}"
    if one.ref is None:
        return "number of rows"
    name = _name(one.ref)
    if one.aggregate is None:
        return name
    if one.other is not None or one.aggregate == "per":
        return _of_two(one, name)
    summed = one.aggregate == "sum" and name.lower().startswith("total")
    kind = f"percentile {100 * one.level:g} of" if one.level else _AGGREGATES[one.aggregate]
    return f"sum of {name}" if summed else f"{kind} {name}"


_OF_TWO: dict[str, str] = {
    "ratio": "total {} divided by total {}",
    "percentage": "total {} as a percentage of the total {}",
    "difference": "total {} minus total {}",
    "margin": "share of the total {} that the total {} leaves",
    "mean_difference": "average of {} minus {}",
    "product": "total of {} times {}",
    "mean_product": "average of {} times {}",
    "corr": "correlation of {} and {}",
}


def _of_two(one: Measure, name: str) -> str:
    other = _name(one.other) if one.other else ""
    if one.aggregate == "per":
        told = f"total {other}" if other else "number of rows"
        return f"average {told} for each {f'{one.unit} of ' if one.unit else ''}{name}"
    told = _OF_TWO[one.aggregate or "corr"].format(name, other)
    return told.replace("total ", "") if one.each else told.replace("total total ", "total ")


def _over_all(one: Measure) -> str:
    """What a number is beside others: a percentage of them, its growth, their running total."""
    if one.running:
        number = _measure(replace(one, running=()))
        return f"running total over each {one.running[0].unit} of the {number}"
    if one.growth:
        number = _measure(replace(one, growth=()))
        return f"growth in percent over the {one.growth[0].unit} before of the {number}"
    of = f"total {_name(one.ref)}" if one.ref else "rows"
    if one.other:
        of = _measure(replace(one, share=(), of_total=False))
    if one.share:
        return f"percentage of {of} where " + " and ".join(_options(test) for test in one.share)
    return f"percentage of the {of}" if one.ref else "percentage of all rows"


def _bucket(one: Bucket) -> str:
    if one.width is not None:
        return f"range of {_name(one.ref)} ({one.width:g} wide)"
    return f"{one.unit} of {_name(one.ref)}" if one.unit else _name(one.ref)


def _options(tests: Sequence[Condition]) -> str:
    return " or ".join(_condition(one) for one in tests)


def _condition(one: Condition) -> str:
    name = f"{_PARTS.get(one.part, '')} {_name(one.ref)}" if one.part else _name(one.ref)
    if one.plan is not None:
        same = f" of the same {_name(one.same)}" if one.same else ""
        return f"{name} {_OPS[one.op]} ({_inner(one.plan)}{same})"
    if one.other is not None:
        times = f"{one.times:g} times " if one.times else ""
        return f"{name} {_OPS[one.op]} {times}{_name(one.other)}"
    upper = one.upper
    if one.exclusive and isinstance(upper, date):
        upper -= timedelta(days=1)
    return f"{name} {_test(one.op, one.value, upper)}"


def _test(op: str, value: object, upper: object) -> str:
    if op in {"missing", "present"}:
        return _OPS[op]
    if op in {"between", "outside"}:
        return f"{_OPS[op]} {_value(value)} and {_value(upper)}"
    if isinstance(value, tuple):
        return f"{_OPS[op]} {listed([_value(each) for each in value])}"
    return f"{_OPS[op]} {_value(value)}"


def _value(value: object) -> str:
    if isinstance(value, datetime) and not (value.hour or value.minute or value.second):
        return value.date().isoformat()
    return f"{value:g}" if isinstance(value, float) else str(value)


def _name(ref: Ref) -> str:
    if ref.told_in is not None:
        return f"{_name(replace(ref, told_in=None))} in {ref.told_in[0]}"
    if ref.since is not None:
        rest = f", or to {ref.until} where there is none" if ref.until else ""
        return f"{ref.lapse}s from {_name(ref.since)} to {_plain(ref.column)}{rest}"
    if ref.until is not None:
        return f"{ref.lapse}s from {_plain(ref.column)} to {ref.until}"
    return _plain(ref.column)


def _plain(name: str) -> str:
    return " ".join(name.replace("_", " ").split()) or name


def spoken(name: str) -> str:
    """A column's name in words."""
    return " ".join(spelled_out(name))
