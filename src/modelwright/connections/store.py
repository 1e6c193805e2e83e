"""Every query of the room."""

from collections.abc import Sequence
from datetime import datetime
from typing import TypeVar

from sqlalchemy import func, select
from sqlalchemy.orm import InstrumentedAttribute, Session

from modelwright.connections.tables import ConnectionRow, IngestionRow
from modelwright.core.paging import Page

R = TypeVar("R", ConnectionRow, IngestionRow)


def add(db: Session, row: ConnectionRow | IngestionRow) -> None:
    """Adds a row."""
    db.add(row)
    db.flush()


def remove(db: Session, row: ConnectionRow | IngestionRow) -> None:
    """Removes a row."""
    db.delete(row)


def connection(db: Session, connection_id: str) -> ConnectionRow | None:
    """Finds a connection of the scope."""
    wanted = select(ConnectionRow).where(ConnectionRow.connection_id == connection_id)
    return db.scalars(wanted).one_or_none()


def hold_connection(db: Session, connection_id: str) -> ConnectionRow | None:
    """Finds a connection and keeps everyone else from changing it until the transaction ends."""
    wanted = select(ConnectionRow).where(ConnectionRow.connection_id == connection_id)
    return db.scalars(wanted.with_for_update()).one_or_none()


def ingestion(db: Session, ingestion_id: str) -> IngestionRow | None:
    """Finds an ingestion of the scope."""
    wanted = select(IngestionRow).where(IngestionRow.ingestion_id == ingestion_id)
    return db.scalars(wanted).one_or_none()


def hold_ingestion(db: Session, ingestion_id: str) -> IngestionRow | None:
    """Finds an ingestion and keeps everyone else from changing it until the transaction ends."""
    wanted = select(IngestionRow).where(IngestionRow.ingestion_id == ingestion_id)
    changed = wanted.with_for_update().execution_options(populate_existing=True)
    return db.scalars(changed).one_or_none()


def connections(db: Session, page: Page) -> tuple[list[ConnectionRow], int]:
    """Lists connections, newest first, with the number of all."""
    return _page(db, ConnectionRow, ConnectionRow.connection_id, page)


def ingestions(db: Session, page: Page) -> tuple[list[IngestionRow], int]:
    """Lists ingestions, newest first, with the number of all."""
    return _page(db, IngestionRow, IngestionRow.ingestion_id, page)


def of_connection(db: Session, connection_id: str) -> Sequence[IngestionRow]:
    """Lists the ingestions that use a connection."""
    wanted = select(IngestionRow).where(IngestionRow.connection_id == connection_id)
    return db.scalars(wanted.order_by(IngestionRow.ingestion_id).with_for_update()).all()


def due(db: Session, now: datetime) -> Sequence[IngestionRow]:
    """Lists the ingestions whose time has come."""
    wanted = select(IngestionRow).where(IngestionRow.next_run_at <= now)
    return db.scalars(wanted.order_by(IngestionRow.next_run_at).with_for_update()).all()


def _page(
    db: Session, kind: type[R], key: InstrumentedAttribute[str], page: Page
) -> tuple[list[R], int]:
    total = db.scalar(select(func.count()).select_from(kind)) or 0
    wanted = select(kind).order_by(kind.created_at.desc(), key.desc())
    return list(db.scalars(wanted.limit(page.limit).offset(page.offset))), total
