"""What every repository does with rows: adds, finds, locks, changes and pages them.

Every one of these keeps to the account that the session is scoped to; a feature that wrote its own
could forget it and show one account's rows to another.
"""

from collections.abc import Sequence
from dataclasses import fields
from datetime import datetime
from typing import TYPE_CHECKING, Any, TypeVar

from sqlalchemy import ColumnElement, Delete, Select, Update, func, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import InstrumentedAttribute, Session

from modelwright.core.db.database import WITH_TRASH, Base, Trashable
from modelwright.core.http.paging import Page

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

R = TypeVar("R", bound=Base)
T = TypeVar("T", bound=Trashable)
F = TypeVar("F", bound="DataclassInstance")


def insert(db: Session, *rows: Base) -> None:
    """Adds rows at once, so that the database refuses now what it refuses."""
    db.add_all(rows)
    db.flush()


def insert_if_absent(db: Session, row: Base) -> bool:
    """Adds a row; says no where the database has one in its place, or nothing it belongs to."""
    try:
        with db.begin_nested():
            db.add(row)
    except IntegrityError:
        return False
    return True


def find_one(db: Session, record: type[R], *where: ColumnElement[bool]) -> R | None:
    """Finds the one row that meets all conditions."""
    return db.scalars(select(record).where(*where)).one_or_none()


def lock_one(db: Session, record: type[R], *where: ColumnElement[bool]) -> R | None:
    """Finds the one row that meets all conditions, as it is now, and locks it.

    Whoever else wants to change it waits until the transaction ends.
    """
    wanted = select(record).where(*where).with_for_update()
    return db.scalars(wanted.execution_options(populate_existing=True)).one_or_none()


def rows_in_trash(
    db: Session, record: type[T], key: InstrumentedAttribute[str], before: datetime | None
) -> Sequence[T]:
    """Lists the rows in the trash, newest first, or those that came there before a moment."""
    wanted = select(record).where(record.trashed_at.is_not(None))
    if before is not None:
        wanted = wanted.where(record.trashed_at <= before)
    order = (record.trashed_at.desc(), key.desc())
    return db.scalars(wanted.order_by(*order), execution_options=WITH_TRASH).all()


def lock_in_trash(db: Session, record: type[T], where: ColumnElement[bool]) -> T | None:
    """Finds the one row in the trash that meets a condition, and locks it."""
    wanted = select(record).where(where, record.trashed_at.is_not(None)).with_for_update()
    options = {**WITH_TRASH, "populate_existing": True}
    return db.scalars(wanted, execution_options=options).one_or_none()


def changed_rows(db: Session, change: Update | Delete) -> int:
    """Carries out a change and counts its rows; those that are loaded stay as they were."""
    result: Any = db.execute(change.execution_options(synchronize_session=False))
    return int(result.rowcount)


def paginate(
    db: Session, wanted: Select[R], page: Page, *order: ColumnElement[Any]
) -> tuple[Sequence[R], int]:
    """Returns one page of the rows that are wanted, in an order, and how many they are in all."""
    total = db.scalar(select(func.count()).select_from(wanted.subquery())) or 0
    ordered = wanted.order_by(*order).limit(page.limit).offset(page.offset)
    return db.scalars(ordered).all(), total


def to_dataclass(row: object, kind: type[F], **other: Any) -> F:
    """Makes facts of the members that a row has under the same names, and of others."""
    same = [one.name for one in fields(kind) if one.name not in other]
    return kind(**{name: getattr(row, name) for name in same}, **other)
