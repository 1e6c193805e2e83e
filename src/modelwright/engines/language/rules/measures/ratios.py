"""One sum over another: the ratio of profit to sales, the profit margin.

The mean of each row's margin is not the margin of all rows. Ratios are computed of two sums, and
those that are known by name, such as a click rate, of the columns that they are made of.
"""

import re
from dataclasses import replace

from modelwright.engines.language.rules.columns.index import Column, ref
from modelwright.engines.language.rules.mentions.draft import Draft
from modelwright.engines.language.rules.mentions.mention import Mention
from modelwright.engines.language.rules.mentions.rows import added, amount, in_unit, measured_in
from modelwright.engines.language.rules.mentions.units import is_measured, unit_at
from modelwright.engines.language.rules.plans.plan import Measure
from modelwright.engines.language.rules.text.patterns import pattern, triples
from modelwright.engines.language.rules.text.words import name_parts
from modelwright.engines.language.vocabulary import alternatives

_MARGIN = pattern("ratios margin")
UNITS = pattern("measuring units")
_PROFIT = pattern("signs profit")
_SALES = pattern("ratios sales")
COST = re.compile(r"\b(?:costs?|expenses?|expenditures?|spend|spending)\b")
_PER = pattern("ratios per")
_RATE = pattern("ratios rate")
_BASES = pattern("ratios bases")
_KNOWN = triples("ratios known")
_CONVERTED = pattern("ratios conversion")
_SEEN = re.compile(r"impressions|views")
AVERAGED = re.compile(
    r"\b(?:"
    + alternatives("averages.means", "averages.median")
    + "|"
    + alternatives("superlatives.number_ends", "superlatives.ends")
    + r")\b"
)
_IN_PERCENT = re.compile(r"(?:\b(?:in|as(?: an?)?) |\()(?:percent(?:age)?\b|per cent\b|pct\b|%)")
_MEANS = re.compile(rf"(?:{alternatives('averages.means')})")
_REACH = 4
"""In words: how far from the cue an amount may stand."""
_SURE = 0.6
"""How surely words must mean an amount, 0 to 1."""
_BEFORE_PER = 0.55
"""The same of what stands before `per`."""
_NAME_SAID = 0.9
"""How much of a column's name must be said to be all but whole, 0 to 1."""
_HALF_SAID = 0.5
"""How much of it must be said to be meant at all."""
_MOST_GROUPS = 100
"""Numbers of more values make no groups."""
_ROWS_A_VALUE = 4
"""Whole numbers that come back in so many rows each may make groups all the same."""


def read_ratio(draft: Draft) -> bool:
    """Reads what one sum is of another; says whether there was one."""
    if draft.several:
        return False
    ways = (_known, _per, _rate, _margin)
    measure = next((one for way in ways if (one := way(draft)) is not None), None)
    if measure is not None:
        draft.select.append(_in_percent(draft, measure))
    return measure is not None


def _in_percent(draft: Draft, measure: Measure) -> Measure:
    """`Click rate in percent` is 100 times what two sums make."""
    asked = _IN_PERCENT.search(draft.lower)
    if asked is None or measure.aggregate != "ratio":
        return measure
    draft.claim_text(asked, "measure")
    return replace(measure, aggregate="percentage")


def _margin(draft: Draft) -> Measure | None:
    """`Profit margin`; where neither a column nor two tell it, it stays unread."""
    match = _MARGIN.search(draft.lower)
    if match is None:
        return None
    at = draft.at(match.start())
    measure = None if draft.claimed[at] else margin_at(draft, at)
    named = draft.question.mentions.named_at(at) > _HALF_SAID
    if measure is None and not named:
        draft.unread.append(match.group())
    return measure


def _known(draft: Draft) -> Measure | None:
    """`Ctr` is clicks over impressions; without these columns it stays unread."""
    for cue, *parts in _KNOWN:
        match = cue.search(draft.lower)
        at = draft.at(match.start()) if match else 0
        held = draft.question.is_value(at)
        if match is None or held or draft.question.mentions.named_at(at) > _NAME_SAID:
            continue
        columns = [only_amount(draft, part) for part in parts]
        if not all(columns):
            draft.unread.append(match.group())
            return None
        draft.claim_text(match, "measure")
        one, two = (ref(column) for column in columns if column)
        return Measure("ratio", one, two)
    return None


def _per(draft: Draft) -> Measure | None:
    """`Revenue per visitor` where both are amounts."""
    match = _PER.search(draft.lower)
    return _divided(draft, draft.at(match.start())) if match else None


def ratio_at(draft: Draft, start: int) -> Measure | None:
    """`Yield per hectare` from a place on: what rows are ranked by."""
    match = _PER.search(draft.lower)
    at = draft.at(match.start()) if match else 0
    return _divided(draft, at) if start < at <= start + _REACH and not draft.several else None


def _divided(draft: Draft, at: int) -> Measure | None:
    """What stands before `per` over what follows it."""
    if draft.claimed[at] or _in_name(draft, at):
        return None
    two = divisor(draft, at) or draft.pick(at + 1, at + 2, endless, _SURE)
    one = draft.pick(max(0, at - _REACH), at, amount, _BEFORE_PER) if two else None
    if one is None or two is None or one.column is two.column:
        return None
    if "per" in name_parts(one.column.facts.name):
        return None
    averaged = _MEANS.fullmatch(draft.text(one.start - 1, one.start))
    draft.claim(one.start - bool(averaged), two.end, "measure")
    unit, _ = unit_at([word.text for word in draft.question.words], two.start)
    return Measure("ratio", ref(one.column), in_unit(ref(two.column), unit))


def _in_name(draft: Draft, at: int) -> bool:
    """Whether a word goes on with the whole name of a column: `per` of Page Views Per Visit."""
    return any(m.start < at and m.named > _NAME_SAID for m in draft.question.mentions.over(at))


def divisor(draft: Draft, at: int) -> Mention | None:
    """`Revenue per night` of a column called nights, which counts them, and of a sum before.

    Without a word for averages any amount may be divided: `price per minute` of minutes.
    """
    said = draft.text(at + 1, at + 2)
    texts = [word.text for word in draft.question.words]
    unit, end = unit_at(texts, at + 1) if at + 1 < len(texts) else ("", at + 1)
    found = draft.pick(at + 1, at + 2, amount, _SURE)
    counted = said in {"unit", "item", "piece"}
    units = only_amount(draft, UNITS) if counted else measured_in(draft, unit)
    said_of = end + 1 + (draft.text(end + 1, end + 2) == "the")
    if draft.text(end, end + 1) == "of" and (of := draft.pick(said_of, said_of + 1, amount)):
        units, end = of.column, of.end  # `per gram of sugar`
    if units is not None:
        found = Mention(units, at + 1, end, 1.0, 1.0)
    unit = draft.text(found.end - 1, found.end) if found else ""
    counts = found and (units or f"{unit}s" in {term.text for term in found.column.name.terms})
    physical = found is not None and is_measured(found.column.facts.name)
    averaged = AVERAGED.search(draft.lower) is not None and not physical
    divided = draft.pick(
        max(0, at - _REACH),
        at,
        lambda c: amount(c) and (not averaged or added(ref(c))),
        _BEFORE_PER,
    )
    return found if counts and divided else None


def _rate(draft: Draft) -> Measure | None:
    """`Conversion rate` of a table that counts conversions and visitors."""
    match = _RATE.search(draft.lower)
    at = draft.at(match.start()) if match else 0
    if match is None or draft.claimed[at] or _in_name(draft, at):
        return None
    one = draft.pick(max(0, at - 2), at, amount, _SURE)
    if draft.text(at - 1, at) == "conversion" and (one is None or one.explained < 1):
        column = only_amount(draft, _CONVERTED)
        one = Mention(column, at - 1, at, 1.0, 1.0) if column else None
    bases = [
        column
        for column in draft.index.columns
        if amount(column) and _BASES.search(column.plain_name)
    ]
    if one is None or not added(ref(one.column)):
        return None
    bases = [column for column in bases if column is not one.column]
    bases.sort(key=lambda column: bool(_SEEN.search(column.facts.name.lower())))
    if not bases:
        draft.unread.append(match.group())
        return None
    draft.claim(one.start, at + 1, "measure")
    return Measure("ratio", ref(one.column), ref(bases[0]))


def endless(column: Column) -> bool:
    """Whether a number is an amount that takes too many values to make groups."""
    facts = column.facts
    makes_none = facts.type == "float" or _ROWS_A_VALUE * facts.distinct > facts.rows
    return amount(column) and facts.distinct > _MOST_GROUPS and makes_none


def margin_at(draft: Draft, at: int) -> Measure | None:
    """`Profit margin` where no column is called so: the total profit over the total sales."""
    match = _MARGIN.match(draft.text(at, len(draft.claimed)))
    if match is None or draft.several:
        return None
    end = at + len(match.group().split())
    if draft.question.mentions.named_at(end - 1) > _NAME_SAID:
        return None
    profit, sales, cost = (only_amount(draft, cue) for cue in (_PROFIT, _SALES, COST))
    other = profit or cost
    if other is None or sales is None:
        return None
    draft.claim(at, end, "measure")
    if profit is None:
        return Measure("margin", ref(sales), ref(other))
    return Measure("ratio", ref(profit), ref(sales))


def earned(draft: Draft) -> tuple[Column, Column] | None:
    """The sales and the costs of a table that tells no profit: what is left is the profit."""
    sales, cost = only_amount(draft, _SALES), only_amount(draft, COST)
    told = any(_PROFIT.search(c.plain_name) for c in draft.index.columns)
    return None if told or not (sales and cost) or draft.several else (sales, cost)


def profit_at(draft: Draft, start: int, end: int) -> Measure | None:
    """`Profit` where no column tells it: the sales less the costs."""
    if "profit" not in draft.lower and not _PROFIT.search(draft.lower):
        return None
    places = (at for at in range(start, min(end, len(draft.claimed))) if not draft.claimed[at])
    said = next((at for at in places if _of_profit(draft, at)), None)
    ends = earned(draft) if said is not None else None
    if said is None or ends is None:
        return None
    before = draft.text(said - 1, said)
    averaged, total = AVERAGED.fullmatch(before), before == "total"
    draft.claim(said - bool(averaged or total), said + 1, "measure")
    sales, cost = map(ref, ends)
    return Measure("mean_difference" if averaged else "difference", sales, cost)


def _of_profit(draft: Draft, at: int) -> bool:
    """Whether a word is the profit, or what is the most or the least `profitable`."""
    said, before = draft.text(at, at + 1), draft.text(at - 1, at)
    ranked = said == "profitable" and before in {"most", "least"}
    return ranked or bool(_PROFIT.fullmatch(said))


def only_amount(draft: Draft, cue: re.Pattern[str]) -> Column | None:
    """The one amount whose name fits."""
    found = [
        one
        for one in draft.index.columns
        if amount(one) and added(ref(one)) and cue.search(one.plain_name)
    ]
    return found[0] if len(found) == 1 else None
