"""The job that makes a version."""

import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy.orm import Session

from modelwright.builds.checkpoint import checkpoint
from modelwright.builds.domain import GRACE_SECONDS, artifact_key, units_in
from modelwright.builds.errors import BuildTooLarge
from modelwright.builds.service import Builds
from modelwright.core.config.settings import Settings
from modelwright.jobs.context import ChildKilled, JobContext
from modelwright.jobs.domain import Kind, Lane
from modelwright.models.domain import BuildResult
from modelwright.signing.service import Signing
from modelwright.storage.object_store import ObjectStore

PREPARE = "modelwright.builds.parallelism:prepare"


@dataclass
class BuildVersion:
    """Plans, fits and stores one version; the subject is the version's id."""

    builds: Builds
    objects: ObjectStore
    settings: Settings
    signing: Signing

    kind = Kind.BUILD.value
    lane = Lane.BUILD

    def run(self, step: JobContext) -> None:
        """Builds the version, unless it has been; a build without its version leaves nothing."""
        begun = time.monotonic()
        with step.transaction() as db:
            order = self.builds.begin(db, step.subject)
        if order is None:
            return
        request, files = order
        folder = step.scratch / "artifact"
        with self.builds.fetched(files) as tables:
            payload = self.builds.payload(request, tables)
            payload |= {"folder": str(folder), "begun": begun, "units": units_in(files)}
            payload |= {
                "ray_address": self.settings.ray_address,
                "memory_mb": self.settings.build_memory_mb,
            }
            outcome = self._fit(step, payload)
        self._sign(step, folder)
        key = artifact_key(step.subject, step.attempt)
        self.objects.put_folder(key, folder)
        kept = False
        try:
            with step.transaction() as db:
                kept = self.builds.finish(db, step.account_id, step.subject, key, outcome)
        finally:
            if not kept:
                self.objects.delete_all(key)

    def give_up(self, db: Session, subject: str, why: str) -> None:
        """Leaves the version in ERROR."""
        self.builds.fail(db, subject, why)

    def _sign(self, step: JobContext, folder: Path) -> None:
        """Signs the artifact here: its child, which read strangers' data, knows no secret."""
        from modelwright.engines.automl.artifact import sign  # noqa: PLC0415 - slow to load

        def signed(message: bytes) -> dict[str, str]:
            with step.transaction() as db:
                signature = self.signing.sign(db, message)
            return {
                "algorithm": "ed25519", "key_id": signature.key_id, "value": signature.value,
            }  # fmt: skip

        sign(folder, signed)

    def _fit(self, step: JobContext, payload: dict[str, Any]) -> BuildResult:
        """Has a child fit; where it is stopped, the best model that it left counts."""
        seconds = self.settings.build_seconds + GRACE_SECONDS
        try:
            learnt = step.child(
                "modelwright.builds.training_process:build",
                payload,
                memory_mb=self.settings.build_memory_mb,
                seconds=seconds,
                readable=[Path(table["path"]) for table in payload["tables"]],
                prepare=PREPARE,
            )
        except ChildKilled as killed:
            if killed.why == "crash":
                raise
            best = checkpoint(Path(payload["folder"]))
            if best is None:
                raise BuildTooLarge(
                    f"The build was stopped. {killed.message} Train on fewer rows or columns, "
                    "or ask the operator to allow builds more."
                ) from None
            step.log(f"Stopped: {killed.message} The best model so far is kept.", "WARNING")
            learnt = best
        # A process that was late may have left a later model than it told of.
        return BuildResult(**(checkpoint(Path(payload["folder"])) or learnt))
