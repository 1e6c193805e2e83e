"""Every query of the feature."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import or_, select
from sqlalchemy.orm import Session

from modelwright.api_keys.domain import Status
from modelwright.api_keys.orm import ApiKeyRecord
from modelwright.core.db.database import ALL_ACCOUNTS, scope_to
from modelwright.core.db.queries import find_one, paginate
from modelwright.core.http.paging import Page


def by_hash(db: Session, digest: str) -> ApiKeyRecord | None:
    """Finds a key by the hash of its secret, or of the one before the last rotation."""
    wanted = or_(ApiKeyRecord.hash == digest, ApiKeyRecord.former_hash == digest)
    return find_one(db, ApiKeyRecord, wanted)


def find(db: Session, key_id: str) -> ApiKeyRecord | None:
    """Finds a key of the scope."""
    return find_one(db, ApiKeyRecord, ApiKeyRecord.key_id == key_id)


def name_of(db: Session, key_id: str) -> str | None:
    """Tells what a key of any account is called; None for one that is not there."""
    scope = db.info["account"]
    scope_to(db, ALL_ACCOUNTS)
    try:
        with db.no_autoflush:  # what waits to be written belongs to the other scope
            return db.scalar(select(ApiKeyRecord.name).where(ApiKeyRecord.key_id == key_id))
    finally:
        scope_to(db, scope)


def page(db: Session, status: Status | None, window: Page) -> tuple[Sequence[ApiKeyRecord], int]:
    """Lists keys, newest first, with the number of all."""
    wanted = select(ApiKeyRecord)
    if status:
        wanted = wanted.where(ApiKeyRecord.status == status)
    return paginate(db, wanted, window, ApiKeyRecord.created_at.desc(), ApiKeyRecord.key_id.desc())


def all_of(db: Session, account_id: str | None) -> list[ApiKeyRecord]:
    """Lists the keys of an account, or of every account, oldest first."""
    wanted = select(ApiKeyRecord).order_by(ApiKeyRecord.created_at)
    if account_id:
        wanted = wanted.where(ApiKeyRecord.account_id == account_id)
    return list(db.scalars(wanted).all())


def has_usable(db: Session, account_id: str, now: datetime) -> bool:
    """Returns whether an account has an active key that has not expired."""
    usable = select(ApiKeyRecord.key_id).where(
        ApiKeyRecord.account_id == account_id,
        ApiKeyRecord.status == Status.ACTIVE,
        or_(ApiKeyRecord.expires_at.is_(None), ApiKeyRecord.expires_at > now),
    )
    return db.scalars(usable.limit(1)).first() is not None
