"""What was done late, on time or early: its date set against the date it was due."""

import re

from modelwright.engines.language.rules.columns.index import Column, ref
from modelwright.engines.language.rules.mentions.draft import Draft, add_test
from modelwright.engines.language.rules.mentions.mention import Mention
from modelwright.engines.language.rules.mentions.negation import negated
from modelwright.engines.language.rules.plans.plan import Condition, Op
from modelwright.engines.language.rules.text.patterns import pattern
from modelwright.engines.language.rules.times.durations import OPPOSITE
from modelwright.engines.language.vocabulary import alternatives

_SAID = re.compile(r"\b(?:too )?(?P<way>late(?! than)|on[- ]time|in time|early)\b")
_DUE = re.compile(rf"\b(?:{alternatives('times.due')})\b")
_DONE = re.compile(r"(?:ed|paid|sent)$")
ENDED = pattern("lacking ended")
_OPS: dict[str, Op] = {"late": ">", "early": "<"}
_REACH = 3
"""In words: how far before `late` the date may be named that was late."""
_LEAST_QUALITY = 0.4
"""How surely words must mean a date, 0 to 1."""
_NAME_QUALITY = 0.8
"""How surely `late` itself must name a column to be no lateness, 0 to 1."""


def read_lateness(draft: Draft) -> None:
    """Adds a test where the table tells one date that something is due and one that it is done."""
    match = _SAID.search(draft.lower) if len(draft.index.tables) == 1 else None
    if match is None:
        return
    due = [one for one in draft.index.columns if one.date and _DUE.search(one.plain_name)]
    at, end = draft.at(match.start()), draft.at(match.end())
    if len(due) != 1 or _held(draft, at):
        return
    named = _other_date(draft, due[0], at, end)
    done = named.column if named else _only_end(draft, due[0])
    if done is None:
        return
    verb = at - 1 if _DONE.search(draft.text(at - 1, at)) else at
    start, end = (min(at, named.start), max(end, named.end)) if named else (verb, end)
    op = _OPS.get(match["way"], "<=")
    op = OPPOSITE[op] if negated(draft, start) else op
    draft.claim(start, end, "condition")
    add_test(draft, done, Condition(ref(done), op, other=ref(due[0])), start, end)


def _other_date(draft: Draft, due: Column, at: int, end: int) -> Mention | None:
    """The date named shortly before the word, else right after it, that is not the one due."""

    def other(column: Column) -> bool:
        return column.date and column is not due

    before = draft.pick(at - _REACH, at, other, _LEAST_QUALITY)
    return before or draft.pick(end, end + 2, other, _LEAST_QUALITY)


def _only_end(draft: Draft, due: Column) -> Column | None:
    """The only date by whose name something ended."""
    dates = (one for one in draft.index.columns if one.date and one is not due)
    ended = [one for one in dates if ENDED.search(one.plain_name)]
    return ended[0] if len(ended) == 1 else None


def _held(draft: Draft, at: int) -> bool:
    """Whether the word is a value or names a column: an outcome `late`."""
    said = draft.question.is_value(at)
    return said or draft.question.mentions.quality_at(at) > _NAME_QUALITY
