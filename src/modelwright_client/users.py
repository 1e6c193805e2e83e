"""The account behind the key, what it consumed, and who did what."""

from modelwright_client._http import Calls
from modelwright_client.types import AuditLog, UsageReport, User


class Users:
    """Verbs of the users room."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    def me(self) -> User:
        """Shows the account the key belongs to."""
        return self._calls.get("/auth/user", User)


class Usage:
    """Verbs of the usage room."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    def read(self, *, start: str | None = None, end: str | None = None) -> UsageReport:
        """Shows consumption by day, kind and key between two ISO dates, by default 30 days."""
        return self._calls.get("/usage", UsageReport, {"start": start, "end": end})


class Audit:
    """Verbs of the audit room; for `admin` keys."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    def list(
        self,
        *,
        account_id: str | None = None,
        operation: str | None = None,
        resource: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
    ) -> AuditLog:
        """Lists what was done on the server; `operation` is a room and verb, as `keys.revoke`."""
        query = {
            "account_id": account_id,
            "operation": operation,
            "resource": resource,
            "limit": limit,
            "offset": offset,
        }
        return self._calls.get("/audit", AuditLog, query)
