"""`Idempotency-Key`: the same request sent twice is carried out once and answered alike.

A client whose connection broke cannot know whether it was heard; by the stored answer it may ask
again without making a second model or key.
"""

import hashlib
import hmac
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import JSON, String, delete, select
from sqlalchemy.orm import Mapped, Session, mapped_column

from modelwright.core.db.database import AccountOwned, Base, advisory_lock
from modelwright.core.errors import Conflict, ValidationFailed
from modelwright.core.limits.contract import LIMITS

HEADER = "idempotency-key"
MAX_LENGTH = 255
"""Characters of an idempotency key."""
SECRET_FIELDS = {"key", "presigned_url", "download_url"}
"""Members that are secrets: never stored, so a replay goes without them or makes them anew."""


class StoredResponseRecord(AccountOwned, Base):
    """The first answer to a request that carried an idempotency key."""

    __tablename__ = "idempotent_answers"

    answer_id: Mapped[str] = mapped_column(String(64), primary_key=True)
    """Hash of account and idempotency key."""
    fingerprint: Mapped[str] = mapped_column(String(64))
    """Keyed hash of method, path and body."""
    answer: Mapped[Any] = mapped_column(JSON)
    created_at: Mapped[datetime] = mapped_column(index=True)


def fingerprint(secret: bytes, method: str, path: str, body: bytes) -> str:
    """Hashes what makes two requests the same.

    Bodies may hold passwords, so without the server's secret no guess can be checked against it.
    """
    print_ = hmac.new(secret, f"idempotency\n{method} {path}\n".encode(), hashlib.sha256)
    print_.update(body)
    return print_.hexdigest()


def recall(db: Session, account_id: str, key: str, print_: str, now: datetime) -> Any | None:
    """Returns the stored answer; refuses a key that came with another request before.

    Another request under the key waits here until this one's transaction has ended.
    """
    if not 0 < len(key) <= MAX_LENGTH:
        raise ValidationFailed.of("Idempotency-Key", f"must have 1 to {MAX_LENGTH} characters.")
    advisory_lock(db, _id(account_id, key))
    row = db.scalars(
        select(StoredResponseRecord).where(StoredResponseRecord.answer_id == _id(account_id, key))
    ).first()
    if row is None:
        return None
    if row.created_at <= now - timedelta(hours=LIMITS.idempotency_hours):
        db.delete(row)
        return None
    if row.fingerprint != print_:
        raise Conflict("This Idempotency-Key came with another request before; use a new one.")
    return row.answer


def is_known(db: Session, account_id: str, key: str, now: datetime) -> bool:
    """Returns whether an answer is stored, for what must be done ahead of a transaction."""
    oldest = now - timedelta(hours=LIMITS.idempotency_hours)
    wanted = select(StoredResponseRecord.created_at).where(
        StoredResponseRecord.answer_id == _id(account_id, key)
    )
    found = db.scalars(wanted).first()
    return found is not None and found > oldest


def remember(
    db: Session, account_id: str, key: str, print_: str, answer: Any, now: datetime
) -> None:
    """Stores an answer, without its secrets, in the transaction that carried the request out."""
    db.add(
        StoredResponseRecord(
            answer_id=_id(account_id, key),
            fingerprint=print_,
            answer=without_secrets(answer),
            created_at=now,
        )
    )


def purge(db: Session, now: datetime) -> None:
    """Deletes the answers whose time has run out."""
    oldest = now - timedelta(hours=LIMITS.idempotency_hours)
    db.execute(delete(StoredResponseRecord).where(StoredResponseRecord.created_at <= oldest))


def without_secrets(answer: Any) -> Any:
    """Copies a JSON value without its secret members."""
    if isinstance(answer, dict):
        return {k: without_secrets(v) for k, v in answer.items() if k not in SECRET_FIELDS}
    if isinstance(answer, list):
        return [without_secrets(item) for item in answer]
    return answer


def _id(account_id: str, key: str) -> str:
    return hashlib.sha256(f"{account_id}\n{key}".encode()).hexdigest()
