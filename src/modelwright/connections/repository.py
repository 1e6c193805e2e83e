"""Every query of the feature."""

from collections.abc import Collection, Sequence
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from modelwright.connections.orm import ConnectionRecord, IngestionRecord
from modelwright.core.db.queries import find_one, lock_one, paginate
from modelwright.core.http.paging import Page


def connection(db: Session, connection_id: str) -> ConnectionRecord | None:
    """Finds a connection of the scope."""
    return find_one(db, ConnectionRecord, ConnectionRecord.connection_id == connection_id)


def lock_connection(db: Session, connection_id: str) -> ConnectionRecord | None:
    """Finds a connection and keeps everyone else from changing it until the transaction ends."""
    return lock_one(db, ConnectionRecord, ConnectionRecord.connection_id == connection_id)


def sealed(db: Session) -> Sequence[ConnectionRecord]:
    """Lists the scope's connections that have a password, kept from change meanwhile."""
    wanted = select(ConnectionRecord).where(ConnectionRecord.sealed.is_not(None))
    return db.scalars(wanted.with_for_update()).all()


def ingestion(db: Session, ingestion_id: str) -> IngestionRecord | None:
    """Finds an ingestion of the scope."""
    return find_one(db, IngestionRecord, IngestionRecord.ingestion_id == ingestion_id)


def lock_ingestion(db: Session, ingestion_id: str) -> IngestionRecord | None:
    """Finds an ingestion and keeps everyone else from changing it until the transaction ends."""
    return lock_one(db, IngestionRecord, IngestionRecord.ingestion_id == ingestion_id)


def connections(db: Session, page: Page) -> tuple[Sequence[ConnectionRecord], int]:
    """Lists connections, newest first, with the number of all."""
    order = ConnectionRecord.created_at.desc(), ConnectionRecord.connection_id.desc()
    return paginate(db, select(ConnectionRecord), page, *order)


def ingestions(db: Session, page: Page) -> tuple[Sequence[IngestionRecord], int]:
    """Lists ingestions, newest first, with the number of all."""
    order = IngestionRecord.created_at.desc(), IngestionRecord.ingestion_id.desc()
    return paginate(db, select(IngestionRecord), page, *order)


def of_connection(db: Session, connection_id: str) -> Sequence[IngestionRecord]:
    """Lists the ingestions that use a connection."""
    wanted = select(IngestionRecord).where(IngestionRecord.connection_id == connection_id)
    return db.scalars(wanted.order_by(IngestionRecord.ingestion_id).with_for_update()).all()


def due(db: Session, now: datetime, paused: Collection[str]) -> Sequence[IngestionRecord]:
    """Lists the ingestions whose time has come, those of paused accounts left out."""
    wanted = select(IngestionRecord).where(
        IngestionRecord.next_run_at <= now, IngestionRecord.account_id.not_in(paused)
    )
    return db.scalars(wanted.order_by(IngestionRecord.next_run_at).with_for_update()).all()
