"""Response bodies of the audit log."""

from modelwright.core.http.paging import Pagination
from modelwright.core.http.schemas import Answer, Moment


class AuditEntry(Answer):
    """One thing that was done."""

    entry_id: str
    at: Moment
    account_id: str
    """The account that was acted in."""
    actor: str
    """E-mail of who acted, or `command line`."""
    key_id: str | None
    operation: str
    """Room and verb, such as `keys.revoke`."""
    resource: str
    path: str
    address: str
    request_id: str


class AuditLog(Answer):
    """A page of the log, newest first."""

    entries: list[AuditEntry]
    pagination: Pagination
