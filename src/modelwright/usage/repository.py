"""Every query of the room."""

from collections.abc import Collection, Sequence
from datetime import datetime

from sqlalchemy import BigInteger, cast, extract, func, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from modelwright.usage.orm import UsageRow

DAY_SECONDS = 24 * 60 * 60


def add(db: Session, row: UsageRow) -> None:
    """Adds a row's quantity to what its hour, kind and key already have."""
    if _raise(db, row):
        return
    try:
        with db.begin_nested():
            db.add(row)
    except IntegrityError:
        _raise(db, row)


def _raise(db: Session, row: UsageRow) -> bool:
    change = (
        update(UsageRow)
        .where(
            UsageRow.account_id == row.account_id,
            UsageRow.hour == row.hour,
            UsageRow.kind == row.kind,
            UsageRow.key_id == row.key_id,
        )
        .values(quantity=UsageRow.quantity + row.quantity, last_at=row.last_at)
        .execution_options(synchronize_session=False)
    )
    return bool(db.execute(change).rowcount)  # type: ignore[attr-defined]


def sum_up(db: Session, before: datetime, most: int) -> None:
    """Adds rows from before a moment to those of their days' first hours, the oldest first."""
    seconds = cast(extract("epoch", UsageRow.hour), BigInteger)
    later = select(UsageRow).where(UsageRow.hour < before, seconds % DAY_SECONDS != 0)
    for row in db.scalars(later.order_by(UsageRow.hour).limit(most)).all():
        day = UsageRow(
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
    wanted = select(func.sum(UsageRow.quantity)).where(
        UsageRow.kind == kind, UsageRow.key_id == key_id, UsageRow.hour >= since
    )
    return db.scalar(wanted) or 0.0


def totals(db: Session) -> Sequence[tuple[str, float]]:
    """Sums every kind of the scope's account."""
    wanted = select(UsageRow.kind, func.sum(UsageRow.quantity)).group_by(UsageRow.kind)
    return [(kind, quantity) for kind, quantity in db.execute(wanted).all()]


def last_used(db: Session, key_ids: Collection[str]) -> dict[str, datetime]:
    """Tells when keys were last used; those that never were are left out."""
    wanted = select(UsageRow.key_id, func.max(UsageRow.last_at)).where(UsageRow.key_id.in_(key_ids))
    return {key: at for key, at in db.execute(wanted.group_by(UsageRow.key_id))}  # noqa: C416 - rows


def since(db: Session, start: datetime, end: datetime) -> Sequence[UsageRow]:
    """Lists the rows of a stretch of time, oldest first."""
    wanted = select(UsageRow).where(UsageRow.hour >= start, UsageRow.hour < end)
    return db.scalars(wanted.order_by(UsageRow.hour)).all()
