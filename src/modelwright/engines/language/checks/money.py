"""Figures that are told by money of another kind, or by a number of rows.

Income, costs and prices are near each other in meaning, and nothing in a wrong figure shows that it
is another one.
"""

from collections.abc import Iterator
from itertools import pairwise
from typing import TypeVar

from sqlglot import exp

from modelwright.engines.language.catalog.meaning import PERCENT, Additivity, CatalogColumn, Role
from modelwright.engines.language.checks.findings import Code, Finding, doubt, fault
from modelwright.engines.language.checks.statement import Place, Statement
from modelwright.engines.language.checks.unexplained import (
    is_named,
    is_told,
    rows_by_other_names,
    unexplained_by_names,
)
from modelwright.engines.language.checks.words import QuestionWords, facts_of
from modelwright.engines.language.row_nouns import is_row_word
from modelwright.engines.language.rules.mentions.units import currency
from modelwright.engines.language.rules.text.lexicon import (
    concepts_at,
    concepts_of_name,
    lexicon,
    spelled_out,
)
from modelwright.engines.language.rules.text.roots import root
from modelwright.engines.language.rules.text.targets import targets
from modelwright.engines.language.rules.text.words import Word, stem
from modelwright.engines.language.vocabulary import any_case, cue_words, find_cues, word_set

F = TypeVar("F", bound=exp.AggFunc)
_KINDS = ("money_in", "money_out", "money_left")
_EARNED = frozenset({"earned", "paid", "charged", "collected", "owed", "received"})
_GROUPED = any_case(r"\s+(?:by|per|for\s+each|in\s+each|of\s+each|over\s+time)\b")
_ALL_COLUMNS = any_case(r"\s*SELECT\s+\*")
_FIGURES = word_set("checks.concepts_of_money")
"""What words for money speak of."""
_OF_PRICES = any_case(
    r"\b(?:cheapest|priciest|dearest|costliest|(?:most|least)\s+(?:expensive|costly))\b"
)
_BY_FIGURE = any_case(r"\s+by\s+(?:the\s+)?(?P<what>total|sum\s+of|average|avg|mean|median)\b")
_DEED_NEXT = any_case(r"\s+\w+ed\b")
_FEWER = any_case(r"\bfewer\s+than\s+(?P<number>\d[\d,]*)")
_WE_SPEND = any_case(
    r"\b(?:we|i)\s+(?:\w+\s+)?(?P<what>spend|spent|pay|paid)\b|\bour\s+(?:\w+\s+)?(?P<ours>spend\w*|costs?|expenses?)\b"
)
_PAID_TO_US = {stem(word) for word in cue_words("sold_rows") | {"donation", "gift"}}
_SPENT = word_set("names.spent")
_AMOUNTS = word_set("catalog.amounts")
_WORTH = any_case(
    r"\b(?:values?|worth|revenues?|sales|turnover|spen(?:ds?|t|ding)|income|takings|earn(?:s|ed|ings)?)\b"
)
_BEHIND_TOTAL = any_case(r"\b(?:total|overall)\s+$")
_WORTH_OF = any_case(r"(?:values?|worth)\s+of\s+(?:(?:the|all|our)\s+)*")
_SELLING = any_case(
    r"\b(?:best|top|worst|most|least|fastest|biggest|highest|lowest)[\s-]*(?:\d+\s+)?(?:best[\s-]*)?"
    r"(?:selling|sold|sellers?)\b|\bbest-?sellers?\b"
)
_COUNTED_UNITS = word_set("catalog.counted_units")
_OF_ONE = frozenset(map(stem, ("each", "hourly", "rate")))
"""What stands in the name of the price of one."""
_PAID_FOR = {stem(one) for one in word_set("checks.units_of_time") | _COUNTED_UNITS | {"night"}}
_BROUGHT_IN = word_set("catalog.brought_in", "catalog.amounts")
_PARTS = frozenset(map(stem, word_set("names.parts_of_amounts")))
_ANY_AMOUNT = frozenset({root("total"), root("sum")})
"""What amounts of money are called as well as others."""
_MARKS = word_set("checks.marks")
"""What people call how good something is."""
_TOP = any_case(r"\b(?:top|biggest|largest|smallest)\b")
_RANKED_BY = any_case(r"\b(?:by|in terms of|based on|in order of|with the|for)\b")
_TELLING = word_set("checks.name_ends")
_UNITS = frozenset({"time", "distance", "weight", "heat", "speed", "length"})
"""What is measured in units that are none of money."""


def check_other_money(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds `sales by industry` that are the costs."""
    told = {place: _kind_of_name(place[1]) for place in _figures(sql)}
    if not told or any(not kind or _is_said(said, place) for place, kind in told.items()):
        return
    columns = [column for place in told if (column := sql.catalog.column(*place))]
    synonyms = {synonym for column in columns for synonym in column.synonyms}
    for word in said.all:
        kind = _kind_of(word.text)
        if kind and kind not in told.values() and word.text not in synonyms:
            name = next(iter(told))[1]
            message = f"“{word.raw}” is not told by “{name}”."
            yield fault(Code.FIGURE_FROM_NOWHERE, message, word.raw)


def check_parts_of_amounts(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds `order value by month` told by a shipping fee, which is but a part of it."""
    asked = _WORTH.search(said.request.question)
    for _, name in _figures(sql) if asked else ():
        parts = _PARTS & {stem(part) for part in spelled_out(name)}
        if asked and parts and not parts & said.stems:
            message = f"{name} is but a part of what “{asked.group()}” asks for."
            yield fault(Code.FIGURE_FROM_NOWHERE, message, asked.group())


def check_worths_of_one(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds `value of work` told by the rate of an hour: what is worked is not told by it."""
    asked = _WORTH.search(said.request.question)
    if asked is None or sql.find(exp.Mul, exp.Div) is not None:
        return
    for place in _figures(sql):
        of_one = _says_of_one(place[1])
        if of_one and of_one.isdisjoint(said.stems):
            table = sql.catalog.table(place[0])
            counts = table is not None and any(map(_counts_of_one, table.columns))
            make = fault if counts else doubt
            message = f"{place[1]} is that of one, and “{asked.group()}” asks for that of all."
            yield make(Code.FIGURE_FROM_NOWHERE, message, asked.group())


def _says_of_one(name: str) -> frozenset[str]:
    """Returns what says in a name that it is of one: `rate`, `night` of Price Per Night."""
    parts = [stem(part) for part in spelled_out(name)]
    if "per" in parts:
        return frozenset(parts[parts.index("per") + 1 :])
    return _OF_ONE.intersection(parts)


def _counts_of_one(column: CatalogColumn) -> bool:
    """Whether a column tells how many are paid for: units, hours, nights."""
    counts = not _PAID_FOR.isdisjoint(map(stem, spelled_out(column.name)))
    return column.role is Role.MEASURE and counts and not _says_of_one(column.name)


def check_counted_figure(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds `monthly revenue` and `score by team` that are a number of rows."""
    counts = all(isinstance(one, exp.Count) for one in sql.aggregates)
    if not counts or not sql.aggregates or find_cues("count", said.request.question):
        return
    rows = set(rows_by_other_names(said, sql)) if not _are_sales(sql) else set()
    words = [word for word in said.content if word.raw in rows and _kind_of(word.text)]
    words += [one for one in unexplained_by_names(said, sql) if _is_money(one)]
    taken = {one.raw for one in words}
    words += [one for one in _grouped_figures(said, sql) if one.raw not in taken]
    words += [one for one in said.all if _is_worth_of_rows(said, sql, one)]
    for word in dict.fromkeys(words):
        message = f"Rows are counted, and “{word.raw}” is not their number."
        yield fault(Code.FIGURE_FROM_NOWHERE, message, word.raw)


def _is_worth_of_rows(said: QuestionWords, sql: Statement, word: Word) -> bool:
    """Whether a word asks for an amount of rows: `value of orders`, `worth of our stock`."""
    rows = {one.span[0] for one in said.request.links.names if one.table in sql.tables}
    of = _WORTH_OF.match(said.request.question, word.start)
    return of is not None and of.end() in rows


def check_marks(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds an average `score` or `rating` that is one of money: a daily rate in euros."""
    figures = [name for _, name in _figures(sql)]
    called = {stem(part) for _, name in sql.written_columns for part in spelled_out(name)}
    are_money = all(any(map(currency, spelled_out(name))) for name in figures)
    for word in said.all:
        if figures and are_money and word.text in _MARKS and word.stem not in called:
            message = f"“{figures[0]}” is money, and no “{word.raw}”."
            yield fault(Code.OTHER_KIND, message, word.raw)


def check_no_money(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds `average delivery cost` that is a number of days."""
    shown = _figures(sql) if sql.aggregates else []
    if not shown or not all(is_no_money(name) for _, name in shown):
        return
    for word in said.all:
        if _kind_of(word.text) and not is_told(said, sql, word):
            message = f"“{word.raw}” is money, and “{shown[0][1]}” is none."
            yield fault(Code.FIGURE_FROM_NOWHERE, message, word.raw)


def check_fewer(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds `sold fewer than 50` that are prices below 50: fewer are counted."""
    for told in _FEWER.finditer(said.request.question):
        for test in sql.tests:
            numbers = {one.name.removesuffix(".0") for one in test.literals}
            prices = [name for _, name in test.columns if concepts_of_name(name) & _FIGURES]
            if told["number"].replace(",", "") in numbers and prices:
                message = f"“{told.group()}” is a number of things, and {prices[0]} is money."
                yield fault(Code.FIGURE_FROM_NOWHERE, message, told.group())


def check_our_spending(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds `how much did we spend` that is what others paid: rows are orders or donations."""
    told = _WE_SPEND.search(said.request.question)
    nouns = {stem(noun) for name in set(sql.tables) if (table := sql.catalog.table(name))
             for noun in table.row_nouns}  # fmt: skip
    if told is None or not nouns & _PAID_TO_US:
        return
    for place in _figures(sql):
        if not _is_said(said, place) and _kind_of_name(place[1]) != "money_out":
            message = f"“{told.group()}” is not told by “{place[1]}”, which others paid."
            yield fault(Code.FIGURE_FROM_NOWHERE, message, told["what"] or told["ours"])


def check_percent_earned(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds `commission earned` that is the percentage of it."""
    columns = {place: sql.catalog.column(*place) for place in _figures(sql)}
    shares = [place[1] for place, one in columns.items() if one and one.unit == PERCENT]
    if not shares or len(shares) < len(columns):
        return
    for before, word in pairwise(said.all):
        parts = {stem(part) for name in shares for part in spelled_out(name)}
        if word.text in _EARNED and before.stem in parts:
            message = f"“{word.raw}” is of money, and “{shares[0]}” is a percentage."
            yield fault(Code.FIGURE_FROM_NOWHERE, message, word.raw)


def check_untold_money(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds `what does a cleaning cost` that lists another figure: nothing shown is money."""
    shown = [] if sql.aggregates or sql.has_rank else _shown(sql)
    if not shown or any(_may_be_money(name) for _, name in shown):
        return
    for word in said.all:
        if _kind_of(word.text) and not is_told(said, sql, word):
            message = f"“{word.raw}” is money, and “{shown[0][1]}” is none."
            yield fault(Code.FIGURE_FROM_NOWHERE, message, word.raw)


def _shown(sql: Statement) -> list[Place]:
    """Returns the columns that are shown by name."""
    selects = sql.tree.selects if isinstance(sql.tree, exp.Select) else []
    return list(dict.fromkeys(place for one in selects for place in sql.places(one)))


def _may_be_money(name: str) -> bool:
    """Whether a name tells of money, or of an amount or a total of anything."""
    stems = {root(part) for part in spelled_out(name)}
    return bool(
        stems & (targets().units["money"] | _ANY_AMOUNT)
        or concepts_of_name(name) & _FIGURES
        or _kind_of_name(name)
    )


def is_no_money(name: str) -> bool:
    """Returns whether a name tells of days, kilos or the like: not money, as `cost_per_day`."""
    stems = {root(part) for part in spelled_out(name)}
    told = {unit for unit, words in targets().units.items() if words & stems}
    return bool(told & _UNITS) and "money" not in told and not _kind_of_name(name)


def _grouped_figures(said: QuestionWords, sql: Statement) -> list[Word]:
    """Returns words for a figure that stand before `by`, and that no column is read for."""
    return [
        word
        for word in said.all
        if (_kind_of(word.text) or word.text in cue_words("idle_figures"))
        and _GROUPED.match(said.request.question, word.end)
        and not (is_told(said, sql, word) or is_row_word(word))
    ]


def check_listed_figure(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds `staff costs of Parks` that lists whole rows, of which no figure is looked at."""
    if not _ALL_COLUMNS.match(sql.sql) or _are_sales(sql):
        return
    columns = [sql.catalog.column(*place) for place in sql.written_columns]
    if any(one is not None and one.role is Role.MEASURE for one in columns):
        return
    for word in said.all:
        is_figure = word.text.endswith("s") and _kind_of(word.text) and not is_row_word(word)
        if is_figure and not _calls_rows(sql, word):
            message = f"“{word.raw}” asks for a figure, and whole rows are shown."
            yield fault(Code.FIGURE_FROM_NOWHERE, message, word.raw)


def _calls_rows(sql: Statement, word: Word) -> bool:
    tables = sql.read_tables
    return any(word.stem in map(stem, (one.name, *one.row_nouns)) for one in tables)


def _figures(sql: Statement) -> list[Place]:
    """Returns the amounts that are shown or ranked by, alone or in an aggregate."""
    select = sql.tree
    shown = [*select.selects] if isinstance(select, exp.Select) else []
    places = {place: None for one in [*shown, *sql.aggregates] for place in sql.places(one)}
    columns = ((place, sql.catalog.column(*place)) for place in places)
    return [place for place, one in columns if one is not None and one.role is Role.MEASURE]


def check_counted_worths(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds `expenses by town` that are counted: their amount may be meant as well.

    The share of `total expenses` is never one of their number.
    """
    question = said.request.question
    is_share = bool(find_cues("share", question))
    if find_cues("count", question):
        return
    are_counts = [one.find(exp.Count) is not None for one in sql.aggregates]
    if not are_counts or not all(are_counts) or not (sql.group_keys or sql.limits):
        return
    for link in said.request.links.names:
        noun = link.text.casefold().removesuffix("s")
        is_spent = noun in _SPENT
        if link.column is not None or not is_spent or link.table not in sql.tables:
            continue
        if is_share and not _BEHIND_TOTAL.search(question[: link.span[0]]):
            continue
        table = sql.catalog.table(link.table)
        amounts = [
            one.name
            for one in (table.columns if table else ())
            if one.additivity is Additivity.SUM and (_AMOUNTS | {noun}) & set(spelled_out(one.name))
        ]
        if len(amounts) == 1:
            message = f"It is not said whether {link.text} are counted or added up."
            make = fault if is_share else doubt
            yield make(Code.ROWS_OR_AMOUNT, message, link.table, *amounts)


def _is_said(said: QuestionWords, place: Place) -> bool:
    """Whether the question names a column by a word of its name."""
    return bool({stem(part) for part in spelled_out(place[1])} & said.stems)


def _kind_of(word: str) -> str:
    return next((kind for kind in _KINDS if word in cue_words(kind)), "")


def _kind_of_name(name: str) -> str:
    """Tells the kind of money that a name is of; none of `cost_of_sales`, which may be either."""
    kinds = {kind for part in spelled_out(name) if (kind := _kind_of(part.casefold()))}
    return kinds.pop() if len(kinds) == 1 else ""


def _is_money(word: Word) -> bool:
    told, _ = concepts_at([word.stem], lexicon().of_words)[0]
    return bool(_kind_of(word.text) or told & _FIGURES)


def _are_sales(sql: Statement) -> bool:
    """Whether each row of a table that is read is a sale: of orders, of tickets."""
    tables = sql.read_tables
    names = [one for table in tables for one in (table.name, *table.row_nouns)]
    sold = {stem(one) for one in cue_words("sold_rows")}
    return any(sold & {stem(part) for part in spelled_out(one)} for one in names)


def check_ranked_prices(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds `cheapest 4 bedroom` that ranks by bedrooms, where a column tells prices."""
    told = _OF_PRICES.search(said.request.question)
    ranked_by = _ranked_by(sql) if told else set()
    if told is None or not ranked_by:
        return
    prices = [one.name for table in sql.read_tables for one in table.columns if _is_price(one)]
    taken = ranked_by & {*prices}
    others = [one for one in prices if one not in ranked_by]
    if others and taken and not any(is_told_by_name(said, one) for one in prices):
        one = next(iter(taken))
        message = f"{one} was taken; {', '.join(others)} may be meant."
        yield doubt(Code.AMBIGUOUS_NAME, message, one, *others)
    elif prices and not any(map(_may_be_money, ranked_by)):
        message = f"“{told.group()}” is not ranked by a price: {', '.join(prices)}."
        yield fault(Code.RANKED_BY_OTHER, message, told.group())


def _ranked_by(sql: Statement) -> set[str]:
    """Returns the columns by which rows are cut, or of which the highest or lowest is told."""
    order = sql.tree.args.get("order") if sql.limits else None
    ranking = [one for one in sql.aggregates if isinstance(one, exp.Min | exp.Max)]
    ranking += [order] if order is not None else []
    names = {column.name for one in ranking for column in one.find_all(exp.Column)}
    found = (table.column(name) for table in sql.read_tables for name in names)
    return {one.name for one in found if one is not None}


def check_figure_behind_by(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds `cities by total revenue` without cities, and `top 3 cities by` it by their rows."""
    question, grouped = said.request.question, sql.grouped_columns
    for told in _BY_FIGURE.finditer(question):
        before = [one for one in said.request.links.names if one.span[1] == told.start()]
        groups = {(one.table, str(one.column)) for one in before if one.column}
        is_kind = any(
            (column := sql.catalog.column(*place)) and column.role is Role.DIMENSION
            for place in groups
        )
        if is_kind and not groups & grouped and not sql.limits:
            message = f"“{before[0].text}” makes no groups."
            yield fault(Code.EACH_DROPPED, message, before[0].text)
        number = _ranking_figure(sql, exp.Count)
        counts = number is not None and number.find_ancestor(exp.Div) is None
        counts = counts and not find_cues("count", question)
        adds = any(isinstance(one, exp.Sum | exp.Avg) for one in sql.aggregates)
        if counts and (adds or _DEED_NEXT.match(question, told.end())):
            message = f"“{told.group().strip()}” is ranked by a number of rows."
            yield fault(Code.RANKED_BY_OTHER, message, told["what"])


def is_told_by_name(said: QuestionWords, column: str) -> bool:
    """Whether the question says a part of a column's name: `asking`, of Asking price."""
    return not {stem(part) for part in spelled_out(column)}.isdisjoint(said.stems)


def _is_price(column: CatalogColumn) -> bool:
    return column.role is Role.MEASURE and bool(concepts_of_name(column.name) & _FIGURES)


def check_unsaid_ranks(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds `top 5 countries` ranked by an amount that nobody named: they may be by their rows.

    Products and customers, which have names of their own, are ranked by what they bring.
    """
    question = said.request.question
    if not _TOP.search(question) or _RANKED_BY.search(question):
        return
    figure = _ranking_figure(sql, exp.Sum)
    place = sql.place(figure.this) if figure is not None else None
    groups = [place for key in sql.group_keys for place in sql.places(key)]
    are_kinds = bool(groups) and all(_is_kind(sql, one) for one in groups)
    if place is not None and are_kinds and not is_named(said, sql, place):
        message = f"It is not said whether “{groups[0][1]}” ranks by rows or by {place[1]}."
        yield doubt(Code.RANK_UNSAID, message, place[1])


def check_best_selling(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds `best selling` told by revenue where units are counted too, or the other way round."""
    figure = _ranking_figure(sql, exp.Sum) if _SELLING.search(said.request.question) else None
    place = sql.place(figure.this) if figure is not None else None
    table = sql.catalog.table(place[0]) if place else None
    if place is None or table is None or is_told_by_name(said, place[1]):
        return
    kinds = [
        [one.name for one in table.columns if one.role is Role.MEASURE and told(one.name)]
        for told in (_counts_units, _is_brought_in)
    ]
    for own, others in (kinds, kinds[::-1]):
        if place[1] in own and len(others) == 1:
            message = f"{place[1]} was taken; {others[0]} may be meant."
            yield doubt(Code.AMBIGUOUS_NAME, message, place[1], *others)


def _counts_units(name: str) -> bool:
    return not _COUNTED_UNITS.isdisjoint(map(str.casefold, spelled_out(name)))


def _is_brought_in(name: str) -> bool:
    return not _BROUGHT_IN.isdisjoint(map(str.casefold, spelled_out(name)))


def _ranking_figure(sql: Statement, kind: type[F]) -> F | None:
    """Returns the sum or number that groups are cut by, also where it is called by its alias."""
    select = sql.tree
    order = select.args.get("order")
    if order is None or select.args.get("limit") is None or not isinstance(select, exp.Select):
        return None
    first = order.expressions[0]
    called = {one.name for one in first.find_all(exp.Column)}
    shown = [one for one in select.selects if one.alias in called]
    return next((found for one in (first, *shown) if (found := one.find(kind))), None)


def _is_kind(sql: Statement, place: Place) -> bool:
    """Whether a column holds kinds, not what things are called or numbered."""
    column = sql.catalog.column(*place)
    is_called = spelled_out(place[1])[-1].casefold() in _TELLING
    return column is not None and column.role is Role.DIMENSION and not is_called


def check_half_known(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds `price per square metre` that counts the metres of rows without a price."""
    for one in sql.find_all(exp.Div):
        if one.find(exp.Filter) is not None:
            continue
        sums = [side.find(exp.Sum) for side in (one.this, one.expression)]
        places = [sql.place(each.this) for each in sums if each is not None]
        known = [facts_of(said.request, *place) for place in places if place is not None]
        if len(known) != len(sums) or any(facts is None for facts in known):
            continue
        few, many = sorted((facts for facts in known if facts), key=lambda facts: -facts.missing)
        if few.missing > many.missing:
            message = f"{few.missing:,} rows have no {few.name}; their {many.name} counts as well."
            yield doubt(Code.HALF_KNOWN, message, few.name, many.name)


CHECKS = (
    check_unsaid_ranks,
    check_best_selling,
    check_half_known,
    check_ranked_prices,
    check_figure_behind_by,
    check_fewer,
    check_our_spending,
    check_other_money,
    check_parts_of_amounts,
    check_worths_of_one,
    check_no_money,
    check_marks,
    check_percent_earned,
    check_untold_money,
    check_counted_figure,
    check_counted_worths,
    check_listed_figure,
)
