"""What is known of a machine, and how it is found to be alive.

How often a machine reports and how long it is believed belong together: believed too briefly, one
that is only slow would lose its replicas to another.
"""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

CLUSTER = "cluster"
"""The pool of all machines that reach each other; any other machine is a pool of its own."""


class MachinePart(StrEnum):
    """A part of a machine."""

    API = "api"
    WORKER = "worker"
    REPLICAS = "replicas"


@dataclass(frozen=True, slots=True)
class HeartbeatPace:
    """How often the parts of a machine give a sign of life, and how long one is believed."""

    beat_seconds: float
    lease_seconds: float


PACE_CLUSTER = HeartbeatPace(beat_seconds=2.0, lease_seconds=8.0)
"""A dead machine is noticed after 8 seconds, so that others have taken its place after 15."""
PACE_ALONE = HeartbeatPace(beat_seconds=30.0, lease_seconds=100.0)
"""Nobody waits to take its place, and each sign is a write."""


@dataclass(frozen=True, slots=True)
class MachineIdentity:
    """Who this machine is."""

    machine_id: str
    name: str
    address: str
    """Where other machines reach it; empty where they do not."""
    version: str
    room: int
    """How many replicas it may run."""

    @property
    def pool(self) -> str:
        """Whose replicas together are as many as were asked for."""
        return CLUSTER if self.address else self.machine_id

    @property
    def is_alone(self) -> bool:
        """Whether no other machine reaches it."""
        return not self.address

    @property
    def pace(self) -> HeartbeatPace:
        """How often it gives a sign of life."""
        return PACE_ALONE if self.is_alone else PACE_CLUSTER


@dataclass(frozen=True, slots=True)
class Machine:
    """A machine as all others see it."""

    machine_id: str
    name: str
    address: str
    version: str
    room: int
    is_draining: bool
    seen_at: datetime
    api_until: datetime | None
    worker_until: datetime | None
    replicas_until: datetime | None

    def until(self, part: MachinePart) -> datetime | None:
        """Returns until when a part's last sign of life is believed; None where it has none."""
        return {
            MachinePart.API: self.api_until,
            MachinePart.WORKER: self.worker_until,
            MachinePart.REPLICAS: self.replicas_until,
        }[part]

    def has(self, part: MachinePart, now: datetime) -> bool:
        """Returns whether a part is alive."""
        until = self.until(part)
        return until is not None and until > now

    def parts(self, now: datetime) -> list[MachinePart]:
        """Lists the parts that are alive."""
        return [part for part in MachinePart if self.has(part, now)]

    def silent(self, now: datetime) -> list[MachinePart]:
        """Lists the parts that fell silent without having been stopped."""
        return [part for part in MachinePart if (until := self.until(part)) and until <= now]
