"""Every query of the room."""

from collections.abc import Sequence

from sqlalchemy import Select, select
from sqlalchemy.orm import Session, undefer

from modelwright.core.db.queries import page_of
from modelwright.core.http.paging import Page
from modelwright.datasets.domain import Label
from modelwright.datasets.orm import DatasetVersionRow

_NEWEST = (DatasetVersionRow.major.desc(), DatasetVersionRow.minor.desc())


def find(db: Session, upload_id: str) -> DatasetVersionRow | None:
    """Finds the version that an upload is, unless it was deleted."""
    wanted = select(DatasetVersionRow).where(
        DatasetVersionRow.upload_id == upload_id, DatasetVersionRow.deleted_at.is_(None)
    )
    return db.scalars(wanted).one_or_none()


def last(db: Session, name: str, own: str) -> DatasetVersionRow | None:
    """Finds the highest version there ever was of a dataset."""
    wanted = select(DatasetVersionRow).where(
        DatasetVersionRow.name == name, DatasetVersionRow.own == own
    )
    wanted = wanted.options(undefer(DatasetVersionRow.shape))
    return db.scalars(wanted.order_by(*_NEWEST).limit(1)).first()


def own_of(db: Session, name: str) -> str | None:
    """Tells which dataset a name stands for: the named one, else the newest that is its own."""
    wanted = _present(name).order_by(
        DatasetVersionRow.own != "",
        DatasetVersionRow.created_at.desc(),
        DatasetVersionRow.upload_id.desc(),
    )
    row = db.scalars(wanted.limit(1)).first()
    return None if row is None else row.own


def page(db: Session, name: str, own: str, window: Page) -> tuple[Sequence[DatasetVersionRow], int]:
    """Lists a dataset's versions, newest first, and counts them all."""
    wanted = _present(name).where(DatasetVersionRow.own == own)
    return page_of(db, wanted, window, *_NEWEST)


def labelled(db: Session, name: str, own: str, label: Label | None) -> DatasetVersionRow | None:
    """Finds a dataset's version of a label, or the newest."""
    wanted = _present(name).where(DatasetVersionRow.own == own)
    if label is not None:
        wanted = wanted.where(
            DatasetVersionRow.major == label.major, DatasetVersionRow.minor == label.minor
        )
    return db.scalars(wanted.order_by(*_NEWEST).limit(1)).first()


def _present(name: str) -> Select[DatasetVersionRow]:
    return select(DatasetVersionRow).where(
        DatasetVersionRow.name == name, DatasetVersionRow.deleted_at.is_(None)
    )
