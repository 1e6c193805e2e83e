"""Whether figures and rows are compared, and sorted, in the direction that the question says."""

import re
from collections.abc import Iterator, Sequence
from datetime import date

from sqlglot import exp

from modelwright.engines.language.catalog.meaning import Role
from modelwright.engines.language.checks.cues import (
    SORTED_BY,
    cues_of,
    is_in_a_name,
    is_within_value,
)
from modelwright.engines.language.checks.findings import Code, Finding, fault
from modelwright.engines.language.checks.literals import YEAR_DIGITS
from modelwright.engines.language.checks.statement import Statement, Test
from modelwright.engines.language.checks.unexplained import names_column
from modelwright.engines.language.checks.words import QuestionWords
from modelwright.engines.language.linking.amounts import Amount, find_amounts
from modelwright.engines.language.readers import NameLink, ValueLink
from modelwright.engines.language.rules.text.lexicon import spelled_out
from modelwright.engines.language.rules.text.words import stem
from modelwright.engines.language.vocabulary import Cue, aggregate_pattern, any_case, find_cues

_IS_RANGE = any_case(r"[<>]|\d\s*\+|\b(?:over|under|above|below|more|less)\b")
"""A value that is a range itself: `>50K`, `65+`, `over 10 years`."""
_THAN = any_case(
    r"\b(?!(?:other|rather)\b)(?:more|less|fewer|better|worse|\w{2,}er)"
    r"(?:\s+(?!(?:than|other|rather)\b)\w+){0,3}?\s+than\b(?!\s+(?:any|every|all)\b)"
)
"""Rows or numbers that are compared: `older than`, `more women than`."""
_BEHIND_CUE = any_case(r"\s+(?:the\s+|its\s+|their\s+)?")
_NUMBER = re.compile(r"\s*(?P<number>\d[\d,]*(?:\.\d+)?)\s+(?:different\s+|distinct\s+)?")
_BARE_NUMBER = re.compile(r"\s*[$€£]?(?P<number>\d[\d,]*(?:\.\d+)?)\W*$")
_TIMES = any_case(r"times\b")
_WEEKEND = any_case(r"\bweekends?\b")
_WORKDAY = any_case(r"\b(?:weekdays?|work\w* ?days?)\b")


def check_comparisons(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds numbers that are compared the other way round than the question says."""
    question = said.request.question.lower()
    for name, wrong in (("above", {"<", "<="}), ("below", {">", ">="})):
        for cue in cues_of(said, name):
            match = re.match(r"\s*(?:the\s+|a\s+)?\$?(\d[\d,]*(?:\.\d+)?)", question[cue.end :])
            if match is None:
                continue
            value = float(match.group(1).replace(",", ""))
            tests = (one for one in sql.tests if not _is_subtracted(one))
            found = [test for test in tests if test.compares_with(value)]
            operators = {_operator(test) for test in found}
            if operators and operators <= wrong and not _is_reversed(sql, found):
                told = f"{cue.text} {match.group(1)}"
                yield fault(Code.COMPARISON_TURNED, f"“{told}” is compared upside down.", told)
            elif found and operators <= {"=", "!="}:
                told = f"{cue.text} {match.group(1)}"
                yield fault(Code.COMPARISON_TURNED, f"“{told}” is not compared.", told)


def _is_subtracted(test: Test) -> bool:
    """Whether a test says which rows a figure is of that another is less: `from 2003 to 2009`."""
    told = test.node.find_ancestor(exp.Filter)
    return told is not None and isinstance(told.parent, exp.Sub)


def check_limits_compared(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds `catches over quota` that lists the quotas: nothing is compared with them."""
    question = said.request.question
    starts = {one.span[0]: one for one in said.request.links.names if one.column}
    compared = sql.tested_columns
    for name in ("above", "below"):
        for cue in cues_of(said, name):
            behind = _BEHIND_CUE.match(question, cue.end)
            link = starts.get(behind.end()) if behind else None
            place = (link.table, str(link.column)) if link else ("", "")
            is_limit = sql.role(place) is Role.MEASURE
            if link and is_limit and place not in compared and not _compares_or_ranks(sql):
                told = f"{cue.text} {link.text}"
                yield fault(Code.COMPARISON_DROPPED, f"“{told}” compares nothing.", told)


def check_rows_compared(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds `older than` that compares nothing, and figures that are compared with a key."""
    told = _THAN.search(said.request.question)
    if told and not is_within_value(said, told.span()) and not _compares_or_ranks(sql):
        words_of = told.group()
        yield fault(Code.COMPARISON_DROPPED, f"“{words_of}” compares nothing.", words_of)
    for node in sql.find_all(exp.GT, exp.GTE, exp.LT, exp.LTE):
        sides = [sql.place(one.unnest()) for one in (node.left, node.right)]
        roles = [column.role for one in sides if one and (column := sql.catalog.column(*one))]
        if Role.ID in roles and Role.MEASURE in roles:
            yield fault(Code.COMPARISON_TURNED, "A figure is compared with a key.")


def _compares_or_ranks(sql: Statement) -> bool:
    kinds = exp.GT, exp.GTE, exp.LT, exp.LTE, exp.Between, exp.Sub, exp.NEQ, exp.Div, exp.Case
    if sql.find(*kinds) is not None or sql.limits or sql.has_rank:
        return True
    return any(_IS_RANGE.search(one.name) for test in sql.tests for one in test.literals)


def _operator(test: Test) -> str:
    turned = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "=": "!="}
    return turned.get(test.operator, test.operator) if test.negated else test.operator


def _is_reversed(sql: Statement, tests: list[Test]) -> bool:
    """Whether more of what is said is less of what is stored: older than, by date of birth."""
    columns = [sql.catalog.column(*place) for test in tests for place in test.columns]
    return any(one is not None and one.role is Role.DATE for one in columns)


def _sorts(said: QuestionWords, cue: Cue) -> bool:
    """Whether `ordered` is a matter of order: `ordered by`, not `ordered from`, `in order to`."""
    after = said.request.question[cue.end :].lstrip().lower()
    if cue.text.casefold() == "in order":
        return not after.startswith(("to ", "that "))
    return cue.text != "ordered" or after.startswith(("by", "from the", "in ", "alphabet"))


def check_order(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds an order that was asked for and is missing."""
    cues = [one for one in cues_of(said, "order") if one.text != "rank" and _sorts(said, one)]
    if cues and not sql.is_ordered and not sql.has_rank and not is_in_a_name(sql, cues[0].text):
        yield fault(Code.ORDER_DROPPED, f"“{cues[0].text}” has no counterpart.", cues[0].text)
    if not sql.is_ordered or not isinstance(sql.tree.args.get("order"), exp.Order):
        return
    first = sql.tree.args["order"].expressions[0]
    behind = SORTED_BY.search(said.request.question)
    if behind and not sql.limits and _sorts_by_a_figure(said, sql, first, behind.span("what")):
        told = behind["what"].strip()
        yield fault(Code.ORDER_DROPPED, f"It is not sorted by “{told}”.", *told.split())
    for name, wrong in (("descending", False), ("ascending", True)):
        cue = next(iter(cues_of(said, name)), None)
        if cue and bool(first.args.get("desc")) is wrong and not sql.limits:
            yield fault(Code.ORDER_DROPPED, f"“{cue.text}” is sorted the other way.", cue.text)


def check_compared_figures(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds `average salary by team above 60000` that leaves out rows, not teams."""
    question = said.request.question
    figures = {place for one in sql.aggregates for place in sql.places(one)}
    cues = [*find_cues("above", question), *find_cues("below", question)]
    for cue in cues:
        number = _BARE_NUMBER.match(question, cue.end)
        named = [one for one in said.request.links.names if one.span[0] < cue.start and one.column]
        if number is None or not sql.group_keys or not named:
            continue
        last = max(named, key=lambda one: one.span)
        value = float(number["number"].replace(",", ""))
        for test in (one for one in sql.tests if one.compares_with(value) and not one.aggregated):
            is_beside = (last.table, last.column) in test.columns
            if set(test.columns) & figures and not is_beside:
                told = f"{cue.text} {number['number']}"
                message = f"It is not said whether “{told}” is of rows or of groups."
                yield fault(Code.OTHER_ROWS, message, told)


def check_compared_noun(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds `more than 30 orders` that is a figure over 30, not a number of orders."""
    question = said.request.question
    for cue in [*find_cues("above", question), *find_cues("below", question)]:
        number = _NUMBER.match(question, cue.end)
        if number is None:
            continue
        nouns: list[NameLink | ValueLink] = [
            one
            for one in said.request.links.names
            if one.column is None and one.span[0] == number.end()
        ]
        nouns += _counted_kinds(said, sql, number.end())
        if not nouns and not _TIMES.match(question, number.end()):
            continue
        value = float(number["number"].replace(",", ""))
        tests = [one for one in sql.tests if one.compares_with(value)]
        wrong = [one for one in tests if not _is_of_rows_or_named(said, one, nouns)]
        if wrong and len(wrong) == len(tests):
            told = question[cue.start : nouns[0].span[1] if nouns else number.end()].strip()
            place = wrong[0].columns[0]
            yield fault(Code.COMPARISON_TURNED, f"“{told}” is compared with {place[1]}.", told)


def _counted_kinds(said: QuestionWords, sql: Statement, at: int) -> list[ValueLink]:
    """Returns the plural at a place that is a value of a test: more than 30 `finishers`."""
    taken = sql.values_taken
    return [
        one
        for one in said.request.links.values
        if one.span[0] == at and one.text.casefold().endswith("s") and str(one.value) in taken
    ]


def _is_of_rows_or_named(
    said: QuestionWords, test: Test, nouns: Sequence[NameLink | ValueLink]
) -> bool:
    """Whether a comparison is of rows, or of a column that is named by other words."""
    if test.aggregated or not test.columns:
        return True
    calling = [one for one in nouns if isinstance(one, NameLink)]
    stems = {stem(part) for one in calling for part in one.text.casefold().split()}
    kinds = {one.span for one in nouns if isinstance(one, ValueLink)}
    links = (one for one in said.request.links.names if one.span not in kinds)
    named = {(one.table, one.column) for one in links}
    return any(
        place in named or stems & {stem(part) for part in spelled_out(place[1])}
        for place in test.columns
    )


def check_amounts(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds `with 1980 employees` that are those of the year 1980."""
    links = said.request.links
    for amount in find_amounts(said.request.question, links.names, sql.catalog):
        if any(one.span[0] <= amount.span[0] < one.span[1] for one in links.periods):
            continue  # it was left a year
        noun = amount.span[0] + amount.text.rfind(" ") + 1
        if _counted_kinds(said, sql, noun):
            continue
        tests = [
            one for one in sql.tests if one.compares_with(amount.value) or _is_year_of(one, amount)
        ]
        columns = {place for one in tests for place in one.columns}
        is_meant = any(names_column(said, sql, place, amount.text) for place in columns)
        if tests and not is_meant and not any(_is_of_amount(one, amount) for one in tests):
            name = (*tests[0].columns, ("", "a number of rows"))[0][1]
            message = f"“{amount.text}” is compared with {name}."
            code = Code.OTHER_KIND if _may_be_a_year(said, amount) else Code.COMPARISON_TURNED
            yield fault(code, message, amount.text)


def _may_be_a_year(said: QuestionWords, amount: Amount) -> bool:
    """Whether dates hold a number that stands without an article: `with attendance of 2023`."""
    return amount.is_bare and any(
        isinstance(one.minimum, date)
        and isinstance(one.maximum, date)
        and one.minimum.year <= amount.value <= one.maximum.year
        for table in said.request.tables
        if table.name in {name for name, _ in amount.places}
        for one in table.columns
    )


def _is_of_amount(test: Test, amount: Amount) -> bool:
    """Whether a test is of a column that an amount may be of; those of groups bear its name."""
    names = {one.name for one in test.node.find_all(exp.Column)} if test.aggregated else set()
    return bool(amount.places & set(test.columns) or names & {name for _, name in amount.places})


def _is_year_of(test: Test, amount: Amount) -> bool:
    """Whether a number is taken for the year of days."""
    year = f"{amount.value:g}"
    return len(year) == YEAR_DIGITS and any(
        one.name.startswith(f"{year}-") for one in test.literals
    )


def check_weekends(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds `weekends against weekdays` that looks at the days of weekends alone."""
    question = said.request.question
    if not (_WEEKEND.search(question) and _WORKDAY.search(question)):
        return
    for test in sql.tests:
        is_where = test.node.find_ancestor(exp.Where) is not None
        if is_where and test.node.find(exp.DayOfWeekIso, exp.DayOfWeek, exp.Dayname):
            message = "Weekends and weekdays are not set against each other."
            yield fault(Code.COMPARISON_DROPPED, message, "weekend")
            return


def _sorts_by_a_figure(
    said: QuestionWords, sql: Statement, first: exp.Expression, span: tuple[int, int]
) -> bool:
    """Whether groups are sorted by a figure, and what is named is none: `sorted by name`."""
    links = [one for one in said.request.links.names if span[0] <= one.span[0] < span[1]]
    places = {(one.table, one.column) for one in links if one.column}
    told = said.request.question[slice(*span)]
    roles = {sql.role((table, column or "")) for table, column in places}
    if not places or roles & {Role.MEASURE, None} or aggregate_pattern().search(told):
        return False
    if find_cues("count", told) or not places & sql.grouped_columns:
        return False
    key = first.this
    if isinstance(key, exp.Column) and not key.table:
        key = next((one.unalias() for one in sql.tree.selects if one.alias == key.name), key)
    return key.find(exp.AggFunc) is not None and not places & set(sql.places(key))


CHECKS = (check_comparisons, check_rows_compared, check_limits_compared, check_order)
