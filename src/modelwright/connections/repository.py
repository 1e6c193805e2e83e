"""Every query of the room."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from modelwright.connections.orm import ConnectionRow, IngestionRow
from modelwright.core.db.queries import page_of
from modelwright.core.http.paging import Page


def connection(db: Session, connection_id: str) -> ConnectionRow | None:
    """Finds a connection of the scope."""
    wanted = select(ConnectionRow).where(ConnectionRow.connection_id == connection_id)
    return db.scalars(wanted).one_or_none()


def hold_connection(db: Session, connection_id: str) -> ConnectionRow | None:
    """Finds a connection and keeps everyone else from changing it until the transaction ends."""
    wanted = select(ConnectionRow).where(ConnectionRow.connection_id == connection_id)
    return db.scalars(wanted.with_for_update()).one_or_none()


def sealed(db: Session) -> Sequence[ConnectionRow]:
    """Lists the scope's connections that have a password, kept from change meanwhile."""
    wanted = select(ConnectionRow).where(ConnectionRow.sealed.is_not(None))
    return db.scalars(wanted.with_for_update()).all()


def ingestion(db: Session, ingestion_id: str) -> IngestionRow | None:
    """Finds an ingestion of the scope."""
    wanted = select(IngestionRow).where(IngestionRow.ingestion_id == ingestion_id)
    return db.scalars(wanted).one_or_none()


def hold_ingestion(db: Session, ingestion_id: str) -> IngestionRow | None:
    """Finds an ingestion and keeps everyone else from changing it until the transaction ends."""
    wanted = select(IngestionRow).where(IngestionRow.ingestion_id == ingestion_id)
    changed = wanted.with_for_update().execution_options(populate_existing=True)
    return db.scalars(changed).one_or_none()


def connections(db: Session, page: Page) -> tuple[Sequence[ConnectionRow], int]:
    """Lists connections, newest first, with the number of all."""
    order = ConnectionRow.created_at.desc(), ConnectionRow.connection_id.desc()
    return page_of(db, select(ConnectionRow), page, *order)


def ingestions(db: Session, page: Page) -> tuple[Sequence[IngestionRow], int]:
    """Lists ingestions, newest first, with the number of all."""
    order = IngestionRow.created_at.desc(), IngestionRow.ingestion_id.desc()
    return page_of(db, select(IngestionRow), page, *order)


def of_connection(db: Session, connection_id: str) -> Sequence[IngestionRow]:
    """Lists the ingestions that use a connection."""
    wanted = select(IngestionRow).where(IngestionRow.connection_id == connection_id)
    return db.scalars(wanted.order_by(IngestionRow.ingestion_id).with_for_update()).all()


def due(db: Session, now: datetime) -> Sequence[IngestionRow]:
    """Lists the ingestions whose time has come."""
    wanted = select(IngestionRow).where(IngestionRow.next_run_at <= now)
    return db.scalars(wanted.order_by(IngestionRow.next_run_at).with_for_update()).all()
