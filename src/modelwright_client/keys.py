"""API keys: issue, list, amend, revoke."""

from typing import Literal

from modelwright_client._http import HttpTransport, drop_none, path
from modelwright_client.types import KeyDetail, KeyIssued, KeyList, KeyRevoked, KeySummary


class Keys:
    """API keys of the account."""

    def __init__(self, calls: HttpTransport) -> None:
        self._calls = calls

    def create(
        self,
        name: str,
        permission_level: Literal["read_only", "read_write"],
        *,
        expiration_days: int | None = None,
    ) -> KeyIssued:
        """Issues a key; its secret is in this answer and never again.

        Args:
            name: What it is for.
            permission_level: read_only or read_write.
            expiration_days: Days until it ends; without it the key does not.
        """
        body = {
            "name": name,
            "permission_level": permission_level,
            "expiration_days": expiration_days,
        }
        return self._calls.post("/auth/api-keys", KeyIssued, drop_none(body))

    def list(
        self,
        *,
        status: Literal["active", "revoked"] | None = None,
        limit: int | None = None,
        offset: int | None = None,
    ) -> KeyList:
        """Lists the account's keys.

        Args:
            status: Only those in this state.
            limit: How many entries at most.
            offset: How many entries to skip.
        """
        query = {"status": status, "limit": limit, "offset": offset}
        return self._calls.get("/auth/api-keys", KeyList, query)

    def read(self, key_id: str) -> KeyDetail:
        """Shows one key with how often it was used.

        Args:
            key_id: Id of the key.
        """
        return self._calls.get(path("auth", "api-keys", key_id), KeyDetail)

    def amend(
        self,
        key_id: str,
        *,
        name: str | None = None,
        expiration_days: int | Literal["never"] | None = None,
    ) -> KeySummary:
        """Renames a key or sets its expiry in days from now; refused on a revoked key.

        Args:
            key_id: Id of the key.
            name: Name for people.
            expiration_days: Days from now, or `never`.
        """
        body = drop_none({"name": name, "expiration_days": expiration_days})
        if expiration_days == "never":
            body["expiration_days"] = None
        return self._calls.patch(path("auth", "api-keys", key_id), KeySummary, body)

    def revoke(self, key_id: str) -> KeyRevoked:
        """Revokes a key for good; the next request with it is refused.

        Args:
            key_id: Id of the key.
        """
        return self._calls.delete(path("auth", "api-keys", key_id), KeyRevoked)
