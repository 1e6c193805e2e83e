"""Rows of exports."""

from datetime import datetime
from typing import Any

from msgspec import convert
from sqlalchemy import JSON, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from modelwright.core.db.database import AccountOwned, Base
from modelwright.core.db.queries import to_dataclass
from modelwright.core.stored_values import read_member
from modelwright.exports.domain import ExportFile, ExportInfo, Format, Status


class ExportRecord(AccountOwned, Base):
    """One export; its files lie in storage under its id."""

    __tablename__ = "exports"

    export_id: Mapped[str] = mapped_column(String(64), primary_key=True)
    upload_id: Mapped[str] = mapped_column(String(64), index=True)
    upload_name: Mapped[str] = mapped_column(String(255))
    job_id: Mapped[str] = mapped_column(String(64))
    status: Mapped[str] = mapped_column(String(16))
    format: Mapped[str | None] = mapped_column(String(16))
    include_headers: Mapped[bool]
    email: Mapped[str | None] = mapped_column(Text)
    notified_at: Mapped[datetime | None]
    base_url: Mapped[str] = mapped_column(Text)
    created_at: Mapped[datetime]
    estimated_completion: Mapped[datetime]
    completed_at: Mapped[datetime | None]
    expires_at: Mapped[datetime | None] = mapped_column(index=True)
    error: Mapped[str | None] = mapped_column(Text)
    files: Mapped[list[dict[str, Any]]] = mapped_column(JSON)

    def to_info(self) -> ExportInfo:
        """Tells what is known of the export."""
        return to_dataclass(
            self,
            ExportInfo,
            status=read_member(Status, self.status),
            format=read_member(Format, self.format) if self.format else None,
            pieces=convert(self.files, tuple[ExportFile, ...]),
        )
