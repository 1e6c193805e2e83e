"""Every query of the feature.

Uploads in the trash are seen by no query but those that are named for it.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Literal

from sqlalchemy import delete, func, select
from sqlalchemy.orm import Session, undefer

from modelwright.core.db.database import WITH_TRASH
from modelwright.core.db.queries import find_one, lock_in_trash, lock_one, paginate, rows_in_trash
from modelwright.core.http.paging import Page
from modelwright.uploads.domain import Status
from modelwright.uploads.orm import ClaimRecord, FileRecord, OrphanedObjectsRecord, UploadRecord

Sort = Literal["created_at", "status"]


def find(db: Session, upload_id: str) -> UploadRecord | None:
    """Finds an upload of the scope."""
    return find_one(db, UploadRecord, UploadRecord.upload_id == upload_id)


def lock(db: Session, upload_id: str) -> UploadRecord | None:
    """Finds an upload and keeps everyone else from changing it until the transaction ends."""
    return lock_one(db, UploadRecord, UploadRecord.upload_id == upload_id)


def page(
    db: Session, window: Page, status: Status | None, name: str, sort: Sort, *, descending: bool
) -> tuple[Sequence[UploadRecord], int]:
    """Lists uploads whose names have a part, with the number of them all."""
    wanted = select(UploadRecord)
    if status:
        wanted = wanted.where(UploadRecord.status == status)
    if name:
        wanted = wanted.where(UploadRecord.name.icontains(name, autoescape=True))
    columns = [getattr(UploadRecord, sort), UploadRecord.created_at, UploadRecord.upload_id]
    order = (column.desc() if descending else column for column in columns)
    return paginate(db, wanted, window, *order)


def bytes_of_all(db: Session, undeclared: int) -> int:
    """Adds up the files of the scope: as they are, as declared, or as said for the rest."""
    size = func.coalesce(FileRecord.size_bytes, FileRecord.declared_bytes, undeclared)
    return int(db.scalar(select(func.sum(size))) or 0)


def ids(db: Session) -> Sequence[str]:
    """Lists the uploads of the scope, with those in the trash."""
    return db.scalars(select(UploadRecord.upload_id), execution_options=WITH_TRASH).all()


def trashed(db: Session, before: datetime | None = None) -> Sequence[UploadRecord]:
    """Lists the uploads in the trash, newest first, or those that came there before a moment."""
    return rows_in_trash(db, UploadRecord, UploadRecord.upload_id, before)


def lock_trashed(db: Session, upload_id: str) -> UploadRecord | None:
    """Finds an upload in the trash and keeps everyone else from changing it."""
    return lock_in_trash(db, UploadRecord, UploadRecord.upload_id == upload_id)


def complete_objects(db: Session) -> Sequence[tuple[str, str]]:
    """Lists where the original and the table of each file of the complete uploads lie."""
    wanted = (
        select(FileRecord.object_key, FileRecord.table_key)
        .join(UploadRecord, UploadRecord.upload_id == FileRecord.upload_id)
        .where(UploadRecord.status == Status.COMPLETE)
    )
    return [(original, table) for original, table in db.execute(wanted) if table is not None]


def has_named(db: Session, name: str) -> bool:
    """Returns whether any upload carries a name."""
    return (
        db.scalars(select(UploadRecord.upload_id).where(UploadRecord.name == name)).first()
        is not None
    )


def files_with_columns(db: Session, upload_id: str) -> list[FileRecord]:
    """Lists an upload's files with what is known of their columns."""
    wanted = select(FileRecord).where(FileRecord.upload_id == upload_id).order_by(FileRecord.number)
    return list(db.scalars(wanted.options(undefer(FileRecord.column_info))))


def claims(db: Session, upload_id: str) -> Sequence[ClaimRecord]:
    """Lists who claims an upload."""
    wanted = select(ClaimRecord).where(ClaimRecord.upload_id == upload_id)
    return db.scalars(wanted.order_by(ClaimRecord.model_name, ClaimRecord.version)).all()


def release(db: Session, claimed_by: str) -> None:
    """Removes a version's claims."""
    db.execute(delete(ClaimRecord).where(ClaimRecord.claimed_by == claimed_by))


def unconfirmed(db: Session, before: datetime) -> Sequence[UploadRecord]:
    """Lists pending uploads whose addresses ran out before a moment."""
    wanted = select(UploadRecord).where(
        UploadRecord.status == Status.PENDING, UploadRecord.expires_at <= before
    )
    return db.scalars(wanted.with_for_update()).all()


def orphaned_objects(db: Session) -> Sequence[OrphanedObjectsRecord]:
    """Lists deleted uploads that storage may still know."""
    return db.scalars(select(OrphanedObjectsRecord)).all()
