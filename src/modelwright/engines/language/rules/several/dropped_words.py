"""What a question over several tables says of sorting, grouping and denying and its plan lacks."""

import re

from modelwright.engines.language.rules.mentions.draft import Draft
from modelwright.engines.language.rules.mentions.negation import DENYING, unread_denials
from modelwright.engines.language.rules.plans.plan import Plan
from modelwright.engines.language.vocabulary import word_set

_DONE = re.compile(r"(?:ed|en|wn|ade|old|ought)$")
_DENIALS = frozenset({"never", "without", "neither"})
_EACH = word_set("small_words.each")
_BY = frozenset({"by", "per"})
_BY_EACH = frozenset({"by each", "by every"})
_WERE = word_set("small_words.passive")
_PASSIVE_REACH = 3
"""How far a verb stands before `by` and who does it: published in 2026 by."""


def dropped_words(draft: Draft, plan: Plan) -> list[str]:
    """Gives what sorts, groups or denies and is in no plan: `by class`, the best `of each` bar."""
    said, found = draft.question.words, []
    if not (plan.order or draft.limit or plan.limit):
        found += [w.raw for w, by in zip(said, draft.claimed, strict=True) if by == "order"]
    if not (plan.combined or any(one.op in DENYING for tests in plan.where for one in tests)):
        found += [w.raw for w in said if w.text in _DENIALS] + unread_denials(draft, plan)
    return found + _each_dropped(draft, plan) + _not_grouped(draft)


def _each_dropped(draft: Draft, plan: Plan) -> list[str]:
    """`Each`, and what was done to rows, of a plan without groups."""
    if plan.group or plan.within:
        return []
    said = draft.question.words
    found = [w.raw for w in said if w.text in _EACH] if plan.limit else []
    if not plan.having:
        each = (at for at in range(len(said)) if draft.text(at - 1, at + 1) in _BY_EACH)
        found += [f"by {said[at].raw}" for at in each] + _not_done(draft, plan)
    return found


def _not_grouped(draft: Draft) -> list[str]:
    """`By class` that nothing explains, where `by` doesn't follow what was done by somebody."""
    said = draft.question.words
    return [
        f"{word.raw} {said[at + 1].raw}"
        for at, word in enumerate(said)
        if word.text in _BY and not any(draft.claimed[at : at + 2]) and _is_telling(draft, at + 1)
        if not any(_DONE.search(w.text) for w in said[max(0, at - _PASSIVE_REACH) : at])
    ]


def _not_done(draft: Draft, plan: Plan) -> list[str]:
    """`How many tickets were reopened` of a count of them all."""
    if plan.where or plan.joins or not any(one.aggregate == "count" for one in plan.select):
        return []
    return [
        word.raw
        for at, word in enumerate(draft.question.words)
        if not draft.claimed[at] and _DONE.search(word.text)
        if draft.text(at - 1, at) in _WERE
    ]


def _is_telling(draft: Draft, at: int) -> bool:
    return at < len(draft.claimed) and draft.question.terms[at].weight == 1


def drops_request(draft: Draft, plan: Plan, rows: str) -> bool:
    """Whether a plan of the rows of a table denies nothing, or groups by none that is named."""
    if unread_denials(draft, plan):
        return True
    told = plan.group or plan.within or any(one.aggregate == "per" for one in plan.select)
    return not told and any(
        draft.text(at - 1, at) in _BY | _EACH
        for table, places in draft.question.tables.items()
        if table != rows
        for at in places
    )
