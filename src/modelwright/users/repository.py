"""Every query of the room."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import delete, select, update
from sqlalchemy.orm import Session

from modelwright.users.orm import ConsoleSessionRow, DepartedRow, UserRow


def find(db: Session, user_id: str) -> UserRow | None:
    """Finds an account by its id."""
    return db.get(UserRow, user_id)


def by_email(db: Session, email: str) -> UserRow | None:
    """Finds an account by its normalised e-mail."""
    return db.scalars(select(UserRow).where(UserRow.email == email)).one_or_none()


def operator(db: Session) -> UserRow | None:
    """Finds the operator's account."""
    return db.scalars(select(UserRow).where(UserRow.is_operator)).first()


def everyone(db: Session) -> list[UserRow]:
    """Lists all accounts, oldest first."""
    return list(db.scalars(select(UserRow).order_by(UserRow.created_at, UserRow.user_id)).all())


def must_find(db: Session, user_id: str) -> UserRow:
    """Finds an account that is known to exist."""
    return db.get_one(UserRow, user_id)


def depart(db: Session, row: UserRow, departed: DepartedRow) -> None:
    """Removes an account and notes that it is gone."""
    db.delete(row)
    db.add(departed)
    db.flush()


def departed(db: Session) -> Sequence[DepartedRow]:
    """Lists the accounts that were deleted lately."""
    return db.scalars(select(DepartedRow).with_for_update()).all()


def session_by_hash(db: Session, token_hash: str) -> ConsoleSessionRow | None:
    """Finds a session of the console by the hash of its token."""
    wanted = select(ConsoleSessionRow).where(ConsoleSessionRow.token_hash == token_hash)
    return db.scalars(wanted).one_or_none()


def touch_session(db: Session, session_id: str, at: datetime) -> None:
    """Notes that a session was used."""
    row = ConsoleSessionRow
    db.execute(update(row).where(row.session_id == session_id).values(last_seen_at=at))


def end_session(db: Session, token_hash: str) -> None:
    """Removes one session."""
    db.execute(delete(ConsoleSessionRow).where(ConsoleSessionRow.token_hash == token_hash))


def end_sessions_of(db: Session, account_id: str) -> None:
    """Removes all sessions of an account."""
    db.execute(delete(ConsoleSessionRow).where(ConsoleSessionRow.account_id == account_id))


def forget_sessions(db: Session, last_seen_before: datetime) -> None:
    """Removes sessions that were not used for long."""
    row = ConsoleSessionRow
    db.execute(delete(row).where(row.last_seen_at <= last_seen_before))
