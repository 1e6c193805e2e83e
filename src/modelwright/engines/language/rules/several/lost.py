"""What a question over several tables says of sorting, grouping and denying and its plan lacks."""

import re

from modelwright.engines.language.rules.mentions.denying import DENYING, undenied
from modelwright.engines.language.rules.mentions.drafting import Draft
from modelwright.engines.language.rules.plans.plan import Plan

_DONE = re.compile(r"(?:ed|en|wn|ade|old|ought)$")
_DENIALS = frozenset({"never", "without", "neither"})
_EACH, _BY = frozenset({"each", "every", "per"}), frozenset({"by", "per"})
_BY_EACH, _WERE = frozenset({"by each", "by every"}), frozenset({"were", "was", "been"})
_PASSIVE = 3
"""How far a verb stands before `by` and who does it: published in 2026 by."""


def lost(draft: Draft, plan: Plan) -> list[str]:
    """Gives what sorts, groups or denies and is in no plan: `by class`, the best `of each` bar."""
    said = draft.question.words
    idle = not plan.order and not (draft.limit or plan.limit)
    found = [w.raw for w, by in zip(said, draft.claimed, strict=True) if by == "order" and idle]
    denied = any(one.op in DENYING for options in plan.where for one in options) or plan.combined
    found += [w.raw for w in said if w.text in _DENIALS and not denied]
    found += [] if denied else undenied(draft, plan)
    if plan.limit and not (plan.group or plan.within):
        found += [w.raw for w in said if w.text in _EACH]
    if not (plan.group or plan.within or plan.having):
        found += [
            f"by {w.raw}" for at, w in enumerate(said) if draft.text(at - 1, at + 1) in _BY_EACH
        ]
        found += _not_done(draft, plan)
    return found + [
        f"{word.raw} {said[at + 1].raw}"
        for at, word in enumerate(said)
        if word.text in _BY and not any(draft.claimed[at : at + 2]) and _telling(draft, at + 1)
        if not any(_DONE.search(w.text) for w in said[max(0, at - _PASSIVE) : at])
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


def _telling(draft: Draft, at: int) -> bool:
    return at < len(draft.claimed) and draft.question.terms[at].weight == 1


def overlooks(draft: Draft, plan: Plan, rows: str) -> bool:
    """Whether a plan of the rows of a table denies nothing, or groups by none that is named."""
    if undenied(draft, plan):
        return True
    told = plan.group or plan.within or any(one.aggregate == "per" for one in plan.select)
    return not told and any(
        draft.text(at - 1, at) in _BY | _EACH
        for table, places in draft.question.tables.items()
        if table != rows
        for at in places
    )
