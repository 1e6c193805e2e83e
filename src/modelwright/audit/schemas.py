"""Response bodies of the audit log."""

from modelwright.core.http.paging import Pagination
from modelwright.core.http.schemas import ResponseBody, Timestamp


class AuditEntry(ResponseBody):
    """An entry of the audit log."""

    entry_id: str
    at: Timestamp
    account_id: str
    """The account that was acted in."""
    actor: str
    """E-mail of who acted, or `command line`."""
    key_id: str | None
    operation: str
    """Resource and verb, such as `keys.revoke`."""
    resource: str
    path: str
    address: str
    request_id: str


class AuditLog(ResponseBody):
    """A page of the log, newest first."""

    entries: list[AuditEntry]
    pagination: Pagination
