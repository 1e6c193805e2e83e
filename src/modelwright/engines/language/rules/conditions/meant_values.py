"""Values that are meant though their words name a column too, and names that are no values."""

from modelwright.engines.language.rules.lookups.clues import Wanted
from modelwright.engines.language.rules.mentions.draft import Draft, entity
from modelwright.engines.language.rules.mentions.mention import WHOLLY_NAMED
from modelwright.engines.language.vocabulary import word_set

_PLACED = frozenset({"in", "at", "from"})
_GROUPING = word_set("small_words.grouping", "small_words.across_groups")


def is_meant(draft: Draft, one: Wanted) -> bool:
    """Whether a value is meant, whatever else its words may name."""
    return _is_kind(draft, one) or _is_place(draft, one)


def _is_place(draft: Draft, one: Wanted) -> bool:
    """`The oldest employee in Sales` works there, though a column is called Actual Sales."""
    if draft.home or one.op != "=" or draft.text(one.start - 1, one.start) not in _PLACED:
        return False
    exact = draft.question.values_of(one.start, one.end)
    return bool(exact) and all(
        m.named <= WHOLLY_NAMED for m in draft.question.mentions.over(one.start)
    )


def _is_kind(draft: Draft, one: Wanted) -> bool:
    """`Honorary members` are of the kind that a column of kinds is called after."""
    if draft.home or one.op != "=" or one.features.get("is a name", 0.0) <= WHOLLY_NAMED:
        return False
    own = any(m.column is one.column for m in draft.question.mentions.over(one.start))
    return own and entity(draft, one.end) and not named_group(draft, one)


def named_group(draft: Draft, one: Wanted) -> bool:
    """A value that is also the name of what follows `by` is that name."""
    named = one.features.get("is a name", 0.0) > WHOLLY_NAMED
    return named and draft.text(one.start - 1, one.start) in _GROUPING
