"""Words that a count goes without, so that it is of other rows than are asked for."""

from collections.abc import Sequence

from modelwright.engines.language.mentions.drafting import Draft
from modelwright.engines.language.plans.plan import Plan
from modelwright.engines.language.text.lexicon import lexicon

_COUNTS = frozenset({"count", "count_distinct"})
_WERE = frozenset({"was", "were", "been"})
_DOES = frozenset({"did", "do", "does", "has", "have"})
_LEADS = frozenset({"many", "of", "the"})


def restricting(draft: Draft, plan: Plan, told: Sequence[int]) -> list[str]:
    """`Exploded` of `how many launches exploded` in a large table, not what the rows are called.

    `told` are the words that the plan lacks.
    """
    kinds = {one.aggregate for one in plan.select}
    if plan.group or plan.counted or not draft.index.large or not kinds or not kinds <= _COUNTS:
        return []
    rows = next((at for at in draft.open_words()[:1] if _counted_at(draft, at)), None)
    return [draft.question.words[at].raw for at in told if at != rows and not _links(draft, at)]


def _counted_at(draft: Draft, at: int) -> bool:
    """Whether a word stands where the rows are named: behind `how many` or what tests them."""
    return draft.claimed[at - 1] == "condition" or draft.text(at - 1, at) in _LEADS


def _links(draft: Draft, at: int) -> bool:
    """`How many launches did Quay Co make`: the verb of whose they are, or of a test after it."""
    after = at + 1
    while after < len(draft.claimed) and draft.text(after, after + 1) in lexicon().stop:
        after += 1
    by = {"condition", "time"} if draft.text(at - 1, at) in _WERE else {"condition"}
    if draft.text(at - 1, at) not in _LEADS and by.intersection(draft.claimed[at + 1 : after + 1]):
        return True
    does = not _DOES.isdisjoint(draft.text(0, at).split())
    return does and draft.claimed[at - 1] == "condition"
