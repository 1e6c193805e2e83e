"""A number of the first row or rows: how many seats the fastest plane has."""

from modelwright.engines.language.rules.mentions.draft import Draft
from modelwright.engines.language.rules.plans.plan import Measure

_ADDED = frozenset({"sum", "count", "avg"})


def settle_first(draft: Draft) -> None:
    """Shows the number itself where one row is ranked first; what is told of more stays unread."""
    told = bool(draft.select) and all(m.aggregate or m.share for m in draft.select)
    if draft.group or not told:
        return
    by = _ranked_by(draft)
    if by is None or by.ref in {m.ref for m in draft.select}:
        draft.order, draft.limit = [], None
    elif draft.limit == 1 and all(m.ref and m.aggregate in _ADDED for m in draft.select):
        draft.select = [Measure(None, m.ref) for m in draft.select]
    else:
        at = draft.claimed.index("superlative")
        draft.unread.append(draft.question.words[at].raw)
        draft.order, draft.limit = [], None


def _ranked_by(draft: Draft) -> Measure | None:
    """The number of each row by which a superlative ranks them."""
    by = draft.order[0].by if draft.order else None
    if isinstance(by, Measure) and not by.aggregate and "superlative" in draft.claimed:
        return by
    return None
