"""Which date is meant where a question names a time and no column."""

from modelwright.engines.language.drafting import Draft
from modelwright.engines.language.index import Column
from modelwright.engines.language.plan import Bucket

_BEFORE, _DONE = 4, 0.8


def usual_date(draft: Draft, at: int = 0) -> Column | None:
    """The date meant where none is named: what is grouped by, else that of the rows spoken of.

    Those are of the table named shortly before the word `at`: `customers who ordered in 2024`. Over
    several tables a date that a verb names comes first: `sold in 2026` of sold_on.
    """
    dated = [column for column in draft.index.columns if column.date]
    grouped = [c for c in dated for one in draft.group if (c.table, c.facts.name) == _place(one)]
    tables = draft.question.tables
    near = {c.table: max((p for p in tables.get(c.table, ()) if p < at), default=-9) for c in dated}
    last = max(near.values(), default=0)
    told = last if last >= at - _BEFORE else None
    done = {m.column.at for m in draft.question.mentions if draft.home and m.quality > _DONE}
    dated.sort(
        key=lambda c: (
            c.at not in done,
            near[c.table] != told,
            -draft.home.get(c.table, 0.0),
            -c.facts.rows,
        )
    )
    return next(iter(grouped + dated), None)


def _place(one: Bucket) -> tuple[str, str]:
    return one.ref.table, one.ref.column
