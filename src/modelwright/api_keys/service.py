"""Issues, recognises, amends and revokes keys."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy.orm import Session

from modelwright.api_keys import domain, repository
from modelwright.api_keys.domain import Status
from modelwright.api_keys.errors import KeyIsRevoked, LevelAboveOwn, TooManyKeys
from modelwright.api_keys.orm import ApiKeyRecord
from modelwright.core.clock import Clock
from modelwright.core.db.queries import to_dataclass
from modelwright.core.errors import ExpiredKey, InvalidKey, RevokedKey, get_or_404
from modelwright.core.http.context import Caller, Level, RequestContext
from modelwright.core.http.paging import Page
from modelwright.core.ids import new_id
from modelwright.core.limits.contract import LIMITS, Limits
from modelwright.core.limits.store import RateLimitStore
from modelwright.usage.service import Usage


@dataclass(frozen=True, slots=True)
class ApiKeyInfo:
    """What may be told of a key."""

    key_id: str
    name: str
    key_prefix: str
    key_suffix: str
    permission_level: str
    created_at: datetime
    expires_at: datetime | None
    last_used_at: datetime | None
    revoked_at: datetime | None
    status: str
    created_by: str
    account_id: str


@dataclass(frozen=True, slots=True)
class CreatedKey:
    """A new key and, for the only time, its secret."""

    facts: ApiKeyInfo
    secret: str


class Keys:
    """The room's verbs."""

    def __init__(
        self, clock: Clock, counters: RateLimitStore, usage: Usage, limits: Limits = LIMITS
    ) -> None:
        self._clock = clock
        self._counters = counters
        self._usage = usage
        self._limits = limits

    def issue(
        self, db: Session, account_id: str, email: str, name: str, level: Level, days: int | None
    ) -> CreatedKey:
        """Makes a key of an account."""
        secret = domain.make_secret()
        row = ApiKeyRecord(
            key_id=new_id("key"),
            account_id=account_id,
            name=name,
            hash=domain.hash_of(secret),
            prefix=secret[: domain.PREFIX_SHOWN_CHARACTERS],
            suffix=secret[-domain.SUFFIX_SHOWN_CHARACTERS :],
            level=level.word,
            status=Status.ACTIVE,
            created_by=email,
            created_at=self._clock.now(),
            expires_at=self._expiry(days),
        )
        db.add(row)
        return CreatedKey(_to_info(row), secret)

    def count(self, ctx: RequestContext) -> None:
        """Counts a key to be made over HTTP; refuses more than an hour's."""
        limit = self._limits.key_creations_per_hour
        standing = self._counters.hit(f"keys:{ctx.caller.account_id}", limit, 3600)
        ctx.report(standing)
        if not standing.allowed:
            message = f"More than {limit} keys made within an hour."
            raise TooManyKeys(message, retry_after=standing.retry_after)

    def create(
        self, db: Session, caller: Caller, name: str, level: Level, days: int | None
    ) -> CreatedKey:
        """Makes a key for a caller over HTTP; refuses levels above the caller's."""
        if level > caller.level:
            message = f"A {caller.level.word} key cannot make a {level.word} one."
            raise LevelAboveOwn(message)
        return self.issue(db, caller.account_id, caller.email, name, level, days)

    def validate_key_format(self, secret: str) -> None:
        """Refuses what no key of ours looks like, without asking the database."""
        if not domain.is_well_formed(secret):
            raise _unknown_key()

    def authenticate(self, db: Session, secret: str) -> ApiKeyInfo:
        """Finds the key of a secret; refuses malformed, unknown, revoked and expired ones."""
        self.validate_key_format(secret)
        row = repository.by_hash(db, domain.hash_of(secret))
        if row is None:
            raise _unknown_key()
        if row.status == Status.REVOKED:
            raise RevokedKey("This API key was revoked.")
        if domain.is_expired(row.expires_at, self._clock.now()):
            raise ExpiredKey("This API key has expired.")
        return _to_info(row)

    def list_(
        self, db: Session, status: Status | None, window: Page
    ) -> tuple[list[ApiKeyInfo], int]:
        """Lists the scope's keys, newest first."""
        rows, total = repository.page(db, status, window)
        return self._with_use(db, rows), total

    def all_of(self, db: Session, account_id: str | None) -> list[ApiKeyInfo]:
        """Lists the keys of an account or, for the operator, of all, oldest first."""
        return [_to_info(row) for row in repository.all_of(db, account_id)]

    def read(self, db: Session, key_id: str) -> ApiKeyInfo:
        """Finds one key; refuses one that is not the caller's."""
        return self._with_use(db, [_find(db, key_id)])[0]

    def rename(self, db: Session, key_id: str, name: str) -> None:
        """Renames a key; refuses a revoked one."""
        self._changeable(db, key_id).name = name

    def expire_in(self, db: Session, key_id: str, days: int | None) -> None:
        """Sets the expiry in days from now, or takes it away; refuses a revoked key."""
        self._changeable(db, key_id).expires_at = self._expiry(days)

    def revoke(self, db: Session, key_id: str) -> ApiKeyInfo:
        """Revokes a key for good; a second time answers as the first."""
        row = _find(db, key_id)
        if row.status != Status.REVOKED:
            row.status = Status.REVOKED
            row.revoked_at = self._clock.now()
        return _to_info(row)

    def has_usable(self, db: Session, account_id: str) -> bool:
        """Tells whether an account has a key that works."""
        return repository.has_usable(db, account_id, self._clock.now())

    def _with_use(self, db: Session, rows: Sequence[ApiKeyRecord]) -> list[ApiKeyInfo]:
        last = self._usage.last_used(db, {row.key_id for row in rows})
        return [_to_info(row, last.get(row.key_id)) for row in rows]

    def _changeable(self, db: Session, key_id: str) -> ApiKeyRecord:
        row = _find(db, key_id)
        if row.status == Status.REVOKED:
            raise KeyIsRevoked("A revoked key cannot be changed; make a new one.")
        return row

    def _expiry(self, days: int | None) -> datetime | None:
        return None if days is None else self._clock.now() + timedelta(days=days)


def _find(db: Session, key_id: str) -> ApiKeyRecord:
    return get_or_404(repository.find(db, key_id), "keyId", key_id)


def _unknown_key() -> InvalidKey:
    return InvalidKey("This API key is malformed or unknown.")


def _to_info(row: ApiKeyRecord, last_used_at: datetime | None = None) -> ApiKeyInfo:
    return to_dataclass(
        row,
        ApiKeyInfo,
        key_prefix=row.prefix,
        key_suffix=row.suffix,
        permission_level=row.level,
        last_used_at=last_used_at,
    )
