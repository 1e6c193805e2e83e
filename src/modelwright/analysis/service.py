"""`Analyses`: asked for, carried out by a job, read; their pictures listed and given away."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass

from sqlalchemy.orm import Session

from modelwright.analysis import repository
from modelwright.analysis.domain import (
    AnalysisInfo,
    AnalysisType,
    FoundAnalysis,
    NamedPicture,
    Status,
    Subject,
    VisualizationInfo,
    estimated_time,
    format_name,
    parse_name,
)
from modelwright.analysis.errors import no_files, unknown_files
from modelwright.analysis.orm import AnalysisRecord, VisualizationRecord
from modelwright.core.clock import Clock
from modelwright.core.db.database import after_commit
from modelwright.core.db.queries import insert
from modelwright.core.errors import get_or_404, not_found
from modelwright.core.events import Events
from modelwright.core.http.paging import Page
from modelwright.core.ids import new_id
from modelwright.core.logging import logger
from modelwright.jobs.domain import Kind
from modelwright.jobs.service import Jobs
from modelwright.storage.object_store import ObjectStore
from modelwright.uploads.domain import TableFile, UploadDeleted
from modelwright.uploads.service import Uploads

RESULT_FILE = "result.json"


@dataclass(eq=False)
class Analyses:
    """Starts analyses of uploads, and reads their results and charts."""

    clock: Clock
    objects: ObjectStore
    uploads: Uploads
    jobs: Jobs
    events: Events

    def __post_init__(self) -> None:
        self.events.listen(UploadDeleted, self._forget)

    def create(
        self, db: Session, upload_id: str, files: Sequence[str] | None, kind: AnalysisType
    ) -> AnalysisInfo:
        """Asks for an analysis; refuses an upload that is not complete and files it lacks."""
        tables = self.uploads.tables(db, upload_id)
        subjects = _chosen(tables, files)
        now, analysis_id = self.clock.now(), new_id("analysis")
        resource = {"upload_id": upload_id}
        size = sum(table.size_bytes for table in tables)
        row = AnalysisRecord(
            analysis_id=analysis_id,
            job_id=self.jobs.enqueue(
                db, Kind.ANALYSIS, analysis_id, reads_bytes=size, resource=resource
            ),
            upload_id=upload_id,
            status=Status.PENDING,
            type=kind,
            subjects=[asdict(one) for one in subjects],
            created_at=now,
            estimated_completion=now + estimated_time(subjects),
        )
        insert(db, row)
        logger().info("analysis.created", job_id=row.job_id, upload_id=upload_id)
        return row.to_info()

    def read(self, db: Session, job_id: str) -> AnalysisInfo:
        """Finds one analysis by its job; refuses one that is not the caller's."""
        return get_or_404(repository.find(db, job_id), "job_id", job_id).to_info()

    def found(self, analysis: AnalysisInfo) -> FoundAnalysis:
        """Reads what came of an analysis; nothing until it is completed."""
        if analysis.key is None:
            return FoundAnalysis([], [])
        result = json.loads(b"".join(self.objects.open(f"{analysis.key}/{RESULT_FILE}")))
        return FoundAnalysis(result["files"], result["recommendations"])

    def pending(self, db: Session, analysis_id: str) -> AnalysisInfo | None:
        """Finds an analysis that is still to be carried out."""
        row = repository.lock(db, analysis_id)
        return row.to_info() if row and row.status == Status.PENDING else None

    def finish(self, db: Session, analysis_id: str, key: str, found: FoundAnalysis) -> None:
        """Completes an analysis whose results are stored under a key."""
        row = repository.lock(db, analysis_id)
        if row is None or row.status != Status.PENDING:
            return
        row.status, row.key, row.completed_at = Status.COMPLETED, key, self.clock.now()
        pictures = [
            VisualizationRecord(
                visualization_id=picture["visualization_id"],
                analysis_id=analysis_id,
                job_id=row.job_id,
                upload_id=row.upload_id,
                filename=file["filename"],
                type=picture["type"],
                title=picture["title"],
                key=key,
                created_at=row.completed_at,
            )
            for file in found.files
            for picture in file["visualizations"]
        ]
        insert(db, *pictures)
        logger().info("analysis.completed", job_id=row.job_id)

    def fail(self, db: Session, analysis_id: str, why: str) -> None:
        """Ends an analysis that came to nothing, and clears what it left behind."""
        row = repository.lock(db, analysis_id)
        if row is not None and row.status == Status.PENDING:
            row.status, row.error, row.completed_at = Status.FAILED, why, self.clock.now()
        if row is None or row.status == Status.FAILED:
            after_commit(db, lambda: self.objects.delete_all(folder_of(analysis_id)))

    def references(self, db: Session) -> list[str]:
        """Lists what the scope's analyses hold in storage; one under way all that it stores."""
        return [key or folder_of(analysis_id) for analysis_id, key in repository.keys(db)]

    def finished(self, db: Session) -> list[str]:
        """Lists where the results of the scope's completed analyses lie."""
        return [key for _, key in repository.keys(db) if key]

    def visualizations(self, db: Session, page: Page) -> tuple[list[VisualizationInfo], int]:
        """Lists the account's pictures, newest first, and counts them all."""
        rows, total = repository.visualizations(db, page)
        return [row.to_info() for row in rows], total

    def visualization(self, db: Session, filename: str) -> NamedPicture:
        """Finds one picture, as data or painted; refuses one that is not the caller's."""
        asked = parse_name(filename)
        row = repository.visualization(db, asked[0]) if asked else None
        if row is None or asked is None:
            raise not_found("filename", filename)
        return NamedPicture(filename, f"{row.key}/{format_name(*asked)}", asked[1])

    def content(self, picture: NamedPicture) -> bytes:
        """Reads a picture from the storage; refuses one that is gone."""
        if self.objects.size(picture.key) is None:
            raise not_found("filename", picture.filename)
        return b"".join(self.objects.open(picture.key))

    def _forget(self, db: Session, deleted: UploadDeleted) -> None:
        for row in repository.of_upload(db, deleted.upload_id):
            self.jobs.cancel_for(db, Kind.ANALYSIS, row.analysis_id)
            folder = folder_of(row.analysis_id)
            repository.remove(db, row)
            after_commit(db, lambda folder=folder: self.objects.delete_all(folder))  # type: ignore[misc]


def folder_of(analysis_id: str) -> str:
    """Names the prefix of everything an analysis stores; its attempts have folders there."""
    return f"analyses/{analysis_id}"


def _chosen(tables: Sequence[TableFile], files: Sequence[str] | None) -> tuple[Subject, ...]:
    known = {table.filename: table for table in tables}
    if files is not None and not files:
        raise no_files()
    unknown = [name for name in files or () if name not in known]
    if unknown:
        raise unknown_files(unknown, list(known))
    chosen = known if files is None else dict.fromkeys(files)
    return tuple(Subject(name, known[name].key, known[name].size_bytes) for name in chosen)
