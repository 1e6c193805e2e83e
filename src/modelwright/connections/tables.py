"""Rows of connections and ingestions."""

from datetime import datetime

from sqlalchemy import JSON, BigInteger, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from modelwright.connections.rules import (
    ConnectionFacts,
    ConnectionStatus,
    IngestionFacts,
    Status,
    Target,
    Type,
    Wish,
)
from modelwright.core.db import Owned, Row


class ConnectionRow(Owned, Row):
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

    def facts(self) -> ConnectionFacts:
        """Tells what is known of the connection."""
        return ConnectionFacts(
            connection_id=self.connection_id,
            name=self.name,
            target=self.target(),
            status=ConnectionStatus(self.status),
            error=self.error,
            created_at=self.created_at,
            last_used_at=self.last_used_at,
        )

    def target(self) -> Target:
        """Tells where the database is."""
        return Target(
            Type(self.type), self.host, self.port, self.database, self.username, self.options
        )


class IngestionRow(Owned, Row):
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

    def facts(self) -> IngestionFacts:
        """Tells how the ingestion stands."""
        return IngestionFacts(
            ingestion_id=self.ingestion_id,
            wish=Wish(
                self.connection_id, self.source_table, self.query, self.dataset_name, self.schedule
            ),
            status=Status(self.status),
            error=self.error,
            job_id=self.job_id,
            upload_id=self.upload_id,
            rows=self.rows,
            created_at=self.created_at,
            completed_at=self.completed_at,
            next_run_at=self.next_run_at,
        )
