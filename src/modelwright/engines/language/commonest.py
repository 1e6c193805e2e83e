"""The most and the least common: the most used app, who cancelled most often."""

import re

from modelwright.engines.language.drafting import Draft
from modelwright.engines.language.index import Column, ref
from modelwright.engines.language.measured import most_done
from modelwright.engines.language.patterns import pattern
from modelwright.engines.language.plan import Bucket, Measure, Order
from modelwright.engines.language.rows import who

_COMMON = pattern("superlatives common")
_ASKS = re.compile(r"\s*(?:which|what|who)\b")
_NAMED = 0.42


def read_common(draft: Draft) -> bool:
    """Reads groups that are ranked by how many rows they have."""
    match = _COMMON.search(draft.lower) or most_done(draft)
    if not match:
        return False
    group = _person(draft, match) or _named(draft, match)
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


def _named(draft: Draft, match: re.Match[str]) -> Column | None:
    at = draft.at(match.end())
    named = draft.pick(at, at + 4, least=_NAMED) or draft.pick(0, at, least=_NAMED)
    if named is None:
        return None
    draft.claim(named.start, named.end, "group")
    return named.column


def _person(draft: Draft, match: re.Match[str]) -> Column | None:
    """`Who ordered most often`: the one word between says what the rows tell of."""
    at = draft.at(match.start())
    if draft.text(0, 1) != "who" or at > 2 or len(draft.index.tables) > 1:  # noqa: PLR2004
        return None
    person = who(draft)
    if person and not draft.claimed[1]:
        draft.claim(1, at, "rows")
    return person
