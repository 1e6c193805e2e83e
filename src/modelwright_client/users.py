"""The account behind the key, what it consumed, and who did what."""

from modelwright_client._http import HttpTransport
from modelwright_client.types import AuditLog, UsageReport, User


class Users:
    """The account that a key belongs to."""

    def __init__(self, calls: HttpTransport) -> None:
        self._calls = calls

    def me(self) -> User:
        """Shows the account the key belongs to."""
        return self._calls.get("/auth/user", User)


class Usage:
    """What the account consumed."""

    def __init__(self, calls: HttpTransport) -> None:
        self._calls = calls

    def read(self, *, start: str | None = None, end: str | None = None) -> UsageReport:
        """Shows consumption by day, kind and key between two ISO dates, by default 30 days.

        Args:
            start: First day, as an ISO date.
            end: Last day, as an ISO date.
        """
        return self._calls.get("/usage", UsageReport, {"start": start, "end": end})


class Audit:
    """What was done on the server; for `admin` keys."""

    def __init__(self, calls: HttpTransport) -> None:
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
        """Lists what was done on the server; newest first.

        Args:
            account_id: Only of this account.
            operation: Only this operation, such as `keys.revoke`.
            resource: Only what was done to this id or name.
            limit: How many entries at most.
            offset: How many entries to skip.
        """
        query = {
            "account_id": account_id,
            "operation": operation,
            "resource": resource,
            "limit": limit,
            "offset": offset,
        }
        return self._calls.get("/audit", AuditLog, query)
