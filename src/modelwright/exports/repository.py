"""Every query of the feature."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from modelwright.core.db.queries import find_one, lock_one
from modelwright.exports.domain import Status
from modelwright.exports.orm import ExportRecord


def find(db: Session, export_id: str) -> ExportRecord | None:
    """Finds an export of the scope."""
    return find_one(db, ExportRecord, ExportRecord.export_id == export_id)


def lock(db: Session, export_id: str) -> ExportRecord | None:
    """Finds an export and keeps everyone else from changing it until the transaction ends."""
    return lock_one(db, ExportRecord, ExportRecord.export_id == export_id)


def ids(db: Session) -> Sequence[str]:
    """Lists the exports of the scope."""
    return db.scalars(select(ExportRecord.export_id)).all()


def completed(db: Session) -> Sequence[ExportRecord]:
    """Lists the scope's exports whose files are there."""
    return db.scalars(select(ExportRecord).where(ExportRecord.status == Status.COMPLETED)).all()


def being_made_of(db: Session, upload_id: str) -> Sequence[ExportRecord]:
    """Lists the exports of an upload that are not ready yet."""
    wanted = select(ExportRecord).where(
        ExportRecord.upload_id == upload_id, ExportRecord.status == Status.PROCESSING
    )
    return db.scalars(wanted).all()


def bytes_of_all(db: Session) -> int:
    """Adds up the files of the scope's exports."""
    files = db.scalars(select(ExportRecord.files)).all()
    return sum(file.get("size_bytes") or 0 for several in files for file in several)


def expired(db: Session, now: datetime) -> Sequence[ExportRecord]:
    """Lists the exports whose time is over."""
    return db.scalars(select(ExportRecord).where(ExportRecord.expires_at <= now)).all()
