"""Carries out an analysis: every file is profiled in a child process of its own.

A file that needs too much memory or time then ends its own child alone, and the analysis fails with
a sentence in place of taking the worker with it.
"""

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from sqlalchemy.orm import Session

from modelwright.analysis.domain import AnalysisInfo, FoundAnalysis
from modelwright.analysis.service import RESULT_FILE, Analyses, folder_of
from modelwright.core.config.settings import Settings
from modelwright.jobs.context import JobContext, JobInterrupted
from modelwright.jobs.domain import Kind, Lane
from modelwright.storage.object_store import ObjectStore

CHILD_FUNCTION = "modelwright.analysis.profiling:profile_table"
PREPARE = "modelwright.engines.profiling.chart_renderer:prepare"


@dataclass
class AnalyseUpload:
    """The handler; each attempt stores its results apart, and the one that finishes is kept."""

    analyses: Analyses
    objects: ObjectStore
    settings: Settings
    time_zone_of: Callable[[Session, str], str]
    """Tells the time zone of an upload's dataset."""

    kind = Kind.ANALYSIS.value
    lane = Lane.SHORT

    def run(self, step: JobContext) -> None:
        """Profiles the files and completes the analysis; does nothing for one that is over."""
        with step.transaction() as db:
            analysis = self.analyses.pending(db, step.subject)
            if analysis is None:
                return
            time_zone = self.time_zone_of(db, analysis.upload_id)
        folder = step.scratch / "results"
        folder.mkdir()
        found = self._profile(step, analysis, folder, time_zone)
        (folder / RESULT_FILE).write_text(
            json.dumps(asdict(found), allow_nan=False), encoding="utf-8"
        )
        key = f"{folder_of(step.subject)}/{step.attempt}"
        self.objects.put_folder(key, folder)
        try:
            with step.transaction() as db:
                self.analyses.finish(db, step.subject, key, found)
        except JobInterrupted:
            self.objects.delete_all(key)
            raise

    def give_up(self, db: Session, subject: str, why: str) -> None:
        """Fails the analysis with the reason its job ended."""
        self.analyses.fail(db, subject, why)

    def _profile(
        self, step: JobContext, analysis: AnalysisInfo, folder: Path, time_zone: str
    ) -> FoundAnalysis:
        found = FoundAnalysis([], [])
        for place, subject in enumerate(analysis.subjects):
            profiled = self._profile_one(step, analysis, place, folder, time_zone)
            found.files.append(profiled["file"])
            found.recommendations.extend(profiled["recommendations"])
            step.log(f"{subject.filename}: {len(profiled['file']['insights'])} insights.")
        ranks = ("high", "medium", "low")
        found.recommendations.sort(key=lambda one: ranks.index(one["importance"]))
        return found

    def _profile_one(
        self, step: JobContext, analysis: AnalysisInfo, place: int, folder: Path, time_zone: str
    ) -> dict[str, Any]:
        """Has a child profile one file, and passes its progress on as a share of the whole."""
        subject = analysis.subjects[place]
        sizes = [one.size_bytes for one in analysis.subjects]
        report = step.progress_of_file(sizes, place, f"Looking at {subject.filename}")
        memory = self.settings.analysis_memory_mb
        with self.objects.local(subject.key) as source:
            payload = {
                "source": str(source),
                "target": str(folder),
                "scratch": str(step.scratch),
                "filename": subject.filename,
                "thoroughness": analysis.type.value,
                "time_zone": time_zone,
                "memory_bytes": memory << 20,
            }
            return step.child(
                CHILD_FUNCTION,
                payload,
                memory_mb=memory,
                seconds=self.settings.analysis_seconds,
                readable=[source],
                prepare=PREPARE,
                on_report=report,
            )
