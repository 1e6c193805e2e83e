"""Rows of connections and ingestions."""

from datetime import datetime

from sqlalchemy import JSON, BigInteger, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from modelwright.connections.domain import (
    ConnectionInfo,
    ConnectionStatus,
    IngestionInfo,
    IngestionRequest,
    Status,
    Target,
)
from modelwright.core.db.database import AccountOwned, Base
from modelwright.core.db.queries import to_dataclass
from modelwright.core.stored_values import read_member


class ConnectionRecord(AccountOwned, Base):
    """One stored database; `sealed` is its password, closed."""

    __tablename__ = "connections"

    connection_id: Mapped[str] = mapped_column(String(64), primary_key=True)
    name: Mapped[str] = mapped_column(String(255))
    type: Mapped[str] = mapped_column(String(16))
    host: Mapped[str | None] = mapped_column(String(255))
    port: Mapped[int | None]
    database: Mapped[str] = mapped_column(Text)
    username: Mapped[str | None] = mapped_column(String(255))
    sealed: Mapped[str | None] = mapped_column(Text)
    options: Mapped[dict[str, str]] = mapped_column(JSON)
    status: Mapped[str] = mapped_column(String(16))
    error: Mapped[str | None] = mapped_column(Text)
    created_at: Mapped[datetime]
    last_used_at: Mapped[datetime | None]

    def to_info(self) -> ConnectionInfo:
        """Tells what is known of the connection."""
        status = read_member(ConnectionStatus, self.status)
        return to_dataclass(self, ConnectionInfo, target=self.target(), status=status)

    def target(self) -> Target:
        """Tells where the database is."""
        return to_dataclass(self, Target, type=self.type)


class IngestionRecord(AccountOwned, Base):
    """What is brought in; `arriving_id` is the upload that the present run is filling."""

    __tablename__ = "ingestions"

    ingestion_id: Mapped[str] = mapped_column(String(64), primary_key=True)
    connection_id: Mapped[str] = mapped_column(String(64), index=True)
    source_table: Mapped[str | None] = mapped_column(Text)
    query: Mapped[str | None] = mapped_column(Text)
    dataset_name: Mapped[str] = mapped_column(String(255))
    schedule: Mapped[str | None] = mapped_column(String(255))
    next_run_at: Mapped[datetime | None] = mapped_column(index=True)
    status: Mapped[str] = mapped_column(String(16))
    error: Mapped[str | None] = mapped_column(Text)
    job_id: Mapped[str] = mapped_column(String(64))
    arriving_id: Mapped[str | None] = mapped_column(String(64))
    upload_id: Mapped[str | None] = mapped_column(String(64))
    rows: Mapped[int | None] = mapped_column(BigInteger)
    created_at: Mapped[datetime]
    completed_at: Mapped[datetime | None]

    def to_info(self) -> IngestionInfo:
        """Tells how the ingestion stands."""
        request = to_dataclass(self, IngestionRequest, table=self.source_table)
        return to_dataclass(
            self, IngestionInfo, request=request, status=read_member(Status, self.status)
        )
