"""Every query of the feature."""

from collections.abc import Sequence

from sqlalchemy import Select, select
from sqlalchemy.orm import Session, undefer

from modelwright.core.db.queries import find_one, paginate
from modelwright.core.http.paging import Page
from modelwright.datasets.domain import VersionLabel
from modelwright.datasets.orm import DatasetVersionRecord

_NEWEST = (DatasetVersionRecord.major.desc(), DatasetVersionRecord.minor.desc())


def find(db: Session, upload_id: str) -> DatasetVersionRecord | None:
    """Finds the version that an upload is, unless it was deleted."""
    row = DatasetVersionRecord
    return find_one(db, row, row.upload_id == upload_id, row.deleted_at.is_(None))


def find_deleted(db: Session, upload_id: str) -> DatasetVersionRecord | None:
    """Finds the version that a deleted upload was."""
    return find_one(db, DatasetVersionRecord, DatasetVersionRecord.upload_id == upload_id)


def last(db: Session, name: str, own: str) -> DatasetVersionRecord | None:
    """Finds the highest version there ever was of a dataset."""
    wanted = select(DatasetVersionRecord).where(
        DatasetVersionRecord.name == name, DatasetVersionRecord.own == own
    )
    wanted = wanted.options(undefer(DatasetVersionRecord.shape))
    return db.scalars(wanted.order_by(*_NEWEST).limit(1)).first()


def own_of(db: Session, name: str) -> str | None:
    """Tells which dataset a name stands for: the named one, else the newest that is its own."""
    wanted = _present(name).order_by(
        DatasetVersionRecord.own != "",
        DatasetVersionRecord.created_at.desc(),
        DatasetVersionRecord.upload_id.desc(),
    )
    row = db.scalars(wanted.limit(1)).first()
    return None if row is None else row.own


def has_own(db: Session, own: str) -> bool:
    """Returns whether a version is left of a dataset whose uploads carry no name."""
    row = DatasetVersionRecord
    wanted = select(row.upload_id).where(row.own == own, row.deleted_at.is_(None))
    return db.scalars(wanted.limit(1)).first() is not None


def page(
    db: Session, name: str, own: str, window: Page
) -> tuple[Sequence[DatasetVersionRecord], int]:
    """Lists a dataset's versions, newest first, and counts them all."""
    wanted = _present(name).where(DatasetVersionRecord.own == own)
    return paginate(db, wanted, window, *_NEWEST)


def labelled(
    db: Session, name: str, own: str, label: VersionLabel | None
) -> DatasetVersionRecord | None:
    """Finds a dataset's version of a label, or the newest."""
    wanted = _present(name).where(DatasetVersionRecord.own == own)
    if label is not None:
        wanted = wanted.where(
            DatasetVersionRecord.major == label.major, DatasetVersionRecord.minor == label.minor
        )
    return db.scalars(wanted.order_by(*_NEWEST).limit(1)).first()


def _present(name: str) -> Select[DatasetVersionRecord]:
    return select(DatasetVersionRecord).where(
        DatasetVersionRecord.name == name, DatasetVersionRecord.deleted_at.is_(None)
    )
