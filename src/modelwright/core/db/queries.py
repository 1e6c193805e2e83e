"""What every store does with rows: adds them, cuts a page of them, tells facts of them."""

from collections.abc import Sequence
from dataclasses import fields
from typing import TYPE_CHECKING, Any, TypeVar

from sqlalchemy import ColumnElement, Select, func, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from modelwright.core.db.database import Base
from modelwright.core.http.paging import Page

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

R = TypeVar("R", bound=Base)
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
