"""Measures of columns that a question calls by their very names and that a reading left out."""

import re
from typing import cast

from modelwright.engines.language.drafting import Draft
from modelwright.engines.language.index import Column, ref
from modelwright.engines.language.patterns import pattern, patterns
from modelwright.engines.language.plan import Aggregate, Measure, Ref
from modelwright.engines.language.spelled import places

_OF = re.compile(r" (?:(?:of|the|value) ){0,3}$")
_KINDS = patterns("insisting kinds")
_DIFFERENT = ("count_distinct", pattern("insisting different"))

Insisted = tuple[Measure, int, int]
"""A measure, and where the words that ask for it begin and end in the text."""


def left_out(draft: Draft) -> list[Insisted]:
    """Gives what is asked of columns by a word for it and their names, and is not in the draft."""
    if len(draft.index.tables) > 1:
        return []
    found = [one for column in draft.index.columns for one in _asked(draft, column)]
    longest = [
        one
        for one in found
        if not any(other is not one and other[1] <= one[1] and one[2] < other[2] for other in found)
    ]
    used = _used(draft)
    return [one for one in longest if one[0].ref not in used]


def insist(draft: Draft, measures: list[Insisted]) -> None:
    """Takes measures as asked, before anything else explains their words."""
    for measure, start, end in measures:
        draft.select.append(measure)
        draft.claim(draft.at(start), draft.at(end), "measure")


def _asked(draft: Draft, column: Column) -> list[Insisted]:
    kinds = [*(_KINDS if column.number else ()), _DIFFERENT]
    found = []
    for start, end in places(column.facts.name, draft.lower):
        for kind, cue in kinds:
            for match in cue.finditer(draft.lower, 0, start):
                if _OF.fullmatch(draft.lower, match.end(), start):
                    measure = Measure(cast("Aggregate", kind), ref(column))
                    found.append((measure, match.start(), end))
    return found


def _used(draft: Draft) -> set[Ref | None]:
    """Gives the columns that the draft computes with, groups or sorts by."""
    computed = [one for one in draft.select if one != Measure(None, one.ref)]
    return {
        *(each for one in computed for each in (one.ref, one.other)),
        *(bucket.ref for bucket in draft.group),
        *(one.by.ref for one in draft.order),
        *(one.measure.ref for one in draft.having),
    }
