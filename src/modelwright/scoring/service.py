"""`Scoring`: checks an upload against a version, opens an export, and tells the job what to do.

It stands above both sides of the house and hands the work of one to the other.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy.orm import Session

from modelwright.core.db.queries import insert
from modelwright.core.errors import get_or_404
from modelwright.core.events import Events
from modelwright.exports.domain import (
    CONVERTED_FORMATS,
    ExportFile,
    ExportInfo,
    ExportRequest,
    Format,
    unique_filenames,
)
from modelwright.exports.domain import Status as Made
from modelwright.exports.service import Exports
from modelwright.jobs.domain import Kind
from modelwright.jobs.service import Jobs
from modelwright.models.domain import ModelDeleted
from modelwright.models.service import Models
from modelwright.predictions.domain import Include
from modelwright.scoring import repository
from modelwright.scoring.domain import ScoringRequest, seconds_for
from modelwright.scoring.errors import column_missing
from modelwright.scoring.orm import ScoringRecord
from modelwright.uploads.domain import TableFile, stem_of
from modelwright.uploads.service import Uploads
from modelwright.usage.domain import Kind as Used
from modelwright.usage.service import Usage


class Scoring:
    """The room's verbs."""

    def __init__(
        self,
        events: Events,
        models: Models,
        uploads: Uploads,
        exports: Exports,
        jobs: Jobs,
        usage: Usage,
    ) -> None:
        self._models = models
        self._uploads = uploads
        self._exports = exports
        self._jobs = jobs
        self._usage = usage
        events.listen(ModelDeleted, self._forsake)

    def start(
        self,
        db: Session,
        model_name: str,
        model_version: str,
        upload_id: str,
        *,
        wanted: Format,
        include: Sequence[Include],
    ) -> ExportInfo:
        """Asks for every row of an upload to be answered by a version.

        Refuses a version that is not READY, an upload that is not complete, and one that lacks a
        column of the version's `input_schema`.
        """
        serving = self._models.serving(db, model_name, model_version)
        version = self._models.version(db, model_name, model_version)[1]
        tables = _checked(self._uploads.tables(db, upload_id), version.input_schema or {})
        rows = [table.rows for table in tables]
        asked = ExportRequest(upload_id, None, wanted, include_headers=True, email=None)
        export = self._exports.promise(
            db,
            asked,
            _export_files(tables, wanted),
            seconds=seconds_for(rows),
            reads_bytes=sum(table.size_bytes for table in tables),
            kind=Kind.SCORING,
            resource={"model_name": model_name, "model_version": model_version},
        )
        row = ScoringRecord(
            export_id=export.export_id,
            version_id=version.version_id,
            artifact=serving.artifact,
            include=sorted(include),
            rows=rows,
        )
        insert(db, row)
        return export

    def begin(self, db: Session, export_id: str) -> tuple[ScoringRequest, ExportInfo] | None:
        """Tells what a job is to do; None when nothing is left to do."""
        row, export = repository.find(db, export_id), self._exports.read(db, export_id)
        if export.status is not Made.PROCESSING:
            return None
        self._exports.make_sure_of_room(db)
        return get_or_404(row, "export_id", export_id).order(), export

    def finish(self, db: Session, order: ScoringRequest, made: Sequence[Mapping[str, Any]]) -> None:
        """Completes the export whose files are stored, and counts the predictions."""
        sizes, notices = ([one[name] for one in made] for name in ("size_bytes", "notice"))
        export = self._exports.finish(db, order.export_id, sizes, notices)
        predicted = float(sum(one["predicted"] for one in made))
        self._usage.note(export.account_id, Used.PREDICTIONS, predicted)

    def fail(self, db: Session, export_id: str, why: str) -> None:
        """Ends an export that cannot be made."""
        self._exports.fail(db, export_id, why)

    def _forsake(self, db: Session, deleted: ModelDeleted) -> None:
        for row in repository.of_versions(db, deleted.version_ids):
            self._jobs.cancel_for(db, Kind.SCORING, row.export_id)


def _checked(tables: Sequence[TableFile], needed: Mapping[str, str]) -> Sequence[TableFile]:
    for table in tables:
        there = {column.name for column in table.columns}
        missing = [name for name in needed if name not in there]
        if missing:
            raise column_missing(table.filename, missing)
    return tables


def _export_files(tables: Sequence[TableFile], wanted: Format) -> list[ExportFile]:
    names = unique_filenames(
        f"{stem_of(table.filename)}_predictions.{wanted.value}" for table in tables
    )
    return [
        ExportFile(name, table.key, wanted, CONVERTED_FORMATS[wanted])
        for name, table in zip(names, tables, strict=True)
    ]
