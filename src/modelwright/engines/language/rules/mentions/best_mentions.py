"""The best of the mentions that are left, one for each stretch of words."""

from collections.abc import Callable, Sequence

from modelwright.engines.language.rules.columns.index import Column
from modelwright.engines.language.rules.mentions.draft import SHORTEST_NAME, Draft
from modelwright.engines.language.rules.mentions.mention import EXACTLY_NAMED, Mention

_NAMED = 0.55
"""How good a mention is at least that is one."""
_MOSTLY_NAMED = 0.7
"""Less of a name is said than this where an amount is likelier meant."""


def _is_telling(draft: Draft, mention: Mention) -> bool:
    words = draft.question.words[mention.start : mention.end]
    long = any(len(word.text) >= SHORTEST_NAME for word in words)
    return (long and mention.quality > EXACTLY_NAMED) or any(
        draft.question.terms[at].weight == 1 for at in range(mention.start, mention.end)
    )


def _means_amount(draft: Draft, mention: Mention) -> bool:
    """`Sales by month` speaks of amounts, not of a Sales Rep."""
    return (
        not mention.column.number
        and mention.named < _MOSTLY_NAMED
        and any(
            one.column.number and one.quality >= _NAMED
            for one in draft.question.mentions.starting(mention.start, mention.start + 1)
        )
    )


def _is_part_of(mention: Mention, whole: Mention) -> bool:
    """Whether words are but a part of a longer name that is said wholly: hours of `hourly rate`."""
    is_within = whole.start <= mention.start and mention.end <= whole.end
    return is_within and mention.end - mention.start < whole.end - whole.start


def best_mentions(
    draft: Draft, fits: Callable[[Column], bool] = lambda _: True, *, taken: bool = False
) -> Sequence[Mention]:
    """The free mentions that don't overlap, the best of each stretch, in the order of the words."""
    kept: list[Mention] = []
    free = [
        m
        for m in draft.question.mentions
        if m.quality >= _NAMED
        and (taken or draft.free(m))
        and fits(m.column)
        and _is_telling(draft, m)
        and not (draft.group and _means_amount(draft, m))
        and (draft.lacking is None or m.column.table != draft.lacking[0])
    ]
    whole = [m for m in free if m.end > m.start + 1 and m.named >= 1 and m.quality >= 1]
    for mention in sorted(free, key=lambda m: -draft.worth(m)):
        if any(_is_part_of(mention, one) for one in whole):
            continue
        if all(mention.end <= one.start or one.end <= mention.start for one in kept):
            kept.append(mention)
    return sorted(kept, key=lambda m: m.start)
