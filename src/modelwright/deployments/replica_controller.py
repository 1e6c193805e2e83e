"""Decides which replicas there are to be, and where: one controller for all machines of a pool.

A machine that no other reaches decides for itself. Of those that reach each other the one that
holds the leader's lease decides, in the transaction that proves that it holds it; what it decides
is rows, which the hosts of the machines bring about.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from sqlalchemy.orm import Session

from modelwright.core.db.database import ALL_ACCOUNTS, Database
from modelwright.core.db.queries import insert
from modelwright.core.ids import new_id
from modelwright.core.logging import logger
from modelwright.core.state_machine import transition
from modelwright.core.stored_values import read_member
from modelwright.deployments import repository
from modelwright.deployments.domain import (
    ACTIVE_STATUSES,
    REPLICA_TRANSITIONS,
    Autoscaler,
    DeploymentInfo,
    Host,
    ReplicaCounts,
    ReplicaEvent,
    ReplicaInfo,
    ReplicaStatus,
    Status,
    place,
)
from modelwright.deployments.orm import ReplicaRecord
from modelwright.deployments.service import Deployments
from modelwright.machines.domain import PACE_CLUSTER
from modelwright.machines.service import Machines

CONTROL_SECONDS = 0.5
"""How often the leader of several machines decides."""
LEAD = "replicas"
LEAD_SECONDS = 5.0
"""How long a leader is waited for that says nothing."""


@dataclass(frozen=True, slots=True)
class View:
    """What is to run and what there is, as last read."""

    deployments: Sequence[DeploymentInfo] = ()
    replicas: Sequence[ReplicaInfo] = ()


@dataclass(slots=True)
class ReplicaChanges:
    """What is to change."""

    add: list[tuple[DeploymentInfo, str]] = field(default_factory=list)
    """Deployments, and the machine that gets one more replica of each."""
    leave: list[str] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)
    """Replicas of machines that are gone."""
    activate: list[DeploymentInfo] = field(default_factory=list)
    fail: list[tuple[DeploymentInfo, str]] = field(default_factory=list)
    purge: list[DeploymentInfo] = field(default_factory=list)


class ReplicaController:
    """Brings the rows of replicas in line with the deployments."""

    def __init__(self, database: Database, deployments: Deployments, machines: Machines) -> None:
        self._database = database
        self._deployments = deployments
        self._machines = machines
        self._here = machines.here
        self._scalers: dict[str, Autoscaler] = {}
        self._next = 0.0
        self._sure_from = -1.0
        self._log = logger()

    def read(self, db: Session) -> View:
        """Reads what is to run and what there is."""
        return View(self._deployments.everything(db), self._deployments.replicas(db))

    def lost_sight(self, now: float) -> None:
        """Notes that the database was away: others may be silent for the same reason."""
        self._sure_from = now + PACE_CLUSTER.lease_seconds

    def turn(self, view: View, loads: Mapping[str, float], now: float) -> None:
        """Decides once, where this machine is the one that decides."""
        if self._here.is_alone:
            hosts = [Host(self._here.machine_id, self._here.room)]
            decision = self._decide(view, hosts, loads, now)
            if decision.add or decision.leave or decision.lost:
                with self._database.transaction(ALL_ACCOUNTS) as db:
                    self._write(db, decision)
        else:
            led = self._lead(loads, now)
            if led is None:
                return
            decision = led
        self._tell(decision)

    def _lead(self, loads: Mapping[str, float], now: float) -> ReplicaChanges | None:
        if now < self._next:
            return None
        self._next = now + CONTROL_SECONDS
        if self._sure_from < 0:  # others may be starting with this one
            self.lost_sight(now)
        with self._database.transaction(ALL_ACCOUNTS) as db:
            if not self._machines.lead(db, LEAD, LEAD_SECONDS):
                self._scalers.clear()
                return None
            moment = self._machines.now(db) if now >= self._sure_from else None
            hosts = [
                Host(one.machine_id, one.room, one.is_draining) for one in self._machines.hosts(db)
            ]
            decision = self._decide(self.read(db), hosts, loads, now, moment)
            self._write(db, decision)
        return decision

    def _decide(
        self,
        view: View,
        hosts: Sequence[Host],
        loads: Mapping[str, float],
        now: float,
        moment: datetime | None = None,
    ) -> ReplicaChanges:
        """Decides for all deployments; machines may only be found dead where a moment is given."""
        decision = ReplicaChanges()
        standing = self._standing(view, decision, moment)
        taken = Counter(one.machine_id for each in standing.values() for one in each)
        beyond = _room_beyond(view, hosts, standing)
        for facts in view.deployments:
            replicas = standing.pop(facts.deployment_id, [])
            if facts.status in ACTIVE_STATUSES:
                self._settle(decision, facts, replicas)
                most = facts.min_replicas + max(0, beyond + _extra(facts, replicas))
                wanted = self._wanted(facts, replicas, loads, most, now)
                plan = place(wanted, replicas, hosts, taken)
                taken.update(plan.add)
                decision.add += [(facts, machine_id) for machine_id in plan.add]
                decision.leave += plan.leave
                continue
            self._scalers.pop(facts.deployment_id, None)
            standing[facts.deployment_id] = replicas
            if facts.status is Status.UNDEPLOYING and not replicas:
                decision.purge.append(facts)
        for replicas in standing.values():
            decision.leave += [
                one.replica_id for one in replicas if one.status is not ReplicaStatus.LEAVING
            ]
        return decision

    def _standing(
        self, view: View, decision: ReplicaChanges, moment: datetime | None
    ) -> dict[str, list[ReplicaInfo]]:
        """Groups the replicas that are not lost by deployment; the decision notes the others."""
        standing: dict[str, list[ReplicaInfo]] = {}
        for one in view.replicas:
            if moment is not None and one.is_lost(moment):
                decision.lost.append(one.replica_id)
                self._log.warning("deployments.replica_lost", replica_id=one.replica_id)
            else:
                standing.setdefault(one.deployment_id, []).append(one)
        return standing

    def _wanted(
        self,
        facts: DeploymentInfo,
        replicas: Sequence[ReplicaInfo],
        loads: Mapping[str, float],
        most: int,
        now: float,
    ) -> int:
        if not facts.auto_scale:
            return facts.replicas
        standing = sum(one.status is not ReplicaStatus.LEAVING for one in replicas)
        scaler = self._scalers.setdefault(facts.deployment_id, Autoscaler(max(1, standing)))
        ready = [
            loads.get(one.replica_id, one.load)
            for one in replicas
            if one.status is ReplicaStatus.READY
        ]
        return scaler.observe(ready, min(facts.replicas, most), now)

    @staticmethod
    def _settle(
        decision: ReplicaChanges, facts: DeploymentInfo, replicas: Sequence[ReplicaInfo]
    ) -> None:
        """Decides whether a deployment has become ACTIVE, or FAILED."""
        counts = ReplicaCounts.of(replicas, facts.min_replicas)
        if facts.status is Status.ACTIVE and not counts.is_final:
            return
        if counts.failure is not None:
            decision.fail.append((facts, f"No replica could start: {counts.failure}"))
        elif counts.is_up:
            decision.activate.append(facts)

    def _write(self, db: Session, decision: ReplicaChanges) -> None:
        """Writes down the replicas that are lost, are to leave, and are to start."""
        repository.delete_replicas(db, decision.lost)
        for replica_id in decision.leave:
            row = repository.replica(db, replica_id)
            if row is not None and row.status != ReplicaStatus.LEAVING:
                status = read_member(ReplicaStatus, row.status)
                row.status = transition(REPLICA_TRANSITIONS, status, ReplicaEvent.LEAVE)
        now = self._machines.now(db)
        until = None
        if not self._here.is_alone:
            until = now + timedelta(seconds=PACE_CLUSTER.lease_seconds)
        for facts, machine_id in decision.add:
            row = ReplicaRecord(
                replica_id=new_id("rep"),
                deployment_id=facts.deployment_id,
                pool=self._here.pool,
                machine_id=machine_id,
                status=ReplicaStatus.STARTING,
                socket="",
                address="",
                load=0.0,
                is_final=False,
                created_at=now,
                lease_until=until,
            )
            insert(db, row)

    def _tell(self, decision: ReplicaChanges) -> None:
        for facts in decision.activate:
            self._log.info("deployments.activated", deployment_id=facts.deployment_id)
            with self._database.transaction(facts.account_id) as db:
                self._deployments.activate(db, facts.deployment_id)
        for facts, why in decision.fail:
            self.fail(facts, why)
        for facts in decision.purge:
            self._log.info("deployments.gone", deployment_id=facts.deployment_id)
            with self._database.transaction(facts.account_id) as db:
                self._deployments.purge(db, facts.deployment_id)

    def fail(self, facts: DeploymentInfo, why: str) -> None:
        """Notes why a deployment can have no replicas."""
        self._log.error("deployments.failed", deployment_id=facts.deployment_id, why=why)
        with self._database.transaction(facts.account_id) as db:
            self._deployments.fail(db, facts.deployment_id, why)


def _room_beyond(
    view: View, hosts: Sequence[Host], standing: Mapping[str, Sequence[ReplicaInfo]]
) -> int:
    """Counts the replicas that there is room for beyond those that stand or must."""
    active = [one for one in view.deployments if one.status in ACTIVE_STATUSES]
    room = sum(one.room for one in hosts if not one.is_draining)
    extra = sum(_extra(facts, standing.get(facts.deployment_id, ())) for facts in active)
    return room - sum(facts.min_replicas for facts in active) - extra


def _extra(facts: DeploymentInfo, replicas: Sequence[ReplicaInfo]) -> int:
    """Tells how many replicas there are above the fewest there may be."""
    standing = sum(one.status is not ReplicaStatus.LEAVING for one in replicas)
    return max(0, standing - facts.min_replicas)
