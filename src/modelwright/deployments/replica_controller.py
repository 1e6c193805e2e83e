"""The host of all replicas of a data folder: one process beside the API and the worker.

One host, not replicas of each API process: however many API processes answer, the machine's cap
holds, the replicas of a deployment are as many as were asked for, and an API process that dies
takes none of them along. The API processes reach the replicas directly, through unix sockets in
a folder that only their owner enters; the host is on no request's path. What is to run is in the
database, so the host holds nothing that a restart would lose.
"""

import os
import shutil
import threading
import time
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

from modelwright.core.db.database import ALL_ACCOUNTS, Database
from modelwright.core.errors import ApiError, Damaged, Unavailable
from modelwright.core.logging import logger
from modelwright.core.process import heartbeat
from modelwright.deployments.domain import ACTIVE_STATUSES, DeploymentInfo, Status
from modelwright.deployments.replica_set import Replica, ReplicaSet
from modelwright.deployments.service import Deployments
from modelwright.storage.object_store import ObjectStore

RECONCILE_SECONDS = 0.05
LOCK_RETRY_SECONDS = 1.0
"""How long an unchanged database is taken at its word."""
FAULT_PAUSE_SECONDS = 1.0
FETCH_SECONDS = 1800.0
"""How long an artifact may take to come from a bucket."""


class ReplicaController:
    """Brings what runs in line with what is to run, turn by turn."""

    def __init__(
        self,
        database: Database,
        deployments: Deployments,
        objects: ObjectStore,
        *,
        folder: Path,
        target: str,
        at_most: int,
        drain_seconds: float,
        hung_seconds: float,
    ) -> None:
        self.replica_sets: dict[str, ReplicaSet] = {}
        self._database = database
        self._deployments = deployments
        self._objects = objects
        self._folder = folder
        self._target = target
        self._at_most = at_most
        self._drain_seconds = drain_seconds
        self._hung_seconds = hung_seconds
        self._stamp: int | None = None
        self._sure_until = 0.0
        self._orders: Sequence[DeploymentInfo] = ()
        self._log = logger()
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True, mode=0o700)

    def run(self, stopping: threading.Event) -> None:
        """Takes turns until told to stop, then lets all replicas go."""
        while not stopping.is_set():
            heartbeat.beat()
            try:
                self.turn()
            except Exception:  # noqa: BLE001 - a database that is away comes back
                self._log.exception("deployments.host_fault")
                stopping.wait(FAULT_PAUSE_SECONDS)
            stopping.wait(RECONCILE_SECONDS)
        self.close()

    def close(self) -> None:
        """Ends every replica, after what it is answering."""
        heartbeat.beat(2 * self._drain_seconds)
        for replica_set in self.replica_sets.values():
            replica_set.stop(time.monotonic())
        while any(replica_set.replicas for replica_set in self.replica_sets.values()):
            for replica_set in self.replica_sets.values():
                replica_set.look(time.monotonic())
            time.sleep(RECONCILE_SECONDS)
        self.replica_sets.clear()

    def turn(self) -> None:
        """Looks after every deployment once."""
        now = time.monotonic()
        for facts in self._read(now):
            if facts.deployment_id in self.replica_sets:
                self.replica_sets[facts.deployment_id].facts = facts
            elif facts.status in ACTIVE_STATUSES:
                replica_set = ReplicaSet(facts, self._spawn, self._drain_seconds)
                self.replica_sets[facts.deployment_id] = replica_set
            elif facts.status is Status.UNDEPLOYING:
                self._note(facts)
        ordered = {facts.deployment_id for facts in self._orders}
        for deployment_id, replica_set in list(self.replica_sets.items()):
            replica_set.look(now)
            self._keep(replica_set, now, is_ordered=deployment_id in ordered)

    def _read(self, now: float) -> Sequence[DeploymentInfo]:
        stamp = self._database.stamp()
        if stamp is None or stamp != self._stamp or now > self._sure_until:
            with self._database.transaction(ALL_ACCOUNTS, write=False) as db:
                self._orders = self._deployments.everything(db)
            self._stamp, self._sure_until = stamp, now + LOCK_RETRY_SECONDS
        return self._orders

    def _keep(self, replica_set: ReplicaSet, now: float, *, is_ordered: bool) -> None:
        if is_ordered and replica_set.facts.status in ACTIVE_STATUSES:
            self._staff(replica_set, now)
            return
        replica_set.stop(now)
        if not replica_set.replicas:
            del self.replica_sets[replica_set.facts.deployment_id]
            if replica_set.facts.status is Status.UNDEPLOYING:
                self._note(replica_set.facts)

    def _staff(self, replica_set: ReplicaSet, now: float) -> None:
        facts = replica_set.facts
        try:
            replica_set.keep(now, *self._room_for(replica_set))
        except Damaged as damage:  # does not mend itself, unlike a storage that is away
            self._fail(facts, f"No replica could start: {damage.message}")
            return
        except Unavailable:
            return
        except ApiError as refusal:
            self._fail(facts, refusal.message)
            return
        standing = replica_set.standing()
        if facts.status is Status.ACTIVE and not standing.is_final:
            return
        if standing.failure is not None:
            self._fail(facts, f"No replica could start: {standing.failure}")
        elif standing.is_up:
            self._activate(facts)

    def _room_for(self, replica_set: ReplicaSet) -> tuple[int, int]:
        """How many replicas a crew may have, and how many it may start now.

        What all deployments have at least goes before what the load asks for beyond that.
        """
        replica_sets = self.replica_sets.values()
        beyond = self._at_most - sum(one.facts.fewest for one in replica_sets)
        beyond -= sum(one.extra for one in replica_sets if one is not replica_set)
        running = sum(len(one.replicas) for one in replica_sets)
        return replica_set.facts.fewest + max(0, beyond), max(0, self._at_most - running)

    def _spawn(self, facts: DeploymentInfo, name: str) -> Replica:
        heartbeat.beat(FETCH_SECONDS)
        lent = ExitStack()
        artifact = lent.enter_context(self._objects.local(facts.artifact))
        told = {
            "parent": os.getpid(),
            "target": self._target,
            "artifact": str(artifact.resolve()),
            "name": name,
            "model_name": facts.model_name,
            "model_version": facts.model_version,
        }
        heartbeat.beat()
        return Replica(self._folder, told, lent, time.monotonic(), self._hung_seconds)

    def _activate(self, facts: DeploymentInfo) -> None:
        self._log.info("deployments.activated", deployment_id=facts.deployment_id)
        with self._database.transaction(facts.account_id) as db:
            self._deployments.activate(db, facts.deployment_id)

    def _fail(self, facts: DeploymentInfo, why: str) -> None:
        self._log.error("deployments.failed", deployment_id=facts.deployment_id, why=why)
        with self._database.transaction(facts.account_id) as db:
            self._deployments.fail(db, facts.deployment_id, why)

    def _note(self, facts: DeploymentInfo) -> None:
        self._log.info("deployments.gone", deployment_id=facts.deployment_id)
        with self._database.transaction(facts.account_id) as db:
            self._deployments.forget(db, facts.deployment_id)
