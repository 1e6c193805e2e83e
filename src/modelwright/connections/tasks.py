"""Carries out a run: reads in a child process, stores the file, hands it on to processing."""

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


class RunIngestion:
    """The handler; a run that is begun again reads everything anew, into the same upload."""

    kind = Kind.INGESTION.value
    lane = Lane.INGESTION

    def __init__(
        self,
        ingestions: Ingestions,
        connections: Connections,
        objects: ObjectStore,
        settings: Settings,
    ) -> None:
        self._ingestions = ingestions
        self._connections = connections
        self._objects = objects
        self._settings = settings

    def run(self, step: JobContext) -> None:
        """Brings the rows in; what the database refuses ends the run with its reason."""
        with step.transaction() as db:
            begun = self._ingestions.begin(db, step.subject, self._settings.ingestion_seconds)
        if begun is None:
            return
        target = step.scratch / "rows.parquet"
        step.progress(1, "Reading from the database")
        rows = self._read(step, begun, str(target))
        step.progress(90, "Storing")
        with step.transaction() as db:
            upload = self._ingestions.place(db, step.subject, step.account_id)
        (file,) = upload.files
        self._objects.delete(file.object_key)  # an attempt that was cut off may have closed it
        self._objects.put_file(file.object_key, target)
        taken = self._ingestions.take(upload)
        with step.transaction() as db:
            self._ingestions.finish(db, step.subject, rows, taken)
        step.log(f"{rows} rows were brought in.")

    def give_up(self, db: Session, subject: str, why: str) -> None:
        """Fails the run with the reason its job ended."""
        self._ingestions.fail(db, subject, why)

    def _read(self, step: JobContext, begun: RunningIngestion, target: str) -> int:
        payload = begun.payload | {"target": target, "most_bytes": LIMITS.file_bytes}
        try:
            told = step.child(
                CHILD,
                payload,
                memory_mb=self._settings.ingestion_memory_mb,
                seconds=self._settings.ingestion_seconds,
                readable=readable_files(payload),
                port=payload["port"],
            )
        except JobRefused as refused:
            if refused.reason["stage"] == "connect":
                with step.transaction() as db:
                    self._connections.noted(db, begun.connection_id, str(refused))
            raise
        return int(told["rows"])
