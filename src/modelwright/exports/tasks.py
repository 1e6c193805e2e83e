"""Makes an export: every file in turn, the heavy ones in a child process; then tells by mail.

Converting to Excel or JSON takes memory by the size of a file; in a child a limit holds for it.
"""

from dataclasses import dataclass

from sqlalchemy.orm import Session

from modelwright.core.config.settings import Settings
from modelwright.core.mail import MailFailed
from modelwright.exports.domain import ExportInfo, Status
from modelwright.exports.service import Exports
from modelwright.jobs.context import JobContext
from modelwright.jobs.domain import Kind, Lane
from modelwright.storage.object_store import ObjectStore

CHILD_FUNCTION = "modelwright.exports.conversion:convert_file"
MEMORY_SHARE = 0.6
"""What of a child's memory the engine may plan with; the rest is Python and what it can't count."""
MAIL_ATTEMPTS = 3
"""Times a mail is tried."""


@dataclass
class MakeExport:
    """The handler; running it twice makes the same files again."""

    exports: Exports
    objects: ObjectStore
    settings: Settings

    kind = Kind.EXPORT.value
    lane = Lane.SHORT

    def run(self, step: JobContext) -> None:
        """Makes the files and completes the export, then tells of it."""
        with step.transaction() as db:
            export = self.exports.read(db, step.subject)
            if export.status is Status.PROCESSING:
                self.exports.make_sure_of_room(db)
        if export.status is Status.PROCESSING:
            sizes = [self._make(step, export, number) for number in range(len(export.pieces))]
            with step.transaction() as db:
                export = self.exports.finish(db, step.subject, sizes)
        if export.status is Status.COMPLETED and export.email and export.notified_at is None:
            self._tell(step, export)

    def give_up(self, db: Session, subject: str, why: str) -> None:
        """Fails the export with the reason its job ended."""
        self.exports.fail(db, subject, f"It could not be made: {why}")

    def _make(self, step: JobContext, export: ExportInfo, number: int) -> int:
        """Makes one file of an export; one that stays as it came is only copied."""
        piece = export.pieces[number]
        step.progress(100 * number // len(export.pieces), f"Writing {piece.filename}")
        key = export.key(number)
        with self.objects.local(piece.source) as source:
            if piece.convert is None:
                if self.objects.size(key) is None:
                    self.objects.put_file(key, source)
                return source.stat().st_size
            target = step.scratch / str(number)
            payload = {
                "source": str(source),
                "target": str(target),
                "format": piece.convert.value,
                "include_headers": export.include_headers,
                "scratch": str(step.scratch),
                "memory_bytes": int(self.settings.export_memory_mb * MEMORY_SHARE) << 20,
            }
            made = step.child(
                CHILD_FUNCTION,
                payload,
                memory_mb=self.settings.export_memory_mb,
                seconds=self.settings.export_seconds,
                readable=[source],
            )
        self.objects.put_file(key, target)
        return int(made["size_bytes"])

    def _tell(self, step: JobContext, export: ExportInfo) -> None:
        try:
            self.exports.notify(export)
        except MailFailed as failed:
            if step.attempt < MAIL_ATTEMPTS:
                raise
            step.log(f"Nobody could be told by mail: {failed}", "ERROR")
        with step.transaction() as db:
            self.exports.notified(db, step.subject)
