"""Models and their versions: made by builds, served by predictions, told about by deployments.

It knows neither how a version is learnt nor who answers with it; what follows from a change it
announces, in the same transaction.
"""

from dataclasses import asdict, dataclass, replace
from datetime import datetime, timedelta

from sqlalchemy.orm import Session

from modelwright.core.clock import Clock
from modelwright.core.db.queries import insert, to_dataclass
from modelwright.core.errors import get_or_404
from modelwright.core.events import Events
from modelwright.core.http.paging import Page
from modelwright.core.ids import AccountId, new_id
from modelwright.core.state_machine import transition
from modelwright.core.stored_values import read_member, read_members
from modelwright.jobs.domain import Kind
from modelwright.jobs.service import Jobs
from modelwright.models import repository
from modelwright.models.domain import (
    FIRST_LABEL,
    TRANSITIONS,
    BuildEvent,
    BuildRequest,
    BuildResult,
    Change,
    DeploymentStatus,
    Label,
    ModelDeleted,
    ModelInfo,
    ModelMetadata,
    ModelPurged,
    ModelQuery,
    ModelVersionInfo,
    ServedVersion,
    Status,
    TrashedModel,
    VersionReady,
    deployment_status_of_any,
    display_name,
    is_name,
    next_label,
)
from modelwright.models.errors import NameTaken, VersionNotReady, bad_name
from modelwright.models.orm import ModelRecord, ModelVersionRecord
from modelwright.uploads.service import Uploads

MODEL = "model_name"
STOPPED = "Its build was stopped when the model was deleted; retrain it."
"""Why a version that comes back from the trash half built is in ERROR."""


@dataclass(eq=False)
class Models:
    """What an account's models are and how they change."""

    clock: Clock
    events: Events
    uploads: Uploads
    jobs: Jobs

    def list_(self, db: Session, listing: ModelQuery, page: Page) -> tuple[list[ModelInfo], int]:
        """Lists one page of the account's models, and counts them all."""
        found, total = repository.list_models(db, listing, page)
        deployed = repository.deployment_statuses(db, [one.model.model_id for one in found])
        return [_to_info(*one, deployed[one.model.model_id]) for one in found], total

    def read(self, db: Session, model_name: str) -> ModelInfo:
        """Tells what is known of a model; refuses a name that none has."""
        return self._with_deployments(
            db, get_or_404(repository.current_version(db, model_name), MODEL, model_name)
        )

    def amend(self, db: Session, model_name: str, face: ModelMetadata) -> ModelInfo:
        """Changes what is given of name, description and tags."""
        model = self._locked(db, model_name)
        for field, value in asdict(face).items():
            if value is not None:
                setattr(model, field, value)
        model.updated_at = self.clock.now()
        db.flush()
        return self.read(db, model_name)

    def delete(self, db: Session, model_name: str) -> tuple[ModelInfo, datetime]:
        """Moves a model with its versions to the trash; frees its name and its datasets."""
        model = self._locked(db, model_name)
        last = self.read(db, model_name)
        versions = repository.all_versions(db, model.model_id)
        ids = tuple(version.version_id for version in versions)
        self.events.publish(db, ModelDeleted(model.model_id, model_name, ids))
        now = self.clock.now()
        for version in versions:
            self.uploads.release(db, version.version_id)
            version.trashed_at = now
        model.trashed_name, model.model_name = model_name, model.model_id
        model.trashed_at = now
        db.flush()
        return last, now

    def trashed(self, db: Session) -> list[TrashedModel]:
        """Lists the models in the trash, newest first."""
        return [_to_trashed(model) for model in repository.trashed(db)]

    def restore(self, db: Session, model_id: str, model_name: str | None) -> TrashedModel | None:
        """Takes a model back from the trash; None where it does not lie there.

        It has its own name again, or another one. Its deployments have ended, and a build that had
        not is over. It holds again what is left of the uploads that it was made from. Refuses a
        name that is taken, and a bad one.
        """
        model = repository.lock_trashed(db, model_id)
        if model is None:
            return None
        restored = _to_trashed(model)
        name = model_name or restored.model_name
        if not is_name(name):
            raise bad_name()
        if repository.model_named(db, name):
            raise NameTaken(name)
        model.model_name, model.trashed_name, model.trashed_at = name, None, None
        repository.flush_name(db, name)
        for version in repository.all_versions(db, model_id):
            self._restore_version(db, model, version)
        return replace(restored, model_name=name)

    def _restore_version(
        self, db: Session, model: ModelRecord, version: ModelVersionRecord
    ) -> None:
        version.trashed_at = None
        if version.deployment_status is not None:
            version.deployment_status = DeploymentStatus.UNDEPLOYED
        if version.status in {Status.DRAFT, Status.BUILDING}:
            version.status, version.error = Status.ERROR, STOPPED
        upload_id = read_members(BuildRequest, version.wish).upload_id
        if self.uploads.has(db, upload_id):
            self._claim(db, model, version, upload_id)

    def purge(self, db: Session, model_id: str) -> TrashedModel | None:
        """Removes a model in the trash for good; None where it does not lie there."""
        model = repository.lock_trashed(db, model_id)
        return None if model is None else self._remove(db, model)

    def sweep(self, db: Session, trash_days: float) -> None:
        """Removes for good what lay in the trash for its time; safe to call at any time."""
        for model in repository.trashed(db, self.clock.now() - timedelta(days=trash_days)):
            self._remove(db, model)

    def _remove(self, db: Session, model: ModelRecord) -> TrashedModel:
        gone = _to_trashed(model)
        versions = repository.all_versions(db, model.model_id)
        ids = tuple(version.version_id for version in versions)
        self.events.publish(db, ModelPurged(model.model_id, ids))
        repository.delete_model(db, model)
        return gone

    def versions(
        self, db: Session, model_name: str, page: Page
    ) -> tuple[ModelInfo, list[ModelVersionInfo], int]:
        """Lists one page of a model's versions, newest first, and counts them all."""
        shown = self.read(db, model_name)
        rows, total = repository.versions(db, shown.model_id, page)
        return shown, [_to_version_info(row, model_name) for row in rows], total

    def version(
        self, db: Session, model_name: str, model_version: str
    ) -> tuple[ModelInfo, ModelVersionInfo]:
        """Tells what is known of one version; refuses an unknown name or label."""
        found = self._labelled(db, model_name, model_version)
        return self._with_deployments(db, found), _to_version_info(found.version, model_name)

    def build_progress(self, db: Session, version: ModelVersionInfo) -> int:
        """Tells how far a version's build is, in percent; 100 only when it is READY."""
        if version.status is Status.READY:
            return 100
        job = self.jobs.latest_for(db, Kind.BUILD, version.version_id)
        return 0 if job is None else min(job.progress, 99)

    def serving(self, db: Session, model_name: str, model_version: str) -> ServedVersion:
        """Tells the little a prediction needs, in one read.

        Refuses an unknown name or label, and a version that is not READY.
        """
        model, row = self._labelled(db, model_name, model_version)
        if row.status != Status.READY:
            raise VersionNotReady(model_name, row.label, row.status, row.error)
        return _to_served(model, row)

    def serving_by_id(self, db: Session, version_id: str) -> ServedVersion | None:
        """Tells the little a prediction needs of a READY version; None where it is gone."""
        found = repository.version_with(db, version_id)
        if found is None or found.version.status != Status.READY:
            return None
        return _to_served(*found)

    def first_ready(self, db: Session, model_id: str) -> ServedVersion | None:
        """Finds the oldest READY version of a model."""
        found = repository.first_ready(db, model_id)
        return None if found is None else _to_served(*found)

    def with_ready_versions(self, db: Session) -> list[tuple[str, str]]:
        """Lists the models of the scope that have a READY version, by account and model id."""
        return repository.with_ready_versions(db)

    def id_of(self, db: Session, model_name: str) -> str:
        """Tells the id of a model; refuses a name that none has."""
        return get_or_404(repository.model_named(db, model_name), MODEL, model_name).model_id

    def newest_ready(self, db: Session, model_name: str) -> ModelVersionInfo | None:
        """Finds a model's newest READY version; refuses an unknown name."""
        shown = self.read(db, model_name).shown
        return shown if shown.status is Status.READY else None

    def card(
        self, db: Session, model_name: str, model_version: str
    ) -> tuple[ModelInfo, ModelVersionInfo]:
        """Tells what the card of a version is made from; refuses one that is not READY."""
        self.serving(db, model_name, model_version)
        return self.version(db, model_name, model_version)

    def create(
        self,
        db: Session,
        model_name: str,
        creator: AccountId,
        face: ModelMetadata,
        request: BuildRequest,
    ) -> ModelVersionInfo:
        """Makes a model with its first version; refuses a bad name and one that is taken."""
        if not is_name(model_name):
            raise bad_name()
        now = self.clock.now()
        model = ModelRecord(
            model_id=new_id("model"),
            model_name=model_name,
            name=face.name or display_name(model_name),
            description=face.description or "",
            tags=face.tags or [],
            created_by=creator,
            created_at=now,
            updated_at=now,
        )
        repository.add_model(db, model)
        return self._add_version(db, model, 1, FIRST_LABEL, request)

    def add_version(
        self, db: Session, model_name: str, change: Change, request: BuildRequest
    ) -> ModelVersionInfo:
        """Makes a model's next version; refuses an unknown name."""
        model = self._locked(db, model_name)
        newest = get_or_404(repository.newest(db, model.model_id), MODEL, model_name)
        label = next_label(Label.of(newest.label), change)
        return self._add_version(db, model, newest.version + 1, label, request)

    def start(self, db: Session, version_id: str) -> ModelVersionInfo | None:
        """Moves a version to BUILDING; returns None when there is nothing left to build."""
        found = repository.version_with(db, version_id)
        if found is None or found.version.status not in {Status.DRAFT, Status.BUILDING}:
            return None
        self._transition(db, found, BuildEvent.START)
        return _to_version_info(found.version, found.model.model_name)

    def finish(self, db: Session, version_id: str, artifact: str, outcome: BuildResult) -> bool:
        """Moves a version to READY with its artifact's key; says whether there still is one."""
        found = repository.version_with(db, version_id)
        if found is None:
            return False
        version = found.version
        version.artifact = artifact
        version.input_schema = outcome.input_schema
        version.output_schema = outcome.output_schema
        version.metrics = outcome.metrics
        version.plan = outcome.plan
        version.training = {
            "dataset_size": outcome.dataset_size,
            "training_time_minutes": round(outcome.training_seconds / 60, 4),
            "algorithm": outcome.algorithm,
            "feature_importance": outcome.feature_importance,
            "report": outcome.report,
        }
        self._transition(db, found, BuildEvent.FINISH)
        self.events.publish(db, VersionReady(found.model.model_id, found.model.model_name))
        return True

    def fail(self, db: Session, version_id: str, why: str) -> None:
        """Moves a version to ERROR; one that has ended already, or is gone, stays as it is."""
        found = repository.version_with(db, version_id)
        if found is None or found.version.status not in {Status.DRAFT, Status.BUILDING}:
            return
        found.version.error = why
        self._transition(db, found, BuildEvent.FAIL)

    def artifacts(self, db: Session) -> list[tuple[str, Status, str | None]]:
        """Lists the scope's versions: id, status, key of the artifact once there is one."""
        return repository.artifacts(db)

    def set_deployment_status(
        self, db: Session, version_id: str, status: DeploymentStatus | None
    ) -> None:
        """Notes what has become of a version's deployments."""
        found = repository.version_with(db, version_id)
        if found is not None:
            found.version.deployment_status = status
            db.flush()

    def _add_version(
        self, db: Session, model: ModelRecord, number: int, label: Label, request: BuildRequest
    ) -> ModelVersionInfo:
        """Adds a version that waits to be built, and has it keep its upload."""
        now = self.clock.now()
        version = ModelVersionRecord(
            version_id=new_id("ver"),
            model_id=model.model_id,
            version=number,
            label=str(label),
            status=Status.DRAFT,
            wish=asdict(request),
            input_schema=request.input_schema,
            output_schema=request.output_schema,
            metrics={},
            training={},
            created_at=now,
            updated_at=now,
        )
        insert(db, version)
        self._claim(db, model, version, request.upload_id)
        model.updated_at = now
        return _to_version_info(version, model.model_name)

    def _claim(
        self, db: Session, model: ModelRecord, version: ModelVersionRecord, upload_id: str
    ) -> None:
        self.uploads.claim(
            db,
            upload_id,
            version.version_id,
            model.model_name,
            model_id=model.model_id,
            version=version.label,
        )

    def _transition(self, db: Session, found: repository.ModelAndVersion, verb: BuildEvent) -> None:
        model, version = found
        version.status = transition(TRANSITIONS, read_member(Status, version.status), verb)
        version.updated_at = model.updated_at = self.clock.now()
        db.flush()

    def _locked(self, db: Session, model_name: str) -> ModelRecord:
        return get_or_404(repository.model_named(db, model_name, lock=True), MODEL, model_name)

    def _labelled(
        self, db: Session, model_name: str, model_version: str
    ) -> repository.ModelAndVersion:
        found = repository.version_labelled(db, model_name, model_version)
        if found is None:
            self.read(db, model_name)
        return get_or_404(found, "model_version", model_version)

    def _with_deployments(self, db: Session, found: repository.ModelAndVersion) -> ModelInfo:
        model_id = found.model.model_id
        return _to_info(*found, repository.deployment_statuses(db, [model_id])[model_id])


def _to_served(model: ModelRecord, version: ModelVersionRecord) -> ServedVersion:
    return ServedVersion(
        version.version_id, model.model_name, version.label, version.artifact or ""
    )


def _to_trashed(model: ModelRecord) -> TrashedModel:
    name, moment = model.trashed_name or model.model_name, model.trashed_at or model.updated_at
    return TrashedModel(model.model_id, name, moment)


def _to_info(
    model: ModelRecord, version: ModelVersionRecord, statuses: dict[str, str]
) -> ModelInfo:
    at_work = [one for one, status in statuses.items() if status == DeploymentStatus.DEPLOYED]
    return to_dataclass(
        model,
        ModelInfo,
        deployment_status=deployment_status_of_any(set(statuses.values())),
        deployed_versions=at_work,
        shown=_to_version_info(version, model.model_name),
    )


def _to_version_info(row: ModelVersionRecord, model_name: str) -> ModelVersionInfo:
    deployed = row.deployment_status
    return to_dataclass(
        row,
        ModelVersionInfo,
        model_name=model_name,
        model_version=row.label,
        status=read_member(Status, row.status),
        deployment_status=read_member(DeploymentStatus, deployed) if deployed else None,
        request=read_members(BuildRequest, row.wish),
    )
