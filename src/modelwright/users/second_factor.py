"""Time-based one-time passwords (TOTP, RFC 6238) beside the password of the console.

A code works once: the step of the last one is kept, and none of it or before is taken. Recovery
codes stand in for a lost device, each once.
"""

import hmac
import secrets
from base64 import b32encode
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256

from sqlalchemy.orm import Session

from modelwright.core.clock import Clock
from modelwright.core.config.sealing import SEALING, SealBrokenError, Sealer
from modelwright.core.db.database import advisory_lock
from modelwright.core.db.queries import insert
from modelwright.core.errors import Conflict, TooManyAuthFailures, ValidationFailed
from modelwright.core.ids import new_id
from modelwright.core.limits.store import RateLimitStore
from modelwright.core.logging import logger
from modelwright.users import repository
from modelwright.users.orm import RecoveryCodeRecord, SecondFactorRecord

ISSUER = "Modelwright"
"""What authenticator apps show beside the e-mail."""
STEP_SECONDS = 30
"""How long a code is shown (RFC 6238)."""
DRIFT_STEPS = 1
"""How far the clock of a device may be off, either way."""
RECOVERY_CODES = 10
"""Codes for when the app is lost, each for one sign-in."""
RECOVERY_BYTES = 10
"""80 random bits need no slow hash."""
MAX_FAILURES = 10
"""Wrong codes after which no more are looked at for a while."""
FAILURE_MINUTES = 15
"""For how long wrong codes count."""
WRONG = "is wrong, or was used before; wait for the next one."


@dataclass(frozen=True, slots=True)
class SecondFactorInfo:
    """How an account's second factor stands."""

    user_id: str
    is_on: bool
    confirmed_at: datetime | None
    recovery_codes_left: int


@dataclass(frozen=True, slots=True)
class Enrolment:
    """The secret for an authenticator app, which is shown only now."""

    user_id: str
    secret: str
    uri: str


class SecondFactors:
    """The verbs of second factors."""

    def __init__(self, clock: Clock, sealer: Sealer, counters: RateLimitStore) -> None:
        self._clock = clock
        self._sealer = sealer
        self._counters = counters

    def read(self, db: Session, account_id: str) -> SecondFactorInfo:
        """Tells how an account's second factor stands."""
        row = repository.second_factor(db, account_id)
        is_on = row is not None and row.confirmed_at is not None
        left = len(repository.recovery_codes(db, account_id)) if is_on else 0
        return SecondFactorInfo(account_id, is_on, row.confirmed_at if row else None, left)

    def is_on(self, db: Session, account_id: str) -> bool:
        """Returns whether signing in needs a code."""
        row = repository.second_factor(db, account_id)
        return row is not None and row.confirmed_at is not None

    def begin(self, db: Session, account_id: str, email: str) -> Enrolment:
        """Makes a secret, which counts once a code of it was shown; refuses where one counts."""
        import pyotp  # noqa: PLC0415 - for those who use it

        if self.is_on(db, account_id):
            raise Conflict("A second factor is on already; turn it off first.")
        repository.remove_second_factor(db, account_id)
        secret = pyotp.random_base32()
        advisory_lock(db, SEALING)
        row = SecondFactorRecord(
            factor_id=new_id("2fa"),
            account_id=account_id,
            sealed=self._sealer.close(secret, account_id),
            last_step=0,
            created_at=self._clock.now(),
        )
        insert(db, row)
        uri = pyotp.TOTP(secret).provisioning_uri(name=email, issuer_name=ISSUER)
        return Enrolment(account_id, secret, uri)

    def confirm(self, db: Session, account_id: str, code: str) -> list[str]:
        """Turns a second factor on by a code of it; returns recovery codes, told this once."""
        row = repository.second_factor(db, account_id)
        if row is None or row.confirmed_at is not None:
            raise Conflict("No second factor is being set up; begin with a password.")
        if not self._takes(db, row, code):
            raise ValidationFailed.of("code", WRONG)
        row.confirmed_at = self._clock.now()
        codes = [_recovery_code() for _ in range(RECOVERY_CODES)]
        insert(
            db,
            *(
                RecoveryCodeRecord(code_id=new_id("rec"), account_id=account_id, hash=_hash_of(one))
                for one in codes
            ),
        )
        return codes

    def check(self, db: Session, account_id: str, code: str) -> bool:
        """Returns whether a code, or a recovery code, is right, and uses it up.

        Refuses an account for which too many were wrong lately.
        """
        row = repository.second_factor(db, account_id)
        if row is None:
            return False
        if not repository.use_recovery_code(db, account_id, _hash_of(code)):
            return self._takes(db, row, code)
        logger().info("users.recovery_code_used", account_id=account_id)
        return True

    def disable(self, db: Session, account_id: str, code: str) -> None:
        """Turns the second factor off by a code; refuses a wrong one."""
        if not self.is_on(db, account_id):
            raise Conflict("No second factor is on.")
        if not self.check(db, account_id, code):
            raise ValidationFailed.of("code", WRONG)
        self.reset(db, account_id)

    def reset(self, db: Session, account_id: str) -> None:
        """Takes the second factor away, for the operator where its owner lost everything."""
        repository.remove_second_factor(db, account_id)

    def opened(self, db: Session) -> list[tuple[SecondFactorRecord, str]]:
        """Opens all secrets, to be sealed anew; those that nothing opens stay as they are."""
        advisory_lock(db, SEALING)
        found = []
        for row in repository.second_factors(db):
            try:
                found.append((row, self._sealer.open(row.sealed, row.account_id)))
            except SealBrokenError:
                logger().error("users.second_factor_unreadable", account_id=row.account_id)
        return found

    def seal(self, opened: list[tuple[SecondFactorRecord, str]]) -> None:
        """Seals secrets with the present secret of the server."""
        for row, secret in opened:
            row.sealed = self._sealer.close(secret, row.account_id)

    def _takes(self, db: Session, row: SecondFactorRecord, code: str) -> bool:
        """Takes a code of the present step, or of one beside it, that was not used yet."""
        import pyotp  # noqa: PLC0415 - as above

        bucket, window = f"second_factor:{row.account_id}", FAILURE_MINUTES * 60
        standing = self._counters.peek(bucket, MAX_FAILURES, window)
        if not standing.allowed:
            message = f"More than {MAX_FAILURES} wrong codes; wait {FAILURE_MINUTES} minutes."
            raise TooManyAuthFailures(message, retry_after=standing.retry_after)
        totp = pyotp.TOTP(self._opened(row))
        now, shown = int(self._clock.now().timestamp()) // STEP_SECONDS, code.strip().encode()
        for step in range(now - DRIFT_STEPS, now + DRIFT_STEPS + 1):
            is_right = hmac.compare_digest(totp.generate_otp(step).encode(), shown)
            if is_right and repository.take_step(db, row.account_id, step):
                return True
        self._counters.hit(bucket, MAX_FAILURES, window)
        return False

    def _opened(self, row: SecondFactorRecord) -> str:
        try:
            return self._sealer.open(row.sealed, row.account_id)
        except SealBrokenError:
            logger().error("users.second_factor_unreadable", account_id=row.account_id)
            message = (
                "Your second factor can't be read, since the server's secret key has changed: use "
                "a recovery code, or ask the operator to reset it."
            )
            raise Conflict(message) from None


def _recovery_code() -> str:
    text = b32encode(secrets.token_bytes(RECOVERY_BYTES)).decode().lower()
    return "-".join(text[place : place + 4] for place in range(0, len(text), 4))


def _hash_of(code: str) -> str:
    plain = code.strip().lower().replace("-", "").replace(" ", "")
    return sha256(plain.encode()).hexdigest()
