"""Every query of the room."""

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from modelwright.audit.rules import Sought
from modelwright.audit.tables import AuditRow
from modelwright.core.paging import Page


def page(db: Session, sought: Sought, window: Page) -> tuple[list[AuditRow], int]:
    """Lists entries, newest first, with the number of all."""
    wanted = select(AuditRow)
    for column, value in (
        (AuditRow.account_id, sought.account_id),
        (AuditRow.operation, sought.operation),
        (AuditRow.resource, sought.resource),
    ):
        if value is not None:
            wanted = wanted.where(column == value)
    total = db.scalar(select(func.count()).select_from(wanted.subquery())) or 0
    ordered = wanted.order_by(AuditRow.entry_id.desc())
    return list(db.scalars(ordered.limit(window.limit).offset(window.offset)).all()), total
