"""What was done late, on time or early: its date set against the date it was due."""

import re

from modelwright.engines.language.rules.columns.index import Column, ref
from modelwright.engines.language.rules.mentions.denying import negated
from modelwright.engines.language.rules.mentions.drafting import Draft, add_test
from modelwright.engines.language.rules.plans.plan import Condition, Op
from modelwright.engines.language.rules.text.patterns import pattern
from modelwright.engines.language.rules.text.words import name_parts

_SAID = re.compile(r"\b(?:too )?(?P<way>late(?! than)|on[- ]time|in time|early)\b")
_DUE = re.compile(
    r"\b(?:due|deadline|promised|expected|estimated|required|scheduled|planned|agreed)\b"
)
_DONE = re.compile(r"(?:ed|paid|sent)$")
ENDED = pattern("lacking ended")
_OPS: dict[str, Op] = {"late": ">", "early": "<"}
_OTHER: dict[Op, Op] = {">": "<=", "<=": ">", "<": ">="}
_NEAR, _NAMED, _OWN = 3, 0.4, 0.8


def read_lateness(draft: Draft) -> None:
    """Adds a test where the table tells one date that something is due and one that it is done."""
    match = _SAID.search(draft.lower) if len(draft.index.tables) == 1 else None
    if match is None:
        return
    dates = [one for one in draft.index.columns if one.date]
    due = [one for one in dates if _DUE.search(_name(one))]
    at, end = draft.at(match.start()), draft.at(match.end())
    if len(due) != 1 or _held(draft, at):
        return
    named = draft.pick(end, end + 2, lambda c: c.date and c is not due[0], _NAMED)
    named = draft.pick(at - _NEAR, at, lambda c: c.date and c is not due[0], _NAMED) or named
    ended = [one for one in dates if one is not due[0] and ENDED.search(_name(one))]
    done = named.column if named else ended[0] if len(ended) == 1 else None
    if done is None:
        return
    verb = at - 1 if _DONE.search(draft.text(at - 1, at)) else at
    start, end = (min(at, named.start), max(end, named.end)) if named else (verb, end)
    op = _OPS.get(match["way"], "<=")
    op = _OTHER[op] if negated(draft, start) else op
    draft.claim(start, end, "condition")
    add_test(draft, done, Condition(ref(done), op, other=ref(due[0])), start, end)


def _name(column: Column) -> str:
    return " ".join(name_parts(column.facts.name))


def _held(draft: Draft, at: int) -> bool:
    """Whether the word is a value or names a column: an outcome `late`."""
    said = any(link.start <= at < link.end for link in draft.question.values)
    return said or any(m.quality > _OWN for m in draft.question.mentions.over(at))
