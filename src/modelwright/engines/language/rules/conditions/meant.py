"""Values that are meant though their words name a column too, and names that are no values."""

from modelwright.engines.language.rules.lookups.clues import Wanted
from modelwright.engines.language.rules.mentions.drafting import Draft, entity

_WHOLE = 0.9


def is_meant(draft: Draft, one: Wanted) -> bool:
    """Whether a value is meant, whatever else its words may name."""
    return _own_kind(draft, one)


def _own_kind(draft: Draft, one: Wanted) -> bool:
    """`Honorary members` are of the kind that a column of kinds is called after."""
    if draft.home or one.op != "=" or one.features.get("is a name", 0.0) <= _WHOLE:
        return False
    own = any(m.column is one.column for m in draft.question.mentions.over(one.start))
    return own and entity(draft, one.end)
