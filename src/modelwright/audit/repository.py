"""Every query of the room."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from modelwright.audit.domain import AuditFilter
from modelwright.audit.orm import AuditRecord
from modelwright.core.db.queries import paginate
from modelwright.core.http.paging import Page


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
    return paginate(db, wanted, window, AuditRecord.entry_id.desc())


def delete_before(db: Session, before: datetime, most: int) -> None:
    """Removes those of the oldest entries, so many at a time, that are from before a moment."""
    oldest = select(AuditRecord.entry_id).order_by(AuditRecord.entry_id).limit(most)
    db.execute(
        delete(AuditRecord).where(AuditRecord.entry_id.in_(oldest), AuditRecord.at < before),
        execution_options={"synchronize_session": False},
    )
