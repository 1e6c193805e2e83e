"""Every query of the room."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import or_, select
from sqlalchemy.orm import Session

from modelwright.api_keys.domain import Status
from modelwright.api_keys.orm import KeyRow
from modelwright.core.db.queries import page_of
from modelwright.core.http.paging import Page


def by_hash(db: Session, digest: str) -> KeyRow | None:
    """Finds a key by its secret's hash."""
    return db.scalars(select(KeyRow).where(KeyRow.hash == digest)).one_or_none()


def find(db: Session, key_id: str) -> KeyRow | None:
    """Finds a key of the scope."""
    return db.scalars(select(KeyRow).where(KeyRow.key_id == key_id)).one_or_none()


def page(db: Session, status: Status | None, window: Page) -> tuple[Sequence[KeyRow], int]:
    """Lists keys, newest first, with the number of all."""
    wanted = select(KeyRow)
    if status:
        wanted = wanted.where(KeyRow.status == status)
    return page_of(db, wanted, window, KeyRow.created_at.desc(), KeyRow.key_id.desc())


def all_of(db: Session, account_id: str | None) -> list[KeyRow]:
    """Lists the keys of an account, or of every account, oldest first."""
    wanted = select(KeyRow).order_by(KeyRow.created_at)
    if account_id:
        wanted = wanted.where(KeyRow.account_id == account_id)
    return list(db.scalars(wanted).all())


def has_usable(db: Session, account_id: str, now: datetime) -> bool:
    """Tells whether an account has an active key that has not expired."""
    usable = select(KeyRow.key_id).where(
        KeyRow.account_id == account_id,
        KeyRow.status == Status.ACTIVE,
        or_(KeyRow.expires_at.is_(None), KeyRow.expires_at > now),
    )
    return db.scalars(usable.limit(1)).first() is not None
