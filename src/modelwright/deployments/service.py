"""`Deployments`: put versions to work, take them down, and pass requests on to their replicas."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy.orm import Session

from modelwright.core.channel.peers import Channel
from modelwright.core.clock import Clock
from modelwright.core.config.settings import Settings
from modelwright.core.db.database import advisory_lock
from modelwright.core.db.queries import insert
from modelwright.core.errors import get_or_404, not_found
from modelwright.core.events import Events
from modelwright.core.http.context import Caller
from modelwright.core.http.paging import Page
from modelwright.core.ids import new_id
from modelwright.core.state_machine import transition
from modelwright.core.stored_values import read_member
from modelwright.deployments import repository
from modelwright.deployments.domain import (
    ACTIVE_STATUSES,
    TRANSITIONS,
    DeploymentEvent,
    DeploymentInfo,
    Environment,
    ReplicaInfo,
    Status,
    VersionDeployed,
    min_replicas,
)
from modelwright.deployments.errors import MachineFull, NoReplica, NotActive, NothingReady
from modelwright.deployments.orm import DeploymentRecord
from modelwright.deployments.replica_client import ReplicaClient
from modelwright.deployments.replica_directory import ReplicaDirectory
from modelwright.jobs.domain import Kind
from modelwright.jobs.service import Jobs
from modelwright.machines.service import Machines
from modelwright.models.domain import (
    DeploymentStatus,
    ModelDeleted,
    ModelInfo,
    ModelVersionInfo,
    ServedVersion,
)
from modelwright.models.service import Models


class Deployments:
    """What an account has at work, within what the settings allow it and all accounts together."""

    def __init__(
        self,
        clock: Clock,
        events: Events,
        models: Models,
        jobs: Jobs,
        settings: Settings,
        machines: Machines,
        channel: Channel | None = None,
    ) -> None:
        self._clock = clock
        self._machines = machines
        self._models = models
        self._jobs = jobs
        self._events = events
        self._at_most = settings.replicas_at_most
        self._per_account = settings.replicas_per_account
        self.directory = ReplicaDirectory(channel)
        self.calls = ReplicaClient(settings.scratch_dir / "replicas", self.directory)
        events.listen(ModelDeleted, self._forget)

    def deploy(
        self,
        db: Session,
        model_name: str,
        model_version: str | None,
        *,
        environment: Environment,
        replicas: int,
        auto_scale: bool,
        by: Caller | None = None,
    ) -> DeploymentInfo:
        """Asks for replicas of a version, the newest READY one unless named.

        Refuses an unknown model or version, one that is not READY, and a machine that is full.
        """
        version, artifact = self._version(db, model_name, model_version)
        self._make_sure_of_room(db, min_replicas(replicas, auto_scale=auto_scale))
        row = self._start(
            db, version, artifact, environment=environment, replicas=replicas, auto_scale=auto_scale
        )
        told = VersionDeployed(row.model_id, environment, row.version_id, by)
        self._events.publish(db, told)
        return row.to_info()

    def deployed(self, db: Session) -> list[tuple[str, VersionDeployed]]:
        """Lists what is deployed in the scope by account, oldest first."""
        return [
            (row.account_id, VersionDeployed(row.model_id, row.environment, row.version_id, None))
            for row in repository.everything(db)
            if row.status in ACTIVE_STATUSES
        ]

    def _start(
        self,
        db: Session,
        version: ModelVersionInfo,
        artifact: str,
        *,
        environment: str,
        replicas: int,
        auto_scale: bool,
    ) -> DeploymentRecord:
        """Writes a deployment down and asks for the job that starts its replicas."""
        model_name = version.model_name
        row = DeploymentRecord(
            deployment_id=new_id("dep"),
            model_id=version.model_id,
            model_name=model_name,
            model_version=version.model_version,
            version_id=version.version_id,
            version=version.version,
            artifact=artifact,
            environment=environment,
            replicas=replicas,
            auto_scale=auto_scale,
            status=Status.DEPLOYING,
            created_at=self._clock.now(),
        )
        insert(db, row)
        self._tell(db, row.version_id)
        resource = {"model_name": model_name, "model_version": row.model_version}
        resource |= {"deployment_id": row.deployment_id}
        self._jobs.enqueue(db, Kind.DEPLOYMENT, row.deployment_id, resource=resource)
        return row

    def answering(
        self, db: Session, model_id: str, environment: str, version_id: str
    ) -> DeploymentInfo | None:
        """Finds the newest ACTIVE deployment of a version in an environment."""
        row = repository.answering(db, model_id, environment, version_id)
        return None if row is None else row.to_info()

    def replace(
        self, db: Session, model_id: str, environment: str, former_id: str, new: ServedVersion
    ) -> None:
        """Has replicas of one version take the place of another's in an environment, if it has any.

        The new ones are ready before the former ones drain; where there is no room for both, the
        former ones make it first.
        """
        rows = repository.at_work(db, model_id, environment)
        heirs = [row for row in rows if row.version_id == new.version_id]
        former = [
            row
            for row in rows
            if row not in heirs and (row.version_id == former_id or row.replaced_by)
        ]
        for row in heirs:
            row.replaced_by = None
        if not former:
            return
        heir = next((row for row in heirs if row.status == Status.ACTIVE), None)
        heir = heir or next(iter(heirs), None) or self._start_like(db, former, new)
        for row in former:
            row.replaced_by = heir.deployment_id
        db.flush()
        if heir.status == Status.ACTIVE:
            self._retire_replaced(db, heir)

    def _start_like(
        self, db: Session, former: Sequence[DeploymentRecord], new: ServedVersion
    ) -> DeploymentRecord:
        """Starts replicas of a version as the newest of other deployments has them."""
        like = former[0]
        fewest = min_replicas(like.replicas, auto_scale=like.auto_scale)
        try:
            self._make_sure_of_room(db, fewest)
        except MachineFull:  # the new ones come as the former ones go
            for row in former:
                self._undeploy(db, row)
        _, version = self._models.version(db, new.model_name, new.model_version)
        return self._start(
            db,
            version,
            new.artifact,
            environment=like.environment,
            replicas=like.replicas,
            auto_scale=like.auto_scale,
        )

    def _retire_replaced(self, db: Session, heir: DeploymentRecord) -> None:
        for row in repository.replaced_by(db, heir):
            self._undeploy(db, row)

    def list_(
        self, db: Session, model_name: str, page: Page
    ) -> tuple[ModelInfo, list[DeploymentInfo], int]:
        """Lists one page of a model's deployments, newest first; refuses an unknown model."""
        model = self._models.read(db, model_name)
        rows, total = repository.of_model(db, model.model_id, page)
        return model, [row.to_info() for row in rows], total

    def undeploy(
        self, db: Session, model_name: str, deployment_id: str
    ) -> tuple[DeploymentInfo, datetime]:
        """Has a deployment taken down, in whatever state; refuses one the model does not have."""
        model = self._models.read(db, model_name)
        row = repository.find(db, deployment_id, lock=True)
        if row is None or row.model_id != model.model_id:
            raise not_found("deployment_id", deployment_id)
        return row.to_info(), self._undeploy(db, row)

    def active(self, db: Session, deployment_id: str) -> DeploymentInfo:
        """Finds the deployment that is to answer; refuses an unknown one and one not ACTIVE."""
        row = get_or_404(repository.find(db, deployment_id), "deployment_id", deployment_id)
        if row.status != Status.ACTIVE:
            raise NotActive(row.to_info())
        return row.to_info()

    def find(self, db: Session, deployment_id: str) -> DeploymentInfo | None:
        """Finds a deployment of the scope."""
        row = repository.find(db, deployment_id)
        return None if row is None else row.to_info()

    def everything(self, db: Session) -> Sequence[DeploymentInfo]:
        """Lists all deployments of the scope, oldest first."""
        return [row.to_info() for row in repository.everything(db)]

    def probe(self, db: Session) -> None:
        """Raises NoReplica when an ACTIVE deployment has fewer replicas than it is to have."""
        elsewhere = self.elsewhere(db)
        for row in repository.everything(db):
            wanted = row.to_info().min_replicas if row.status == Status.ACTIVE else 0
            if not wanted:
                continue
            answering = self.calls.answering(row.deployment_id)
            answering += sum(one.deployment_id == row.deployment_id for one in elsewhere)
            if answering < wanted:
                raise NoReplica

    def elsewhere(self, db: Session) -> list[ReplicaInfo]:
        """Lists the replicas that answer on other machines which reach this one."""
        here = self._machines.here
        if here.is_alone:
            return []
        now = self._machines.now(db)
        rows = repository.answering_elsewhere(db, here.pool, here.machine_id, now)
        return [row.to_info() for row in rows]

    def replicas(self, db: Session) -> list[ReplicaInfo]:
        """Lists all replicas of this machine and of those it reaches."""
        rows = repository.replicas_of_pool(db, self._machines.here.pool)
        return [row.to_info() for row in rows]

    def activate(self, db: Session, deployment_id: str) -> None:
        """Notes that the replicas answer."""
        row = repository.find(db, deployment_id, lock=True)
        if row is not None and row.status == Status.DEPLOYING:
            self._transition(db, row, DeploymentEvent.ACTIVATE)
            self._retire_replaced(db, row)

    def fail(self, db: Session, deployment_id: str, why: str) -> None:
        """Notes why there are no replicas; one that is going, gone or FAILED stays so.

        What it was to replace stays at work, for a rollback, and is told of.
        """
        row = repository.find(db, deployment_id, lock=True)
        if row is not None and row.status in ACTIVE_STATUSES:
            kept = repository.replaced_by(db, row)
            row.error = why + _said_of_kept([one.deployment_id for one in kept])
            self._transition(db, row, DeploymentEvent.FAIL)

    def purge(self, db: Session, deployment_id: str) -> None:
        """Notes that the last replica of an UNDEPLOYING deployment has gone."""
        row = repository.find(db, deployment_id, lock=True)
        if row is not None and row.status == Status.UNDEPLOYING:
            repository.delete_replicas_of(db, deployment_id=deployment_id)
            db.delete(row)

    def _version(
        self, db: Session, model_name: str, model_version: str | None
    ) -> tuple[ModelVersionInfo, str]:
        if model_version is None:
            newest = self._models.newest_ready(db, model_name)
            if newest is None:
                raise NothingReady(model_name)
            model_version = newest.model_version
        served = self._models.serving(db, model_name, model_version)
        return self._models.version(db, model_name, model_version)[1], served.artifact

    def _make_sure_of_room(self, db: Session, asked: int) -> None:
        advisory_lock(db, "replicas")
        room, whose = self._room(db)
        free = max(0, room - repository.min_replicas_of_all(db))
        if asked > free:
            raise MachineFull(asked, free, f"{whose} {room}", "MODELWRIGHT_REPLICAS_AT_MOST")
        free = max(0, (self._per_account or room) - repository.min_replicas_of(db))
        if asked > free:
            most, setting = (
                f"your account's {self._per_account}",
                "MODELWRIGHT_REPLICAS_PER_ACCOUNT",
            )
            raise MachineFull(asked, free, most, setting)

    def _room(self, db: Session) -> tuple[int, str]:
        """Tells how many replicas there may be, and whose room that is."""
        if self._machines.here.is_alone:
            return self._at_most, "this machine's"
        hosts = self._machines.hosts(db)
        room = sum(one.room for one in hosts if not one.is_draining)
        return room, f"the {len(hosts)} machines'"

    def _undeploy(self, db: Session, row: DeploymentRecord) -> datetime:
        row.undeployed_at = row.undeployed_at or self._clock.now()
        self._jobs.cancel_for(db, Kind.DEPLOYMENT, row.deployment_id)
        self._transition(db, row, DeploymentEvent.UNDEPLOY)
        return row.undeployed_at

    def _transition(self, db: Session, row: DeploymentRecord, verb: DeploymentEvent) -> None:
        row.status = transition(TRANSITIONS, read_member(Status, row.status), verb)
        db.flush()
        self._tell(db, row.version_id)

    def _tell(self, db: Session, version_id: str) -> None:
        statuses = repository.statuses_of_version(db, version_id)
        told = DeploymentStatus.UNDEPLOYED
        if Status.ACTIVE in statuses:
            told = DeploymentStatus.DEPLOYED
        elif Status.DEPLOYING in statuses:
            told = DeploymentStatus.DEPLOYING
        self._models.set_deployment_status(db, version_id, told)

    def _forget(self, db: Session, deleted: ModelDeleted) -> None:
        for row in repository.all_of_model(db, deleted.model_id):
            self._undeploy(db, row)


def _said_of_kept(kept: Sequence[str]) -> str:
    """Says which deployments still have the replicas that a failed one was to replace."""
    if not kept:
        return ""
    return (
        f" The replicas of the former version stay ({', '.join(kept)}), so that a rollback finds"
        " them: roll back, deploy this version again, or undeploy them."
    )
