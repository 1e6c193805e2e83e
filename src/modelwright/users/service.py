"""Makes accounts, admits their keys, and says who is calling."""

from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from sqlalchemy.orm import Session

from modelwright.api_keys.service import Keys
from modelwright.core.clock import Clock
from modelwright.core.db.database import ALL_ACCOUNTS, advisory_lock, scope_to
from modelwright.core.db.queries import to_dataclass
from modelwright.core.errors import InsufficientPermissions, InvalidKey, ValidationFailed, not_found
from modelwright.core.events import Events
from modelwright.core.http.context import Caller, Level, Scope, Tier
from modelwright.core.http.cookies import TOKEN_PREFIXES
from modelwright.core.ids import AccountId, KeyId, new_id
from modelwright.users import domain, repository
from modelwright.users.console_sessions import SignIn
from modelwright.users.domain import AccountStopped
from modelwright.users.errors import AccountDeactivated, EmailTaken, NoSuchAccount
from modelwright.users.orm import UserRecord


@dataclass(frozen=True, slots=True)
class UserInfo:
    """What may be told of an account."""

    user_id: str
    email: str
    name: str
    user_name: str
    tier: str
    credits: int
    is_active: bool
    is_operator: bool
    created_at: datetime


@dataclass(eq=False)
class Users:
    """Makes, reads and changes accounts; the `Authenticator` of all requests."""

    clock: Clock
    keys: Keys
    signing_in: SignIn
    events: Events

    def validate_key_format(self, secret: str) -> None:
        """Refuses what is certainly no key and no session, without asking the database."""
        if not secret.startswith(TOKEN_PREFIXES):
            self.keys.validate_key_format(secret)

    def admit(self, db: Session, secret: str) -> Caller:
        """Returns whose key or session this is; refuses what does not work any more."""
        scope_to(db, ALL_ACCOUNTS)
        if secret.startswith(TOKEN_PREFIXES):
            return self.signing_in.read(db, secret).caller
        key = self.keys.authenticate(db, secret)
        row = repository.find(db, key.account_id)
        if row is None:
            raise InvalidKey("This API key is malformed or unknown.")
        _check_active(row)
        # A secret from before a rotation makes nothing that outlives it, the newest secret neither.
        until = _earliest(key.expires_at, key.former_until if key.is_former else None)
        return Caller(
            account_id=AccountId(row.user_id),
            email=row.email,
            level=Level.of(key.permission_level),
            tier=Tier.of(row.tier),
            key_id=KeyId(key.key_id),
            until=until,
            scopes=None if key.scopes is None else frozenset(set(Scope) & set(key.scopes)),
            networks=None if key.allowed_networks is None else tuple(key.allowed_networks),
            expires_at=until,
        )

    def in_account(self, db: Session, caller: Caller, account_id: str) -> Caller:
        """Returns an `admin` caller in another account; refuses other levels and unknown ones.

        Whoever names the account they are in stays there.
        """
        if account_id == caller.account_id:
            return caller
        if caller.level < Level.ADMIN:
            raise InsufficientPermissions("Only an admin key may act in another account.")
        if repository.find(db, account_id) is None:
            raise not_found("X-Account", account_id)
        return replace(caller, account_id=AccountId(account_id))

    def create(self, db: Session, email: str, tier: Tier = Tier.BASIC) -> UserInfo:
        """Makes an account; refuses what is no e-mail and one that is taken."""
        return _to_info(self._create(db, email, tier, operator=False))

    def operator(self, db: Session, email: str) -> UserInfo:
        """Returns the operator's account, made at the first call."""
        advisory_lock(db, "users")
        row = repository.operator(db) or self._create(db, email, Tier.ENTERPRISE, operator=True)
        return _to_info(row)

    def find(self, db: Session, email_or_id: str) -> UserInfo:
        """Finds an account; refuses an unknown one."""
        return _to_info(self._find(db, email_or_id))

    def for_key(self, db: Session, email: str) -> UserInfo:
        """Finds the account of an e-mail, or makes a `basic` one."""
        row = repository.by_email(db, domain.normal_email(email) or "")
        return _to_info(row) if row else self.create(db, email)

    def list_(self, db: Session) -> list[UserInfo]:
        """Lists all accounts, oldest first."""
        return [_to_info(row) for row in repository.everyone(db)]

    def tiers(self, db: Session, account_ids: Collection[str]) -> dict[str, Tier]:
        """Looks up the tiers of accounts; those that are gone are left out."""
        return {account_id: Tier.of(tier) for account_id, tier in repository.tiers(db, account_ids)}

    def amend(self, db: Session, email_or_id: str, **changes: Any) -> UserInfo:
        """Sets `tier` or `credits` of an account."""
        row = self._find(db, email_or_id)
        for member, value in changes.items():
            setattr(row, member, value)
        return _to_info(row)

    def deactivate(self, db: Session, email_or_id: str) -> UserInfo:
        """Shuts an account out: what it has begun ends, what it has planned waits, its data stays.

        For the platform's own transaction, which sees all accounts.
        """
        row = self._find(db, email_or_id)
        row.is_active = False
        self.signing_in.end_all(db, row.user_id)
        self.events.publish(db, AccountStopped(row.user_id))
        return _to_info(row)

    def activate(self, db: Session, email_or_id: str) -> UserInfo:
        """Lets a deactivated account in again; its schedules go on as they were."""
        row = self._find(db, email_or_id)
        row.is_active = True
        return _to_info(row)

    def deactivated(self, db: Session) -> list[str]:
        """Lists the ids of accounts that are shut out."""
        return repository.deactivated(db)

    def check_active(self, db: Session, account_id: str) -> None:
        """Refuses a deactivated account; one that is gone has nothing left to be asked for."""
        row = repository.find(db, account_id)
        if row is not None:
            _check_active(row)

    def stop_late(self, db: Session) -> None:
        """Ends what deactivated accounts still began while they were shut out.

        For the platform's own transaction; safe to call at any time.
        """
        for account_id in self.deactivated(db):
            self.events.publish(db, AccountStopped(account_id))

    def _create(self, db: Session, email: str, tier: Tier, *, operator: bool) -> UserRecord:
        normal = _checked(email)
        advisory_lock(db, "users")
        if repository.by_email(db, normal):
            message = f"An account with the e-mail {normal} exists already."
            raise EmailTaken(message)
        row = UserRecord(
            user_id=new_id("user"),
            email=normal,
            name=domain.user_name_of(normal),
            user_name=domain.user_name_of(normal),
            tier=tier.name.lower(),
            is_operator=operator,
            is_active=True,
            credits=domain.INITIAL_CREDITS,
            created_at=self.clock.now(),
        )
        db.add(row)
        return row

    def _find(self, db: Session, email_or_id: str) -> UserRecord:
        row = repository.find(db, email_or_id) or repository.by_email(
            db, email_or_id.strip().lower()
        )
        if row is None:
            message = f"No account has the e-mail or id {email_or_id!r}."
            raise NoSuchAccount(message)
        return row


def _earliest(*moments: datetime | None) -> datetime | None:
    return min((one for one in moments if one is not None), default=None)


def _check_active(row: UserRecord) -> None:
    if not row.is_active:
        raise AccountDeactivated("This account was deactivated; ask the operator.")


def _checked(email: str) -> str:
    normal = domain.normal_email(email)
    if normal is None:
        raise ValidationFailed.of("email", "must be an e-mail address such as ana@example.org.")
    if fault := domain.fault_of_spelling(email):
        raise ValidationFailed.of("email", fault)
    return normal


def _to_info(row: UserRecord) -> UserInfo:
    return to_dataclass(row, UserInfo)
