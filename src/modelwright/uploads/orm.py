"""Rows of uploads, their files, the claims on them, and what deleted ones leave in storage.

The database and the storage cannot change together: claims keep an upload that a model needs, and
orphans remember what is still to be removed.
"""

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, BigInteger, ForeignKey, Index, String, Text
from sqlalchemy.orm import Mapped, mapped_column, relationship

from modelwright.core.db.database import AccountOwned, Base, Trashable
from modelwright.core.db.queries import to_dataclass
from modelwright.core.stored_values import read_member, read_members
from modelwright.uploads.domain import FileColumn, FileInfo, Status, TableFile, UploadInfo


class FileRecord(AccountOwned, Base):
    """One file of an upload."""

    __tablename__ = "upload_files"

    upload_id: Mapped[str] = mapped_column(
        ForeignKey("uploads.upload_id", ondelete="CASCADE"), primary_key=True
    )
    number: Mapped[int] = mapped_column(primary_key=True)
    filename: Mapped[str] = mapped_column(String(255))
    content_type: Mapped[str] = mapped_column(Text)
    declared_bytes: Mapped[int | None] = mapped_column(BigInteger)
    size_bytes: Mapped[int | None] = mapped_column(BigInteger)
    object_key: Mapped[str] = mapped_column(Text)
    created_at: Mapped[datetime]
    table_key: Mapped[str | None] = mapped_column(Text)
    format: Mapped[str | None] = mapped_column(String(16))
    rows: Mapped[int | None] = mapped_column(BigInteger)
    columns: Mapped[int | None]
    column_info: Mapped[list[dict[str, Any]] | None] = mapped_column(
        JSON(none_as_null=True), deferred=True
    )
    error: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    notices: Mapped[list[str] | None] = mapped_column(JSON(none_as_null=True))
    read_as: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    options: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    copied_from: Mapped[str | None] = mapped_column(Text)

    def to_info(self) -> FileInfo:
        """Tells what is known of the file, without its columns."""
        has_table, notices = self.table_key is not None, tuple(self.notices or ())
        return to_dataclass(self, FileInfo, has_table=has_table, notices=notices)

    def known_columns(self) -> tuple[FileColumn, ...]:
        """Tells what is known of the file's columns."""
        return tuple(read_members(FileColumn, column) for column in self.column_info or [])

    def table(self) -> TableFile:
        """Tells of the table that the file was made into."""
        return TableFile(
            filename=self.filename,
            key=self.table_key or "",
            rows=self.rows or 0,
            columns=self.known_columns(),
            format=self.format or "",
            object_key=self.object_key,
            size_bytes=self.size_bytes or 0,
        )


class UploadRecord(AccountOwned, Trashable, Base):
    """One upload; `name` is the first file's where `is_named` is false."""

    __tablename__ = "uploads"
    __table_args__ = (
        Index("ix_uploads_account_id_created_at", "account_id", "created_at"),
        Index("ix_uploads_account_id_name", "account_id", "name"),
        Index("ix_uploads_status_expires_at", "status", "expires_at"),
    )

    upload_id: Mapped[str] = mapped_column(String(64), primary_key=True)
    name: Mapped[str] = mapped_column(String(255))
    is_named: Mapped[bool]
    description: Mapped[str | None] = mapped_column(Text)
    status: Mapped[str] = mapped_column(String(16))
    created_by: Mapped[str] = mapped_column(String(64))
    created_at: Mapped[datetime]
    expires_at: Mapped[datetime]
    completed_at: Mapped[datetime | None]
    estimated_completion: Mapped[datetime | None]
    error: Mapped[str | None] = mapped_column(Text)
    dataset_version: Mapped[str | None] = mapped_column(String(32))
    files: Mapped[list[FileRecord]] = relationship(
        order_by=FileRecord.number,
        lazy="selectin",
        cascade="all, delete-orphan",
        passive_deletes=True,
    )

    def to_info(self) -> UploadInfo:
        """Tells what is known of the upload."""
        files = tuple(file.to_info() for file in self.files)
        return to_dataclass(self, UploadInfo, status=read_member(Status, self.status), files=files)


class ClaimRecord(AccountOwned, Base):
    """A version of a model that is made from an upload."""

    __tablename__ = "upload_claims"

    upload_id: Mapped[str] = mapped_column(ForeignKey("uploads.upload_id"), primary_key=True)
    claimed_by: Mapped[str] = mapped_column(String(64), primary_key=True, index=True)
    model_id: Mapped[str] = mapped_column(String(64))
    model_name: Mapped[str] = mapped_column(Text)
    version: Mapped[str] = mapped_column(String(32))


class OrphanedObjectsRecord(Base):
    """A deleted upload whose objects are still to be removed, and late ones until a moment."""

    __tablename__ = "upload_remains"

    upload_id: Mapped[str] = mapped_column(String(64), primary_key=True)
    until: Mapped[datetime]
