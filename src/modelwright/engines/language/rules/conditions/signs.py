"""Numbers above and below zero: negative profits, orders made at a loss.

`Negative` and `at a loss` are no values of a column but tests of a number against zero, and where
no column tells the profit, of one column against another.
"""

import re
from typing import cast

from modelwright.engines.language.rules.columns.index import Column, ref
from modelwright.engines.language.rules.measures.ratios import earned
from modelwright.engines.language.rules.mentions.draft import Draft, add_test
from modelwright.engines.language.rules.mentions.rows import amount, earns
from modelwright.engines.language.rules.plans.plan import Aggregate, Condition, Having, Measure, Op
from modelwright.engines.language.rules.ranks.ranking_measures import AGGREGATES
from modelwright.engines.language.rules.text.patterns import pattern

_SAID = pattern("signs said")
_EARNED = pattern("signs earned")
_ASKED = re.compile(r"\s*(?:are|is|was|were)\b")
_SO_MUCH = re.compile(r" (?:of|above|over|below|under|(?:\w+ )?than)\b")
_REACH_BEFORE = 3
"""So many words before the sign may name its number."""
_REACH_AFTER = 4
"""Words before so many after it may."""


def read_signs(draft: Draft) -> None:
    """Adds a test for each number that is said to be negative or positive, a profit or a loss."""
    for match in _SAID.finditer(draft.lower):
        _read_sign(draft, match)
    found = [one for one in draft.index.columns if earns(one)]
    for match in _EARNED.finditer(draft.lower) if len(found) == 1 else ():
        if _tells_which(draft, match):
            _add_sign(draft, found[0], match)
    if not found:
        _read_profit(draft)


def _read_sign(draft: Draft, match: re.Match[str]) -> None:
    """`Negative profit` tests a number, `negative average profit` groups."""
    at = draft.at(match.start())
    if draft.question.is_value(at):
        return
    before = max(0, at - _REACH_BEFORE), at
    named = draft.pick(at + 1, at + _REACH_AFTER, amount) or draft.pick(*before, amount)
    if named is None:
        return
    kind = next((k for k, cue in AGGREGATES if cue.match(draft.text(at + 1, at + 2))), None)
    if kind is not None:
        measure = Measure(cast("Aggregate", kind), ref(named.column))
        draft.having.append(Having(measure, _sign(match), 0))
        draft.claim(at, named.end, "group test")
    else:
        _add_sign(draft, named.column, match)
        draft.claim(named.start, named.end, "condition")


def _read_profit(draft: Draft) -> None:
    """`Sold at a loss`, where only sales and costs are known: one is above the other."""
    said = _EARNED.search(draft.lower)
    ends = earned(draft) if said else None
    if said is None or ends is None or not _tells_which(draft, said):
        return
    if _SO_MUCH.match(draft.lower, said.end()):
        draft.unread.append(said.group())
        return
    sales, cost = ends
    start, end = draft.at(said.start()), draft.at(said.end())
    add_test(draft, sales, Condition(ref(sales), _sign(said), other=ref(cost)), start, end)


def _tells_which(draft: Draft, match: re.Match[str]) -> bool:
    """Whether a loss is spoken of, or a profit in what is no question of yes or no."""
    return bool(match.group("down")) or not _ASKED.match(draft.lower)


def _sign(match: re.Match[str]) -> Op:
    return "<" if match.group("down") else ">"


def _add_sign(draft: Draft, column: Column, match: re.Match[str]) -> None:
    start, end = draft.at(match.start()), draft.at(match.end())
    add_test(draft, column, Condition(ref(column), _sign(match), 0), start, end)
