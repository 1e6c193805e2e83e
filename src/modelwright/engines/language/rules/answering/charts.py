"""Whether a question asks for a chart, which kind, and which columns of the answer it draws.

The words that ask for a chart are claimed before anything else reads them: `plot` and `bar` name no
columns, unless the tables are about them.
"""

import re

from modelwright.engines.chart_spec import ChartSpec, ChartType
from modelwright.engines.language.rules.mentions.draft import Draft
from modelwright.engines.language.rules.mentions.mention import WHOLLY_NAMED
from modelwright.engines.language.rules.plans.plan import Bucket, Measure, Plan
from modelwright.engines.language.rules.plans.sql import label_of
from modelwright.engines.language.rules.text.patterns import pattern, patterns

_KINDS = patterns("charting kinds")
_ANY = pattern("charting any")
_TREND = pattern("charting trend")
_SPREAD = pattern("charting spread")
_PARTS = pattern("charting parts")
_PAIR = pattern("charting pair")
_NOISE = pattern("charting noise")
_LEAST_COLUMNS = 2
"""A chart draws one column along another."""


def read_chart(draft: Draft) -> None:
    """Notes the kind of chart named, or that some chart is wanted, and claims the words."""
    for kind, named in _KINDS:
        match = named.search(draft.lower)
        if match and not _is_subject(draft, match):
            draft.chart = draft.chart or ChartType(kind)
            _claim_chart(draft, match)
    for some in (_ANY, _NOISE):
        for match in some.finditer(draft.lower):
            if not _is_value(draft, draft.at(match.start())):
                _claim_chart(draft, match)
    trend, spread = _TREND.search(draft.lower), _SPREAD.search(draft.lower)
    if trend:
        draft.chart = draft.chart or ChartType.LINE
    pair = _PAIR.search(draft.lower) if draft.chart is ChartType.SCATTER else None
    for match in filter(None, (pair, trend, spread)):
        _claim_chart(draft, match)


def _claim_chart(draft: Draft, match: re.Match[str]) -> None:
    draft.charted = True
    draft.claim_text(match, "chart")


def _is_value(draft: Draft, at: int) -> bool:
    """Whether a word that may ask for a chart is a value: games that ended in a draw."""
    links = (link for link in draft.question.values if link.exact)
    return at > 0 and any(link.start <= at < link.end for link in links)


def _is_subject(draft: Draft, match: re.Match[str]) -> bool:
    """Whether a word is what the tables are about, rather than a kind of chart: `bars`, `pies`."""
    at = draft.at(match.start())
    said = at in draft.question.table_words
    named = draft.question.mentions.named_at(at) > WHOLLY_NAMED
    return match.group().isalpha() and (said or named or _is_value(draft, at))


def spread_wanted(draft: Draft) -> bool:
    """Whether a distribution is asked for."""
    return draft.chart is ChartType.HISTOGRAM or bool(_SPREAD.search(draft.lower))


def pair_wanted(draft: Draft) -> bool:
    """Whether two numbers are to be set against each other."""
    return draft.chart is ChartType.SCATTER or (draft.charted and bool(_PAIR.search(draft.lower)))


def chart_of(draft: Draft, plan: Plan, title: str) -> ChartSpec | None:
    """The chart of a plan whose question asked for one; None where nothing can be drawn."""
    if not draft.charted:
        return None
    columns = [*(label_of(one) for one in plan.group), *(label_of(one) for one in plan.select)]
    if len(columns) < _LEAST_COLUMNS:
        return None
    kind = draft.chart or _kind(draft, plan)
    numbers = tuple(columns[max(1, len(plan.group)) :]) or tuple(columns[1:])
    return ChartSpec(kind, columns[0], numbers, title)


def _kind(draft: Draft, plan: Plan) -> ChartType:
    first: Bucket | Measure = plan.group[0] if plan.group else plan.select[0]
    if isinstance(first, Bucket):
        if first.width is not None:
            return ChartType.HISTOGRAM
        if first.unit in {"hour", "day", "week", "month", "quarter", "year", "decade"}:
            return ChartType.LINE
        if _PARTS.search(draft.lower) and len(plan.group) == 1:
            return ChartType.PIE
        return ChartType.BAR
    plain = [one for one in plan.select if one.aggregate is None]
    numeric = [
        one
        for one in plain
        if any(c.number for c in draft.index.columns if one.ref and c.facts.name == one.ref.column)
    ]
    return ChartType.SCATTER if len(numeric) >= _LEAST_COLUMNS else ChartType.BAR
