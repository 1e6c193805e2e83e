"""Response bodies of machines."""

from datetime import datetime

from modelwright.core.http.paging import Pagination
from modelwright.core.http.schemas import ResponseBody, Timestamp
from modelwright.machines.domain import Machine, MachinePart


class MachineDetail(ResponseBody):
    """One machine that shares the database."""

    machine_id: str
    name: str
    address: str
    """Where other machines reach it; empty where they do not."""
    version: str
    """Version of the server that runs there."""
    room: int
    """How many replicas it may run."""
    is_draining: bool
    """Whether it begins nothing new."""
    seen_at: Timestamp
    """When it gave its last sign of life."""
    parts: list[MachinePart]
    """Parts that run there and give signs of life."""
    silent: list[MachinePart]
    """Parts that give no sign of life though nobody stopped them."""

    @classmethod
    def of(cls, machine: Machine, now: datetime) -> "MachineDetail":
        """Describes a machine."""
        return cls.showing(machine, parts=machine.parts(now), silent=machine.silent(now))


class MachineList(ResponseBody):
    """A page of the machines, by their names."""

    machines: list[MachineDetail]
    pagination: Pagination
