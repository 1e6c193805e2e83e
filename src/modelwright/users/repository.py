"""Every query of the feature.

Here the account is what is looked for, before it is known: unlike elsewhere, some queries run over
all of them.
"""

from collections.abc import Collection, Sequence
from datetime import datetime

from sqlalchemy import delete, or_, select, update
from sqlalchemy.orm import Session

from modelwright.core.db.queries import changed_rows, find_one
from modelwright.users.orm import (
    ConsoleSessionRecord,
    DeletedAccountRecord,
    OidcIdentityRecord,
    RecoveryCodeRecord,
    SecondFactorRecord,
    UserRecord,
)


def find(db: Session, user_id: str) -> UserRecord | None:
    """Finds an account by its id."""
    return db.get(UserRecord, user_id)


def by_email(db: Session, email: str) -> UserRecord | None:
    """Finds an account by its normalised e-mail."""
    return find_one(db, UserRecord, UserRecord.email == email)


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
    return find_one(db, ConsoleSessionRecord, ConsoleSessionRecord.token_hash == token_hash)


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


def delete_sessions(db: Session, last_seen_before: datetime, created_before: datetime) -> None:
    """Removes sessions that were not used for long, and those that are old."""
    row = ConsoleSessionRecord
    db.execute(
        delete(row).where(
            or_(row.last_seen_at <= last_seen_before, row.created_at <= created_before)
        )
    )


def open_sessions(
    db: Session, last_seen_after: datetime, created_after: datetime
) -> Sequence[ConsoleSessionRecord]:
    """Lists the sessions of the scope that have not ended, newest first."""
    row = ConsoleSessionRecord
    wanted = select(row).where(row.last_seen_at > last_seen_after, row.created_at > created_after)
    return db.scalars(wanted.order_by(row.created_at.desc(), row.session_id.desc())).all()


def session(db: Session, session_id: str) -> ConsoleSessionRecord | None:
    """Finds a session of the scope."""
    return find_one(db, ConsoleSessionRecord, ConsoleSessionRecord.session_id == session_id)


def identity(db: Session, issuer: str, subject: str) -> OidcIdentityRecord | None:
    """Finds whose account a person at a provider has."""
    row = OidcIdentityRecord
    return find_one(db, row, row.issuer == issuer, row.subject == subject)


def is_bound(db: Session, account_id: str, issuer: str) -> bool:
    """Returns whether an account belongs to a person at a provider."""
    row = OidcIdentityRecord
    wanted = select(row.identity_id).where(row.account_id == account_id, row.issuer == issuer)
    return db.scalars(wanted.limit(1)).first() is not None


def unbind(db: Session, account_id: str) -> None:
    """Forgets which person at a provider an account belongs to."""
    db.execute(delete(OidcIdentityRecord).where(OidcIdentityRecord.account_id == account_id))


def second_factor(db: Session, account_id: str) -> SecondFactorRecord | None:
    """Finds an account's second factor."""
    row = SecondFactorRecord
    return find_one(db, row, row.account_id == account_id)


def second_factors(db: Session) -> Sequence[SecondFactorRecord]:
    """Lists the second factors of the scope."""
    return db.scalars(select(SecondFactorRecord)).all()


def remove_second_factor(db: Session, account_id: str) -> None:
    """Removes an account's second factor with its recovery codes."""
    for row in (SecondFactorRecord, RecoveryCodeRecord):
        db.execute(delete(row).where(row.account_id == account_id))


def take_step(db: Session, account_id: str, step: int) -> bool:
    """Uses up a step and all before it; says no where it was used up already."""
    row = SecondFactorRecord
    unused = update(row).where(row.account_id == account_id, row.last_step < step)
    return bool(changed_rows(db, unused.values(last_step=step)))


def recovery_codes(db: Session, account_id: str) -> Sequence[str]:
    """Lists the ids of an account's recovery codes that are left."""
    row = RecoveryCodeRecord
    return db.scalars(select(row.code_id).where(row.account_id == account_id)).all()


def use_recovery_code(db: Session, account_id: str, hashed: str) -> bool:
    """Uses up a recovery code; says no where there is none."""
    row = RecoveryCodeRecord
    named = delete(row).where(row.account_id == account_id, row.hash == hashed)
    return bool(changed_rows(db, named))
