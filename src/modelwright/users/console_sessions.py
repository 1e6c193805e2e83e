"""Sign-in for the console: passwords, and sessions that end when nothing is done with them.

A session's last use is written in a transaction of its own after the request's, once a minute.
"""

import threading
import unicodedata
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property
from hashlib import sha256

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from sqlalchemy.orm import Session

from modelwright.core.clock import Clock
from modelwright.core.db.database import ALL_ACCOUNTS, Database, after_commit
from modelwright.core.db.queries import to_dataclass
from modelwright.core.errors import Unauthorized, ValidationFailed, get_or_404
from modelwright.core.http import cookies
from modelwright.core.http.context import Caller, Level, Tier
from modelwright.core.ids import AccountId, new_id
from modelwright.users import domain, repository
from modelwright.users.errors import AccountDeactivated
from modelwright.users.orm import ConsoleSessionRecord, UserRecord

TOUCH_INTERVAL = timedelta(minutes=1)
"""How exactly it is known when a session was used last: a write for each request would be dear."""
MAX_USER_AGENT_CHARACTERS = 300
"""Characters that are kept of a browser's name."""
MAX_CONCURRENT_HASHES = 2
"""Each takes 19 MiB; more at once would let strangers fill the memory."""


@dataclass(frozen=True, slots=True)
class SignInCandidate:
    """An account somebody wants to sign in to, and what its password is checked against."""

    account_id: str
    is_active: bool
    password_hash: str | None
    is_new: bool = False
    """Whether it was made for this."""


@dataclass(frozen=True, slots=True)
class ConsoleSessionInfo:
    """A session of the console and whose it is."""

    caller: Caller
    name: str
    expires_at: datetime


@dataclass(frozen=True, slots=True)
class Browser:
    """Where somebody signs in from."""

    address: str = ""
    user_agent: str = ""
    is_secure: bool = False
    """Whether it speaks TLS with us."""


@dataclass(frozen=True, slots=True)
class OpenSession:
    """A session of the console as its owner sees it."""

    console_session_id: str
    created_at: datetime
    last_seen_at: datetime
    expires_at: datetime
    address: str | None
    user_agent: str | None


class SignIn:
    """The verbs of signing in and out."""

    def __init__(
        self, database: Database, clock: Clock, idle_minutes: float, life_hours: float
    ) -> None:
        self._database = database
        self._clock = clock
        self._idle = timedelta(minutes=idle_minutes)
        self._life = timedelta(hours=life_hours)
        self._hasher = PasswordHasher(time_cost=2, memory_cost=19 * 1024, parallelism=1)
        self._hashing = threading.BoundedSemaphore(MAX_CONCURRENT_HASHES)

    def set_password(self, db: Session, account_id: str, password: str) -> None:
        """Sets an account's password and ends its sessions; refuses one too short or too long."""
        self.take_hash(db, account_id, self.hashed(password))

    def hashed(self, password: str) -> str:
        """Hashes a new password, to be taken; refuses one too short or too long."""
        fault = domain.fault_of_password(password)
        if fault:
            raise ValidationFailed.of("password", fault)
        with self._hashing:
            return self._hasher.hash(_plain(password))

    def take_hash(self, db: Session, account_id: str, hashed: str) -> None:
        """Sets an account's password by its hash and ends its sessions."""
        repository.get_or_404(db, account_id).password_hash = hashed
        repository.end_sessions_of(db, account_id)

    def has_password(self, db: Session, account_id: str) -> bool:
        """Returns whether an account can be signed in to."""
        return repository.get_or_404(db, account_id).password_hash is not None

    def candidate(self, db: Session, email: str) -> SignInCandidate | None:
        """Finds the account of an e-mail."""
        normal = domain.normal_email(email)
        row = repository.by_email(db, normal) if normal else None
        return SignInCandidate(row.user_id, row.is_active, row.password_hash) if row else None

    def fits(self, candidate: SignInCandidate | None, password: str) -> bool:
        """Returns whether a password is the account's; takes as long where there is no account."""
        known = candidate.password_hash if candidate else None
        with self._hashing:
            try:
                self._hasher.verify(known or self._decoy, _plain(password))
            except (VerificationError, InvalidHashError):
                return False
        return known is not None

    def open(self, db: Session, candidate: SignInCandidate, browser: Browser) -> str:
        """Begins a session and returns its token; refuses a deactivated account."""
        if not candidate.is_active:
            raise _deactivated()
        token, now = cookies.new_token(is_secure=browser.is_secure), self._clock.now()
        row = ConsoleSessionRecord(
            session_id=new_id("csess"),
            account_id=candidate.account_id,
            token_hash=_hash_of(token),
            created_at=now,
            last_seen_at=now,
            address=browser.address,
            user_agent=browser.user_agent[:MAX_USER_AGENT_CHARACTERS],
        )
        db.add(row)
        return token

    def read(self, db: Session, token: str) -> ConsoleSessionInfo:
        """Tells whose session a token is and keeps it going; refuses one that has ended."""
        now = self._clock.now()
        row = repository.session_by_hash(db, _hash_of(token))
        account = repository.find(db, row.account_id) if row else None
        if row is None or account is None or self._ends(row) <= now:
            raise Unauthorized("Your session has ended.")
        if not account.is_active:
            raise _deactivated()
        if now - row.last_seen_at >= min(TOUCH_INTERVAL, self._idle / 2):
            session_id = row.session_id
            after_commit(db, lambda: self._touch(session_id, now))
        return ConsoleSessionInfo(
            _caller(account, min(now + TOUCH_INTERVAL, row.created_at + self._life), row),
            account.name,
            min(now + self._idle, row.created_at + self._life),
        )

    def close(self, db: Session, token: str) -> None:
        """Ends a session; one that has ended already stays so."""
        repository.end_session(db, _hash_of(token))

    def end_all(self, db: Session, account_id: str) -> None:
        """Ends all sessions of an account."""
        repository.end_sessions_of(db, account_id)

    def sweep(self, db: Session) -> None:
        """Forgets sessions that have ended by themselves."""
        now = self._clock.now()
        repository.delete_sessions(db, now - self._idle, now - self._life)

    def list_(self, db: Session) -> list[OpenSession]:
        """Lists the scope's sessions that have not ended, newest first."""
        now = self._clock.now()
        return [
            to_dataclass(
                row, OpenSession, console_session_id=row.session_id, expires_at=self._ends(row)
            )
            for row in repository.open_sessions(db, now - self._idle, now - self._life)
        ]

    def end(self, db: Session, session_id: str) -> datetime:
        """Ends one session of the scope; refuses one that is not there."""
        row = get_or_404(repository.session(db, session_id), "console_session_id", session_id)
        db.delete(row)
        return self._clock.now()

    def _ends(self, row: ConsoleSessionRecord) -> datetime:
        return min(row.last_seen_at + self._idle, row.created_at + self._life)

    def _touch(self, session_id: str, at: datetime) -> None:
        with self._database.transaction(ALL_ACCOUNTS) as db:
            repository.touch_session(db, session_id, at)

    @cached_property
    def _decoy(self) -> str:
        return self._hasher.hash(cookies.new_token())


def _caller(account: UserRecord, until: datetime, row: ConsoleSessionRecord) -> Caller:
    return Caller(
        console_session_id=row.session_id,
        account_id=AccountId(account.user_id),
        email=account.email,
        level=Level.ADMIN if account.is_operator else Level.READ_WRITE,
        tier=Tier.of(account.tier),
        until=until,
    )


def _deactivated() -> AccountDeactivated:
    return AccountDeactivated("This account was deactivated; ask the operator.")


def _hash_of(token: str) -> str:
    return sha256(token.encode()).hexdigest()


def _plain(password: str) -> str:
    return unicodedata.normalize("NFKC", password)
