"""Database and objects belong together: what one names lies in the other.

A database knows its objects by a mark of its own that lies among them. Without this, a new or
restored database over another's objects would take them all for orphans, and a machine that shares
the database but has objects of its own would take jobs and fail them all.
"""

from sqlalchemy import select
from sqlalchemy.orm import Session

from modelwright.core.db.database import ALL_ACCOUNTS, Database, advisory_lock
from modelwright.core.ids import new_id
from modelwright.storage.errors import (
    ObjectsOfAnother,
    ObjectsShared,
    ObjectsUnmarked,
    SweptByACopy,
)
from modelwright.storage.object_store import ObjectStore
from modelwright.storage.orm import OwnershipMarkerRecord

FOLDER = "belonging"


def ensure(database: Database, objects: ObjectStore) -> None:
    """Refuses objects that are not the database's; marks an empty store as its own.

    The row is there before the mark: a process that dies in between leaves an empty store that
    the next one marks. The store is asked what it holds between transactions, as it may be slow.
    """
    with database.transaction(ALL_ACCOUNTS, write=False) as db:
        is_known = _row(db) is not None
    if not is_known:
        is_empty = objects.is_empty()
        with database.transaction(ALL_ACCOUNTS) as db:
            advisory_lock(db, "objects_marks")
            if _row(db) is None:  # another process may have been first, and marked the store
                if not is_empty:
                    raise ObjectsUnmarked
                db.add(OwnershipMarkerRecord(mark=new_id("mark"), is_placed=False))
    with database.transaction(ALL_ACCOUNTS, write=False) as db:
        row = _row(db)
        is_unplaced = row is not None and not row.is_placed
    if is_unplaced:
        _place(database, objects)
    check(database, objects)


def check(database: Database, objects: ObjectStore) -> None:
    """Refuses objects without the database's own mark, and those with another's beside it."""
    with database.transaction(ALL_ACCOUNTS, write=False) as db:
        row = _row(db)
    if row is None:
        raise ObjectsUnmarked
    marks = _marks(objects)
    if _key(row.mark) not in marks:
        raise ObjectsOfAnother(_key(row.mark))
    if others := marks - {_key(row.mark)}:
        raise ObjectsShared(min(others))


def take_turn(database: Database, objects: ObjectStore, *, however: bool = False) -> None:
    """Says among the objects that this database sweeps them now; refuses where a copy of it did.

    A copy of a database bears the same mark. It, or one that was put back from an earlier moment,
    names not all objects that are there, and would sweep the rest. `however` says that it is meant.
    A process that dies in between leaves a turn that the next one takes.
    """
    with database.transaction(ALL_ACCOUNTS) as db:
        advisory_lock(db, "objects_marks")
        row = _row(db)
        if row is None:
            raise ObjectsUnmarked
        if row.next_turn in {None, row.turn}:
            row.next_turn = new_id("turn")
        mark, known, turn = row.mark, {row.turn or "", row.next_turn}, row.next_turn
    found = b"".join(objects.open(_key(mark))).decode("ascii", "replace")
    if found not in known and not however:
        raise SweptByACopy
    _put(mark, objects, turn)
    with database.transaction(ALL_ACCOUNTS) as db:
        row = _row(db)
        if row is not None and row.next_turn == turn:
            row.turn = turn


def adopt(db: Session, objects: ObjectStore) -> None:
    """Makes the objects the database's own, and nobody else's."""
    advisory_lock(db, "objects_marks")
    row = _row(db)
    if row is None:
        row = OwnershipMarkerRecord(mark=new_id("mark"), is_placed=False)
        db.add(row)
    row.turn = row.next_turn = new_id("turn")
    _put(row.mark, objects, row.turn)
    row.is_placed = True
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


def _put(mark: str, objects: ObjectStore, turn: str = "") -> None:
    with objects.writer(_key(mark)) as writer:
        writer.write(turn.encode("ascii"))
        writer.commit()


def _place(database: Database, objects: ObjectStore) -> None:
    """Puts the mark into the store once, also where several machines start at the same time.

    Some stores refuse one of two writes of a key at once, and a late one would undo a turn.
    """
    with database.transaction(ALL_ACCOUNTS) as db:
        advisory_lock(db, "objects_marks")
        row = _row(db)
        if row is not None and not row.is_placed:
            _put(row.mark, objects)
            row.is_placed = True


def _marks(objects: ObjectStore) -> set[str]:
    return set(objects.keys(FOLDER))


def _key(mark: str) -> str:
    return f"{FOLDER}/{mark}"
