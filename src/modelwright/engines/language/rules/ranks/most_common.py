"""The most and the least common: the most used app, who cancelled most often."""

import re

from modelwright.engines.language.rules.columns.index import Column, ref
from modelwright.engines.language.rules.mentions.draft import Draft
from modelwright.engines.language.rules.mentions.mention import Mention
from modelwright.engines.language.rules.mentions.rows import amount, person_column, sold_only
from modelwright.engines.language.rules.plans.plan import Bucket, Measure, Order
from modelwright.engines.language.rules.ranks.ranking_measures import most_done
from modelwright.engines.language.rules.text.patterns import pattern

_COMMON = pattern("superlatives common")
_ASKS = re.compile(r"\s*(?:which|what|who)\b")
_ENDS = frozenset({"and", "how", "with"})
"""What begins something else that is asked: `most often, and how many times`."""
_REACH = 4
"""In words: how far behind a superlative the groups may be named."""
_GROUP_QUALITY = 0.42
"""How surely words must mean the groups, 0 to 1."""
_NUMBER_QUALITY = 0.7
"""How surely a word must mean a number to tell how often, 0 to 1."""
_VERB_PLACE = 2
"""In words: where the verb of `who ordered most often` ends."""


def read_common(draft: Draft) -> bool:
    """Reads groups that are ranked by how many rows they have."""
    match = _COMMON.search(draft.lower) or most_done(draft)
    if not match:
        return False
    at = draft.at(match.end())
    if _told(draft, at - 1):
        return False
    stop = next(
        (one for one in range(at, at + _REACH) if draft.text(one, one + 1) in _ENDS), at + _REACH
    )
    named = draft.pick(at, stop, least=_GROUP_QUALITY) or draft.pick(0, at, least=_GROUP_QUALITY)
    group = _person(draft, draft.at(match.start()), named) or _claimed(draft, named)
    if group is None:
        return False
    draft.claim_text(match, "superlative")
    bucket, counted = Bucket(ref(group)), Measure("count")
    if bucket not in draft.group:
        draft.group.append(bucket)
    draft.order = [Order(counted, match.group("way") in {None, "most", "more"})]
    if draft.limit or not _ASKS.match(draft.lower):
        draft.select.append(counted)
    draft.only_group = not draft.select
    draft.limit = draft.limit or 1
    return True


def _told(draft: Draft, at: int) -> bool:
    """Whether a number tells how often: `most played` of Play Count."""
    number = (
        draft.pick(at, at + 1, amount, _NUMBER_QUALITY) if len(draft.index.tables) == 1 else None
    )
    return number is not None and not sold_only(draft, number)


def _claimed(draft: Draft, named: Mention | None) -> Column | None:
    if named is None:
        return None
    draft.claim(named.start, named.end, "group")
    return named.column


def _person(draft: Draft, at: int, named: Mention | None) -> Column | None:
    """`Who ordered most often`: one word, a date or an amount says what the rows tell of."""
    person = person_column(draft) if draft.text(0, 1) == "who" else None
    told = named is not None and not (named.column.date or amount(named.column))
    if person is None or (at > _VERB_PLACE and told):
        return None
    if not draft.claimed[1]:
        draft.claim(1, min(at, _VERB_PLACE), "rows")
    return person
