"""Asks for versions to be built, plans without building, and takes what builds have learnt.

A version that exists and one that is still being learnt are told apart by `models`; whatever has to
do with time, memory and children of a build is kept out of it.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any

from sqlalchemy.orm import Session

from modelwright.builds.domain import (
    artifacts_of,
    plan_id_of,
    repeat_request,
    wrong_column,
    wrong_metric,
    wrong_type,
)
from modelwright.builds.errors import OtherPlan, OutOfCredits, UnclearIntent
from modelwright.builds.intent_votes import IntentVotes
from modelwright.builds.plan_slots import Planner
from modelwright.core.config.settings import Settings
from modelwright.core.db.database import after_commit
from modelwright.core.errors import ValidationFailed, not_found
from modelwright.core.events import Events
from modelwright.core.http.context import Caller
from modelwright.core.http.paging import Page
from modelwright.core.ids import AccountId, JobId
from modelwright.datasets.service import Datasets
from modelwright.jobs.domain import Kind, Lane, LogLine
from modelwright.jobs.service import Jobs
from modelwright.language_models.service import LanguageModels
from modelwright.models.domain import (
    BuildRequest,
    BuildResult,
    Change,
    ModelDeleted,
    ModelMetadata,
    ModelPurged,
    ModelVersionInfo,
    Status,
    is_name,
)
from modelwright.models.errors import VersionGone, bad_name
from modelwright.models.service import Models
from modelwright.storage.object_store import ObjectStore
from modelwright.uploads.domain import TableFile
from modelwright.uploads.service import Uploads
from modelwright.usage.domain import Kind as Used
from modelwright.usage.service import Usage
from modelwright.users.service import Users
from modelwright_runtime import ARTIFACT

Started = tuple[JobId, ModelVersionInfo]


@dataclass(frozen=True, slots=True)
class PlanOrder:
    """What is to be planned, over which tables, and for whom."""

    account_id: AccountId
    request: BuildRequest
    tables: tuple[TableFile, ...]


class Builds:
    """Makes versions of models."""

    def __init__(
        self,
        settings: Settings,
        events: Events,
        objects: ObjectStore,
        models: Models,
        datasets: Datasets,
        uploads: Uploads,
        jobs: Jobs,
        users: Users,
        usage: Usage,
        language_models: LanguageModels,
    ) -> None:
        self._settings = settings
        self._objects = objects
        self._models = models
        self._datasets = datasets
        self._uploads = uploads
        self._jobs = jobs
        self._users = users
        self._usage = usage
        self._planner = Planner(settings.build_memory_mb)
        self._votes = IntentVotes(language_models)
        events.listen(ModelDeleted, self._stop)
        events.listen(ModelPurged, self._forget)

    def create(
        self,
        db: Session,
        caller: Caller,
        model_name: str,
        face: ModelMetadata,
        request: Mapping[str, Any],
        *,
        plan_id: str | None = None,
    ) -> Started:
        """Makes a model and asks for its first build.

        Refuses a bad or taken name, an unknown dataset, unknown columns, no credits left, and a
        request that is not that of the plan it quotes.
        """
        if not is_name(model_name):
            raise bad_name()
        self._afford(db, caller)
        made = self._request(db, request)
        if plan_id is not None and plan_id != plan_id_of(made):
            raise OtherPlan
        return self._enqueue(db, self._models.create(db, model_name, caller.account_id, face, made))

    def retrain(
        self, db: Session, caller: Caller, model_name: str, changes: Mapping[str, Any]
    ) -> Started:
        """Asks for a model's next minor version, on its dataset's newest version by default."""
        return self._next_version(db, caller, model_name, changes, Change.MINOR, "upload_id")

    def create_version(
        self, db: Session, caller: Caller, model_name: str, changes: Mapping[str, Any]
    ) -> Started:
        """Asks for a model's next major version."""
        return self._next_version(db, caller, model_name, changes, Change.MAJOR, "dataset_id")

    def to_plan(
        self, db: Session, caller: Caller, model_name: str, request: Mapping[str, Any]
    ) -> PlanOrder:
        """Finds what is to be planned; refuses what could not be built."""
        if not is_name(model_name):
            raise bad_name()
        made = self._request(db, request)
        tables = tuple(self._uploads.tables(db, made.upload_id))
        return PlanOrder(caller.account_id, made, tables)

    def plan(self, order: PlanOrder, is_gone: Callable[[], bool]) -> dict[str, Any]:
        """Tells what a build would do and why, outside of any transaction: it may take long.

        Stores nothing, and stops when the client left.
        """
        made = order.request
        with self.fetched(order.tables) as tables:
            try:
                plan = self._planner.plan(order.account_id, self.payload(made, tables), is_gone)
            except UnclearIntent as unclear:
                raise self._votes.explained(unclear, made, tables, is_gone) from None
        plan = self._votes.checked(plan, made, tables, is_gone)
        return {"plan_id": plan_id_of(made), **plan}

    def logs(self, db: Session, page: Page, job_id: str | None) -> tuple[list[LogLine], int]:
        """Lists one page of what builds said, oldest first; refuses a job that is no build."""
        if job_id is not None and self._jobs.read(db, JobId(job_id)).kind != Kind.BUILD:
            raise not_found("job_id", job_id)
        return self._jobs.logs(db, page, job_id=job_id, kind=Kind.BUILD)

    def artifact(self, db: Session, model_name: str, model_version: str) -> str:
        """Finds where a READY version's downloadable artifact lies.

        Refuses an unknown version, and one that is not READY.
        """
        return f"{self._models.serving(db, model_name, model_version).artifact}/{ARTIFACT}"

    def size(self, key: str, model_name: str, model_version: str) -> int:
        """Tells how long a version's artifact is; refuses one that is gone."""
        size = self._objects.size(key)
        if size is None:
            raise VersionGone(model_name, model_version)
        return size

    def send(self, key: str, start: int, end: int) -> Iterator[bytes]:
        """Reads an artifact's bytes from `start` up to, not including, `end`."""
        return self._objects.open(key, start, end)

    def begin(self, db: Session, version_id: str) -> tuple[BuildRequest, list[TableFile]] | None:
        """Moves a version to BUILDING and tells what to build; None when nothing is left to do."""
        version = self._models.start(db, version_id)
        if version is None:
            return None
        return version.request, self._uploads.tables(db, version.request.upload_id)

    def finish(
        self, db: Session, account_id: AccountId, version_id: str, key: str, outcome: BuildResult
    ) -> bool:
        """Moves a version to READY with its artifact; says whether there still is a version."""
        self._usage.record(account_id, Used.BUILD_MINUTES, outcome.training_seconds / 60)
        return self._models.finish(db, version_id, key, outcome)

    def fail(self, db: Session, version_id: str, why: str) -> None:
        """Moves a version to ERROR with the sentence that says what to change."""
        self._models.fail(db, version_id, why)

    def references(self, db: Session) -> list[str]:
        """Lists what the scope's versions hold in storage; one under way all that it stores."""
        return [
            artifact or artifacts_of(version_id)
            for version_id, status, artifact in self._models.artifacts(db)
            if artifact or status in {Status.DRAFT, Status.BUILDING}
        ]

    def finished(self, db: Session) -> list[str]:
        """Lists where the artifacts of the scope's versions lie."""
        return [artifact for _, _, artifact in self._models.artifacts(db) if artifact]

    @contextmanager
    def fetched(self, files: Sequence[TableFile]) -> Iterator[list[dict[str, Any]]]:
        """Lends tables as local files, as the payload of a build's process names them."""
        with ExitStack() as stack:
            yield [
                {
                    "filename": file.filename,
                    "path": str(stack.enter_context(self._objects.local(file.key))),
                    "columns": {column.name: column.type for column in file.columns},
                }
                for file in files
            ]

    def payload(self, request: BuildRequest, tables: list[dict[str, Any]]) -> dict[str, Any]:
        """Makes the payload of a planning or building process."""
        return {
            "request": asdict(request),
            "tables": tables,
            "seconds": self._settings.build_seconds,
        }

    def _request(self, db: Session, wanted: Mapping[str, Any]) -> BuildRequest:
        given = dict(wanted)
        given |= self._dataset(db, given.pop("dataset_id"), "dataset_id")
        return self._checked(db, BuildRequest(**given), wanted, "dataset_id")

    def _dataset(self, db: Session, dataset_id: str, field: str) -> dict[str, Any]:
        upload_id = self._datasets.resolve(db, dataset_id, field).upload_id
        upload = self._uploads.read(db, upload_id)
        return {"upload_id": upload_id, "dataset_name": upload.name if upload.is_named else None}

    def _checked(
        self, db: Session, request: BuildRequest, changes: Mapping[str, Any], source: str
    ) -> BuildRequest:
        files = self._uploads.tables(db, request.upload_id)
        columns = [column for file in files for column in file.columns]
        wrong = (
            wrong_column(request, changes, list(dict.fromkeys(one.name for one in columns)), source)
            or wrong_metric(request)
            or wrong_type(request, changes, {(one.name, one.type) for one in columns})
        )
        if wrong is not None:
            raise ValidationFailed.of(*wrong)
        return request

    def _next_version(
        self,
        db: Session,
        caller: Caller,
        model_name: str,
        changes: Mapping[str, Any],
        change: Change,
        field: str,
    ) -> Started:
        """Repeats the newest version's request with changes; `field` names the dataset in them."""
        before = self._models.read(db, model_name).shown
        self._afford(db, caller)
        given = dict(changes)
        dataset = given.pop(field, None)
        dataset = before.request.dataset_name if dataset is None else dataset
        if dataset is not None:
            given |= self._dataset(db, dataset, field)
        request = self._checked(db, repeat_request(before, given), changes, field)
        return self._enqueue(db, self._models.add_version(db, model_name, change, request))

    def _enqueue(self, db: Session, version: ModelVersionInfo) -> Started:
        resource = {"model_name": version.model_name, "model_version": version.model_version}
        size = sum(file.size_bytes for file in self._uploads.tables(db, version.request.upload_id))
        job_id = self._jobs.enqueue(
            db,
            Kind.BUILD,
            version.version_id,
            lane=Lane.BUILD,
            reads_bytes=size,
            resource=resource,
        )
        return job_id, version

    def _afford(self, db: Session, caller: Caller) -> None:
        if not self._settings.enforce_credits:
            return
        credits_ = self._users.find(db, caller.account_id).credits
        if self._usage.consumption(db, caller.account_id) >= credits_:
            raise OutOfCredits(credits_)

    def _stop(self, db: Session, deleted: ModelDeleted) -> None:
        for version_id in deleted.version_ids:
            self._jobs.cancel_for(db, Kind.BUILD, version_id)

    def _forget(self, db: Session, purged: ModelPurged) -> None:
        for version_id in purged.version_ids:
            after_commit(db, partial(self._objects.delete_all, artifacts_of(version_id)))
