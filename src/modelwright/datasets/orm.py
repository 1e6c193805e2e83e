"""Rows of dataset versions; they outlive their uploads, so that no label is used twice."""

from datetime import datetime

from sqlalchemy import JSON, BigInteger, Index, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from modelwright.core.db.database import AccountOwned, Base
from modelwright.core.db.queries import to_dataclass
from modelwright.datasets.domain import DatasetVersionInfo, Shape, VersionLabel


class DatasetVersionRecord(AccountOwned, Base):
    """One version; `own` is the upload's id where the upload has no name, else empty."""

    __tablename__ = "dataset_versions"
    __table_args__ = (
        UniqueConstraint(
            "account_id", "name", "own", "major", "minor", name="uq_dataset_versions_label"
        ),
        Index("ix_dataset_versions_account_id_name", "account_id", "name"),
    )

    upload_id: Mapped[str] = mapped_column(String(64), primary_key=True)
    name: Mapped[str] = mapped_column(String(255))
    own: Mapped[str] = mapped_column(String(64))
    major: Mapped[int]
    minor: Mapped[int]
    shape: Mapped[Shape] = mapped_column(JSON, deferred=True)
    created_at: Mapped[datetime]
    file_count: Mapped[int]
    total_size_bytes: Mapped[int] = mapped_column(BigInteger)
    deleted_at: Mapped[datetime | None]

    @property
    def label(self) -> VersionLabel:
        """The version's label."""
        return VersionLabel(self.major, self.minor)

    def to_info(self) -> DatasetVersionInfo:
        """Tells what is known of the version."""
        return to_dataclass(self, DatasetVersionInfo, version=str(self.label))
