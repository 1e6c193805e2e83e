"""The feature's terms: how a deployment moves, and how many replicas the load asks for.

Placing and scaling are pure decisions over what is known: they are tested without a process or a
database.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Literal, get_args

from modelwright.core.http.context import Caller

Environment = Literal["production", "staging", "development"]
ENVIRONMENTS: tuple[Environment, ...] = get_args(Environment)
"""In the order they are told in."""


class Status(StrEnum):
    """The state of a deployment."""

    DEPLOYING = "DEPLOYING"
    ACTIVE = "ACTIVE"
    UNDEPLOYING = "UNDEPLOYING"
    FAILED = "FAILED"


class DeploymentEvent(StrEnum):
    """What moves a deployment."""

    ACTIVATE = "activate"
    FAIL = "fail"
    UNDEPLOY = "undeploy"


TRANSITIONS: dict[tuple[Status, DeploymentEvent], Status] = {
    (Status.DEPLOYING, DeploymentEvent.ACTIVATE): Status.ACTIVE,
    (Status.DEPLOYING, DeploymentEvent.FAIL): Status.FAILED,
    (Status.ACTIVE, DeploymentEvent.FAIL): Status.FAILED,
    (Status.DEPLOYING, DeploymentEvent.UNDEPLOY): Status.UNDEPLOYING,
    (Status.ACTIVE, DeploymentEvent.UNDEPLOY): Status.UNDEPLOYING,
    (Status.FAILED, DeploymentEvent.UNDEPLOY): Status.UNDEPLOYING,
    (Status.UNDEPLOYING, DeploymentEvent.UNDEPLOY): Status.UNDEPLOYING,
}
"""Every move there is; ACTIVE lasts through restarts, while its replicas come back."""

ACTIVE_STATUSES = (Status.DEPLOYING, Status.ACTIVE)
"""The statuses of a deployment that has, or is to have, replicas."""


@dataclass(frozen=True, slots=True)
class DeploymentInfo:
    """What is known of a deployment."""

    deployment_id: str
    account_id: str
    model_name: str
    model_version: str
    version_id: str
    version: int
    artifact: str
    environment: str
    replicas: int
    auto_scale: bool
    status: Status
    error: str | None
    created_at: datetime
    undeployed_at: datetime | None

    @property
    def min_replicas(self) -> int:
        """How many replicas it has at least."""
        return min_replicas(self.replicas, auto_scale=self.auto_scale)


@dataclass(frozen=True, slots=True)
class VersionDeployed:
    """Announced in the transaction that makes a deployment."""

    model_id: str
    environment: str
    version_id: str
    by: Caller | None
    """Who deployed it."""


def min_replicas(replicas: int, *, auto_scale: bool) -> int:
    """Tells how many replicas a deployment has at least: with `auto_scale` they are a ceiling."""
    return 1 if auto_scale else replicas


class ReplicaStatus(StrEnum):
    """Where a replica stands; one that is gone has no row."""

    STARTING = "STARTING"
    READY = "READY"
    LEAVING = "LEAVING"


class ReplicaEvent(StrEnum):
    """What moves a replica."""

    ANSWER = "answer"
    DIE = "die"
    LEAVE = "leave"


REPLICA_TRANSITIONS: dict[tuple[ReplicaStatus, ReplicaEvent], ReplicaStatus] = {
    (ReplicaStatus.STARTING, ReplicaEvent.ANSWER): ReplicaStatus.READY,
    (ReplicaStatus.READY, ReplicaEvent.DIE): ReplicaStatus.STARTING,
    (ReplicaStatus.STARTING, ReplicaEvent.LEAVE): ReplicaStatus.LEAVING,
    (ReplicaStatus.READY, ReplicaEvent.LEAVE): ReplicaStatus.LEAVING,
}
"""Every move there is; one whose process dies starts again on its machine."""


@dataclass(frozen=True, slots=True)
class ReplicaInfo:
    """A replica and its place."""

    replica_id: str
    deployment_id: str
    pool: str
    machine_id: str
    status: ReplicaStatus
    socket: str
    """What its socket is called on its machine; empty until it answers."""
    address: str
    """Where its machine is reached; empty where no other reaches it."""
    load: float
    error: str | None
    is_final: bool
    """Whether starting it again cannot help."""
    lease_until: datetime | None
    """Until when its machine is believed to have it; None where nobody else could."""

    def is_lost(self, now: datetime) -> bool:
        """Returns whether its machine is gone."""
        return self.lease_until is not None and self.lease_until <= now


@dataclass(frozen=True, slots=True)
class ReplicaCounts:
    """How a deployment's replicas stand: whether enough answer, or why none can, now or ever."""

    is_up: bool
    failure: str | None
    is_final: bool

    @classmethod
    def of(cls, replicas: Sequence[ReplicaInfo], fewest: int) -> "ReplicaCounts":
        """Counts replicas."""
        ready = sum(one.status is ReplicaStatus.READY for one in replicas)
        failure = next((one.error for one in replicas if one.error), None)
        is_final = not ready and any(one.is_final for one in replicas)
        return cls(ready >= fewest, failure, is_final)


@dataclass(frozen=True, slots=True)
class Host:
    """A machine that may run replicas."""

    machine_id: str
    room: int
    is_draining: bool = False


@dataclass(slots=True)
class Placement:
    """What is to change for a deployment to have the replicas it is to have."""

    add: list[str] = field(default_factory=list)
    """The machines that get one more, each as often as it gets one."""
    leave: list[str] = field(default_factory=list)
    """The replicas that are to leave."""


def place(
    wanted: int,
    replicas: Sequence[ReplicaInfo],
    hosts: Sequence[Host],
    taken: Mapping[str, int],
) -> Placement:
    """Decides where the replicas of a deployment are to be.

    Where one is missing, the machine with the fewest of this deployment gets it, among equals the
    one with the most room. What a draining machine has leaves once as many answer elsewhere.

    Args:
        wanted: How many there are to be.
        replicas: Those on machines that live, of this deployment.
        hosts: The machines that live.
        taken: How many replicas of all deployments each machine has.
    """
    draining = {one.machine_id for one in hosts if one.is_draining}
    standing = [one for one in replicas if one.status is not ReplicaStatus.LEAVING]
    kept = [one for one in standing if one.machine_id not in draining]
    kept.sort(key=lambda one: (one.status is not ReplicaStatus.READY, one.replica_id))
    plan = Placement(leave=[one.replica_id for one in kept[wanted:]])
    here = Counter(one.machine_id for one in kept[:wanted])
    free = {
        one.machine_id: one.room - taken.get(one.machine_id, 0)
        for one in hosts
        if not one.is_draining
    }
    for _ in range(wanted - len(kept)):
        best = max(free, key=lambda name: (free[name] > 0, -here[name], free[name]), default="")
        if not best or free[best] <= 0:
            break
        plan.add.append(best)
        here[best] += 1
        free[best] -= 1
    if sum(one.status is ReplicaStatus.READY for one in kept) >= wanted:
        plan.leave += [one.replica_id for one in standing if one.machine_id in draining]
    return plan


SCALE_UP_LOAD = 0.75
"""The load from which on a replica is added."""
SCALE_DOWN_LOAD = 0.5
"""The load that the others would have, down to which a replica is taken away."""
BUSY_SECONDS = 0.5
"""How long the load must be high before a replica is added."""
SPARE_SECONDS = 30.0
"""How long the load must be low before a replica is taken away."""


class Autoscaler:
    """How many replicas the load asks for: one more soon after all are busy, one less much later.

    A load is the part of the time that a replica was computing. The gap between `SCALE_UP_LOAD` and
    `SCALE_DOWN_LOAD`, and the two delays, keep the number from swinging.
    """

    def __init__(self, wanted: int = 1) -> None:
        self.wanted = wanted
        self._busy_since: float | None = None
        self._spare_since: float | None = None

    def observe(self, loads: Sequence[float], most: int, now: float) -> int:
        """Takes the loads of the replicas at a moment (seconds) and returns how many to have."""
        self.wanted = max(1, min(self.wanted, most))
        if len(loads) != self.wanted:
            self._busy_since = self._spare_since = None
            return self.wanted
        busy = sum(loads) >= SCALE_UP_LOAD * len(loads)
        spare = len(loads) > 1 and sum(loads) <= SCALE_DOWN_LOAD * (len(loads) - 1)
        self._busy_since = (self._busy_since or now) if busy else None
        self._spare_since = (self._spare_since or now) if spare else None
        if self._busy_since is not None and now - self._busy_since >= BUSY_SECONDS:
            return self._become(min(self.wanted + 1, most))
        if self._spare_since is not None and now - self._spare_since >= SPARE_SECONDS:
            return self._become(self.wanted - 1)
        return self.wanted

    def _become(self, wanted: int) -> int:
        self.wanted, self._busy_since, self._spare_since = wanted, None, None
        return wanted


MAX_START_FAILURES = 3
"""Times in a row a replica may fail to start before the deployment has failed."""


def pause_seconds(failures: int) -> float:
    """Tells how long to wait before the next start after so many failures in a row."""
    return min(5.0, 0.2 * 2.0**failures) if failures else 0.0
