"""API keys: issue, list, amend, revoke.

A secret is in the answer that made it and never again; the methods return it, and keep nothing.
"""

from collections.abc import Sequence
from typing import Literal

from modelwright_client._http import Resource, drop_none, path
from modelwright_client.arguments import refuse_misread
from modelwright_client.types import (
    KeyDetail,
    KeyIssued,
    KeyList,
    KeyRevoked,
    KeySummary,
    Scope,
    SigningKeyList,
)


class Keys(Resource):
    """API keys of the account."""

    def create(
        self,
        name: str,
        permission_level: Literal["read_only", "read_write"],
        *,
        expiration_days: int | None = None,
        scopes: Sequence[Scope] | None = None,
        allowed_networks: Sequence[str] | None = None,
    ) -> KeyIssued:
        """Makes a key; its secret is in this answer only.

        Args:
            name: What it is for.
            permission_level: read_only or read_write.
            expiration_days: Days until it ends; without it the key does not.
            scopes: Parts of the account that it is for; without them all that the caller's key has.
            allowed_networks: Addresses and networks (CIDR) that it may come from.

        Returns:
            The key with its secret.
        """
        refuse_misread("scopes", scopes, Sequence[Scope])
        refuse_misread("allowed_networks", allowed_networks, Sequence[str])
        body = {
            "name": name,
            "permission_level": permission_level,
            "expiration_days": expiration_days,
            "scopes": None if scopes is None else [*scopes],
            "allowed_networks": None if allowed_networks is None else [*allowed_networks],
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

        Returns:
            A page of keys without their secrets.
        """
        query = {"status": status, "limit": limit, "offset": offset}
        return self._calls.get("/auth/api-keys", KeyList, query)

    def read(self, key_id: str) -> KeyDetail:
        """Shows one key with how often it was used.

        Args:
            key_id: Id of the key.

        Returns:
            The key without its secret.
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

        Returns:
            The key as it is now.
        """
        body = drop_none({"name": name, "expiration_days": expiration_days})
        if expiration_days == "never":
            body["expiration_days"] = None
        return self._calls.patch(path("auth", "api-keys", key_id), KeySummary, body)

    def rotate(self, key_id: str, *, overlap_hours: int | None = None) -> KeyIssued:
        """Gives a key a new secret, which is in this answer only.

        Args:
            key_id: Id of the key.
            overlap_hours: How long the present secret works too, 24 by default; 0 ends it at once.

        Returns:
            The key with its new secret.
        """
        body = drop_none({"overlap_hours": overlap_hours})
        return self._calls.post(path("auth", "api-keys", key_id, "rotate"), KeyIssued, body)

    def signing(self) -> SigningKeyList:
        """Lists the public keys of the server, for `verify_with` of `modelwright_client.load`.

        Returns:
            Public keys, each with its id.
        """
        return self._calls.get("/auth/signing-keys", SigningKeyList)

    def revoke(self, key_id: str) -> KeyRevoked:
        """Revokes a key for good; the next request with it is refused.

        Args:
            key_id: Id of the key.

        Returns:
            The id of the key and when it was revoked.
        """
        return self._calls.delete(path("auth", "api-keys", key_id), KeyRevoked)
