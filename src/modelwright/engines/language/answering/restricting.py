"""Words that a count goes without, so that it is of other rows than are asked for."""

from collections.abc import Sequence

from modelwright.engines.language.groups.grouping import PERIODS
from modelwright.engines.language.mentions.drafting import Draft, entity
from modelwright.engines.language.plans.plan import Plan
from modelwright.engines.language.text.lexicon import lexicon

_FREE = frozenset({"", "rows"})
_COUNTS = frozenset({"count", "count_distinct"})
_WERE = frozenset({"was", "were", "been"})
_DOES = frozenset({"did", "do", "does", "has", "have"})
_LEADS = frozenset({"many", "of", "the"})
_NEW = frozenset(
    {"a", "an", "another", "different", "her", "his", "its", "many", "other", "same", "their"}
)
"""What stands before a thing that was not spoken of yet, or is not the rows themselves."""


def restricting(draft: Draft, plan: Plan, told: Sequence[int]) -> list[str]:
    """`Exploded` of `how many launches exploded` in a large table, not what the rows are called.

    `told` are the words that the plan lacks.
    """
    kinds = {one.aggregate for one in plan.select}
    if plan.group or plan.counted or not draft.index.large or not kinds or not kinds <= _COUNTS:
        return []
    rows = next((at for at in draft.open_words()[:1] if _counted_at(draft, at)), None)
    return [draft.question.words[at].raw for at in told if at != rows and not _links(draft, at)]


def besides_rows(draft: Draft) -> list[str]:
    """`Company` of `people who live in another country than their company`: rows have one name."""
    if not draft.index.large:
        return []
    said = [at for at, by in enumerate(draft.claimed) if by in _FREE and entity(draft, at)]
    table = [at for places in draft.question.tables.values() for at in places if at in said]
    stems = [term.stem for term in draft.question.terms]
    return [
        draft.question.words[at].raw
        for at in said
        if stems[at] != stems[(table or said)[0]] and draft.text(at - 1, at) in _NEW
        if draft.text(at, at + 1) not in PERIODS
    ]


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
