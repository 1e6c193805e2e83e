"""The replicas of one deployment, as their host keeps them: started, counted, replaced, let go.

Only the host of a process can tell whether it hangs and can kill it; where replicas are to be is
decided elsewhere, by all machines together.
"""

import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from enum import Enum
from itertools import count
from pathlib import Path
from typing import Any

import msgspec

from modelwright.core.logging import logger
from modelwright.deployments.domain import MAX_START_FAILURES, DeploymentInfo, pause_seconds
from modelwright.deployments.replica import ASK, LEAVE
from modelwright.jobs.context import environment
from modelwright.system.packets import packet_pair

LOAD_SECONDS = 0.25
"""How often a replica is asked for its load."""
START_SECONDS = 60.0
"""How long a replica may take to load its model."""
COMMAND = (sys.executable, "-P", "-m", "modelwright.deployments.replica")
ONE_THREAD = {"OMP_NUM_THREADS": "1"}


class State(Enum):
    """What a replica is doing."""

    STARTING = "starting"
    READY = "ready"
    LEAVING = "leaving"


class ReplicaProcess:
    """One replica process and the line to it; what is `lent` to it is given back once loaded."""

    def __init__(
        self,
        folder: Path,
        told: dict[str, Any],
        lent: ExitStack,
        now: float,
        hung_seconds: float,
    ) -> None:
        self._hung_seconds = hung_seconds
        """How long one frame may keep it before it is taken for hung and replaced."""
        self._line, theirs = packet_pair()
        self._line.setblocking(False)
        self._lent = lent
        self.replica_id: str = told["replica_id"]
        self.address = folder / told["name"]
        with theirs:
            self._process = subprocess.Popen(
                [*COMMAND, str(theirs.fileno())],
                env=environment() | ONE_THREAD,
                cwd=folder,
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                process_group=0,
                umask=0o077,
            )
        self._line.send(msgspec.json.encode(told))
        self.state, self.since = State.STARTING, now
        self.load = 0.0
        self.error, self.is_final = "", False
        self._asked = 0.0
        self._is_silent_since: float | None = None

    @property
    def pid(self) -> int:
        """Its process."""
        return self._process.pid

    def poll(self, now: float) -> bool:
        """Hears what it says and asks for its load; says whether it still lives."""
        if self.state is State.STARTING and now - self.since > START_SECONDS:
            self.kill(f"It did not start within {START_SECONDS:g} seconds.")
        with suppress(OSError):
            while said := self._line.recv():
                self._hear(msgspec.json.decode(said), now)
        if self.state is State.READY and now - self._asked > LOAD_SECONDS:
            self._ask(now)
        return self._process.poll() is None

    def _hear(self, said: dict[str, Any], now: float) -> None:
        if "ready" in said:
            self.state, self.since = State.READY, now
            self._lent.close()
        self.load = said.get("load", self.load)
        self.error = said.get("failed", self.error)
        self.is_final = said.get("is_final", self.is_final)
        self._is_silent_since = None if "load" in said else self._is_silent_since

    def _ask(self, now: float) -> None:
        """Asks for the load; one that has not answered the last question is busy all the time."""
        self._asked = now
        if self._is_silent_since is not None:
            self.load = 1.0
            silent_seconds = now - self._is_silent_since
            if silent_seconds > self._hung_seconds:
                logger().error(
                    "deployments.replica_hung",
                    replica=self.address.name,
                    silent_seconds=round(silent_seconds, 1),
                )
                self.kill(f"It did not answer for {self._hung_seconds:g} seconds.")
            return
        self._is_silent_since = now
        with suppress(OSError):
            self._line.send(ASK)

    def leave(self, now: float) -> None:
        """Takes it off the roster and has it end when it has answered what it has."""
        self.address.unlink(missing_ok=True)
        if self.state is State.STARTING:
            self.kill("")
        with suppress(OSError):
            self._line.send(LEAVE)
        self.state, self.since = State.LEAVING, now

    def kill(self, why: str) -> None:
        """Ends it at once."""
        self.error = self.error or why
        self._process.kill()

    def reap(self) -> str:
        """Takes leave of one that has ended; says why it did."""
        self.address.unlink(missing_ok=True)
        self._line.close()
        self._lent.close()
        code = self._process.wait()
        return self.error or f"Its process ended with status {code}."


Spawn = Callable[[DeploymentInfo, str, str], ReplicaProcess]
"""Starts a replica of a deployment under a name and an id; raises ApiError where it cannot."""


class ReplicaSet:
    """Keeps a process for each replica that this machine is to have."""

    def __init__(self, facts: DeploymentInfo, spawn: Spawn, drain_seconds: float) -> None:
        self.facts = facts
        self.replicas: list[ReplicaProcess] = []
        self.failure: str | None = None
        """Why none can start."""
        self.is_final = False
        """Whether starting again cannot help."""
        self._spawn = spawn
        self._drain_seconds = drain_seconds
        self._numbers = count(1)
        self._failures = 0
        self._not_before = 0.0

    def poll(self, now: float) -> None:
        """Sees who has died, who is ready and who takes too long to leave."""
        for replica in list(self.replicas):
            state = replica.state
            if not replica.poll(now):
                self.replicas.remove(replica)
                self._note_death(state, replica, now)
            elif replica.state is State.LEAVING and now - replica.since > self._drain_seconds:
                replica.kill("")
            elif replica.state is State.READY and state is State.STARTING:
                self._failures, self.failure, self.is_final = 0, None, False

    def _note_death(self, state: State, replica: ReplicaProcess, now: float) -> None:
        why = replica.reap()
        if state is State.STARTING:
            self._failures += 1
            self._not_before = now + pause_seconds(self._failures)
            self.is_final = replica.is_final
            if replica.is_final or self._failures >= MAX_START_FAILURES:
                self.failure = why

    def keep(self, now: float, ids: Sequence[str], room: int) -> None:
        """Starts what is missing, no more than there is room, and lets the others go."""
        staff = self._staff()
        for replica in staff:
            if replica.replica_id not in ids:
                replica.leave(now)
        known = {replica.replica_id for replica in staff}
        missing = [one for one in ids if one not in known] if now >= self._not_before else []
        for replica_id in missing[: max(0, room)]:
            name = f"{self.facts.deployment_id}.{next(self._numbers)}"
            self.replicas.append(self._spawn(self.facts, name, replica_id))

    def give_up(self, why: str, now: float) -> None:
        """Notes why this machine can start none, and that it tries again later only.

        Whether the deployment has failed is for the controller to say: others may answer for it.
        """
        self._failures += 1
        self._not_before = now + pause_seconds(self._failures)
        self.failure, self.is_final = why, True

    def stop(self, now: float) -> None:
        """Lets all replicas go."""
        for replica in self._staff():
            replica.leave(now)

    def _staff(self) -> list[ReplicaProcess]:
        return [replica for replica in self.replicas if replica.state is not State.LEAVING]
