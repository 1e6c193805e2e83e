"""Request and response bodies of API keys.

Secrets stand only in the bodies of a key just issued or rotated; no other answer has a member that
could carry one.
"""

from typing import Annotated, ClassVar, Literal

from pydantic import Field

from modelwright.api_keys.domain import NewKey
from modelwright.core.http.context import Level, Scope
from modelwright.core.http.networks import fault_of_network
from modelwright.core.http.paging import Pagination
from modelwright.core.http.schemas import Name, RequestBody, ResponseBody, Timestamp, validated_by
from modelwright.core.limits.contract import LIMITS

ExpirationDays = Annotated[int, Field(ge=1, le=LIMITS.key_expiration_days_max)]
KeyName = Annotated[Name, Field(max_length=200)]
Network = Annotated[str, Field(max_length=50), validated_by(fault_of_network)]
"""An address, or a network in CIDR notation."""
ScopeName = Literal["models", "predictions", "datasets"]
MAX_NETWORKS = 50
"""Networks of a key: each is compared with the address of every request."""
OVERLAP_HOURS = 24
"""How long a rotated secret works where nothing else is said."""
MAX_OVERLAP_HOURS = 24 * 30
"""A month, in which whoever uses a key can take over the new one."""


class IssueKey(RequestBody):
    """Asks for a new key."""

    name: KeyName
    permission_level: Literal["read_only", "read_write"]
    expiration_days: ExpirationDays | None = None
    """Days from now; no expiry when absent. A key with an end can't make one that ends later."""
    scopes: Annotated[list[ScopeName], Field(min_length=1, max_length=len(Scope))] | None = None
    """Parts of the account that the key is for; by default all that the caller's has."""
    allowed_networks: (
        Annotated[list[Network], Field(min_length=1, max_length=MAX_NETWORKS)] | None
    ) = None
    """Addresses and networks (CIDR) that the key may come from; by default as the caller's."""

    def to_request(self) -> NewKey:
        """Returns the key that is asked for."""
        return NewKey(
            self.name,
            Level.of(self.permission_level),
            self.expiration_days,
            None if self.scopes is None else tuple(map(Scope, self.scopes)),
            None if self.allowed_networks is None else tuple(self.allowed_networks),
        )


class RotateKey(RequestBody):
    """Asks for a new secret of a key."""

    overlap_hours: Annotated[int, Field(ge=0, le=MAX_OVERLAP_HOURS)] = OVERLAP_HOURS
    """How long the present secret works beside the new one; 0 ends it at once."""


class AmendKey(RequestBody):
    """Changes a key's name or expiry; the level is fixed for good."""

    CLEARED: ClassVar[frozenset[str]] = frozenset({"expiration_days"})
    name: Annotated[KeyName, Field(default_factory=str)]
    expiration_days: ExpirationDays | None = None
    """New expiry in days from now; null takes the expiry away."""


class Key(ResponseBody):
    """What every answer tells of a key: never its secret."""

    key_id: str
    name: str
    key_prefix: str
    key_suffix: str
    permission_level: Literal["read_only", "read_write", "admin"]
    created_at: Timestamp
    expires_at: Timestamp | None
    status: Literal["active", "revoked"]
    created_by: str
    scopes: list[Scope] | None
    """Parts of the account that it is for; null means all."""
    allowed_networks: list[str] | None
    """Where it may come from; null means anywhere."""
    former_until: Timestamp | None
    """Until when the secret before the last rotation works too."""


class KeySummary(Key):
    """A key as it is listed."""

    last_used_at: Timestamp | None


class KeyIssued(Key):
    """A new key with its secret, which is shown only now."""

    key: Annotated[str, Field(default_factory=str)]
    """The key itself, this once; not in the answer to a repeated request."""


class KeyRevoked(ResponseBody):
    """A revoked key."""

    key_id: str
    status: Literal["revoked"]
    revoked_at: Timestamp


class UsageStats(ResponseBody):
    """Requests made with a key."""

    requests_last_24h: int
    requests_last_7d: int
    requests_last_30d: int


class KeyDetail(KeySummary):
    """A key with its use."""

    usage_stats: UsageStats


class KeyList(ResponseBody):
    """A page of keys."""

    keys: list[KeySummary]
    pagination: Pagination
