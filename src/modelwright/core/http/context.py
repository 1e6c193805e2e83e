"""Who is calling and what a route needs of them; `keys` and `users` implement the port.

`core` may import no feature, and yet must ask who calls: it defines the port, and the features that
know keys and accounts fill it.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from enum import IntEnum, StrEnum
from typing import TYPE_CHECKING, Annotated, Protocol

from modelwright.core.errors import NewerRelease
from modelwright.core.ids import AccountId, KeyId, RequestId

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from modelwright.core.limits.store import WindowStats


class Level(IntEnum):
    """Permission levels; each holds the ones below it."""

    READ_ONLY = 1
    READ_WRITE = 2
    ADMIN = 3

    @property
    def word(self) -> str:
        """The contract's word for the level."""
        return self.name.lower()

    @classmethod
    def of(cls, word: str) -> "Level":
        """Reads the contract's word; refuses one that only a newer release knows."""
        try:
            return cls[word.upper()]
        except KeyError:
            raise NewerRelease("permission level", word) from None


class Scope(StrEnum):
    """Parts of an account that a key may be narrowed to."""

    MODELS = "models"
    """Building, looking at, deploying and monitoring models."""
    PREDICTIONS = "predictions"
    """Asking models, one row or many, and telling what came true."""
    DATASETS = "datasets"
    """Uploads, connected databases, sessions, queries, analyses and exports."""


EVERYTHING = "everything"
"""What is asked of keys where only those will do that are not narrowed at all."""


class Tier(IntEnum):
    """Account tiers, which set the request rate."""

    BASIC = 1
    PRO = 2
    ENTERPRISE = 3

    @classmethod
    def of(cls, word: str) -> "Tier":
        """Reads the word of an account; one that only a newer release knows counts as the least."""
        return cls.__members__.get(word.upper(), cls.BASIC)


@dataclass(frozen=True, slots=True)
class Caller:
    """An authenticated account and how it came."""

    account_id: AccountId
    email: str
    level: Level
    tier: Tier
    key_id: KeyId | None = None
    """None for those who are signed in to the console."""
    until: datetime | None = None
    """When it must be asked anew whether the caller may still call."""
    scopes: frozenset[Scope] | None = None
    """What the key is narrowed to; None means all."""
    networks: tuple[str, ...] | None = None
    """Where the key may come from, as CIDR; None means anywhere."""
    expires_at: datetime | None = None
    """When the key ends; None for one without an end, and for sessions of the console."""
    console_session_id: str | None = None
    """None for keys."""

    def may(self, needs: "RequiredPermission") -> bool:
        """Returns whether level and scopes are enough."""
        return self.level >= needs.level and self.has_scope(needs.scope)

    def has_scope(self, scope: str | None) -> bool:
        """Returns whether a part of the account is within the caller's scopes."""
        return scope is None or self.scopes is None or scope in self.scopes


@dataclass(frozen=True, slots=True)
class RequiredPermission:
    """What a route asks of its caller, said in its signature and by its router."""

    level: Level
    scope: str | None = None
    """A scope, `EVERYTHING`, or None where every scope is enough."""


@dataclass(frozen=True, slots=True)
class RequestContext:
    """One request being carried out: its transaction, its caller, where answers point to."""

    db: "Session"
    caller: Caller
    request_id: RequestId
    base_url: str
    report: Callable[["WindowStats"], None] = lambda _standing: None
    """Has the answer's `X-RateLimit-*` tell of a limit narrower than the request rate."""
    is_gone: Callable[[], bool] = lambda: False
    """Tells whether the client went away, where the route stops then."""


ReadContext = Annotated[RequestContext, RequiredPermission(Level.READ_ONLY)]
WriteContext = Annotated[RequestContext, RequiredPermission(Level.READ_WRITE)]
AdminContext = Annotated[RequestContext, RequiredPermission(Level.ADMIN)]


class Authenticator(Protocol):
    """Recognises callers."""

    def validate_key_format(self, secret: str) -> None:
        """Refuses what is certainly no key and no session, without asking the database."""

    def admit(self, db: "Session", secret: str) -> Caller:
        """Returns whose key or session this is; refuses malformed, unknown and ended ones."""

    def in_account(self, db: "Session", caller: Caller, account_id: str) -> Caller:
        """Returns an `admin` caller in another account; refuses other levels and unknown ones."""
