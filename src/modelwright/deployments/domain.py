"""The room's words: how a deployment moves, and how many replicas the load asks for."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Literal

Environment = Literal["production", "staging", "development"]


class Status(StrEnum):
    """Where a deployment stands; one that is gone has no row."""

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
    def fewest(self) -> int:
        """How many replicas it has at least."""
        return min_replicas(self.replicas, auto_scale=self.auto_scale)


def min_replicas(replicas: int, *, auto_scale: bool) -> int:
    """Tells how many replicas a deployment has at least: with `auto_scale` they are a ceiling."""
    return 1 if auto_scale else replicas


BUSY, SPARE = 0.75, 0.5
BUSY_SECONDS, SPARE_SECONDS = 0.5, 30.0


class Autoscaler:
    """How many replicas the load asks for: one more soon after all are busy, one less much later.

    A load is the part of the time that a replica was computing. The gap between `BUSY` and
    `SPARE`, and the two delays, keep the number from swinging.
    """

    def __init__(self) -> None:
        self.wanted = 1
        self._busy_since: float | None = None
        self._spare_since: float | None = None

    def heed(self, loads: Sequence[float], most: int, now: float) -> int:
        """Takes the loads of the replicas at a moment (seconds) and returns how many to have."""
        self.wanted = max(1, min(self.wanted, most))
        if len(loads) != self.wanted:
            self._busy_since = self._spare_since = None
            return self.wanted
        busy = sum(loads) >= BUSY * len(loads)
        spare = len(loads) > 1 and sum(loads) <= SPARE * (len(loads) - 1)
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
