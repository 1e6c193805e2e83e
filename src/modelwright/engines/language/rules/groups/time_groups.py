"""Stretches of time that rows are grouped by: per month, each decade, over time.

`Per month` groups, while `hours per week` may be a column's name and `price per hour` a division.
They are told apart here, for one table and for several.
"""

import re
from collections.abc import Sequence
from typing import cast

from modelwright.engines.language.rules.columns.index import Column, ref
from modelwright.engines.language.rules.measures.extreme_rows import SUPER
from modelwright.engines.language.rules.measures.first_of_each import note
from modelwright.engines.language.rules.measures.ratios import divisor
from modelwright.engines.language.rules.mentions.draft import (
    Draft,
    named_tables,
    names_other_better,
)
from modelwright.engines.language.rules.mentions.mention import Mention
from modelwright.engines.language.rules.plans.plan import Bucket, Order, Part, Unit
from modelwright.engines.language.rules.text.patterns import pattern, patterns
from modelwright.engines.language.rules.times.ends import end_named
from modelwright.engines.language.rules.times.usual_dates import default_unit, usual_date
from modelwright.engines.language.vocabulary import word_list

_TIMES = patterns("grouping times")
_OVER_TIME = pattern("grouping over time")
_DECADE = dict(_TIMES)["decade"]
_HOURS = frozenset({"hour", "hour of day"})
_DONE = word_list("verbs.done_endings")
_DATE_QUALITY = 0.4
"""How surely words must mean a date, 0 to 1."""
_NAME_SAID = 0.9
"""How much of a column's name must be said to be all but whole, 0 to 1."""
_DECADE_YEARS = 10.0
"""How wide the ranges of years are."""


def _in_name(draft: Draft, match: re.Match[str]) -> bool:
    """`Hourly rate` and `by year of birth` of columns called so are no stretches of time."""
    end = draft.at(match.end())
    return any(
        end < m.end and m.named > _NAME_SAID and m.column.number
        for m in draft.question.mentions.over(end - 1)
    )


def read_time_groups(draft: Draft) -> None:
    """Groups by the stretches of time that a question names: per month, over time."""
    told = named_tables(draft) or [table.name for table in draft.index.tables]
    usual = usual_date(draft)
    if usual is None or (_DECADE.search(draft.lower) and usual.table not in told):
        _read_years(draft, told)
        return
    found = ((unit, match) for unit, one in _TIMES if (match := one.search(draft.lower)))
    for unit, match in found:
        if draft.claimed[draft.at(match.start())] or _in_name(draft, match):
            continue
        if unit in _HOURS and _is_rate(draft, match):
            continue
        if unit in _HOURS and not any(c.timed for c in draft.index.columns):
            if divisor(draft, draft.at(match.start())) is None:
                draft.unread.append(match.group())
        elif not _named_so(draft, match):
            _add_time(draft, _which(draft, usual, match), cast("Unit | Part", unit), match)
            return
    over_time = _OVER_TIME.search(draft.lower)
    if over_time:
        column = _which(draft, usual, over_time)
        yearly = over_time.group().endswith("years")
        _add_time(draft, column, "year" if yearly else default_unit(column), over_time)


def _is_rate(draft: Draft, match: re.Match[str]) -> bool:
    """`Price per hour` of a column of minutes is divided by them, whatever the time of day."""
    is_per = match.group().startswith("per ")
    return is_per and divisor(draft, draft.at(match.start())) is not None


def _read_years(draft: Draft, told: Sequence[str]) -> None:
    """`Over time` is by year where a number tells the year and nothing a date; so are decades."""
    columns = [column for column in draft.index.columns if column.table in told]
    years = [c for c in columns if c.number and any(t.text == "year" for t in c.name.terms)]
    years = years or [column for column in columns if column.shape == "year"]
    decade = _DECADE.search(draft.lower)
    match = decade or _OVER_TIME.search(draft.lower)
    if match and len(years) == 1:
        draft.claim_text(match, "group")
        bucket = Bucket(ref(years[0]), width=_DECADE_YEARS if decade else None)
        draft.group.append(bucket)
        draft.order.append(Order(bucket, descending=False))


def times_asked(draft: Draft) -> bool:
    """Whether a question wants its rows by time: per month, weekly, over time."""
    cues = [times for _, times in _TIMES] + [_OVER_TIME]
    found = [match for one in cues if (match := one.search(draft.lower))]
    return not all(
        _named_so(draft, match) or _in_name(draft, match) or _divides(draft, match)
        for match in found
    )


def _divides(draft: Draft, match: re.Match[str]) -> bool:
    """Whether a stretch of time was read as what is divided by: `price per hour` of hours."""
    return draft.claimed[draft.at(match.start())] == "measure"


def _named_so(draft: Draft, match: re.Match[str]) -> bool:
    """Whether a column is called by these words: hours per week."""
    at = draft.at(match.start())
    return any(
        m.start < at and m.named > _NAME_SAID and not m.column.date
        for m in draft.question.mentions.over(at)
    )


def _which(draft: Draft, usual: Column, match: re.Match[str]) -> Column:
    at = draft.at(match.start())
    end = draft.at(match.end())
    of_deed = _of_deed(draft, end)
    if of_deed is not None:
        return of_deed
    done = draft.text(end, end + 1).endswith(_DONE)
    named = draft.pick(end, end + 1, lambda c: c.date, _DATE_QUALITY) if done else None
    if named is None:
        named = draft.pick(max(0, at - 4), at, lambda c: c.date, _DATE_QUALITY)
        named = named or draft.pick(end, at + 6, lambda c: c.date, _DATE_QUALITY)
        ranks = named and SUPER.fullmatch(draft.text(named.start, named.start + 1))
        if named is None or names_other_better(draft, named) or ranks or _holds(draft, named):
            draft.usual.append(usual)
            return usual
    draft.claim(named.start, named.end, "group")
    return named.column


def _of_deed(draft: Draft, at: int) -> Column | None:
    """`Per decade of acquisition` is that of Acquired On, of which the noun has the root."""
    first = at + 1 + (draft.text(at + 1, at + 2) == "the")
    found = end_named(draft, first, first + 1) if draft.text(at, at + 1) == "of" else None
    if found is None:
        return None
    draft.claim(at, found[2], "group")
    return found[0]


def _holds(draft: Draft, named: Mention) -> bool:
    """Whether words hold a value, and are only near in meaning to the name of a date.

    `Cancelled stays` are no column Left On.
    """
    stems = {term.stem for term in named.column.name.terms}
    said = {term.stem for term in draft.question.terms[named.start : named.end]}
    values = any(map(draft.question.is_value, range(named.start, named.end)))
    return values and stems.isdisjoint(said)


def _add_time(draft: Draft, column: Column, unit: Unit | Part, match: re.Match[str]) -> None:
    draft.claim_text(match, "group")
    bucket = Bucket(ref(column), unit)
    draft.group.append(bucket)
    note(draft, match.group(), len(draft.group) - 1)
    draft.order.append(Order(bucket, descending=False))
