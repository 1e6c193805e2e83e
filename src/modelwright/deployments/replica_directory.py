"""Which replicas other machines have, as one API process knows it; read again and again."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from modelwright.core.channel.peers import Channel
from modelwright.deployments.domain import ReplicaInfo

KIND = "replica"
"""Who calls to replicas are for."""


@dataclass(frozen=True, slots=True)
class RemoteReplica:
    """A replica on another machine."""

    address: str
    socket: str

    @property
    def name(self) -> str:
        """What tells it from all others."""
        return f"{self.address}/{self.socket}"


class ReplicaDirectory:
    """The replicas elsewhere, by deployment; empty where no other machine is reached."""

    def __init__(self, channel: Channel | None) -> None:
        self.channel = channel
        self._known: dict[str, list[RemoteReplica]] = {}

    def update(self, replicas: Sequence[ReplicaInfo]) -> None:
        """Takes over what the database says."""
        known = defaultdict(list)
        for one in replicas:
            known[one.deployment_id].append(RemoteReplica(one.address, one.socket))
        self._known = dict(known)

    def of(self, deployment_id: str) -> list[RemoteReplica]:
        """Lists a deployment's replicas on other machines."""
        return self._known.get(deployment_id, [])
