"""Carries out a run: reads in a child process, stores the file, hands it on to processing."""

from dataclasses import dataclass

from sqlalchemy.orm import Session

from modelwright.connections.ingestions import Ingestions, RunningIngestion
from modelwright.connections.service import Connections
from modelwright.connections.sqlite_file import readable_files
from modelwright.core.config.settings import Settings
from modelwright.core.limits.contract import LIMITS
from modelwright.jobs.context import JobContext, JobRefused
from modelwright.jobs.domain import Kind, Lane
from modelwright.storage.object_store import ObjectStore

CHILD = "modelwright.connections.driver_process:ingest"


@dataclass
class RunIngestion:
    """The handler; a run that is begun again reads everything anew, into the same upload."""

    ingestions: Ingestions
    connections: Connections
    objects: ObjectStore
    settings: Settings

    kind = Kind.INGESTION.value
    lane = Lane.INGESTION

    def run(self, step: JobContext) -> None:
        """Brings the rows in; what the database refuses ends the run with its reason."""
        with step.transaction() as db:
            begun = self.ingestions.begin(db, step.subject, self.settings.ingestion_seconds)
        if begun is None:
            return
        target = step.scratch / "rows.parquet"
        step.progress(1, "Reading from the database")
        rows = self._read(step, begun, str(target))
        step.progress(90, "Storing")
        with step.transaction() as db:
            upload = self.ingestions.place(db, step.subject, step.account_id)
        (file,) = upload.files
        self.objects.delete(file.object_key)  # an attempt that was cut off may have closed it
        self.objects.put_file(file.object_key, target)
        taken = self.ingestions.take(upload)
        with step.transaction() as db:
            self.ingestions.finish(db, step.subject, rows, taken)
        step.log(f"{rows} rows were brought in.")

    def give_up(self, db: Session, subject: str, why: str) -> None:
        """Fails the run with the reason its job ended."""
        self.ingestions.fail(db, subject, why)

    def _read(self, step: JobContext, begun: RunningIngestion, target: str) -> int:
        payload = begun.payload | {"target": target, "most_bytes": LIMITS.file_bytes}
        try:
            told = step.child(
                CHILD,
                payload,
                memory_mb=self.settings.ingestion_memory_mb,
                seconds=self.settings.ingestion_seconds,
                readable=readable_files(payload),
                port=payload["port"],
            )
        except JobRefused as refused:
            if refused.reason["stage"] == "connect":
                with step.transaction() as db:
                    self.connections.noted(db, begun.connection_id, str(refused))
            raise
        return int(told["rows"])
