"""Every query of the feature.

A session lives on one machine at a time; that it moves only from where it is thought to be is a
condition of the update itself.
"""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import ColumnElement, select, update
from sqlalchemy.orm import Session

from modelwright.core.db.database import delete_oldest
from modelwright.core.db.queries import changed_rows, find_one, lock_one, paginate
from modelwright.core.http.paging import Page
from modelwright.sessions.orm import SessionRecord

_NEWEST = (SessionRecord.created_at.desc(), SessionRecord.session_id.desc())


def find(db: Session, session_id: str) -> SessionRecord | None:
    """Finds a session of the scope."""
    return find_one(db, SessionRecord, SessionRecord.session_id == session_id)


def lock(db: Session, session_id: str) -> SessionRecord | None:
    """Finds a session and keeps everyone else from changing it until the transaction ends."""
    return lock_one(db, SessionRecord, SessionRecord.session_id == session_id)


def page(db: Session, window: Page) -> tuple[Sequence[SessionRecord], int]:
    """Lists sessions, newest first, with the number of all."""
    return paginate(db, select(SessionRecord), window, *_NEWEST)


def _ready(now: datetime) -> tuple[ColumnElement[bool], ColumnElement[bool]]:
    return SessionRecord.ended_at.is_(None), SessionRecord.expires_at > now


def active(db: Session, now: datetime) -> Sequence[SessionRecord]:
    """Lists the sessions that take queries, newest first."""
    return db.scalars(select(SessionRecord).where(*_ready(now)).order_by(*_NEWEST)).all()


def preferred(db: Session, now: datetime) -> SessionRecord | None:
    """Finds the default session if it takes queries, else the newest one that does."""
    wanted = select(SessionRecord).where(*_ready(now))
    return db.scalars(wanted.order_by(SessionRecord.is_default.desc(), *_NEWEST).limit(1)).first()


def newest_on(db: Session, upload_id: str, now: datetime) -> SessionRecord | None:
    """Finds the newest session on an upload, and on no other beside it, that takes queries."""
    wanted = select(SessionRecord).where(*_ready(now), SessionRecord.upload_id == upload_id)
    found = db.scalars(wanted.order_by(*_NEWEST))
    return next((one for one in found if len(one.to_info().upload_ids) == 1), None)


def open_on(db: Session, upload_id: str) -> Sequence[SessionRecord]:
    """Lists the sessions that hold tables of an upload and that nobody ended."""
    wanted = select(SessionRecord).where(SessionRecord.ended_at.is_(None))
    found = db.scalars(wanted.with_for_update()).all()
    return [one for one in found if upload_id in one.to_info().upload_ids]


def open_of(db: Session, account_id: str) -> Sequence[SessionRecord]:
    """Lists the sessions of an account that nobody ended."""
    wanted = select(SessionRecord).where(
        SessionRecord.account_id == account_id, SessionRecord.ended_at.is_(None)
    )
    return db.scalars(wanted.with_for_update()).all()


def end_expired(db: Session, now: datetime) -> None:
    """Ends the sessions whose time is over, at the moment it was."""
    db.execute(
        update(SessionRecord)
        .where(SessionRecord.ended_at.is_(None), SessionRecord.expires_at <= now)
        .values(ended_at=SessionRecord.expires_at, slot=None)
    )


def delete_old(db: Session, kept: int, at_once: int) -> None:
    """Removes each account's oldest ended sessions beyond the newest `kept`, so many at a time."""
    delete_oldest(db, SessionRecord, kept, at_once, SessionRecord.ended_at.is_not(None))


def open_ids(db: Session) -> Sequence[str]:
    """Lists the sessions of the scope that nobody ended."""
    return db.scalars(
        select(SessionRecord.session_id).where(SessionRecord.ended_at.is_(None))
    ).all()


def prefer(db: Session, row: SessionRecord) -> None:
    """Makes a session the account's default."""
    db.execute(update(SessionRecord).where(SessionRecord.is_default).values(is_default=False))
    row.is_default = True


def home(db: Session, session_id: str) -> str | None:
    """Names the machine where a session lives; none where it lives nowhere yet."""
    query = select(SessionRecord.machine_id).where(SessionRecord.session_id == session_id)
    return db.scalar(query)


def move(db: Session, session_id: str, before: str | None, now: str) -> bool:
    """Has a session live on another machine; says no where it no longer lives where it did."""
    moved = update(SessionRecord).where(
        SessionRecord.session_id == session_id,
        SessionRecord.machine_id.is_not_distinct_from(before),
    )
    return bool(changed_rows(db, moved.values(machine_id=now)))
