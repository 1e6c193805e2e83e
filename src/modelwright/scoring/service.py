"""`Scoring`: checks an upload against a version, opens an export, and tells the job what to do.

It stands above the features of data and of models and hands the work of one to the other. The
rows are cut into steps: the scoring's own job does one after the other, and jobs that help it,
wherever a worker is free, take the next one that nobody has. A step whose worker is gone is free
again.
"""

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, asdict, dataclass, replace
from functools import partial
from typing import Any

from sqlalchemy.orm import Session

from modelwright.core.db.database import after_commit
from modelwright.core.db.queries import insert
from modelwright.core.errors import get_or_404
from modelwright.core.events import Events
from modelwright.core.ids import AccountId
from modelwright.engines.number_units import said_of_other_units
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
from modelwright.scoring.domain import (
    MAX_HELPERS,
    STEP_KIND,
    ScoringRequest,
    ScoringStep,
    StepTaken,
    free_step,
    notice_of,
    plan_steps,
    seconds_for,
)
from modelwright.scoring.errors import column_missing, other_unit
from modelwright.scoring.orm import ScoringRecord, ScoringStepRecord
from modelwright.storage.object_store import ObjectStore
from modelwright.uploads.domain import TableFile, stem_of, units_of
from modelwright.uploads.service import Uploads
from modelwright.usage.domain import Kind as Used
from modelwright.usage.service import Usage

LARGE_BYTES = 1 << 40
"""What a step counts as reading: large, so that it goes beside nothing."""


@dataclass(eq=False)
class Scoring:
    """Starts jobs that predict every row of an upload."""

    events: Events
    models: Models
    uploads: Uploads
    exports: Exports
    jobs: Jobs
    usage: Usage
    objects: ObjectStore
    _: KW_ONLY
    step_rows: int

    def __post_init__(self) -> None:
        self.events.listen(ModelDeleted, self._forsake)

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

        Refuses a version that is not READY, an upload that is not complete, one that lacks a
        column of the version's `input_schema`, and one that has such a column in another unit.
        """
        serving = self.models.serving(db, model_name, model_version)
        version = self.models.version(db, model_name, model_version)[1]
        tables = self.uploads.tables(db, upload_id)
        _check(tables, version.input_schema or {}, version.units)
        rows = [table.rows for table in tables]
        asked = ExportRequest(upload_id, None, wanted, include_headers=True, email=None)
        export = self.exports.promise(
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
        """Tells the scoring's own job what to do, and asks for help; None when nothing is left."""
        found = self.order(db, export_id)
        if found is None:
            return None
        self.exports.make_sure_of_room(db)
        order, export = found
        if not repository.steps(db, export_id):
            steps = plan_steps(order.rows, self.step_rows)
            insert(db, *(_row(export_id, one) for one in steps))
            self._ask_for_help(db, export, len(steps) - 1)
        return order, export

    def order(self, db: Session, export_id: str) -> tuple[ScoringRequest, ExportInfo] | None:
        """Tells what is being scored; None when it has ended."""
        row, export = repository.find(db, export_id), self.exports.read(db, export_id)
        if export.status is not Made.PROCESSING:
            return None
        order = get_or_404(row, "export_id", export_id).order()
        there = self.uploads.has(db, export.upload_id)
        tables = self.uploads.tables(db, export.upload_id) if there else []
        return replace(order, units=tuple(units_of(table) for table in tables)), export

    def take(self, db: Session, export_id: str, holder: str, *, is_helper: bool) -> StepTaken:
        """Gives a job the next step that is free, for as long as this attempt at the job lasts."""
        while True:
            steps = [row.to_step() for row in repository.steps(db, export_id)]
            holders = self.jobs.attempts_at(db, export_id, (Kind.SCORING, STEP_KIND))
            free = free_step(steps, holders, is_helper=is_helper)
            done = sum(one.rows for one in steps if one.key is not None)
            if free is None:
                return StepTaken(None, all(one.key is not None for one in steps), done)
            given = replace(free, holder=holder, tries=free.tries + 1)
            told = {"holder": given.holder, "tries": given.tries}
            if repository.change_step(db, export_id, free, **told):
                return StepTaken(given, is_over=False, rows_done=done)

    def finish_step(
        self, db: Session, export: ExportInfo, step: ScoringStep, key: str, made: dict[str, Any]
    ) -> None:
        """Takes over what a step came to, unless somebody else has it now.

        The first step with a row that has no prediction has all others of its file done again,
        as each of them is to say so.
        """
        told = {"key": key, "made": made, "is_lenient": made["column"] is not None}
        if not repository.change_step(db, export.export_id, step, **told):
            repository.release_step(db, export.export_id, step.number, step.holder or "")
        elif made["column"] is not None and not step.is_lenient:
            again = repository.begin_again_leniently(db, export.export_id, step.file)
            self._ask_for_help(db, export, again - 1)

    def help_on(self, db: Session, export: ExportInfo) -> None:
        """Asks for the next helper where steps are left; others had their turn before it."""
        if any(one.key is None for one in repository.steps(db, export.export_id)):
            self._ask_for_help(db, export, 1)

    def parts(self, db: Session, export_id: str) -> list[ScoringStep]:
        """Lists the steps of a scoring that are done, in the order of their rows."""
        return [row.to_step() for row in repository.steps(db, export_id) if row.key is not None]

    def finish(self, db: Session, export_id: str, sizes: Sequence[int]) -> list[str | None]:
        """Completes the export whose files are stored, and counts the predictions.

        Returns what is to be said of each file.
        """
        by_file: list[list[dict[str, Any]]] = [[] for _ in sizes]
        for one in self.parts(db, export_id):
            by_file[one.file].append(one.made or {})
        notices = [notice_of(made) for made in by_file]
        export = self.exports.finish(db, export_id, sizes, notices)
        predicted = sum(one["rows"] - one["faults"] for made in by_file for one in made)
        self.usage.record(export.account_id, Used.PREDICTIONS, float(predicted))
        self._clear(db, export_id)
        return notices

    def fail(self, db: Session, export_id: str, why: str) -> None:
        """Ends an export that cannot be made."""
        self.exports.fail(db, export_id, why)
        self._clear(db, export_id)

    def _clear(self, db: Session, export_id: str) -> None:
        """Removes what the steps left, and has nobody help any more."""
        self.jobs.cancel_for(db, STEP_KIND, export_id)
        repository.delete_steps(db, export_id)
        after_commit(db, partial(self.objects.delete_all, parts_prefix(export_id)))

    def _ask_for_help(self, db: Session, export: ExportInfo, most: int) -> None:
        account_id = AccountId(export.account_id)
        subject = export.export_id
        for _ in range(min(MAX_HELPERS, most)):
            self.jobs.enqueue(
                db, STEP_KIND, subject, reads_bytes=LARGE_BYTES, account_id=account_id
            )

    def _forsake(self, db: Session, deleted: ModelDeleted) -> None:
        for row in repository.of_versions(db, deleted.version_ids):
            self.jobs.cancel_for(db, Kind.SCORING, row.export_id)


def _check(
    tables: Sequence[TableFile], needed: Mapping[str, str], learnt: Mapping[str, str]
) -> None:
    for table in tables:
        there = {column.name for column in table.columns}
        missing = [name for name in needed if name not in there]
        if missing:
            raise column_missing(table.filename, missing)
        if told := list(said_of_other_units(learnt, units_of(table))):
            raise other_unit(table.filename, told)


def _export_files(tables: Sequence[TableFile], wanted: Format) -> list[ExportFile]:
    names = unique_filenames(
        f"{stem_of(table.filename)}_predictions.{wanted.value}" for table in tables
    )
    return [
        ExportFile(name, table.key, wanted, CONVERTED_FORMATS[wanted])
        for name, table in zip(names, tables, strict=True)
    ]


def parts_prefix(export_id: str) -> str:
    """Names what the parts of an export's files lie under."""
    return f"exports/{export_id}/parts"


def _row(export_id: str, step: ScoringStep) -> ScoringStepRecord:
    return ScoringStepRecord(export_id=export_id, **asdict(step))
