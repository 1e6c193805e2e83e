"""Whether tests and orders fit the columns that they are of: their values, and what they hold.

The schema allows any test of a number; only what a column holds tells that one says nothing.
"""

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from itertools import pairwise

from sqlglot import exp

from modelwright.engines.language.catalog.meaning import Role
from modelwright.engines.language.checks.findings import Code, Finding, doubt, fault
from modelwright.engines.language.checks.joins import is_unique
from modelwright.engines.language.checks.statement import Place, Statement, Test
from modelwright.engines.language.checks.unexplained import is_named
from modelwright.engines.language.checks.words import QuestionWords, facts_of
from modelwright.engines.language.rules.text.lexicon import concepts_of_name
from modelwright.engines.language.rules.text.patterns import pattern
from modelwright.engines.language.rules.text.words import name_parts, stem
from modelwright.engines.language.temporal.calendar import DAY_LENGTH
from modelwright.engines.language.vocabulary import any_case, find_cues, word_set

_OF_TIME = word_set("checks.first_in_time") | {"recent"}
_YEAR = re.compile(r"(?:1[89]|20)\d\d")
_OF_ALL = word_set("names.of_all")
_UNWANTED = pattern("vague unwanted")
_OPEN_LOW = any_case(
    r"\bworst\b|\b(?:biggest|largest|greatest|highest|steepest|sharpest|most)\s+(?:\w+\s+)?"
    r"(?:loss|losses|drop|decline|decrease|fall)\b"
)
_OPEN_HIGH = any_case(r"\bbest\b")


_LISTED = any_case(
    r"[,;&/+]|\b(?:and|or|nor|to|than|with|against|from|through|until|till|then|plus|minus|but)\b"
)
"""What stands between periods that are told together."""
_COMPARED = any_case(r"\b(?:compar\w+|versus|vs\.?|differen\w+|differs?|change\w*|gr[eo]w\w*)\b")


def check_ranges(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds tests that all rows pass, or none: `share > 0.5` of shares from 0 to 100."""
    for test in sql.tests:
        place = _bare(test, sql)
        if place is None or len(test.literals) != 1 or test.literals[0].is_string:
            continue
        facts = facts_of(said.request, *place)
        low, high = (facts.minimum, facts.maximum) if facts else (None, None)
        if not isinstance(low, int | float) or not isinstance(high, int | float):
            continue
        passes = _passes(test.operator, low, high, test.literals[0])
        if passes is not None:
            who = "All" if passes is not test.negated else "No"
            message = f"{who} rows of “{place[1]}” pass the test."
            yield doubt(Code.TESTS_NOTHING, message, place[1])


def _bare(test: Test, sql: Statement) -> Place | None:
    """Returns the column that is compared with a number as it stands."""
    if test.aggregated or not isinstance(test.node, exp.GT | exp.GTE | exp.LT | exp.LTE):
        return None
    sides = [one.unnest() for one in (test.node.this, test.node.expression)]
    if not any(_is_number(one) for one in sides):
        return None
    column = next((one for one in sides if isinstance(one, exp.Column)), None)
    return sql.place(column) if column is not None else None


def _is_number(one: exp.Expression) -> bool:
    inner = one.this if isinstance(one, exp.Neg) else one
    return isinstance(inner, exp.Literal) and not inner.is_string


def _passes(operator: str, low: float, high: float, literal: exp.Expression) -> bool | None:
    """Tells whether all values from low to high pass, or none; None where some do."""
    negative = isinstance(literal.parent, exp.Neg)
    value = -Decimal(literal.name) if negative else Decimal(literal.name)
    least, most = {
        ">": (low > value, high > value),
        ">=": (low >= value, high >= value),
        "<": (low < value, high < value),
        "<=": (low <= value, high <= value),
    }[operator]
    return least if least == most else None


def check_years_in_names(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds `area in 2020` of a column Area 2020 that is of what was surveyed in 2020."""
    tables = sql.read_tables
    years = {
        year: (table.name, one.name)
        for table in tables
        for one in table.columns
        if one.role is Role.MEASURE and (year := _year_said(said, one.name))
    }
    for test in sql.tests:
        for year, place in years.items():
            is_in = any(one.name.startswith(year) for one in test.literals)
            others = [one for one in test.columns if one != place and not is_named(said, sql, one)]
            if is_in and others:
                message = f"“{year}” is told by “{place[1]}” already."
                yield fault(Code.OTHER_DATE, message, year)


def _year_said(said: QuestionWords, name: str) -> str:
    """Returns the year of a name whose other words are said as well; nothing of other names."""
    parts = name_parts(name)
    stems = {stem(part) for part in parts if part.isalpha()}
    years = [part for part in parts if _YEAR.fullmatch(part)]
    return years[0] if len(years) == 1 and stems & said.stems else ""


def check_contradictions(_: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds tests of one column that no row passes together: `year = 2007 AND year = 2008`."""
    for both in sql.find_all(exp.And):
        if isinstance(both.parent, exp.And):
            continue
        equal: dict[str, set[str]] = {}
        for one in both.flatten():
            test = one.unnest()
            if isinstance(test, exp.EQ) and isinstance(test.expression, exp.Literal):
                equal.setdefault(test.this.sql(), set()).add(test.expression.name)
        for told, values in equal.items():
            if len(values) > 1:
                name = told.rpartition(".")[2].strip('"')
                message = f"“{name}” cannot be {' and '.join(sorted(values))} at once."
                yield fault(Code.TESTS_NOTHING, message)


def check_listed_periods(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds any of several periods that are not listed: `yield of 2018 in 2020` is of one year."""
    question = said.request.question
    periods = sorted(said.request.links.periods, key=lambda one: one.span)
    told = [
        {one.name[:DAY_LENGTH] for one in each.find_all(exp.Literal)}
        for each in sql.find_all(exp.In, exp.Or)
    ]
    for first, second in pairwise(periods):
        between = question[first.span[1] : second.span[0]]
        starts = [one.start for one in (first, second) if one.start and not one.part]
        is_row_of_years = not between.strip() and second.text[:1].isdigit()
        is_listed = is_row_of_years or _LISTED.search(f"{between} {second.text}")
        if is_listed or _COMPARED.search(question) or len(set(starts)) != len((first, second)):
            continue
        if any(all({str(one.year), str(one)} & each for one in starts) for each in told):
            message = f"“{second.text}” is not listed with “{first.text}”."
            yield fault(Code.OTHER_DATE, message, second.text)


def check_ranked(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds the `coldest day` that is the first date, and the `highest airport` by its key."""
    question = said.request.question
    cues = [
        one for name in ("superlative_high", "superlative_low") for one in find_cues(name, question)
    ]
    if not cues or any(one.text in _OF_TIME for one in cues):
        return
    for key in _ranked(sql):
        place = sql.place(key)
        column = sql.catalog.column(*place) if place else None
        if place is None or column is None:
            continue
        is_key = column.role is Role.ID and not is_named(said, sql, place)
        if column.role is Role.DATE or is_key:
            told = cues[0].text
            message = f"“{told}” is told by “{place[1]}”."
            yield doubt(Code.RANKED_BY_OTHER, message, told)


def _ranked(sql: Statement) -> Iterator[exp.Expression]:
    """Yields what rows are ranked by where it is a column as it stands."""
    for order in sql.find_all(exp.Order):
        if isinstance(order.parent, exp.Query) and order.parent.args.get("limit") is not None:
            yield order.expressions[0].this
    for one in sql.find_all(exp.Max, exp.Min):
        yield one.this


def check_order_of_kinds(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds kinds listed once in the order of what each has many of: any of these may be taken."""
    for select in sql.find_all(exp.Select):
        distinct, order = select.args.get("distinct"), select.args.get("order")
        if distinct is None or distinct.args.get("on") is not None or order is None:
            continue
        shown = {place for one in select.selects for place in sql.places(one)}
        names = {one.alias_or_name for one in select.selects}
        is_each_row = not select.args.get("joins") and any(
            is_unique(said.request, place)
            for one in select.selects
            if (place := sql.place(one.unalias()))
        )
        for key in order.find_all(exp.Column):
            place = sql.place(key)
            is_shown = place in shown if place else key.name in names
            if not is_shown and not is_each_row:
                message = f"What is listed once has several “{key.name}” to be sorted by."
                yield fault(Code.RANKED_BY_OTHER, message)


def check_open_ends(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds the `worst` that is the highest, and the `best` that is the lowest: either may be.

    Of what nobody wants the worst is the highest for sure.
    """
    question = said.request.question
    ends = ("high", "low") if _ranks_unwanted(sql) else ("low", "high")
    for open_to, usual in zip((_OPEN_LOW, _OPEN_HIGH), ends, strict=True):
        found = open_to.search(question)
        if found and _end(sql) not in {"", usual}:
            told = found.group()
            make = fault if ends[0] == "high" else doubt
            yield make(Code.OPEN_END, f"“{told}” may be the other end.", told)


def check_rival_amounts(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds the `largest grant` by what was requested, where what was awarded may be meant.

    A total is meant without a word: `sleeps the most` of `sleep_total` beside `sleep_rem`. The
    `most expensive order` may be that of the highest total, not only of the highest unit price.
    """
    order = sql.tree.args.get("order")
    if order is None or not sql.limits:
        return
    for place in sorted(sql.places(order.expressions[0])):
        table, column = sql.catalog.table(place[0]), sql.catalog.column(*place)
        if table is None or column is None or column.role is not Role.MEASURE:
            continue
        if not _OF_ALL.isdisjoint(name_parts(place[1])):
            continue
        rivals = [
            one.name
            for one in table.columns
            if one.role is Role.MEASURE
            if _differ_in_a_word(one.name, place[1]) or _is_total_of(one.name, place[1])
        ]
        if rivals and not _telling_words(place[1], rivals) & said.stems:
            message = f"{place[1]} was taken; {' or '.join(rivals)} may be meant."
            yield doubt(Code.AMBIGUOUS_NAME, message, place[1], *rivals)


def _differ_in_a_word(one: str, other: str) -> bool:
    """Whether two names of several words differ in one: `amt_requested`, `amt_awarded`."""
    parts, others = set(name_parts(one)), set(name_parts(other))
    return len(parts) > 1 and len(parts - others) == len(others - parts) == 1


def _is_total_of(total: str, price: str) -> bool:
    """Whether a column tells what rows cost in all, and the other what one of their units does."""
    is_total = not _OF_ALL.isdisjoint(name_parts(total))
    return is_total and "price" in concepts_of_name(price)


def _telling_words(name: str, rivals: Sequence[str]) -> set[str]:
    """Returns the stems of words that not all of several names have."""
    own = [{stem(part) for part in name_parts(one)} for one in (name, *rivals)]
    return {part for one in own for part in one if not all(part in each for each in own)}


def _ranks_unwanted(sql: Statement) -> bool:
    order = sql.tree.args.get("order")
    ranked = [order] if order is not None else []
    places = {place for one in [*ranked, *sql.aggregates] for place in sql.places(one)}
    return any(_UNWANTED.search(" ".join(name_parts(name))) for _, name in places)


def _end(sql: Statement) -> str:
    """Tells the end that the first order takes."""
    for order in sql.find_all(exp.Order):
        if isinstance(order.parent, exp.Query) and order.parent.args.get("limit") is not None:
            return "high" if order.expressions[0].args.get("desc") else "low"
    if sql.find(exp.Max) is not None:
        return "high"
    return "low" if sql.find(exp.Min) is not None else ""


CHECKS = (
    check_years_in_names,
    check_ranges,
    check_rival_amounts,
    check_contradictions,
    check_listed_periods,
    check_ranked,
    check_order_of_kinds,
    check_open_ends,
)
