"""Every query of the feature."""

from collections.abc import Sequence

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from modelwright.analysis.orm import AnalysisRecord, VisualizationRecord
from modelwright.core.db.queries import find_one, lock_one, paginate
from modelwright.core.http.paging import Page


def find(db: Session, job_id: str) -> AnalysisRecord | None:
    """Finds the analysis of a job."""
    return find_one(db, AnalysisRecord, AnalysisRecord.job_id == job_id)


def lock(db: Session, analysis_id: str) -> AnalysisRecord | None:
    """Finds an analysis and keeps others from changing it until the transaction ends."""
    return lock_one(db, AnalysisRecord, AnalysisRecord.analysis_id == analysis_id)


def of_upload(db: Session, upload_id: str) -> Sequence[AnalysisRecord]:
    """Lists the analyses of an upload."""
    wanted = select(AnalysisRecord).where(AnalysisRecord.upload_id == upload_id)
    return db.scalars(wanted.with_for_update()).all()


def keys(db: Session) -> Sequence[tuple[str, str | None]]:
    """Lists the analyses of the scope with where the results of the completed ones lie."""
    return [
        (one, key)
        for one, key in db.execute(select(AnalysisRecord.analysis_id, AnalysisRecord.key))
    ]


def remove(db: Session, analysis: AnalysisRecord) -> None:
    """Removes an analysis and its pictures."""
    pictures = VisualizationRecord.analysis_id == analysis.analysis_id
    db.execute(delete(VisualizationRecord).where(pictures))
    db.delete(analysis)
    db.flush()


def visualization(db: Session, visualization_id: str) -> VisualizationRecord | None:
    """Finds a picture."""
    row = VisualizationRecord
    return find_one(db, row, row.visualization_id == visualization_id)


def visualizations(db: Session, window: Page) -> tuple[Sequence[VisualizationRecord], int]:
    """Lists pictures, newest first, with the number of all."""
    return paginate(
        db, select(VisualizationRecord), window, VisualizationRecord.visualization_id.desc()
    )
