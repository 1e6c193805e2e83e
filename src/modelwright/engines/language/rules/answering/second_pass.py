"""What a question asks of columns by their very names and a reading left out.

Measures, as in `average Survived`, and comparisons with numbers, as in `Age above 150`, which are
meant whatever else sounds alike and whatever values the column holds.
"""

import re
from collections.abc import Sequence
from typing import cast

from modelwright.engines.language.rules.columns.index import Column, ref
from modelwright.engines.language.rules.intents.spelled import places
from modelwright.engines.language.rules.mentions.draft import Draft, add_test, columns_of
from modelwright.engines.language.rules.mentions.literal_names import prefer_literal
from modelwright.engines.language.rules.plans.plan import Aggregate, Condition, Measure, Op
from modelwright.engines.language.rules.text.numbers import Compared, compared_numbers
from modelwright.engines.language.rules.text.patterns import pattern, patterns
from modelwright.engines.language.rules.text.stopping import heeding
from modelwright.engines.language.written_number import as_whole

_OF = re.compile(r" (?:(?:of|the|value) ){0,3}$")
_KINDS = patterns("insisting kinds")
_DIFFERENT = ("count_distinct", pattern("insisting different"))
_GROUPED = re.compile(
    r"\b(?:average|avg|mean|total|sum|median|maximum|max|minimum|min|highest|lowest)"
    r"(?: of)?(?: the)? $"
)
_IS = re.compile(r"\s*(?:(?:is|was|are|were|being|equals?) +)?(?P<sign>==?|!=|<>)?\s*")
_EQUALS = re.compile(
    r"\s*(?:(?:is|was|are|were|being|equals?)\b|==?)?\s*(?P<not>not\b|!=|<>)?\s*[\"']?"
)
_ENDED = pattern("insisting ended")

Insisted = tuple[Measure | Condition, Column, int, int]
"""What is asked of a column, and where the words for it begin and end in the text."""


def overlooked_requests(draft: Draft) -> list[Insisted]:
    """Returns what is asked of columns by their names in one table and is not in the draft."""
    if draft.several:
        return []
    numbers = compared_numbers(draft.question.text)
    found = [
        one
        for column in heeding(draft.question.stopped, draft.index.columns)
        for start, end in places(column.facts.name, draft.lower)
        for one in [
            *_measured(draft, column, start, end),
            *_compared(draft, column, (start, end), numbers),
            *_held(draft, column, start, end),
        ]
    ]
    longest = [
        one
        for one in heeding(draft.question.stopped, found)
        if not any(other[2] <= one[2] and one[3] < other[3] for other in found)
    ]
    return [one for one in longest if not _answered(draft, one[0])]


def take_requests(draft: Draft, asked: list[Insisted]) -> None:
    """Takes what was left out as asked, before anything else explains its words."""
    prefer_literal(draft)
    for one, column, start, end in asked:
        first, last = draft.at(start), draft.at(end)
        if isinstance(one, Condition):
            add_test(draft, column, one, first, last)
        else:
            draft.select.append(one)
            draft.claim(first, last, "measure")


def _measured(draft: Draft, column: Column, start: int, end: int) -> list[Insisted]:
    return [
        (Measure(cast("Aggregate", kind), ref(column)), column, match.start(), end)
        for kind, cue in [*(_KINDS if column.number else ()), _DIFFERENT]
        for match in cue.finditer(draft.lower, 0, start)
        if _OF.fullmatch(draft.lower, match.end(), start)
    ]


def _compared(
    draft: Draft, column: Column, name: tuple[int, int], numbers: Sequence[Compared]
) -> list[Insisted]:
    start, end = name
    found: list[Insisted] = []
    grouped = _GROUPED.search(draft.lower[:start])
    for one in numbers if column.number and not (column.textual or grouped) else ():
        between = _IS.fullmatch(draft.lower, end, one.start)
        bare = one.start == one.number_start
        if between is None or not _ENDED.match(draft.lower, one.end):
            continue
        if one.percent or one.scale != 1.0 or (bare and not between.group().strip()):
            continue
        op: Op = "!=" if between.group("sign") in {"!=", "<>"} else one.op
        upper = None if one.upper is None else as_whole(one.upper)
        condition = Condition(ref(column), op, as_whole(one.number), upper)
        found.append((condition, column, start, one.end))
    return found


def _held(draft: Draft, column: Column, start: int, end: int) -> list[Insisted]:
    """Returns tests for values that are written right after the name."""
    link = _EQUALS.match(draft.lower, end)
    if link is None or column.facts.type != "string":
        return []
    op: Op = "!=" if link.group("not") else "="
    return [
        (Condition(ref(column), op, value), column, start, link.end() + len(str(value)))
        for value, _ in column.facts.top
        if len(str(value)) > 1
        and draft.lower.startswith(str(value).lower(), link.end())
        and _ENDED.match(draft.lower, link.end() + len(str(value)))
    ]


def _answered(draft: Draft, one: Measure | Condition) -> bool:
    """Whether the draft has what is asked, or groups, sorts or computes otherwise with it."""
    if isinstance(one, Condition):
        shares = (test for each in draft.select for test in each.share)
        tested = one.ref in [*columns_of(draft.where), *columns_of(shares)]
        return tested or _tests_sum(draft, one)
    plain = {Measure(kind, one.ref) for kind in (None, "avg", "sum")} - {one}
    computed = [each for each in draft.select if each not in plain]
    inner = [test.plan for options in draft.where for test in options if test.plan]
    used = [
        *(each.ref for plan in inner for each in plan.select if each.aggregate),
        *(ref for each in computed for ref in (each.ref, each.other)),
        *(bucket.ref for bucket in draft.group),
        *(each.by.ref for each in draft.order),
        *(each.measure.ref for each in draft.having),
    ]
    return one.ref in used


def _tests_sum(draft: Draft, one: Condition) -> bool:
    """Whether a number is beyond all that the column holds, and its sum is tested in groups."""
    high = draft.index.column(one.ref).facts.maximum
    if one.op == "=" or not (isinstance(high, int | float) and isinstance(one.value, int | float)):
        return False
    tested = [each.measure for each in draft.having if each.value == one.value]
    return one.value > high and Measure("sum", one.ref) in tested
