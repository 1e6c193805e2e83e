"""What was done late, on time or early: its date set against the date it was due.

Where a flag tells what was late, the rest was on time; what is overdue was due and is not done.
"""

import re

from modelwright.engines.language.rules.columns.index import Column, ref
from modelwright.engines.language.rules.mentions.draft import Draft, add_test
from modelwright.engines.language.rules.mentions.mention import Mention
from modelwright.engines.language.rules.mentions.negation import negated
from modelwright.engines.language.rules.plans.plan import Condition, Op
from modelwright.engines.language.rules.text.lexicon import lexicon
from modelwright.engines.language.rules.text.patterns import pattern
from modelwright.engines.language.rules.text.words import name_parts, stem
from modelwright.engines.language.rules.times.durations import OPPOSITE
from modelwright.engines.language.vocabulary import alternatives, word_set

_SAID = re.compile(r"\b(?:too )?(?P<way>late(?! than)|on[- ]time|in time|early|overdue|past due)\b")
_TIMELY = frozenset({"on time", "on-time", "in time"})
_OVERDUE = frozenset({"overdue", "past due"})
_OF_ANY_DATE = word_set("checks.of_any_date")
LATE = word_set("times.late")
"""What a flag is called that tells what was late."""
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
    if match is None or _read_flag(draft, match):
        return
    due = [one for one in draft.index.columns if one.date and _DUE.search(one.plain_name)]
    at, end = draft.at(match.start()), draft.at(match.end())
    if len(due) != 1 or _held(draft, at):
        return
    named = _other_date(draft, due[0], at, end)
    done = named.column if named else _only_end(draft, due[0])
    if done is None:
        return
    if match["way"] in _OVERDUE:
        _read_overdue(draft, due[0], done, at, end)
        return
    verb = at - 1 if _DONE.search(draft.text(at - 1, at)) else at
    start, end = (min(at, named.start), max(end, named.end)) if named else (verb, end)
    op = _OPS.get(match["way"], "<=")
    op = OPPOSITE[op] if negated(draft, start) else op
    draft.claim(start, end, "condition")
    add_test(draft, done, Condition(ref(done), op, other=ref(due[0])), start, end)


def _read_flag(draft: Draft, match: re.Match[str]) -> bool:
    """`On time` of a flag `was_late`: those of which it says no."""
    at, end = draft.at(match.start()), draft.at(match.end())
    flags = [one for one in draft.index.columns if one.yes is not None and one.no is not None]
    late = [one for one in flags if not LATE.isdisjoint(name_parts(one.facts.name))]
    if match["way"] not in _TIMELY or len(late) != 1 or _held(draft, at):
        return False
    value = late[0].yes if negated(draft, at) else late[0].no
    draft.claim(at, end, "condition")
    add_test(draft, late[0], Condition(ref(late[0]), "=", value), at, end)
    return True


def _read_overdue(draft: Draft, due: Column, done: Column, at: int, end: int) -> None:
    """What was due before today and is not done."""
    if negated(draft, at):
        return
    draft.claim(at, end, "condition")
    add_test(draft, done, Condition(ref(done), "missing"), at, end)
    add_test(draft, due, Condition(ref(due), "<", draft.today), at, end)


def _other_date(draft: Draft, due: Column, at: int, end: int) -> Mention | None:
    """The date named shortly before the word, else right after it, that is not the one due."""

    def other(column: Column) -> bool:
        return column.date and column is not due and not _is_of_rows(draft, column)

    before = draft.pick(at - _REACH, at, other, _LEAST_QUALITY)
    return before or draft.pick(end, end + 2, other, _LEAST_QUALITY)


def _is_of_rows(draft: Draft, column: Column) -> bool:
    """Whether a date is called as the rows are, Invoice Date of invoices: nothing was done then."""
    known = lexicon()
    rows = known.entities | known.row_words | {stem(word) for word in draft.index.row_words}
    telling = [one for one in column.name.terms if one.text not in _OF_ANY_DATE]
    return not column.facts.missing and all(one.stem in rows for one in telling)


def _only_end(draft: Draft, due: Column) -> Column | None:
    """The only date by whose name something ended."""
    dates = (one for one in draft.index.columns if one.date and one is not due)
    ended = [one for one in dates if ENDED.search(one.plain_name)]
    return ended[0] if len(ended) == 1 else None


def _held(draft: Draft, at: int) -> bool:
    """Whether the word is a value or names a column: an outcome `late`."""
    said = draft.question.is_value(at)
    return said or draft.question.mentions.quality_at(at) > _NAME_QUALITY
