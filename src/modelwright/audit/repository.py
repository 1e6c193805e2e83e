"""Every query of the feature."""

from collections.abc import Iterator, Sequence
from datetime import datetime

from sqlalchemy import delete, func, select
from sqlalchemy.orm import Session

from modelwright.audit.chain import Link
from modelwright.audit.domain import AuditFilter
from modelwright.audit.orm import AuditAnchorRecord, AuditHeadRecord, AuditRecord
from modelwright.core.db.database import advisory_lock
from modelwright.core.db.queries import paginate
from modelwright.core.http.paging import Page

CHAIN = "audit"
"""The one chain there is."""
WALK_BATCH_ROWS = 2000
"""Entries that are in memory at a time while the chain is verified."""


def page(db: Session, sought: AuditFilter, window: Page) -> tuple[Sequence[AuditRecord], int]:
    """Lists entries, newest first, with the number of all."""
    wanted = select(AuditRecord)
    for column, value in (
        (AuditRecord.account_id, sought.account_id),
        (AuditRecord.operation, sought.operation),
        (AuditRecord.resource, sought.resource),
    ):
        if value is not None:
            wanted = wanted.where(column == value)
    if sought.operations is not None:
        wanted = wanted.where(AuditRecord.operation.in_(sought.operations))
    return paginate(db, wanted, window, AuditRecord.entry_id.desc())


def lock_head(db: Session) -> AuditHeadRecord:
    """Finds the end of the chain and keeps other writers from it until the transaction ends."""
    wanted = select(AuditHeadRecord).where(AuditHeadRecord.chain == CHAIN).with_for_update()
    head = db.scalars(wanted.execution_options(populate_existing=True)).one_or_none()
    if head is None:
        advisory_lock(db, "audit_heads")
        head = db.scalars(wanted).one_or_none()
    if head is None:
        head = AuditHeadRecord(chain=CHAIN, sequence=0, digest="", first_entry_id="")
        db.add(head)
    return head


def head(db: Session) -> Link:
    """Returns the end of the chain."""
    row = db.get(AuditHeadRecord, CHAIN)
    return Link(row.sequence, row.digest) if row else Link()


def anchor(db: Session) -> AuditAnchorRecord | None:
    """Finds what the chain hangs from since its oldest entries were removed."""
    newest = select(AuditAnchorRecord).order_by(AuditAnchorRecord.sequence.desc())
    return db.scalars(newest.limit(1)).first()


def replace_anchor(db: Session, row: AuditAnchorRecord) -> None:
    """Puts an anchor in the place of the one before."""
    db.execute(delete(AuditAnchorRecord))
    db.add(row)
    db.flush()


def chained(db: Session) -> Iterator[AuditRecord]:
    """Reads the entries of the chain in their order."""
    last = 0
    while True:
        rows = oldest(db, WALK_BATCH_ROWS, after=last)
        yield from rows
        if len(rows) < WALK_BATCH_ROWS:
            return
        last = rows[-1].sequence or 0
        db.expunge_all()


def oldest(db: Session, most: int, *, after: int = 0) -> Sequence[AuditRecord]:
    """Lists the first entries of the chain after a place."""
    wanted = select(AuditRecord).where(AuditRecord.sequence > after)
    return db.scalars(wanted.order_by(AuditRecord.sequence).limit(most)).all()


def unchained(db: Session) -> int:
    """Counts the entries that have no place in the chain."""
    return db.scalar(select(func.count()).where(AuditRecord.sequence.is_(None))) or 0


def put_in(db: Session) -> Sequence[str]:
    """Lists entries without a place in the chain that are younger than its first one."""
    row = db.get(AuditHeadRecord, CHAIN)
    if row is None:
        return []
    wanted = select(AuditRecord.entry_id).where(
        AuditRecord.sequence.is_(None), AuditRecord.entry_id > row.first_entry_id
    )
    return db.scalars(wanted.order_by(AuditRecord.entry_id).limit(100)).all()


def delete_unchained(db: Session, before: datetime, most: int) -> None:
    """Removes the oldest entries from before the chain, so many at a time."""
    old = select(AuditRecord.entry_id).where(
        AuditRecord.sequence.is_(None), AuditRecord.at < before
    )
    _delete(db, AuditRecord.entry_id.in_(old.order_by(AuditRecord.entry_id).limit(most)))


def delete_up_to(db: Session, sequence: int) -> None:
    """Removes the entries of the chain up to a place."""
    _delete(db, AuditRecord.sequence <= sequence)


def _delete(db: Session, which: object) -> None:
    db.execute(
        delete(AuditRecord).where(which),  # type: ignore[arg-type]
        execution_options={"synchronize_session": False},
    )
