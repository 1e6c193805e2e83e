"""Shares and how numbers go together: percentages, rates, correlations."""

from modelwright.engines.language.drafting import Draft, best_mentions, claim_rows
from modelwright.engines.language.index import Column, ref
from modelwright.engines.language.patterns import pattern
from modelwright.engines.language.plan import Condition, Measure

_SHARE = pattern("measuring share")
CORRELATED = pattern("measuring corr")
_VERBS = pattern("measuring verbs")


def read_share(draft: Draft) -> bool:
    """Reads percentages and rates; says whether there was one."""
    match = _SHARE.search(draft.lower)
    if not match:
        return False
    at, after = draft.at(match.start()), draft.at(match.end())
    before = draft.pick(max(0, at - 3), at, lambda c: c.yes is not None, 0.5)
    named = any(m.start <= at < m.end and m.quality > 0.7 for m in draft.question.mentions)  # noqa: PLR2004
    if match.group().startswith(("rate", "ratio")):
        if before is None:
            return False
        draft.claim(before.start, before.end, "share")
        draft.claim_text(match, "share")
        test = Condition(ref(before.column), "=", before.column.yes)
        draft.select.append(Measure(share=((test,),)))
        return True
    if named and not draft.where:
        return False
    draft.claim_text(match, "share")
    claim_rows(draft, after, after + 4)
    if not draft.where:
        if draft.group:
            draft.select.append(Measure(of_total=True))
        else:
            draft.doubts += 1
        return bool(draft.group)
    _split_share(draft, after)
    return True


def _split_share(draft: Draft, after: int) -> None:
    """Conditions before the verb limit the rows, those after are counted: of women, earn more."""
    words = draft.question.words
    start = words[min(after, len(words) - 1)].start
    verbs = [draft.at(verb.start()) for verb in _VERBS.finditer(draft.lower, start)]
    plain = [at for at in verbs if at > after and not draft.claimed[at]]
    cut = next(iter(plain), next((at for at in verbs if at > after), len(words)))
    own: list[tuple[Condition, ...]] = []
    rows: list[tuple[Condition, ...]] = []
    places = {id(options): span for options, span in zip(draft.where, draft.spans, strict=False)}
    for options in draft.where:
        span = places.get(id(options), (cut, cut))
        (rows if after <= span[0] < cut and len(draft.where) > 1 else own).append(options)
    if not own:
        own, rows = rows[-1:], rows[:-1]
    draft.where = rows
    draft.select.append(Measure(share=tuple(own)))


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
    if draft.chart == "scatter_plot" or draft.charted:
        draft.chart = "scatter_plot"
        draft.select += [Measure(None, ref(found[0])), Measure(None, ref(found[1]))]
    else:
        draft.select.append(Measure("corr", ref(found[0]), ref(found[1])))
    return True
