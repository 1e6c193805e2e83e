"""Which date is meant where a question names a time and no column."""

import re
from datetime import date, datetime

from modelwright.engines.language.rules.columns.index import Column
from modelwright.engines.language.rules.mentions.drafting import Draft
from modelwright.engines.language.rules.mentions.rows import amount
from modelwright.engines.language.rules.plans.plan import Bucket, Unit

_BEFORE, _DONE, _NAMED = 4, 0.8, 0.55
_NEVER, _LATE = -9, 10**6
_DAYS_DAILY, _DAYS_MONTHLY = 100, 3 * 366
_KEPT = re.compile(r"insert|scrap|crawl|load|updat|modifi|extract|snapshot|import|export|sync")
"""When a row was kept, which is not when anything happened."""
BEGUN = re.compile(
    r"creat|open|start|beg[ai]n|order|regist|sign|submit|receiv|report|hire|born"
    r"|buil?t|construct|found|release|join|enrol"
)
"""When something began, by the name of its date or year."""
_EACH = frozenset({"per", "by", "each", "every"})


def usual_date(draft: Draft, at: int = 0) -> Column | None:
    """The date meant where none is named: what is grouped by, else that of the rows spoken of.

    Those are of the table named shortly before the word `at`, `customers who ordered in 2024`, by
    itself or by an amount of it, `energy per farm in 2024`, else of the table named first. Over
    several tables a date that a verb names comes first: `sold in 2026` of sold_on.
    """
    dated = [column for column in draft.index.columns if column.date]
    grouped = [c for c in dated for one in draft.group if (c.table, c.facts.name) == _place(one)]
    near = {
        column.table: max((p for p in _places(draft, column.table) if p < at), default=_NEVER)
        for column in dated
    }
    last = max(near.values(), default=0)
    told = last if last >= at - _BEFORE else None
    done = {m.column.at for m in draft.question.mentions if draft.home and m.quality > _DONE}
    begun = {column.table: min(_places(draft, column.table), default=_LATE) for column in dated}
    first = min(begun.values(), default=_LATE)
    dated.sort(
        key=lambda c: (
            c.at not in done,
            near[c.table] != told,
            bool(draft.home) and told is None and begun[c.table] != first,
            -draft.home.get(c.table, 0.0),
            -c.facts.rows,
            bool(_KEPT.search(c.facts.name.lower())),
        )
    )
    return next(iter(grouped + dated), None)


def _places(draft: Draft, table: str) -> list[int]:
    """The words that speak of a table's rows or amounts, not to group by."""
    rows = draft.question.tables.get(table, ())
    told = [p for p in rows if not _EACH & set(draft.text(p - 2, p).split())]
    own = (m for m in draft.question.mentions if draft.home and m.column.table == table)
    return told + [m.end - 1 for m in own if m.quality > _NAMED and amount(m.column)]


def _place(one: Bucket) -> tuple[str, str]:
    return one.ref.table, one.ref.column


def default_unit(column: Column) -> Unit:
    """Days for a season, months for some years, else years."""
    low, high = column.facts.minimum, column.facts.maximum
    if not isinstance(low, date | datetime) or not isinstance(high, date | datetime):
        return "month"
    span = (high - low).days
    if span <= _DAYS_DAILY:
        return "day"
    return "month" if span <= 4 * _DAYS_MONTHLY else "year"
