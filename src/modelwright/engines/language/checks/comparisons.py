"""Whether figures and rows are compared, and sorted, in the direction that the question says."""

import re
from collections.abc import Iterator

from sqlglot import exp

from modelwright.engines.language.catalog import Role
from modelwright.engines.language.checks.cues import cues_of, is_in_a_name, is_within_value
from modelwright.engines.language.checks.findings import Code, Finding, fault
from modelwright.engines.language.checks.statement import Statement, Test
from modelwright.engines.language.checks.words import QuestionWords
from modelwright.engines.language.vocabulary import Cue, any_case

_IS_RANGE = any_case(r"[<>]|\d\s*\+|\b(?:over|under|above|below|more|less)\b")
"""A value that is a range itself: `>50K`, `65+`, `over 10 years`."""
_THAN = any_case(
    r"\b(?!(?:other|rather)\b)(?:more|less|fewer|better|worse|\w{2,}er)"
    r"(?:\s+(?!(?:than|other|rather)\b)\w+){0,3}?\s+than\b(?!\s+(?:any|every|all)\b)"
)
"""Rows or numbers that are compared: `older than`, `more women than`."""
_BEHIND_CUE = any_case(r"\s+(?:the\s+|its\s+|their\s+)?")


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
    for name, wrong in (("descending", False), ("ascending", True)):
        cue = next(iter(cues_of(said, name)), None)
        if cue and bool(first.args.get("desc")) is wrong and not sql.limits:
            yield fault(Code.ORDER_DROPPED, f"“{cue.text}” is sorted the other way.", cue.text)


CHECKS = (check_comparisons, check_rows_compared, check_limits_compared, check_order)
