"""Numbers above and below zero: negative profits, orders made at a loss."""

import re
from typing import cast

from modelwright.engines.language.rules.columns.index import Column, ref
from modelwright.engines.language.rules.measures.ratios import earned
from modelwright.engines.language.rules.mentions.drafting import Draft, add_test
from modelwright.engines.language.rules.mentions.rows import amount, earns
from modelwright.engines.language.rules.plans.plan import Aggregate, Condition, Having, Measure, Op
from modelwright.engines.language.rules.ranks.measured import AGGREGATES
from modelwright.engines.language.rules.text.patterns import pattern

_SAID = pattern("signs said")
_EARNED = pattern("signs earned")
_ASKED = re.compile(r"\s*(?:are|is|was|were)\b")
_SO_MUCH = re.compile(r" (?:of|above|over|below|under|(?:\w+ )?than)\b")
_BEFORE, _AFTER = 3, 4


def read_signs(draft: Draft) -> None:
    """Adds a test for each number that is said to be negative or positive, a profit or a loss."""
    for match in _SAID.finditer(draft.lower):
        at = draft.at(match.start())
        if any(link.start <= at < link.end for link in draft.question.values):
            continue
        named = draft.pick(at + 1, at + _AFTER, amount) or draft.pick(
            max(0, at - _BEFORE), at, amount
        )
        kind = next((k for k, cue in AGGREGATES if cue.match(draft.text(at + 1, at + 2))), None)
        if named is not None and kind is not None:
            measure = Measure(cast("Aggregate", kind), ref(named.column))
            draft.having.append(Having(measure, "<" if match.group("down") else ">", 0))
            draft.claim(at, named.end, "group test")
        elif named is not None:
            _test(draft, named.column, match)
            draft.claim(named.start, named.end, "condition")
    found = [one for one in draft.index.columns if earns(one)]
    for match in _EARNED.finditer(draft.lower) if len(found) == 1 else ():
        if match.group("down") or not _ASKED.match(draft.lower):
            _test(draft, found[0], match)

    said = None if found else _EARNED.search(draft.lower)
    ends = earned(draft) if said else None
    if said and ends and (said.group("down") or not _ASKED.match(draft.lower)):
        if _SO_MUCH.match(draft.lower, said.end()):
            draft.unread.append(said.group())
            return
        sales, cost = ends
        op: Op = "<" if said.group("down") else ">"
        start, end = draft.at(said.start()), draft.at(said.end())
        add_test(draft, sales, Condition(ref(sales), op, other=ref(cost)), start, end)


def _test(draft: Draft, column: Column, match: re.Match[str]) -> None:
    op: Op = "<" if match.group("down") else ">"
    start, end = draft.at(match.start()), draft.at(match.end())
    add_test(draft, column, Condition(ref(column), op, 0), start, end)
