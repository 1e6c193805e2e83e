"""The second, the third: the second highest salary, the 3rd best region."""

from modelwright.engines.language.drafting import Draft
from modelwright.engines.language.patterns import pattern
from modelwright.engines.language.plan import Measure, Order, Plan

_NTH = pattern("nth")
_PLACES = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth")


def read_nth(draft: Draft) -> None:
    """Notes which place is asked for, and claims the word that says it."""
    match = _NTH.search(draft.lower)
    if match is None:
        return
    word = match.group("nth")
    draft.nth = int(word[:-2]) if word[0].isdigit() else _PLACES.index(word) + 1
    draft.claim_text(match, "limit", "nth")


def take_nth(draft: Draft, plan: Plan) -> None:
    """Leaves out what comes before that place; a place in no order stays unread."""
    if draft.nth is None:
        return
    only = plan.select[0] if len(plan.select) == 1 and not plan.group else None
    if only is not None and only.aggregate in {"max", "min"}:
        shown = Measure(None, only.ref)
        plan.select, plan.order = [shown], [Order(shown, only.aggregate == "max")]
        plan.limit, plan.distinct = 1, True
    if plan.order and plan.limit == 1:
        plan.offset = draft.nth - 1
    else:
        draft.unread.append(f"number {draft.nth}")
