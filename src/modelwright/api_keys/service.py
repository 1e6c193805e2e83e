"""Issues, recognises, amends and revokes keys.

It alone sees a secret; others are given the caller it stands for.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from sqlalchemy.orm import Session

from modelwright.api_keys import domain, repository
from modelwright.api_keys.domain import NewKey, Status
from modelwright.api_keys.errors import KeyAboveOwn, KeyIsRevoked, LevelAboveOwn, TooManyKeys
from modelwright.api_keys.orm import ApiKeyRecord
from modelwright.core.clock import Clock
from modelwright.core.db.queries import to_dataclass
from modelwright.core.errors import ExpiredKey, InvalidKey, RevokedKey, ValidationFailed, get_or_404
from modelwright.core.http.context import Caller, Level, RequestContext, Scope
from modelwright.core.http.networks import are_within
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
    scopes: list[str] | None
    allowed_networks: list[str] | None
    former_until: datetime | None
    """Until when the secret before the last rotation works too."""
    is_former: bool = False
    """Whether it was recognised by that one."""


@dataclass(frozen=True, slots=True)
class CreatedKey:
    """A new key and, for the only time, its secret."""

    facts: ApiKeyInfo
    secret: str


@dataclass(eq=False)
class Keys:
    """Makes, changes, rotates and revokes API keys, and recognises them."""

    clock: Clock
    counters: RateLimitStore
    usage: Usage
    limits: Limits = LIMITS

    def issue(
        self,
        db: Session,
        account_id: str,
        email: str,
        name: str,
        level: Level,
        days: int | None,
        *,
        scopes: Sequence[Scope] | None = None,
        allowed_networks: Sequence[str] | None = None,
    ) -> CreatedKey:
        """Makes a key of an account."""
        row = ApiKeyRecord(
            key_id=new_id("key"),
            account_id=account_id,
            name=name,
            level=level.word,
            status=Status.ACTIVE,
            created_by=email,
            created_at=self.clock.now(),
            expires_at=self._expiry(days),
            scopes=None if scopes is None else sorted(set(scopes)),
            allowed_networks=None if allowed_networks is None else list(allowed_networks),
        )
        secret = _new_secret(row)
        db.add(row)
        return CreatedKey(_to_info(row), secret)

    def count(self, ctx: RequestContext) -> None:
        """Counts a key to be made over HTTP; refuses more than an hour's."""
        limit = self.limits.key_creations_per_hour
        standing = self.counters.hit(f"keys:{ctx.caller.account_id}", limit, 3600)
        ctx.report(standing)
        if not standing.allowed:
            message = f"More than {limit} keys made within an hour."
            raise TooManyKeys(message, retry_after=standing.retry_after)

    def create(self, db: Session, caller: Caller, request: NewKey) -> CreatedKey:
        """Makes a key for a caller over HTTP.

        Refuses one that could more than the caller: of a higher level, with more scopes, from more
        networks, or for longer.
        """
        _check_level(caller, request.level.word)
        scopes = request.scopes if request.scopes is not None else caller.scopes
        networks = request.allowed_networks
        if networks is None:
            networks = caller.networks
        if fault := _scopes_fault(caller, scopes):
            raise ValidationFailed.of("scopes", fault)
        if fault := _networks_fault(caller, networks):
            raise ValidationFailed.of("allowed_networks", fault)
        self._check_life(caller, self._expiry(request.days))
        return self.issue(
            db,
            caller.account_id,
            caller.email,
            request.name,
            request.level,
            request.days,
            scopes=None if scopes is None else sorted(scopes),
            allowed_networks=networks,
        )

    def rotate(
        self, db: Session, key_id: str, overlap_hours: int, caller: Caller | None = None
    ) -> CreatedKey:
        """Gives a key a new secret; the present one works for some hours more.

        One from an earlier rotation ends now. Refuses a revoked or expired key, and one that could
        more than the caller, who would have its secret.
        """
        row = _check_not_revoked(_find(db, key_id))
        if domain.is_expired(row.expires_at, self.clock.now()):
            raise KeyIsRevoked("An expired key cannot be rotated; make a new one.")
        if caller is not None:
            _check_level(caller, row.level)
            _check_narrowness(caller, row)
            if caller.expires_at is not None and _is_later(row.expires_at, caller.expires_at):
                raise KeyAboveOwn("This key lives longer than yours, and can't be rotated by it.")
        row.former_hash = row.hash
        row.former_until = self.clock.now() + timedelta(hours=overlap_hours)
        secret = _new_secret(row)
        return CreatedKey(_to_info(row), secret)

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
        if domain.is_expired(row.expires_at, self.clock.now()):
            raise ExpiredKey("This API key has expired.")
        info = _to_info(row)
        if row.hash == domain.hash_of(secret):
            return info
        if domain.is_expired(row.former_until, self.clock.now()):
            raise ExpiredKey("This API key was rotated; use its new secret.")
        return replace(info, is_former=True)

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

    def name_of(self, db: Session, key_id: str) -> str | None:
        """Tells what a key is called, of whatever account: an admin's acts in others, too."""
        return repository.name_of(db, key_id)

    def rename(self, db: Session, caller: Caller, key_id: str, name: str) -> None:
        """Renames a key; refuses a revoked one."""
        self._changeable(db, caller, key_id).name = name

    def expire_in(self, db: Session, caller: Caller, key_id: str, days: int | None) -> None:
        """Sets the expiry in days from now, or takes it away; refuses a revoked key.

        Refuses a key with an end to lengthen its own life, or another's beyond its own, and any to
        lengthen that of one of a higher level.
        """
        row = self._changeable(db, caller, key_id)
        expires_at = self._expiry(days)
        if _is_later(expires_at, row.expires_at):
            self._check_life(caller, expires_at)
            _check_level(caller, row.level)
        row.expires_at = expires_at

    def revoke(self, db: Session, key_id: str, caller: Caller | None = None) -> ApiKeyInfo:
        """Revokes a key for good; a second time answers as the first."""
        row = _find(db, key_id)
        if caller is not None:
            _check_narrowness(caller, row)
        if row.status != Status.REVOKED:
            row.status = Status.REVOKED
            row.revoked_at = self.clock.now()
        return _to_info(row)

    def has_usable(self, db: Session, account_id: str) -> bool:
        """Returns whether an account has a key that works."""
        return repository.has_usable(db, account_id, self.clock.now())

    def _with_use(self, db: Session, rows: Sequence[ApiKeyRecord]) -> list[ApiKeyInfo]:
        last = self.usage.last_used(db, {row.key_id for row in rows})
        return [_to_info(row, last.get(row.key_id)) for row in rows]

    def _check_life(self, caller: Caller, expires_at: datetime | None) -> None:
        if caller.expires_at is not None and _is_later(expires_at, caller.expires_at):
            left = (caller.expires_at - self.clock.now()).days
            message = (
                f"goes beyond the end of your own key, in {left} full days; send at most that, or"
                " use a key that lives longer."
            )
            raise ValidationFailed.of("expiration_days", message)

    def _changeable(self, db: Session, caller: Caller, key_id: str) -> ApiKeyRecord:
        row = _find(db, key_id)
        _check_narrowness(caller, row)
        return _check_not_revoked(row)

    def _expiry(self, days: int | None) -> datetime | None:
        return None if days is None else self.clock.now() + timedelta(days=days)


def _scopes_fault(caller: Caller, scopes: Collection[str] | None) -> str | None:
    """Says what a caller may not give of scopes; None when nothing is wrong."""
    if caller.scopes is None or (scopes is not None and caller.scopes.issuperset(scopes)):
        return None
    return f"may hold no more than your own key has: {', '.join(sorted(caller.scopes))}."


def _networks_fault(caller: Caller, networks: Collection[str] | None) -> str | None:
    """Says what a caller may not give of networks; None when nothing is wrong."""
    if caller.networks is None:
        return None
    if networks is not None and are_within(networks, caller.networks):
        return None
    return f"must lie within those of your own key: {', '.join(caller.networks)}."


def _check_not_revoked(row: ApiKeyRecord) -> ApiKeyRecord:
    if row.status == Status.REVOKED:
        raise KeyIsRevoked("A revoked key cannot be changed; make a new one.")
    return row


def _check_level(caller: Caller, level: str) -> None:
    if Level.of(level) > caller.level:
        raise LevelAboveOwn(f"A {caller.level.word} key cannot make a {level} one, or change it.")


def _check_narrowness(caller: Caller, row: ApiKeyRecord) -> None:
    """Refuses a narrowed key to act on one that is less so."""
    if _scopes_fault(caller, row.scopes) or _networks_fault(caller, row.allowed_networks):
        raise KeyAboveOwn("This key has more scopes or networks than yours.")


def _is_later(end: datetime | None, other: datetime | None) -> bool:
    """Returns whether a life ends after another; None is without an end."""
    return other is not None and (end is None or end > other)


def _new_secret(row: ApiKeyRecord) -> str:
    secret = domain.make_secret()
    row.hash = domain.hash_of(secret)
    row.prefix = secret[: domain.PREFIX_SHOWN_CHARACTERS]
    row.suffix = secret[-domain.SUFFIX_SHOWN_CHARACTERS :]
    return secret


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
        is_former=False,
    )
