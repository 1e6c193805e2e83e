"""Every query of the room."""

from collections.abc import Sequence

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from modelwright.analysis.orm import AnalysisRow, VisualizationRow
from modelwright.core.db.queries import page_of
from modelwright.core.http.paging import Page


def find(db: Session, job_id: str) -> AnalysisRow | None:
    """Finds the analysis of a job."""
    return db.scalars(select(AnalysisRow).where(AnalysisRow.job_id == job_id)).one_or_none()


def hold(db: Session, analysis_id: str) -> AnalysisRow | None:
    """Finds an analysis and keeps others from changing it until the transaction ends."""
    wanted = select(AnalysisRow).where(AnalysisRow.analysis_id == analysis_id).with_for_update()
    return db.scalars(wanted.execution_options(populate_existing=True)).one_or_none()


def of_upload(db: Session, upload_id: str) -> Sequence[AnalysisRow]:
    """Lists the analyses of an upload."""
    wanted = select(AnalysisRow).where(AnalysisRow.upload_id == upload_id)
    return db.scalars(wanted.with_for_update()).all()


def keys(db: Session) -> Sequence[tuple[str, str | None]]:
    """Lists the analyses of the scope with where the results of the completed ones lie."""
    return [(one, key) for one, key in db.execute(select(AnalysisRow.analysis_id, AnalysisRow.key))]


def remove(db: Session, analysis: AnalysisRow) -> None:
    """Removes an analysis and its pictures."""
    pictures = VisualizationRow.analysis_id == analysis.analysis_id
    db.execute(delete(VisualizationRow).where(pictures))
    db.delete(analysis)
    db.flush()


def visualization(db: Session, visualization_id: str) -> VisualizationRow | None:
    """Finds a picture."""
    wanted = select(VisualizationRow).where(VisualizationRow.visualization_id == visualization_id)
    return db.scalars(wanted).one_or_none()


def visualizations(db: Session, window: Page) -> tuple[Sequence[VisualizationRow], int]:
    """Lists pictures, newest first, with the number of all."""
    return page_of(db, select(VisualizationRow), window, VisualizationRow.visualization_id.desc())
