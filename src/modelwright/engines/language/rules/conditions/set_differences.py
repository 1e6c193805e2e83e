"""Things that are so in some rows and otherwise in none: seen in 2023 but not in 2024.

No row is of both years, so that denying the second leaves nothing out. What is asked for is told by
several rows each, and none of its rows may be what is denied.
"""

import re
from dataclasses import replace
from typing import Any

from modelwright.engines.language.rules.columns.index import Column, ref
from modelwright.engines.language.rules.mentions.draft import Draft, add_test
from modelwright.engines.language.rules.mentions.negation import AFFIRMED
from modelwright.engines.language.rules.plans.plan import Condition, Measure, Plan
from modelwright.engines.language.vocabulary import word_list, word_set

_NAMED = 0.55
"""How surely words must mean the things that are asked for, 0 to 1."""
_OF_THINGS = re.compile(r"\W*(?:which|what|how many)\s+")
_DONE = tuple(word_list("verbs.done_endings"))
_BEING_DONE = word_set("verbs.of_being_done")
_JOINING = frozenset({"but", "and", "yet"})
"""What stands before a denial of things: `paid, not overdue` is of rows."""
_REACH = 3
"""In words: how far before what is denied it may stand."""
_DENIED = frozenset({"!=", "not in", "outside"})


def read_set_differences(draft: Draft) -> None:
    """Leaves out the things of which any row is what is denied, where no row could be both."""
    if draft.group:
        return
    tests = list(zip(draft.where, draft.spans, strict=True))
    denied = next((pair for pair in tests if _is_set_apart(draft, *pair)), None)
    if denied is None:
        return
    one, others = denied[0][0], [pair for pair in tests if pair is not denied]
    first = min(start for _, (start, _) in others)
    who = draft.pick(0, first, _is_told_by_several, _NAMED)
    if who is None or ref(who.column) == one.ref:
        return  # of rows the other test is enough
    _claim_deeds(draft, who.end, first)
    things = ref(who.column)
    beside = [options for options, _ in others if options[0].ref != one.ref]
    so = replace(one, op=AFFIRMED[one.op])
    plan = Plan(
        [things.table], [Measure(None, things)], [(so,), *beside, (Condition(things, "present"),)]
    )
    draft.where, draft.spans = [options for options, _ in others], [span for _, span in others]
    add_test(draft, who.column, Condition(things, "not in", plan=plan), *denied[1])


def _is_told_by_several(column: Column) -> bool:
    return column.facts.type == "string" and column.repeated


def _claim_deeds(draft: Draft, start: int, end: int) -> None:
    """Claims the verbs of what things did, or what was done with them: it shows no column."""
    for at in range(start, end):
        is_deed = draft.text(at, at + 1).endswith(_DONE) or draft.text(at - 1, at) in _BEING_DONE
        if is_deed and not draft.claimed[at]:
            draft.claim(at, at + 1, "condition")


def _is_set_apart(draft: Draft, options: tuple[Condition, ...], span: tuple[int, int]) -> bool:
    """Whether no row that meets another test of the same column is what is denied.

    Who bought in 2024 `but not in May 2024` did not in May, though other rows are of 2024.
    """
    one = options[0]
    if len(options) > 1 or one.op not in _DENIED or one.plan or one.other:
        return False
    others = [each[0] for each in draft.where if len(each) == 1 and each is not options]
    others = [other for other in others if other.ref == one.ref]
    is_of_things = _OF_THINGS.match(draft.lower) and draft.text(*span).startswith("but ")
    if is_of_things and one.op == "outside" and others and not _asks_rows(draft):
        return True
    is_joined = not _JOINING.isdisjoint(draft.text(span[0] - _REACH, span[0] + 1).split())
    return is_joined and any(_excludes(other, one) for other in others)


def _asks_rows(draft: Draft) -> bool:
    """Whether what is asked for first are the rows themselves."""
    asked = _OF_THINGS.match(draft.lower)
    at = draft.at(asked.end()) if asked else 0
    return draft.pick(at, at + 1, _is_told_by_several, _NAMED) is None


def _excludes(one: Condition, denied: Condition) -> bool:
    """Whether what meets a test is never what another test denies."""
    if one.part != denied.part or one.plan or one.other:
        return False
    if one.op == "between" and denied.op == "outside":
        ends: tuple[Any, ...] = one.value, one.upper, denied.value, denied.upper
        return None not in ends and not (ends[2] < ends[1] and ends[0] < ends[3])
    if one.op not in {"=", "in"} or denied.op == "outside":
        return False
    return set(_values(one)).isdisjoint(_values(denied))


def _values(one: Condition) -> tuple[Any, ...]:
    return one.value if isinstance(one.value, tuple) else (one.value,)
