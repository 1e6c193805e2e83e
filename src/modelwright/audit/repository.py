"""Every query of the room."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from modelwright.audit.domain import Sought
from modelwright.audit.orm import AuditRow
from modelwright.core.db.queries import page_of
from modelwright.core.http.paging import Page


def page(db: Session, sought: Sought, window: Page) -> tuple[Sequence[AuditRow], int]:
    """Lists entries, newest first, with the number of all."""
    wanted = select(AuditRow)
    for column, value in (
        (AuditRow.account_id, sought.account_id),
        (AuditRow.operation, sought.operation),
        (AuditRow.resource, sought.resource),
    ):
        if value is not None:
            wanted = wanted.where(column == value)
    return page_of(db, wanted, window, AuditRow.entry_id.desc())


def forget(db: Session, before: datetime, most: int) -> None:
    """Removes those of the oldest entries, so many at a time, that are from before a moment."""
    oldest = select(AuditRow.entry_id).order_by(AuditRow.entry_id).limit(most)
    db.execute(
        delete(AuditRow).where(AuditRow.entry_id.in_(oldest), AuditRow.at < before),
        execution_options={"synchronize_session": False},
    )
