"""Database and objects belong together: what one names lies in the other.

A database knows its objects by a mark of its own that lies among them. Without this, a new or
restored database over another's objects would take them all for orphans, and a machine that shares
the database but has objects of its own would take jobs and fail them all.
"""

from sqlalchemy import select
from sqlalchemy.orm import Session

from modelwright.core.db.database import ALL_ACCOUNTS, Database, advisory_lock
from modelwright.core.ids import new_id
from modelwright.storage.errors import ObjectsOfAnother, ObjectsShared, ObjectsUnmarked
from modelwright.storage.object_store import ObjectStore
from modelwright.storage.orm import OwnershipMarkerRecord

FOLDER = "belonging"


def ensure(database: Database, objects: ObjectStore) -> None:
    """Refuses objects that are not the database's; marks an empty store as its own.

    The row is there before the mark: a process that dies in between leaves an empty store that
    the next one marks.
    """
    with database.transaction(ALL_ACCOUNTS) as db:
        advisory_lock(db, "objects_marks")
        if _row(db) is None:
            if not objects.is_empty():
                raise ObjectsUnmarked
            db.add(OwnershipMarkerRecord(mark=new_id("mark"), is_placed=False))
    with database.transaction(ALL_ACCOUNTS) as db:
        advisory_lock(db, "objects_marks")
        row = _row(db)
        if row is not None and not row.is_placed:
            _place(row, objects)
    with database.transaction(ALL_ACCOUNTS, write=False) as db:
        check(db, objects)


def check(db: Session, objects: ObjectStore) -> None:
    """Refuses objects without the database's own mark, and those with another's beside it."""
    row = _row(db)
    if row is None:
        raise ObjectsUnmarked
    marks = _marks(objects)
    if _key(row.mark) not in marks:
        raise ObjectsOfAnother(_key(row.mark))
    if others := marks - {_key(row.mark)}:
        raise ObjectsShared(min(others))


def adopt(db: Session, objects: ObjectStore) -> None:
    """Makes the objects the database's own, and nobody else's."""
    advisory_lock(db, "objects_marks")
    row = _row(db)
    if row is None:
        row = OwnershipMarkerRecord(mark=new_id("mark"), is_placed=False)
        db.add(row)
    _place(row, objects)
    for other in _marks(objects) - {_key(row.mark)}:
        objects.delete(other)


def alarm(db: Session) -> str | None:
    """Returns why sweeps have stopped; None while they go on."""
    row = _row(db)
    return None if row is None else row.alarm


def raise_alarm(db: Session, why: str | None) -> None:
    """Keeps why sweeps have stopped, for health and the doctor; None when they go on."""
    row = _row(db)
    if row is not None and row.alarm != why:
        row.alarm = why


def _row(db: Session) -> OwnershipMarkerRecord | None:
    return db.scalars(select(OwnershipMarkerRecord).limit(1)).first()


def _place(row: OwnershipMarkerRecord, objects: ObjectStore) -> None:
    with objects.writer(_key(row.mark)) as writer:
        writer.commit()
    row.is_placed = True


def _marks(objects: ObjectStore) -> set[str]:
    return set(objects.keys(FOLDER))


def _key(mark: str) -> str:
    return f"{FOLDER}/{mark}"
