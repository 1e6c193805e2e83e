"""Places and numbers of rows: the second highest salary, the three owners who paid the most."""

import re

from modelwright.engines.language.rules.measures.extreme_rows import SUPER
from modelwright.engines.language.rules.mentions.draft import Draft, entity
from modelwright.engines.language.rules.plans.plan import Measure, Order, Plan
from modelwright.engines.language.rules.text.numbers import SPELLED
from modelwright.engines.language.rules.text.patterns import pattern
from modelwright.engines.language.vocabulary import word_list

_NTH = pattern("nth")
_BEFORE_ROWS = re.compile(
    rf"(?:^|\b(?:the|which|what|list|show|find|give) )(?P<n>\d+|{'|'.join(SPELLED)}) (?=[a-z])"
)
PLACES = word_list("numbers.places")


def read_nth(draft: Draft) -> None:
    """Notes which place is asked for, and claims the word that says it."""
    match = _NTH.search(draft.lower)
    if match is None:
        return
    word = match.group("nth")
    draft.nth = int(word[:-2]) if word[0].isdigit() else PLACES.index(word) + 1
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


def number_before_rows(draft: Draft) -> list[tuple[int, int]]:
    """`The three owners whose repairs cost most`: how many of the rows a superlative ranks."""
    found = _BEFORE_ROWS.search(draft.lower) if draft.limit is None else None
    ranked = (
        found and entity(draft, draft.at(found.end())) and SUPER.search(draft.lower, found.end())
    )
    if found is None or not ranked:
        return []
    said = found.group("n")
    draft.limit = int(said) if said.isdigit() else SPELLED[said]
    draft.claim_text(found, "limit", "n")
    return [found.span("n")]
