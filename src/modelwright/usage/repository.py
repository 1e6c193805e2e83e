"""Every query of the feature."""

from collections.abc import Collection, Sequence
from datetime import datetime

from sqlalchemy import BigInteger, cast, extract, func, select, update
from sqlalchemy.orm import Session

from modelwright.core.db.database import ALL_ACCOUNTS, scope_to
from modelwright.core.db.queries import changed_rows, insert_if_absent
from modelwright.usage.orm import UsageRecord

DAY_SECONDS = 24 * 60 * 60
"""Seconds of a day."""


def add(db: Session, row: UsageRecord) -> None:
    """Adds a row's quantity to what its hour, kind and key already have."""
    if not (_increment(db, row) or insert_if_absent(db, row)):
        _increment(db, row)


def _increment(db: Session, row: UsageRecord) -> bool:
    change = (
        update(UsageRecord)
        .where(
            UsageRecord.account_id == row.account_id,
            UsageRecord.hour == row.hour,
            UsageRecord.kind == row.kind,
            UsageRecord.key_id == row.key_id,
        )
        .values(quantity=UsageRecord.quantity + row.quantity, last_at=row.last_at)
    )
    return bool(changed_rows(db, change))


def sum_up(db: Session, before: datetime, most: int) -> None:
    """Adds rows from before a moment to those of their days' first hours, the oldest first."""
    seconds = cast(extract("epoch", UsageRecord.hour), BigInteger)
    later = select(UsageRecord).where(UsageRecord.hour < before, seconds % DAY_SECONDS != 0)
    for row in db.scalars(later.order_by(UsageRecord.hour).limit(most)).all():
        day = UsageRecord(
            account_id=row.account_id,
            hour=row.hour.replace(hour=0),
            kind=row.kind,
            key_id=row.key_id,
            quantity=row.quantity,
            last_at=row.last_at,
        )
        db.delete(row)
        add(db, day)


def total(db: Session, kind: str, key_id: str, since: datetime) -> float:
    """Sums a kind of one key since a moment's hour."""
    wanted = select(func.sum(UsageRecord.quantity)).where(
        UsageRecord.kind == kind, UsageRecord.key_id == key_id, UsageRecord.hour >= since
    )
    return db.scalar(wanted) or 0.0


def totals(db: Session) -> Sequence[tuple[str, float]]:
    """Sums every kind of the scope's account."""
    wanted = select(UsageRecord.kind, func.sum(UsageRecord.quantity)).group_by(UsageRecord.kind)
    return [(kind, quantity) for kind, quantity in db.execute(wanted).all()]


def totals_of(db: Session, account_ids: Collection[str]) -> dict[str, dict[str, float]]:
    """Sums every kind of each of some accounts, whatever the scope."""
    row, scope = UsageRecord, db.info["account"]
    wanted = select(row.account_id, row.kind, func.sum(row.quantity)).where(
        row.account_id.in_(account_ids)
    )
    scope_to(db, ALL_ACCOUNTS)
    try:
        with db.no_autoflush:  # what waits to be written belongs to the other scope
            found = db.execute(wanted.group_by(row.account_id, row.kind)).all()
    finally:
        scope_to(db, scope)
    told: dict[str, dict[str, float]] = {}
    for account_id, kind, quantity in found:
        told.setdefault(account_id, {})[kind] = quantity
    return told


def last_used(db: Session, key_ids: Collection[str]) -> dict[str, datetime]:
    """Tells when keys were last used; those that never were are left out."""
    wanted = select(UsageRecord.key_id, func.max(UsageRecord.last_at)).where(
        UsageRecord.key_id.in_(key_ids)
    )
    return {key: at for key, at in db.execute(wanted.group_by(UsageRecord.key_id))}  # noqa: C416 - rows


def since(db: Session, start: datetime, end: datetime) -> Sequence[UsageRecord]:
    """Lists the rows of a stretch of time, oldest first."""
    wanted = select(UsageRecord).where(UsageRecord.hour >= start, UsageRecord.hour < end)
    return db.scalars(wanted.order_by(UsageRecord.hour)).all()
