"""One number times another, row by row: quantity times price, and the revenue that it makes."""

import re

from modelwright.engines.language.rules.columns.index import Column, ref
from modelwright.engines.language.rules.measures.differences import amount_before
from modelwright.engines.language.rules.measures.ratios import AVERAGED, UNITS, only_amount
from modelwright.engines.language.rules.mentions.drafting import Draft
from modelwright.engines.language.rules.mentions.placed import Mentions
from modelwright.engines.language.rules.mentions.rows import amount
from modelwright.engines.language.rules.plans.plan import Aggregate, Measure
from modelwright.engines.language.rules.text.patterns import pattern
from modelwright.engines.language.rules.text.words import name_parts

_TURNOVER = pattern("ratios turnover")
_TOTAL = re.compile(r"(?:(?:order|invoice|grand|line) )?total(?: (?:price|amount|paid))?")
_TIMES = pattern("products times")
_MEANS = frozenset({"average", "avg", "mean"})
_LED = frozenset({"of", "the", "total", "sum", *_MEANS})
_REACH, _SURE, _NAMED = 2, 0.6, 0.4


def read_product(draft: Draft) -> bool:
    """Reads one amount times another, added up or averaged; says whether there was one."""
    for match in _TIMES.finditer(draft.lower) if len(draft.index.tables) == 1 else ():
        at, end = draft.at(match.start()), draft.at(match.end())
        one, two = amount_before(draft, at), draft.pick(end, end + _REACH, amount, _SURE)
        if one and two and one.column is not two.column:
            start = one.start
            while draft.text(start - 1, start) in _LED:
                start -= 1
            averaged = AVERAGED.search(draft.text(start, one.start))
            draft.claim(start, two.end, "measure")
            kind: Aggregate = "mean_product" if averaged else "product"
            draft.select.append(Measure(kind, ref(one.column), ref(two.column)))
            return True
        if draft.pick(at - 1, at, amount, _NAMED) and _goes_on(draft, at, end):
            draft.unread.append(match.group())
    return False


def _goes_on(draft: Draft, at: int, end: int) -> bool:
    """Whether an amount follows `times`, alone or in one name with it: not `delivery times by`."""
    spans = (m for m in draft.question.mentions.over(at) if m.start == at and m.end > end)
    return draft.pick(end, end + 1, amount, _NAMED) is not None or any(
        amount(m.column) for m in spans
    )


def unprice(draft: Draft) -> None:
    """Takes from `revenue` that it is like the price of one, where units are counted too."""
    if not all(_sold(draft)):
        return
    draft.question.mentions = Mentions(
        m
        for m in draft.question.mentions
        if m.end > m.start + 1 or not _TURNOVER.fullmatch(draft.text(m.start, m.end))
    )


def _sold(draft: Draft) -> tuple[Column | None, Column | None]:
    """The units and the price of one, of a table that tells no revenue."""
    if len(draft.index.tables) > 1 or not _TURNOVER.search(draft.lower):
        return None, None
    return _priced(draft)


def _priced(draft: Draft) -> tuple[Column | None, Column | None]:
    told = any(_tells_revenue(one) for one in draft.index.columns)
    return (None, None) if told else (only_units(draft), None)


def only_units(draft: Draft) -> Column | None:
    """The one column that counts units: a quantity."""
    return only_amount(draft, UNITS)


def sales_units(draft: Draft) -> Measure | None:
    """`Sales per year` of a table called so: the units, where one column counts them."""
    said = any(word.text == "sales" for word in draft.question.words)
    units = only_units(draft) if said and len(draft.index.tables) == 1 else None
    return Measure("sum", ref(units)) if units else None


def _tells_revenue(column: Column) -> bool:
    """Whether a column is the turnover of each row, by that name or as its Total."""
    name = " ".join(name_parts(column.facts.name))
    return bool(_TURNOVER.search(name)) or (amount(column) and bool(_TOTAL.fullmatch(name)))
