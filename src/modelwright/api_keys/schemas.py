"""Request and response bodies of API keys."""

from typing import Annotated, ClassVar, Literal

from pydantic import Field

from modelwright.core.http.paging import Pagination
from modelwright.core.http.schemas import Name, RequestBody, ResponseBody, Timestamp
from modelwright.core.limits.contract import LIMITS

ExpirationDays = Annotated[int, Field(ge=1, le=LIMITS.key_expiration_days_max)]
KeyName = Annotated[Name, Field(max_length=200)]


class IssueKey(RequestBody):
    """Asks for a new key."""

    name: KeyName
    permission_level: Literal["read_only", "read_write"]
    expiration_days: ExpirationDays | None = None
    """Days from now; no expiry when absent."""


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


class KeySummary(Key):
    """A key as it is listed."""

    last_used_at: Timestamp | None


class KeyIssued(Key):
    """A new key, with its secret for the only time."""

    key: Annotated[str, Field(default_factory=str)]
    """The key itself, this once; not in the answer to a repeated request."""


class KeyRevoked(ResponseBody):
    """What is left of a revoked key."""

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
