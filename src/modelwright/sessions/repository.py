"""Every query of the room."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import ColumnElement, select, update
from sqlalchemy.orm import Session

from modelwright.core.db.database import forget_oldest
from modelwright.core.db.queries import page_of
from modelwright.core.http.paging import Page
from modelwright.sessions.orm import SessionRow

_NEWEST = (SessionRow.created_at.desc(), SessionRow.session_id.desc())


def find(db: Session, session_id: str) -> SessionRow | None:
    """Finds a session of the scope."""
    return db.scalars(select(SessionRow).where(SessionRow.session_id == session_id)).one_or_none()


def hold(db: Session, session_id: str) -> SessionRow | None:
    """Finds a session and keeps everyone else from changing it until the transaction ends."""
    wanted = select(SessionRow).where(SessionRow.session_id == session_id).with_for_update()
    return db.scalars(wanted.execution_options(populate_existing=True)).one_or_none()


def page(db: Session, window: Page) -> tuple[Sequence[SessionRow], int]:
    """Lists sessions, newest first, with the number of all."""
    return page_of(db, select(SessionRow), window, *_NEWEST)


def _ready(now: datetime) -> tuple[ColumnElement[bool], ColumnElement[bool]]:
    return SessionRow.ended_at.is_(None), SessionRow.expires_at > now


def active(db: Session, now: datetime) -> Sequence[SessionRow]:
    """Lists the sessions that take queries, newest first."""
    return db.scalars(select(SessionRow).where(*_ready(now)).order_by(*_NEWEST)).all()


def preferred(db: Session, now: datetime) -> SessionRow | None:
    """Finds the default session if it takes queries, else the newest one that does."""
    wanted = select(SessionRow).where(*_ready(now))
    return db.scalars(wanted.order_by(SessionRow.is_default.desc(), *_NEWEST).limit(1)).first()


def newest_on(db: Session, upload_id: str, now: datetime) -> SessionRow | None:
    """Finds the newest session on an upload that takes queries."""
    wanted = select(SessionRow).where(*_ready(now), SessionRow.upload_id == upload_id)
    return db.scalars(wanted.order_by(*_NEWEST).limit(1)).first()


def open_on(db: Session, upload_id: str) -> Sequence[SessionRow]:
    """Lists the sessions on an upload that nobody ended."""
    wanted = select(SessionRow).where(
        SessionRow.upload_id == upload_id, SessionRow.ended_at.is_(None)
    )
    return db.scalars(wanted.with_for_update()).all()


def end_expired(db: Session, now: datetime) -> None:
    """Ends the sessions whose time is over, at the moment it was."""
    db.execute(
        update(SessionRow)
        .where(SessionRow.ended_at.is_(None), SessionRow.expires_at <= now)
        .values(ended_at=SessionRow.expires_at, slot=None)
    )


def forget(db: Session, kept: int, at_once: int) -> None:
    """Removes each account's oldest ended sessions beyond the newest `kept`, so many at a time."""
    forget_oldest(db, SessionRow, kept, at_once, SessionRow.ended_at.is_not(None))


def open_ids(db: Session) -> Sequence[str]:
    """Lists the sessions of the scope that nobody ended."""
    return db.scalars(select(SessionRow.session_id).where(SessionRow.ended_at.is_(None))).all()


def prefer(db: Session, row: SessionRow) -> None:
    """Makes a session the account's default."""
    db.execute(update(SessionRow).where(SessionRow.is_default).values(is_default=False))
    row.is_default = True
