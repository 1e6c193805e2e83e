"""Every query of the feature."""

from collections.abc import Sequence

from sqlalchemy import select
from sqlalchemy.orm import Session

from modelwright.core.db.queries import find_one, lock_one, paginate
from modelwright.core.http.paging import Page
from modelwright.endpoints.orm import EndpointChangeRecord, EndpointRecord


def find(
    db: Session, model_id: str, environment: str, *, lock: bool = False
) -> EndpointRecord | None:
    """Finds a model's endpoint; `lock` makes others who want to change it wait."""
    find_row = lock_one if lock else find_one
    return find_row(
        db,
        EndpointRecord,
        EndpointRecord.model_id == model_id,
        EndpointRecord.environment == environment,
    )


def of_model(db: Session, model_id: str) -> Sequence[EndpointRecord]:
    """Lists a model's endpoints."""
    return db.scalars(select(EndpointRecord).where(EndpointRecord.model_id == model_id)).all()


def places(db: Session) -> set[tuple[str, str]]:
    """Tells in which models and environments of the scope a version is in service."""
    query = select(EndpointRecord.model_id, EndpointRecord.environment)
    return {(model_id, environment) for model_id, environment in db.execute(query)}


def change(db: Session, change_id: str | None) -> EndpointChangeRecord | None:
    """Finds a time that a version was in service."""
    return find_one(db, EndpointChangeRecord, EndpointChangeRecord.change_id == change_id)


def changes(
    db: Session, model_id: str, environment: str, page: Page
) -> tuple[Sequence[EndpointChangeRecord], int]:
    """Lists one page of what was in service when, newest first, and counts it all."""
    query = select(EndpointChangeRecord).where(
        EndpointChangeRecord.model_id == model_id, EndpointChangeRecord.environment == environment
    )
    return paginate(db, query, page, EndpointChangeRecord.change_id.desc())
