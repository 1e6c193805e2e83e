"""Percentiles of an amount: p95 of the duration, the 90th percentile, the upper quartile."""

import re

from modelwright.engines.language.rules.columns.index import ref
from modelwright.engines.language.rules.mentions.draft import Draft
from modelwright.engines.language.rules.mentions.mention import Mention
from modelwright.engines.language.rules.mentions.rows import amount
from modelwright.engines.language.rules.plans.plan import Measure
from modelwright.engines.language.rules.text.patterns import pattern
from modelwright.engines.language.vocabulary import word_set

_CUE = pattern("quantiles")
_BESIDE = re.compile(r"(?:\s|,|\b(?:of|for|in|the|and)\b)*")
_TESTS = word_set("numbers.tests")
_REACH = 4
"""In words: how far from the percentile its amount may stand."""
_LOWER_QUARTILE = 0.25
"""As a share of the rows below."""
_UPPER_QUARTILE = 0.75
"""As a share of the rows below."""
_PERCENT = 100
"""Percentiles are told of a hundred."""


def read_quantile(draft: Draft) -> None:
    """Adds the percentiles of the amount named beside them; a test against one stays unread."""
    for match in _CUE.finditer(draft.lower):
        at, end = draft.at(match.start()), draft.at(match.end())
        held = draft.question.is_value(at)
        tested = _TESTS & set(draft.text(at - 2, at).split())
        named = None if held or tested else _amount(draft, at, match)
        if named is None:
            continue
        draft.claim(at, end, "quantile")
        draft.pass_over(end, named.start, "measure")
        draft.claim(named.start, named.end, "measure")
        draft.select.append(Measure("quantile", ref(named.column), level=_level(match)))


def _amount(draft: Draft, at: int, match: re.Match[str]) -> Mention | None:
    """What stands after the percentile and others beside it, else before: `p50 and p95 of fee`."""
    end = draft.at(match.end())
    after = draft.pick(end, end + _REACH, amount, taken=True)
    start = draft.question.words[after.start].start if after else 0
    if after and _BESIDE.fullmatch(_CUE.sub("", draft.lower[match.end() : start])):
        return after
    return draft.pick(max(0, at - _REACH), at, amount, taken=True)


def _level(match: re.Match[str]) -> float:
    """The share of the rows that lie below."""
    number = match.group("nth") or match.group("p")
    if number is None:
        return _LOWER_QUARTILE if match.group("low") else _UPPER_QUARTILE
    return round(float(number) / _PERCENT, 6)


def quantile_at(draft: Draft, start: int) -> Measure | None:
    """The percentile that was read at a place, taken from what is shown: `the highest p95`."""
    claimed = draft.claimed[start : start + 1] == ["quantile"]
    shown = draft.select[-1] if claimed and draft.select else None
    return draft.select.pop() if shown and shown.aggregate == "quantile" else None
