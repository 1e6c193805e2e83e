"""Words that an answer goes without, so that it is of other rows than are asked for.

A missing condition is the error that nobody sees: the answer looks right and counts too many rows.
What is left over of these words counts against the plan, as a request that was not read.
"""

import re
from collections.abc import Sequence

from modelwright.engines.language.rules.groups.grouping import PERIODS
from modelwright.engines.language.rules.mentions.draft import Draft, entity
from modelwright.engines.language.rules.plans.plan import Plan
from modelwright.engines.language.rules.text.lexicon import lexicon
from modelwright.engines.language.vocabulary import word_set

_DISTINCT = re.compile(r"\b(?:different|distinct|unique)\b")
_FREE = frozenset({"", "rows"})
_COUNTS = frozenset({"count", "count_distinct"})
_WERE = word_set("small_words.passive")
_DOES = word_set("verbs.doing")
_LEADS = frozenset({"many", "of", "the"})
_NEW = word_set("small_words.of_new_things")


def dropped_filters(draft: Draft, plan: Plan, told: Sequence[int]) -> list[str]:
    """Returns the words that leave rows out, or tell them apart, and are in no plan of one table.

    `told` are the words that the plan lacks.
    """
    found = _besides_rows(draft) + _undistinct(draft, plan) + _unlimited(draft, plan)
    return found + _uncounted(draft, plan, told)


def _uncounted(draft: Draft, plan: Plan, told: Sequence[int]) -> list[str]:
    """`Exploded` of `how many launches exploded` in a large table, not what the rows are called."""
    kinds = {one.aggregate for one in plan.select}
    if plan.group or plan.counted or not draft.index.large or not kinds or not kinds <= _COUNTS:
        return []
    rows = next((at for at in draft.open_words()[:1] if _counted_at(draft, at)), None)
    return [draft.question.words[at].raw for at in told if at != rows and not _links(draft, at)]


def _besides_rows(draft: Draft) -> list[str]:
    """`Company` of `people who live in another country than their company`: rows have one name."""
    said = [at for at, by in enumerate(draft.claimed) if by in _FREE and entity(draft, at)]
    if not draft.index.large:
        return []
    table = [at for places in draft.question.tables.values() for at in places]
    stems = [term.stem for term in draft.question.terms]
    rows = next((at for at in table if at in said), said[0] if said else 0)
    new = _NEW | ({"many"} if draft.text(rows - 1, rows) in {"a", "an"} else set())
    others = [
        at
        for at in said
        if stems[at] != stems[rows] and draft.text(at - 1, at) in new
        if draft.text(at, at + 1) not in PERIODS
    ]
    others += _counted_in(draft, table)
    return [draft.question.words[at].raw for at in others]


def _counted_in(draft: Draft, table: Sequence[int]) -> list[int]:
    """`States with more than 5 stores` where `stores` are the rows: no column tells states."""
    rows = [at for at in table if draft.question.words[at].text.endswith("s")]
    head = next(iter(draft.open_words()), len(draft.claimed))
    leads = head == 0 or draft.text(head - 1, head) == "many"
    plural = leads and not entity(draft, head) and draft.text(head, head + 1).endswith("s")
    return [head] if plural and any(head < at for at in rows) else []


def _unlimited(draft: Draft, plan: Plan) -> list[str]:
    """Numbers of rows to show where one number of all is told: `in the first 2 rounds`."""
    whole = plan.select and all(one.aggregate for one in plan.select) and not plan.group
    shown = zip(draft.question.words, draft.claimed, strict=True)
    return [word.raw for word, by in shown if by == "limit"] if whole else []


def _undistinct(draft: Draft, plan: Plan) -> list[str]:
    """`Different` where the plan neither tells values apart nor counts them but once."""
    told = plan.distinct or plan.counted or bool(plan.group)
    told = told or any(one.aggregate == "count_distinct" for one in plan.select)
    told = told or any(one.other for options in plan.where for one in options)
    found = [] if told or not draft.index.large else list(_DISTINCT.finditer(draft.lower))
    named = draft.question.mentions
    return [one.group() for one in found if not any(named.over(draft.at(one.start())))]


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
