"""How two numbers go together."""

from modelwright.engines.chart_spec import ChartType
from modelwright.engines.language.rules.columns.index import Column, ref
from modelwright.engines.language.rules.mentions.best_mentions import best_mentions
from modelwright.engines.language.rules.mentions.draft import Draft
from modelwright.engines.language.rules.plans.plan import Measure
from modelwright.engines.language.rules.text.patterns import pattern

CORRELATED = pattern("measuring corr")


def read_correlation(draft: Draft) -> bool:
    """Reads how two numbers go together; says whether they were found."""
    match = CORRELATED.search(draft.lower)
    if not match:
        return False
    found: list[Column] = []
    for mention in best_mentions(draft, lambda c: c.number):
        if mention.column not in found:
            found.append(mention.column)
            draft.claim(mention.start, mention.end, "measure")
    if len(found) < 2:  # noqa: PLR2004 - it takes two
        return False
    draft.claim_text(match, "measure")
    if draft.chart is ChartType.SCATTER or draft.charted:
        draft.chart = ChartType.SCATTER
        draft.select += [Measure(None, ref(found[0])), Measure(None, ref(found[1]))]
    else:
        draft.select.append(Measure("corr", ref(found[0]), ref(found[1])))
    return True
