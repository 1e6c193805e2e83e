"""The first and the last by what was done: hired most recently, opened last."""

import re

from modelwright.engines.language.rules.columns.index import ref
from modelwright.engines.language.rules.mentions.draft import Draft, named_tables
from modelwright.engines.language.rules.plans.plan import Measure, Ref

_DATE_QUALITY = 0.3
"""How surely a verb must mean a date, 0 to 1."""
LAST = re.compile(r"\s*(?:which|who|what)\b.*\b(?P<verb>\w+) (?P<way>first|last)\W*$")


def recent(draft: Draft, head: int, at: int) -> Measure | None:
    """`Hired most recently`: the date that the verb names, else the only one."""
    if draft.several or not draft.text(at + 1, at + 2).startswith("recent"):
        return None
    dates = [column for column in draft.index.columns if column.date]
    named = draft.pick(head, at + 3, lambda c: c.date, _DATE_QUALITY)
    if named is None and len(dates) != 1:
        return None
    draft.claim(at, at + 2, "superlative")
    if named is None:
        return Measure(None, ref(dates[0]))
    draft.claim(named.start, named.end, "measure")
    return Measure(None, ref(named.column))


def last_by(draft: Draft, match: re.Match[str]) -> Ref | None:
    """The date that the verb names in `opened last`, `hired first`, else the only one."""
    verb, way = draft.at(match.start("verb")), draft.at(match.start("way"))
    if draft.claimed[way]:
        return None
    tables = set(named_tables(draft)) or {table.name for table in draft.index.tables}
    dates = [column for column in draft.index.columns if column.date and column.table in tables]
    named = draft.pick(verb, way, lambda c: c.date, _DATE_QUALITY)
    if named is None and len(dates) != 1:
        return None
    draft.claim(verb, way + 1, "superlative")
    return ref(named.column if named else dates[0])
