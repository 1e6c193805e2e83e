"""Every query of the room."""

from collections.abc import Collection, Sequence
from datetime import datetime

from sqlalchemy import delete, select, update
from sqlalchemy.orm import Session

from modelwright.users.orm import ConsoleSessionRecord, DeletedAccountRecord, UserRecord


def find(db: Session, user_id: str) -> UserRecord | None:
    """Finds an account by its id."""
    return db.get(UserRecord, user_id)


def by_email(db: Session, email: str) -> UserRecord | None:
    """Finds an account by its normalised e-mail."""
    return db.scalars(select(UserRecord).where(UserRecord.email == email)).one_or_none()


def operator(db: Session) -> UserRecord | None:
    """Finds the operator's account."""
    return db.scalars(select(UserRecord).where(UserRecord.is_operator)).first()


def everyone(db: Session) -> list[UserRecord]:
    """Lists all accounts, oldest first."""
    return list(
        db.scalars(select(UserRecord).order_by(UserRecord.created_at, UserRecord.user_id)).all()
    )


def deactivated(db: Session) -> list[str]:
    """Lists the ids of accounts that are shut out."""
    return list(db.scalars(select(UserRecord.user_id).where(~UserRecord.is_active)).all())


def tiers(db: Session, user_ids: Collection[str]) -> list[tuple[str, str]]:
    """Looks up the tiers of accounts."""
    wanted = select(UserRecord.user_id, UserRecord.tier).where(UserRecord.user_id.in_(user_ids))
    return [(user_id, tier) for user_id, tier in db.execute(wanted)]


def get_or_404(db: Session, user_id: str) -> UserRecord:
    """Finds an account that is known to exist."""
    return db.get_one(UserRecord, user_id)


def mark_deleted(db: Session, row: UserRecord, departed: DeletedAccountRecord) -> None:
    """Removes an account and notes that it is gone."""
    db.delete(row)
    db.add(departed)
    db.flush()


def deleted_account(db: Session) -> Sequence[DeletedAccountRecord]:
    """Lists the accounts that were deleted lately."""
    return db.scalars(select(DeletedAccountRecord).with_for_update()).all()


def session_by_hash(db: Session, token_hash: str) -> ConsoleSessionRecord | None:
    """Finds a session of the console by the hash of its token."""
    wanted = select(ConsoleSessionRecord).where(ConsoleSessionRecord.token_hash == token_hash)
    return db.scalars(wanted).one_or_none()


def touch_session(db: Session, session_id: str, at: datetime) -> None:
    """Notes that a session was used."""
    row = ConsoleSessionRecord
    db.execute(update(row).where(row.session_id == session_id).values(last_seen_at=at))


def end_session(db: Session, token_hash: str) -> None:
    """Removes one session."""
    db.execute(delete(ConsoleSessionRecord).where(ConsoleSessionRecord.token_hash == token_hash))


def end_sessions_of(db: Session, account_id: str) -> None:
    """Removes all sessions of an account."""
    db.execute(delete(ConsoleSessionRecord).where(ConsoleSessionRecord.account_id == account_id))


def delete_sessions(db: Session, last_seen_before: datetime) -> None:
    """Removes sessions that were not used for long."""
    row = ConsoleSessionRecord
    db.execute(delete(row).where(row.last_seen_at <= last_seen_before))
