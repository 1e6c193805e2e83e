"""The host of all replicas of a data folder: one process beside the API and the worker.

One host, not replicas of each API process: however many API processes answer, the machine's cap
holds, the replicas of a deployment are as many as were asked for, and an API process that dies
takes none of them along. The API processes reach the replicas directly, through unix sockets in
a folder that only their owner enters; the host is on no request's path. Which replicas this machine
is to have is in the database, so the host holds nothing that a restart would lose.
"""

import os
import shutil
import threading
import time
from collections import defaultdict
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

from modelwright.core.db.database import ALL_ACCOUNTS, Database
from modelwright.core.errors import ApiError, Damaged, Unavailable
from modelwright.core.logging import logger
from modelwright.core.process import heartbeat
from modelwright.core.state_machine import transition
from modelwright.deployments import repository
from modelwright.deployments.domain import (
    ACTIVE_STATUSES,
    REPLICA_TRANSITIONS,
    DeploymentInfo,
    ReplicaEvent,
    ReplicaInfo,
    ReplicaStatus,
)
from modelwright.deployments.replica_controller import ReplicaController, View
from modelwright.deployments.replica_set import ReplicaProcess, ReplicaSet, State
from modelwright.deployments.service import Deployments
from modelwright.machines.domain import MachinePart
from modelwright.machines.service import Machines
from modelwright.storage.object_store import ObjectStore

RECONCILE_SECONDS = 0.05
"""How often what runs is compared with what should run."""
READ_SECONDS = 0.25
"""How often machines that share a database read what they are to do."""
UNCHANGED_SECONDS = 1.0
"""How long an unchanged database is taken at its word."""
LOAD_STEP = 0.1
"""A change of a replica's load that is worth being written down."""
FAULT_PAUSE_SECONDS = 1.0
"""Pause after a fault, such as a database that is away."""
FETCH_SECONDS = 1800.0
"""How long an artifact may take to come from a bucket."""


class ReplicaHost:
    """Brings what runs on this machine in line with what is to run, turn by turn."""

    def __init__(
        self,
        database: Database,
        deployments: Deployments,
        objects: ObjectStore,
        machines: Machines,
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
        self._machines = machines
        self._here = machines.here
        self._controller = ReplicaController(database, deployments, machines)
        self._folder = folder
        self._target = target
        self._at_most = at_most
        self._drain_seconds = drain_seconds
        self._hung_seconds = hung_seconds
        self._stamp: int | None = None
        self._sure_until = 0.0
        self._view = View()
        self._beat_at = 0.0
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
                self._controller.lost_sight(time.monotonic())
                stopping.wait(FAULT_PAUSE_SECONDS)
            stopping.wait(RECONCILE_SECONDS)
        self.close()

    def close(self) -> None:
        """Ends every replica, after what it is answering; others may take their place at once."""
        heartbeat.beat(2 * self._drain_seconds)
        with suppress(Unavailable), self._database.transaction(ALL_ACCOUNTS) as db:
            repository.delete_replicas_of(db, machine_id=self._here.machine_id)
            self._machines.leave(db, MachinePart.REPLICAS)
            self._machines.give_up_lead(db)
        for replica_set in self.replica_sets.values():
            replica_set.stop(time.monotonic())
        while any(replica_set.replicas for replica_set in self.replica_sets.values()):
            for replica_set in self.replica_sets.values():
                replica_set.poll(time.monotonic())
            time.sleep(RECONCILE_SECONDS)
        self.replica_sets.clear()

    def turn(self) -> None:
        """Looks after every replica of this machine once, and after all when it leads."""
        now = time.monotonic()
        self._beat(now)
        view = self._read(now)
        self._run(view, now)
        self._report(view)
        loads = {
            one.replica_id: one.load for each in self.replica_sets.values() for one in each.replicas
        }
        self._controller.turn(view, loads, now)

    def _beat(self, now: float) -> None:
        """Gives a sign of life, by which this machine keeps its replicas."""
        if now < self._beat_at:
            return
        is_first = not self._beat_at
        with self._database.transaction(ALL_ACCOUNTS) as db:
            until = self._machines.beat(db, MachinePart.REPLICAS)
            if is_first:
                machine_id, pool = self._here.machine_id, self._here.pool
                repository.delete_replicas_of(db, machine_id=machine_id, but_of_pool=pool)
            if not self._here.is_alone:
                repository.renew_replicas(db, self._here.machine_id, until)
        self._beat_at = now + self._here.pace.beat_seconds

    def _read(self, now: float) -> View:
        stamp = self._database.stamp()
        is_known = stamp is not None and stamp == self._stamp and now <= self._sure_until
        is_soon = stamp is None and not self._here.is_alone and now <= self._sure_until
        if not (is_known or is_soon):
            with self._database.transaction(ALL_ACCOUNTS, write=False) as db:
                self._view = self._controller.read(db)
            seconds = READ_SECONDS if stamp is None else UNCHANGED_SECONDS
            self._stamp, self._sure_until = stamp, now + seconds
        return self._view

    def _run(self, view: View, now: float) -> None:
        """Starts and lets go processes so that each replica of this machine has one."""
        wanted = defaultdict(list)
        known = {facts.deployment_id: facts for facts in view.deployments}
        told = {one.deployment_id for one in self._mine(view)}
        for one in self._mine(view):
            facts = known.get(one.deployment_id)
            if facts is None or facts.status not in ACTIVE_STATUSES:
                continue
            if one.status is not ReplicaStatus.LEAVING:
                wanted[one.deployment_id].append(one.replica_id)
            if one.deployment_id not in self.replica_sets:
                made = ReplicaSet(facts, self._spawn, self._drain_seconds)
                self.replica_sets[one.deployment_id] = made
        for deployment_id, replica_set in list(self.replica_sets.items()):
            replica_set.facts = known.get(deployment_id, replica_set.facts)
            replica_set.poll(now)
            self._staff(replica_set, wanted[deployment_id], now)
            if not (replica_set.replicas or deployment_id in told):
                del self.replica_sets[deployment_id]

    def _staff(self, replica_set: ReplicaSet, ids: Sequence[str], now: float) -> None:
        running = sum(len(one.replicas) for one in self.replica_sets.values())
        try:
            replica_set.keep(now, ids, self._at_most - running)
        except Damaged as damage:  # does not mend itself, unlike a storage that is away
            replica_set.give_up(damage.message, now)
        except Unavailable:
            return
        except ApiError as refusal:
            replica_set.give_up(refusal.message, now)

    def _report(self, view: View) -> None:
        """Writes down what changed of the replicas of this machine."""
        changed: dict[str, dict[str, Any]] = {}
        gone: list[str] = []
        for one in self._mine(view):
            replica_set = self.replica_sets.get(one.deployment_id)
            replica = _find(replica_set, one.replica_id)
            if one.status is ReplicaStatus.LEAVING:
                gone += [] if replica else [one.replica_id]
            elif values := self._news(one, replica_set, replica):
                changed[one.replica_id] = values
        if not (changed or gone):
            return
        with self._database.transaction(ALL_ACCOUNTS) as db:
            for replica_id, values in changed.items():
                repository.change_replica(db, replica_id, **values)
            repository.delete_replicas(db, gone)
        self._sure_until = 0.0

    def _news(
        self, one: ReplicaInfo, replica_set: ReplicaSet | None, replica: ReplicaProcess | None
    ) -> dict[str, Any]:
        """Tells what of a replica is no longer as its row says."""
        is_ready = replica is not None and replica.state is State.READY
        values: dict[str, Any] = {}
        if is_ready != (one.status is ReplicaStatus.READY):
            event = ReplicaEvent.ANSWER if is_ready else ReplicaEvent.DIE
            values["status"] = transition(REPLICA_TRANSITIONS, one.status, event)
        told = {
            "socket": replica.address.name if replica and is_ready else "",
            "address": self._here.address,
            "error": None if is_ready or not replica_set else replica_set.failure,
            "is_final": bool(replica_set and not is_ready and replica_set.is_final),
        }
        values |= {name: it for name, it in told.items() if getattr(one, name) != it}
        load = replica.load if replica and is_ready else 0.0
        if not self._here.is_alone and abs(load - one.load) >= LOAD_STEP:
            values["load"] = load
        return values

    def _mine(self, view: View) -> list[ReplicaInfo]:
        return [one for one in view.replicas if one.machine_id == self._here.machine_id]

    def _spawn(self, facts: DeploymentInfo, name: str, replica_id: str) -> ReplicaProcess:
        heartbeat.beat(FETCH_SECONDS)
        lent = ExitStack()
        artifact = lent.enter_context(self._objects.local(facts.artifact))
        told = {
            "parent": os.getpid(),
            "target": self._target,
            "artifact": str(artifact.resolve()),
            "name": name,
            "replica_id": replica_id,
            "model_name": facts.model_name,
            "model_version": facts.model_version,
        }
        heartbeat.beat()
        return ReplicaProcess(self._folder, told, lent, time.monotonic(), self._hung_seconds)


def _find(replica_set: ReplicaSet | None, replica_id: str) -> ReplicaProcess | None:
    """Finds the process of a replica, the newest where an earlier one is still leaving."""
    found = replica_set.replicas if replica_set else []
    return next((one for one in reversed(found) if one.replica_id == replica_id), None)
