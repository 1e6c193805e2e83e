"""Database and objects belong together: what one names lies in the other.

A machine that shares the database but has objects of its own would take jobs and fail them all.
"""

from sqlalchemy import select
from sqlalchemy.orm import Session

from modelwright.core.db.database import alone
from modelwright.core.ids import new_id
from modelwright.storage.errors import ObjectsOfAnother
from modelwright.storage.object_store import Objects
from modelwright.storage.orm import MarkRow

FOLDER = "belonging"


def make_sure(db: Session, objects: Objects) -> None:
    """Refuses objects that are not the database's; the first ones it sees are."""
    alone(db, "objects_marks")
    row = db.scalars(select(MarkRow)).one_or_none()
    if row is None:
        row = MarkRow(mark=new_id("mark"))
        with objects.writer(f"{FOLDER}/{row.mark}") as writer:
            writer.commit()
        db.add(row)
    elif objects.size(f"{FOLDER}/{row.mark}") is None:
        raise ObjectsOfAnother(f"{FOLDER}/{row.mark}")
