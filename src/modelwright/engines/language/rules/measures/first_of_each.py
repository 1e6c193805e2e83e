"""The first of each: the best selling product in each region, the oldest employee per office."""

import re
from collections.abc import Sequence

from modelwright.engines.language.rules.measures.extreme_rows import ENDS, SUPER
from modelwright.engines.language.rules.mentions.draft import Draft, entity
from modelwright.engines.language.rules.plans.plan import Measure
from modelwright.engines.language.vocabulary import alternatives

EACH = re.compile(rf"\b(?:{alternatives('small_words.grouping')})\b")
_FIRST = re.compile(rf"\b(?:{alternatives('superlatives.firsts')})\b")
_NEAR = 4
"""In words: how far from a superlative the rows may be spoken of."""


def note(draft: Draft, cue: str, before: int) -> None:
    """Notes the groups that a cue such as `in each` added to those of before."""
    if EACH.search(cue):
        draft.within += draft.group[before:]


def ranked_within(draft: Draft) -> bool:
    """Whether something is ranked that may be ranked in each group apart."""
    ranks = SUPER.search(draft.lower) or _FIRST.search(draft.lower)
    return bool(draft.within and ranks) and len(draft.index.tables) == 1


def set_aside(draft: Draft) -> None:
    """Leaves out the groups, so that what is ranked is read as if there were none."""
    draft.group = [one for one in draft.group if one not in draft.within]
    draft.order = [one for one in draft.order if one.by not in draft.within]


def take_within(draft: Draft) -> bool:
    """Ranks in each group what was ranked without them; says whether it was rows or kinds."""
    if not draft.order or draft.limit is None or draft.unread:
        return False
    draft.apart = True
    if draft.group:
        draft.group = [*draft.within, *draft.group]
        return True
    if any(one.aggregate or one.share for one in draft.select):
        return False
    ranked = [one.by for one in draft.order if isinstance(one.by, Measure)]
    plain = _shown(draft)
    if not (plain or _dated(draft, ranked) or _rows(draft)):
        return False
    draft.select = _with_groups(draft, plain, ranked) if plain else []
    return True


def _with_groups(draft: Draft, plain: list[Measure], ranked: list[Measure]) -> list[Measure]:
    """The groups, what is shown of the rows and what ranks them; all columns of wider groups."""
    if any(one.unit or one.width for one in draft.within):
        return []
    shown = [*(Measure(None, one.ref) for one in draft.within), *plain, *ranked]
    return list(dict.fromkeys(shown))


def _dated(draft: Draft, ranked: Sequence[Measure]) -> bool:
    return any(one.ref and draft.index.column(one.ref).date for one in ranked)


def _shown(draft: Draft) -> list[Measure]:
    """The columns that are shown of the ranked rows, where they are more than numbers."""
    told = [one for one in draft.select if one.ref]
    texts = (one.ref and not draft.index.column(one.ref).number for one in told)
    return told if any(texts) else []


def _rows(draft: Draft) -> bool:
    """Whether a word beside the superlative speaks of the rows, not of the number alone."""
    found = [match for match in SUPER.finditer(draft.lower) if match.group() not in ENDS]
    places = [draft.at(match.start()) for match in found]
    near = {at for place in places for at in range(max(0, place - _NEAR), place + _NEAR)}
    said = {m.start for m in draft.question.mentions if m.column.number and m.named == 1}
    words = [(at, draft.text(at, at + 1)) for at in near - said]
    return any(entity(draft, at) for at, word in words if not word.endswith("ed"))
