"""Every query of machines."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import delete, func, select, update
from sqlalchemy.orm import Session

from modelwright.core.db.queries import changed_rows, insert_if_absent, lock_one
from modelwright.machines.orm import LeaderLeaseRecord, MachineRecord


def database_time(db: Session) -> datetime | None:
    """Returns the database's time, the same for all machines; None where it is a file of one."""
    if db.connection().dialect.name == "sqlite":
        return None
    return db.scalar(select(func.clock_timestamp()))


def upsert(db: Session, machine_id: str, values: dict[str, Any]) -> None:
    """Writes down what is told of a machine."""
    change = update(MachineRecord).where(MachineRecord.machine_id == machine_id).values(**values)
    if not changed_rows(db, change) and not insert_if_absent(
        db, MachineRecord(machine_id=machine_id, is_draining=False, **values)
    ):
        db.execute(change)


def change(db: Session, machine_id: str, **values: Any) -> bool:
    """Changes a machine's row; tells whether it has one."""
    found = update(MachineRecord).where(MachineRecord.machine_id == machine_id).values(**values)
    return bool(changed_rows(db, found))


def everything(db: Session) -> Sequence[MachineRecord]:
    """Lists all machines by their names."""
    query = select(MachineRecord).order_by(MachineRecord.name, MachineRecord.machine_id)
    return db.scalars(query.execution_options(populate_existing=True)).all()


def is_draining(db: Session, machine_id: str) -> bool:
    """Returns whether a machine is to get no more work."""
    query = select(MachineRecord.is_draining).where(MachineRecord.machine_id == machine_id)
    return bool(db.scalar(query))


def take_lead(db: Session, name: str, holder: str, now: datetime, until: datetime) -> bool:
    """Takes or keeps a lease that nobody else holds; keeps others from it until the commit."""
    row = lock_one(db, LeaderLeaseRecord, LeaderLeaseRecord.name == name)
    if row is None:
        return insert_if_absent(db, LeaderLeaseRecord(name=name, holder=holder, until=until))
    if row.holder != holder and now < row.until:
        return False
    row.holder, row.until = holder, until
    return True


def give_up_lead(db: Session, holder: str) -> None:
    """Gives up what a holder leads."""
    db.execute(delete(LeaderLeaseRecord).where(LeaderLeaseRecord.holder == holder))


def forget_unseen(db: Session, before: datetime) -> None:
    """Forgets the machines that gave no sign since a moment."""
    db.execute(delete(MachineRecord).where(MachineRecord.seen_at < before))
