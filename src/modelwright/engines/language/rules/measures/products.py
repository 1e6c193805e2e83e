"""One number times another, row by row: quantity times price, and the revenue that it makes.

Tables of sales often hold units and the price of one, and no revenue. A sum of prices looks like
revenue and is none, so that both are multiplied row by row wherever a word means their product.
"""

import re

from modelwright.engines.language.rules.columns.index import Column, ref
from modelwright.engines.language.rules.measures.ratios import AVERAGED, UNITS, only_amount
from modelwright.engines.language.rules.measures.two_amounts import amount_before
from modelwright.engines.language.rules.mentions.draft import Draft, entity
from modelwright.engines.language.rules.mentions.mention import Mentions
from modelwright.engines.language.rules.mentions.rows import amount
from modelwright.engines.language.rules.plans.plan import Aggregate, Measure
from modelwright.engines.language.rules.text.patterns import pattern
from modelwright.engines.language.vocabulary import word_set

_TURNOVER = pattern("ratios turnover")
_PRICE = pattern("ratios price")
_TOTAL = re.compile(r"(?:(?:order|invoice|grand|line) )?total(?: (?:price|amount|paid))?")
_UNITS = word_set("names.weak_units")
_COUNTED = re.compile(r"\b(?:many|number of)$")
_TIMES = pattern("products times")
_MEANS = word_set("averages.means")
_LED = word_set("averages.means", "averages.before_product")
_REACH = 2
"""In words: how far behind `times` the second amount may begin."""
_SURE = 0.6
"""How surely words must mean a column, 0 to 1."""
_FAIR = 0.4
"""How surely words must mean an amount that stays unread, 0 to 1."""


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
            if {one.column, two.column} == set(_sold(draft)):
                revenue_at(draft, 0, len(draft.claimed))
            return True
        if draft.pick(at - 1, at, amount, _FAIR) and _goes_on(draft, at, end):
            draft.unread.append(match.group())
    return False


def _goes_on(draft: Draft, at: int, end: int) -> bool:
    """Whether an amount follows `times`, alone or in one name with it: not `delivery times by`."""
    spans = (m for m in draft.question.mentions.over(at) if m.start == at and m.end > end)
    return draft.pick(end, end + 1, amount, _FAIR) is not None or any(
        amount(m.column) for m in spans
    )


def worth_at(draft: Draft, at: int) -> Measure | None:
    """`Average order value` of a table with units and the price of one alone."""
    valued = entity(draft, at) and draft.text(at + 1, at + 2) == "value"
    units, price = _priced(draft) if valued else (None, None)
    if not (units and price) or draft.several:
        return None
    return Measure("mean_product", ref(units), ref(price))


def revenue_at(draft: Draft, start: int, end: int) -> Measure | None:
    """`Revenue` where no column tells it: the units times the price of one, added up."""
    units, price = _sold(draft)
    for at in range(start, min(end, len(draft.claimed))) if units and price else ():
        if draft.claimed[at] or not _TURNOVER.fullmatch(draft.text(at, at + 1)):
            continue
        if _COUNTED.search(draft.text(at - 2, at)):
            continue
        before, led = draft.text(at - 1, at), AVERAGED.search(draft.text(at - 2, at))
        if led and (before not in _MEANS or _of_many(draft, at + 1)):
            draft.unread.append(draft.text(at, at + 1))
        elif units and price:
            draft.claim(at - (before == "total" or bool(led)), at + 1, "measure")
            return Measure("mean_product" if led else "product", ref(units), ref(price))
    return None


def _of_many(draft: Draft, at: int) -> bool:
    """Whether what follows is `per customer`, who has many rows: no average of rows tells that."""
    said = draft.text(at, at + 1) == "per"
    named = draft.pick(at + 1, at + 2, lambda c: c.repeated, _SURE, taken=True)
    return said and named is not None


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
    if draft.several or not _TURNOVER.search(draft.lower):
        return None, None
    return _priced(draft)


def _priced(draft: Draft) -> tuple[Column | None, Column | None]:
    told = any(_tells_revenue(one) for one in draft.index.columns)
    return (None, None) if told else (only_units(draft), _price(draft))


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
    name = " ".join(part for part in column.plain_name.split() if part not in _UNITS)
    return bool(_TURNOVER.search(name)) or (amount(column) and bool(_TOTAL.fullmatch(name)))


def _price(draft: Draft) -> Column | None:
    """The only price, that of one unit."""
    found = [one for one in draft.index.columns if amount(one) and _PRICE.search(one.plain_name)]
    return found[0] if len(found) == 1 else None
