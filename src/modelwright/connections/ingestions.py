"""`Ingestions`: what is brought in by a connection, now, again, and when its time has come.

A run outlives the request that asked for it: state, schedule and the newest upload are in one row,
and each move locks it, so that two workers never run it at once.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy.orm import Session

from modelwright.connections import repository
from modelwright.connections.cron import Cron, CronError
from modelwright.connections.domain import (
    TRANSITIONS,
    IngestionEvent,
    IngestionInfo,
    IngestionRequest,
    Status,
    filename_for,
    without_semicolon,
)
from modelwright.connections.errors import ConnectionGone, IngestionUnderWay
from modelwright.connections.orm import IngestionRecord
from modelwright.connections.service import Connections
from modelwright.core.clock import Clock
from modelwright.core.db.queries import insert
from modelwright.core.errors import Detail, InvalidRequest, NotFound, ValidationFailed, get_or_404
from modelwright.core.http.paging import Page
from modelwright.core.ids import AccountId, IngestionId, new_id
from modelwright.core.logging import logger
from modelwright.core.state_machine import transition
from modelwright.core.stored_values import read_member
from modelwright.jobs.domain import Kind, Lane
from modelwright.jobs.service import Jobs
from modelwright.uploads.domain import ConfirmedFile, NewFile, NewUpload, UploadInfo
from modelwright.uploads.domain import Status as UploadStatus
from modelwright.uploads.service import Uploads
from modelwright.users.service import Users

PARQUET = "application/vnd.apache.parquet"


@dataclass(frozen=True, slots=True)
class RunningIngestion:
    """A run that is under way: what a child needs for it, the password included."""

    connection_id: str
    payload: dict[str, Any]


@dataclass(eq=False)
class Ingestions:
    """Starts, schedules and ends imports from databases."""

    clock: Clock
    jobs: Jobs
    connections: Connections
    uploads: Uploads
    users: Users

    def create(self, db: Session, request: IngestionRequest) -> IngestionInfo:
        """Asks for a table or a query's result, once or on a schedule, and at once.

        Refuses a connection that is not the caller's, both or neither of table and query.
        """
        if request.table is None and request.query is None:
            details = (Detail("table", "is required"), Detail("query", "is required"))
            raise InvalidRequest("table or query is required.", details=details)
        if request.table is not None and request.query is not None:
            raise ValidationFailed.of("query", "goes without table; send one of the two.")
        self.connections.read(db, request.connection_id)
        row = IngestionRecord(
            ingestion_id=IngestionId(new_id("ing")),
            connection_id=request.connection_id,
            source_table=request.table,
            query=None if request.query is None else without_semicolon(request.query),
            dataset_name=request.dataset_name,
            schedule=request.schedule,
            next_run_at=self._next(request.schedule),
            created_at=self.clock.now(),
        )
        self._enqueue(db, row)
        insert(db, row)
        return row.to_info()

    def list_(self, db: Session, page: Page) -> tuple[list[IngestionInfo], int]:
        """Lists ingestions, newest first, and counts them all."""
        rows, total = repository.ingestions(db, page)
        return [row.to_info() for row in rows], total

    def read(self, db: Session, ingestion_id: str) -> IngestionInfo:
        """Finds one ingestion; refuses one that is not the caller's."""
        return get_or_404(
            repository.ingestion(db, ingestion_id), "ingestion_id", ingestion_id
        ).to_info()

    def retrigger(self, db: Session, ingestion_id: str) -> IngestionInfo:
        """Brings the data in once more; refuses while a run is under way."""
        row = _lock(db, ingestion_id)
        try:
            self.connections.read(db, row.connection_id)
        except NotFound:
            raise ConnectionGone from None
        if TRANSITIONS.get((read_member(Status, row.status), IngestionEvent.TRIGGER)) is None:
            raise IngestionUnderWay
        self._enqueue(db, row)
        return row.to_info()

    def delete(self, db: Session, ingestion_id: str) -> datetime:
        """Ends an ingestion, its schedule and its run; the uploads that it made stay."""
        row = _lock(db, ingestion_id)
        self.jobs.cancel_for(db, Kind.INGESTION, ingestion_id)
        self._forsake(db, row)
        db.delete(row)
        return self.clock.now()

    def start_due(self, db: Session) -> None:
        """Starts what its schedule says, once also for several times that were missed.

        For the platform's own transaction, which sees all accounts; a run that is still under
        way is not joined by another: it starts when that one is over. What belongs to a
        deactivated account waits until the account is active again.
        """
        for row in repository.due(db, self.clock.now(), self.users.deactivated(db)):
            if TRANSITIONS.get((read_member(Status, row.status), IngestionEvent.TRIGGER)):
                row.next_run_at = self._next(row.schedule)
                self._enqueue(db, row, AccountId(row.account_id))

    def begin(self, db: Session, ingestion_id: str, seconds: float) -> RunningIngestion | None:
        """Begins a run, or begins it again; None when there is nothing left to do."""
        row = repository.lock_ingestion(db, ingestion_id)
        moved = (
            TRANSITIONS.get((read_member(Status, row.status), IngestionEvent.BEGIN))
            if row
            else None
        )
        if row is None or moved is None:
            return None
        opened = self.connections.opened(db, row.connection_id, seconds)
        if opened is None:
            raise ConnectionGone
        row.status = moved
        return RunningIngestion(
            row.connection_id, opened | {"table": row.source_table, "query": row.query}
        )

    def place(self, db: Session, ingestion_id: str, created_by: str) -> UploadInfo:
        """Declares the upload that the run fills, or finds the one declared before."""
        row = _lock(db, ingestion_id)
        if row.arriving_id:
            try:
                former = self.uploads.read(db, row.arriving_id)
            except NotFound:
                former = None
            if former and former.status is UploadStatus.PENDING:
                return former
        file = NewFile(filename_for(row.to_info().request), PARQUET)
        made = self.uploads.create(db, created_by, NewUpload(row.dataset_name, None, (file,)))
        row.arriving_id = made.upload_id
        return made

    def take(self, upload: UploadInfo) -> dict[str, int]:
        """Closes the file that a run stored; see `Uploads.take`."""
        listed = [ConfirmedFile(file.filename, file.object_key) for file in upload.files]
        return self.uploads.take(upload, listed)

    def finish(
        self, db: Session, ingestion_id: str, rows: int, taken: Mapping[str, int]
    ) -> IngestionInfo:
        """Hands the filled upload on to processing and ends the run."""
        row = _lock(db, ingestion_id)
        upload_id = row.arriving_id or ""
        self.uploads.confirm(db, upload_id, taken)
        row.upload_id, row.arriving_id, row.rows = upload_id, None, rows
        row.status = transition(TRANSITIONS, read_member(Status, row.status), IngestionEvent.FINISH)
        row.completed_at = self.clock.now()
        self.connections.noted(db, row.connection_id, None)
        logger().info("ingestions.completed", ingestion_id=ingestion_id, rows=rows)
        return row.to_info()

    def fail(self, db: Session, ingestion_id: str, why: str) -> None:
        """Ends a run that came to nothing, and takes away what it left; others stay as they are."""
        row = repository.lock_ingestion(db, ingestion_id)
        if (
            row is None
            or TRANSITIONS.get((read_member(Status, row.status), IngestionEvent.FAIL)) is None
        ):
            return
        self._forsake(db, row)
        row.status = transition(TRANSITIONS, read_member(Status, row.status), IngestionEvent.FAIL)
        row.error, row.completed_at = why, self.clock.now()

    def _enqueue(
        self, db: Session, row: IngestionRecord, account_id: AccountId | None = None
    ) -> None:
        resource = {"ingestion_id": row.ingestion_id, "connection_id": row.connection_id}
        row.status, row.error, row.completed_at = Status.PENDING, None, None
        row.job_id = self.jobs.enqueue(
            db,
            Kind.INGESTION,
            row.ingestion_id,
            lane=Lane.INGESTION,
            resource=resource,
            account_id=account_id,
        )

    def _forsake(self, db: Session, row: IngestionRecord) -> None:
        if row.arriving_id:
            try:
                self.uploads.delete(db, row.arriving_id)
            except NotFound:
                logger().warning("ingestions.nothing_to_remove", upload_id=row.arriving_id)
            row.arriving_id = None

    def _next(self, schedule: str | None) -> datetime | None:
        if schedule is None:
            return None
        try:
            return Cron.parse(schedule).after(self.clock.now())
        except CronError as fault:
            raise ValidationFailed.of("schedule", f"{fault}.") from None


def _lock(db: Session, ingestion_id: str) -> IngestionRecord:
    return get_or_404(repository.lock_ingestion(db, ingestion_id), "ingestion_id", ingestion_id)
