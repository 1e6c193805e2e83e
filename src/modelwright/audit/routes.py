"""`GET /audit`."""

from typing import Annotated

from fastapi import Query

from modelwright.audit.domain import SECURITY, AuditFilter
from modelwright.audit.schemas import AuditEntry, AuditLog
from modelwright.audit.service import Audit
from modelwright.core.http.context import AdminContext, ReadContext
from modelwright.core.http.paging import Paged, Pagination
from modelwright.core.http.routing import ApiRouter, Service
from modelwright.core.http.schemas import Text

router = ApiRouter("audit")


@router.get_("/auth/security-log")
def security(ctx: ReadContext, audit: Service[Audit], page: Paged) -> AuditLog:
    """Lists sign-ins, failed ones too, and changes of keys and sessions, newest first."""
    wanted = AuditFilter(ctx.caller.account_id, operations=SECURITY)
    entries, total = audit.list_(ctx.db, wanted, page)
    return AuditLog(
        entries=[AuditEntry.model_validate(entry) for entry in entries],
        pagination=Pagination.of(page, total),
    )


@router.get_("/audit")
def list_(
    ctx: AdminContext,
    audit: Service[Audit],
    page: Paged,
    account_id: Annotated[Text | None, Query(description="Only this account's entries")] = None,
    operation: Annotated[Text | None, Query(description="Such as `keys.revoke`")] = None,
    resource: Annotated[Text | None, Query(description="An id or a name")] = None,
) -> AuditLog:
    """Lists what was done on this server, newest first; for `admin` keys."""
    entries, total = audit.list_(ctx.db, AuditFilter(account_id, operation, resource), page)
    return AuditLog(
        entries=[AuditEntry.model_validate(entry) for entry in entries],
        pagination=Pagination.of(page, total),
    )
