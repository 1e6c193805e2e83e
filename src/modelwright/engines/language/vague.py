"""Superlatives that name no number: the best rep, the busiest day, the biggest customer."""

import re
from typing import cast

from modelwright.engines.language.drafting import Draft
from modelwright.engines.language.extreme_rows import SUPER, ranked_by
from modelwright.engines.language.index import Column, ref
from modelwright.engines.language.patterns import pattern, patterns
from modelwright.engines.language.plan import Bucket, Measure, Order, Unit
from modelwright.engines.language.rows import added, amount, in_groups, sold_only
from modelwright.engines.language.words import name_parts

_COUNTED = pattern("vague counted")
_JUDGED = pattern("vague judged")
_AMOUNTS = patterns("vague amounts")
_SCORES = pattern("vague scores")
_UNITS = frozenset({"day", "week", "month", "quarter", "year"})
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
        measure = None if cue is _COUNTED else main_measure(draft)
        if measure is None and (cue is _COUNTED or "selling" in match.group()):
            measure = Measure("count")
        if measure is None:
            continue
        draft.claim_text(match, "superlative")
        draft.claim(group.start, group.end, "group")
        _rank(draft, Bucket(ref(group.column)), measure, match)
        return True
    return False


def read_ranked_kind(draft: Draft) -> bool:
    """`Least profitable state`, `largest state by sales`: groups and what ranks them."""
    for match in SUPER.finditer(draft.lower) if len(draft.index.tables) == 1 else ():
        at = draft.at(match.start())
        number = None if draft.claimed[at] else draft.pick(at, at + 2, amount, _NAMED)
        if number and sold_only(draft, number):
            number = None
        start = number.end if number else at + 1
        timed = _period(draft, start) if number else None
        if number and timed:
            draft.claim(at, start + 1, "superlative")
            _rank(draft, timed, in_groups(Measure(None, ref(number.column))), match)
            return True
        group = None if draft.claimed[at] else draft.pick(start, start + 1, least=_SURE)
        number = number or ranked_by(draft, match.end())
        if number is None or group is None or not _repeats(group.column):
            continue
        draft.claim(at, at + 1, "superlative")
        draft.claim(number.start, number.end, "superlative")
        draft.claim(group.start, group.end, "group")
        measure = in_groups(Measure(None, ref(number.column)))
        _rank(draft, Bucket(ref(group.column)), measure, match)
        return True
    return False


def _period(draft: Draft, at: int) -> Bucket | None:
    """`Wettest month`: the stretches of the only date, of more than a row each."""
    unit = draft.text(at, at + 1)
    dates = [one for one in draft.index.columns if one.date]
    if unit not in _UNITS or len(dates) != 1 or draft.group:
        return None
    alone = unit == "day" and dates[0].facts.distinct == dates[0].facts.rows
    return None if alone else Bucket(ref(dates[0]), cast("Unit", unit))


def _rank(draft: Draft, group: Bucket, measure: Measure, match: re.Match[str]) -> None:
    draft.group.append(group)
    draft.select.append(measure)
    draft.order = [Order(measure, bool(match.group("up")))]
    draft.limit = draft.limit or 1


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
