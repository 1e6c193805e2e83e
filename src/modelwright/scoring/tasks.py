"""Scores an upload step by step, in child processes, and joins what the steps made.

Free workers help with a large upload, and none is needed: the scoring's own job does all steps in
the end.
"""

from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

from sqlalchemy.orm import Session

from modelwright.core.config.settings import Settings
from modelwright.exports.domain import ExportInfo
from modelwright.jobs.context import JobContext, JobRefused
from modelwright.jobs.domain import Kind, Lane
from modelwright.scoring.domain import STEP_KIND, ScoringRequest, ScoringStep, StepTaken
from modelwright.scoring.service import Scoring, parts_prefix
from modelwright.storage.object_store import ObjectStore

SCORE = "modelwright.scoring.scoring_process:score_step"
JOIN = "modelwright.scoring.scoring_process:join_parts"
MEMORY_SHARE = 0.4
"""What of a child's memory the writing may plan with; the rest is the model and its batches."""
WAIT_SECONDS = 0.5
"""How often the scoring's own job looks for steps whose worker is gone."""
SCORING_PERCENT = 95
"""What of the progress is the scoring; the rest is joining the parts."""


@dataclass
class StepScorer:
    """Does one step of a scoring, whichever job was given it."""

    scoring: Scoring
    objects: ObjectStore
    settings: Settings

    def score(
        self, context: JobContext, order: ScoringRequest, export: ExportInfo, taken: StepTaken
    ) -> None:
        """Scores the rows of a step and stores them; what another attempt at it stored stays."""
        step, total = taken.step, max(sum(order.rows), 1)
        if step is None:
            return
        piece = export.pieces[step.file]

        def record_progress(report: dict[str, Any]) -> None:
            if "message" in report:
                context.log(report["message"])
            done = taken.rows_done + int(report.get("rows", 0))
            context.progress(SCORING_PERCENT * done // total, f"Writing {piece.filename}")

        target = context.scratch / str(step.number)
        with (
            self.objects.local(order.artifact) as artifact,
            self.objects.local(piece.source) as source,
        ):
            told = self._told(context, order, export, step)
            paths = {"artifact": str(artifact), "source": str(source), "target": str(target)}
            made = context.child(
                SCORE,
                told | paths,
                memory_mb=self.settings.scoring_memory_mb,
                seconds=self.settings.scoring_seconds,
                readable=[artifact, source],
                on_report=record_progress,
            )
        key = f"{parts_prefix(export.export_id)}/{step.number}.{step.tries}"
        self.objects.put_file(key, target)
        target.unlink()
        with context.transaction() as db:
            self.scoring.finish_step(db, export, step, key, made)

    def _told(
        self, context: JobContext, order: ScoringRequest, export: ExportInfo, step: ScoringStep
    ) -> dict[str, Any]:
        piece = export.pieces[step.file]
        return {
            "filename": piece.filename,
            "first_row": step.first_row,
            "rows": step.rows,
            "is_lenient": step.is_lenient,
            "format": piece.convert,
            "include": list(order.include),
            "units": order.units[step.file] if order.units else {},
            "scratch": str(context.scratch),
            "memory_bytes": int(self.settings.scoring_memory_mb * MEMORY_SHARE) << 20,
        }


class RunScoring(StepScorer):
    """The scoring's own job: does what steps nobody else does, and joins the parts."""

    kind = Kind.SCORING.value
    lane = Lane.SHORT

    def run(self, step: JobContext) -> None:
        """Makes the files and completes the export; a file of which no row fits fails it."""
        with step.transaction() as db:
            begun = self.scoring.begin(db, step.subject)
        if begun is None:
            return
        order, export = begun
        while not (taken := self._take(step)).is_over:
            if taken.step is None:
                step.wait(WAIT_SECONDS)
            else:
                self.score(step, order, export, taken)
        with step.transaction() as db:
            parts = self.scoring.parts(db, step.subject)
        sizes = [
            self._join(step, export, number, [one for one in parts if one.file == number])
            for number in range(len(export.pieces))
        ]
        with step.transaction() as db:
            notices = self.scoring.finish(db, step.subject, sizes)
        for piece, notice in zip(export.pieces, notices, strict=True):
            if notice:
                step.log(f"{piece.filename}: {notice}", "WARNING")

    def give_up(self, db: Session, subject: str, why: str) -> None:
        """Fails the export with the reason its job ended."""
        self.scoring.fail(db, subject, why)

    def _take(self, step: JobContext) -> StepTaken:
        with step.transaction() as db:
            return self.scoring.take(db, step.subject, step.name, is_helper=False)

    def _join(
        self, step: JobContext, export: ExportInfo, number: int, parts: list[ScoringStep]
    ) -> int:
        """Joins what the steps of a file made; refuses a file of which no row fits the model."""
        piece, key = export.pieces[number], export.key(number)
        made = [one.made or {} for one in parts]
        if sum(one["rows"] for one in made) == sum(one["faults"] for one in made) > 0:
            raise JobRefused(
                {"message": f"{piece.filename} is not made, as no row fits: {made[0]['first']}."}
            )
        step.progress(SCORING_PERCENT, f"Joining {piece.filename}")
        target = step.scratch / str(number)
        with ExitStack() as lent:
            paths = [lent.enter_context(self.objects.local(one.key or "")) for one in parts]
            if len(paths) == 1:
                self.objects.put_file(key, paths[0])
                return paths[0].stat().st_size
            told = {
                "parts": [str(path) for path in paths],
                "target": str(target),
                "format": piece.convert,
                "scratch": str(step.scratch),
                "memory_bytes": int(self.settings.scoring_memory_mb * MEMORY_SHARE) << 20,
            }
            joined = step.child(
                JOIN,
                told,
                memory_mb=self.settings.scoring_memory_mb,
                seconds=self.settings.scoring_seconds,
                readable=paths,
            )
        self.objects.put_file(key, target)
        target.unlink()
        return int(joined["size_bytes"])


class ScoreStep(StepScorer):
    """A job that helps a scoring with one step, wherever a worker is free."""

    kind = STEP_KIND
    lane = Lane.SHORT

    def run(self, step: JobContext) -> None:
        """Does the next step that is free; asks for another helper where there are more."""
        with step.transaction() as db:
            begun = self.scoring.order(db, step.subject)
            if begun is None:
                return
            taken = self.scoring.take(db, step.subject, step.name, is_helper=True)
        order, export = begun
        self.score(step, order, export, taken)
        if taken.step is not None:
            with step.transaction() as db:
                self.scoring.help_on(db, export)

    def give_up(self, db: Session, subject: str, why: str) -> None:
        """Leaves its step to the others: the scoring's own job fails of what cannot be done."""
