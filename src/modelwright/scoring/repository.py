"""Every query of the room."""

from collections.abc import Sequence

from sqlalchemy import select
from sqlalchemy.orm import Session

from modelwright.scoring.orm import ScoringRecord


def find(db: Session, export_id: str) -> ScoringRecord | None:
    """Finds the order of an export of the scope."""
    wanted = select(ScoringRecord).where(ScoringRecord.export_id == export_id)
    return db.scalars(wanted).one_or_none()


def of_versions(db: Session, version_ids: Sequence[str]) -> Sequence[ScoringRecord]:
    """Lists the orders for some versions."""
    return db.scalars(select(ScoringRecord).where(ScoringRecord.version_id.in_(version_ids))).all()
