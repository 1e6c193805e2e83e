"""Superlatives that name no number: the best rep, the busiest day, the biggest customer."""

from modelwright.engines.language.drafting import Draft
from modelwright.engines.language.index import Column, ref
from modelwright.engines.language.patterns import pattern, patterns
from modelwright.engines.language.plan import Bucket, Measure, Order
from modelwright.engines.language.rows import added, amount
from modelwright.engines.language.words import name_parts

_COUNTED = pattern("vague counted")
_JUDGED = pattern("vague judged")
_AMOUNTS = patterns("vague amounts")
_SCORES = pattern("vague scores")
_REACH, _SURE, _NAMED = 3, 0.6, 0.42


def read_vague(draft: Draft) -> bool:
    """Ranks what follows the superlative by how often it comes, or by the table's own amount."""
    if len(draft.index.tables) > 1:
        return False
    for cue in (_COUNTED, _JUDGED):
        match = cue.search(draft.lower)
        if match is None:
            continue
        at, end = draft.at(match.start()), draft.at(match.end())
        group = draft.pick(end, end + _REACH, least=_SURE)
        if draft.claimed[at] or group is None or not _repeats(group.column):
            continue
        if _measured(draft, at, group.end):
            continue
        measure = Measure("count") if cue is _COUNTED else main_measure(draft)
        if measure is None:
            continue
        draft.claim_text(match, "superlative")
        draft.claim(group.start, group.end, "group")
        draft.group.append(Bucket(ref(group.column)))
        draft.select.append(measure)
        draft.order = [Order(measure, bool(match.group("up")))]
        draft.limit = draft.limit or 1
        return True
    return False


def _repeats(column: Column) -> bool:
    """Whether rows can be grouped by a text."""
    return column.facts.type == "string" and 2 * column.facts.distinct < column.facts.rows


def _measured(draft: Draft, at: int, end: int) -> bool:
    """Whether a number is named that the superlative may be of."""
    own = draft.pick(at, at + 1, amount, _NAMED)
    return bool(own) or draft.pick(end, len(draft.claimed), amount, _NAMED) is not None


def main_measure(draft: Draft) -> Measure | None:
    """The number by which rows are judged where none is named: money, units, else a score."""
    numbers = [one for one in draft.index.columns if amount(one)]
    told = [(one, " ".join(name_parts(one.facts.name))) for one in numbers]
    for _, wanted in _AMOUNTS:
        for column, name in told:
            if wanted.search(name) and added(ref(column)):
                return Measure("sum", ref(column))
    score = next((one for one, name in told if _SCORES.search(name)), None)
    return Measure("avg", ref(score)) if score else None
