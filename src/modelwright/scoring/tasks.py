"""Scores an upload: every file in a child process, one after the other."""

from pathlib import Path
from typing import Any

from sqlalchemy.orm import Session

from modelwright.core.config.settings import Settings
from modelwright.exports.domain import ExportFile, ExportInfo
from modelwright.jobs.context import JobContext
from modelwright.jobs.domain import Kind, Lane
from modelwright.scoring.domain import ScoringRequest
from modelwright.scoring.service import Scoring
from modelwright.storage.object_store import ObjectStore

CHILD_FUNCTION = "modelwright.scoring.scoring_process:score_file"
MEMORY_SHARE = 0.4
"""What of a child's memory the writing may plan with; the rest is the model and its batches."""


class ScoreUpload:
    """The handler; running it twice makes the same files again."""

    kind = Kind.SCORING.value
    lane = Lane.SHORT

    def __init__(self, scoring: Scoring, objects: ObjectStore, settings: Settings) -> None:
        self._scoring = scoring
        self._objects = objects
        self._settings = settings

    def run(self, step: JobContext) -> None:
        """Makes the files and completes the export; a file of which no row fits fails it."""
        with step.transaction() as db:
            begun = self._scoring.begin(db, step.subject)
        if begun is None:
            return
        order, export = begun
        with self._objects.local(order.artifact) as artifact:
            made = [
                self._score(step, order, export, number, artifact)
                for number in range(len(export.pieces))
            ]
        with step.transaction() as db:
            self._scoring.finish(db, order, made)

    def give_up(self, db: Session, subject: str, why: str) -> None:
        """Fails the export with the reason its job ended."""
        self._scoring.fail(db, subject, why)

    def _score(
        self,
        step: JobContext,
        order: ScoringRequest,
        export: ExportInfo,
        number: int,
        artifact: Path,
    ) -> dict[str, Any]:
        piece, before, total = export.pieces[number], sum(order.rows[:number]), sum(order.rows)

        def heed(report: dict[str, Any]) -> None:
            if "message" in report:
                step.log(report["message"])
            done = before + int(report.get("rows", 0))
            step.progress(99 * done // max(total, 1), f"Writing {piece.filename}")

        target = step.scratch / str(number)
        with self._objects.local(piece.source) as source:
            made = step.child(
                CHILD_FUNCTION,
                self._told(step, order, piece, artifact, source, target),
                memory_mb=self._settings.scoring_memory_mb,
                seconds=self._settings.scoring_seconds,
                readable=[artifact, source],
                on_report=heed,
            )
        self._objects.put_file(export.key(number), target)
        if made["notice"]:
            step.log(f"{piece.filename}: {made['notice']}", "WARNING")
        return made

    def _told(
        self,
        step: JobContext,
        order: ScoringRequest,
        piece: ExportFile,
        artifact: Path,
        source: Path,
        target: Path,
    ) -> dict[str, Any]:
        return {
            "filename": piece.filename,
            "artifact": str(artifact),
            "source": str(source),
            "target": str(target),
            "format": piece.convert,
            "include": list(order.include),
            "scratch": str(step.scratch),
            "memory_bytes": int(self._settings.scoring_memory_mb * MEMORY_SHARE) << 20,
        }
