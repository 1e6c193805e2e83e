"""Tests of columns that hold lists: `comedies` are those with Comedy among their genres."""

from dataclasses import replace

from modelwright.engines.language.rules.columns.column import Column
from modelwright.engines.language.rules.columns.list_values import parts_of
from modelwright.engines.language.rules.plans.plan import Condition


def in_lists(column: Column, one: Condition) -> Condition:
    """A test for lists with a part, or without: by its letters, where no other part has them."""
    said = str(one.value)
    within = [part for part in column.parts if said.lower() in part.lower()]
    if one.op == "=" and len(within) == 1:
        return replace(one, op="contains")
    held = tuple(value for value, _ in column.facts.top if said in parts_of(str(value)))
    return replace(one, op="in" if one.op == "=" else "not in", value=held)
