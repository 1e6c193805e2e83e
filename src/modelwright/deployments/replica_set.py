"""The replicas of one deployment, as their host keeps them: started, counted, replaced, let go."""

import subprocess
import sys
from collections.abc import Callable
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from enum import Enum
from itertools import count
from pathlib import Path
from typing import Any

import msgspec

from modelwright.core.logging import logger
from modelwright.deployments.domain import (
    MAX_START_FAILURES,
    Autoscaler,
    DeploymentInfo,
    pause_seconds,
)
from modelwright.deployments.replica import ASK, LEAVE
from modelwright.jobs.context import environment
from modelwright.system.packets import packet_pair

LOAD_SECONDS = 0.25
START_SECONDS = 60.0
COMMAND = (sys.executable, "-P", "-m", "modelwright.deployments.replica")
ONE_THREAD = {"OMP_NUM_THREADS": "1"}


class State(Enum):
    """What a replica is doing."""

    STARTING = "starting"
    READY = "ready"
    LEAVING = "leaving"


class Replica:
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

    def look(self, now: float) -> bool:
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

    def bury(self) -> str:
        """Takes leave of one that has ended; says why it did."""
        self.address.unlink(missing_ok=True)
        self._line.close()
        self._lent.close()
        code = self._process.wait()
        return self.error or f"Its process ended with status {code}."


Spawn = Callable[[DeploymentInfo, str], Replica]
"""Starts a replica of a deployment under a name; raises Refusal where it cannot."""


@dataclass(frozen=True, slots=True)
class ReplicaCounts:
    """How a deployment's replicas stand: whether enough answer, or why none can, now or ever."""

    is_up: bool
    failure: str | None
    is_final: bool


class ReplicaSet:
    """Keeps as many replicas as are wanted."""

    def __init__(self, facts: DeploymentInfo, hire: Spawn, drain_seconds: float) -> None:
        self.facts = facts
        self.replicas: list[Replica] = []
        self._spawn = hire
        self._drain_seconds = drain_seconds
        self._scaling = Autoscaler()
        self._numbers = count(1)
        self._failures = 0
        self._not_before = 0.0
        self._failure: str | None = None
        self._is_final = False

    def look(self, now: float) -> None:
        """Sees who has died, who is ready and who takes too long to leave."""
        for replica in list(self.replicas):
            state = replica.state
            if not replica.look(now):
                self.replicas.remove(replica)
                self._note_death(state, replica, now)
            elif replica.state is State.LEAVING and now - replica.since > self._drain_seconds:
                replica.kill("")
            elif replica.state is State.READY and state is State.STARTING:
                self._failures, self._failure, self._is_final = 0, None, False

    def _note_death(self, state: State, replica: Replica, now: float) -> None:
        why = replica.bury()
        if state is State.STARTING:
            self._failures += 1
            self._not_before = now + pause_seconds(self._failures)
            self._is_final = replica.is_final
            if replica.is_final or self._failures >= MAX_START_FAILURES:
                self._failure = why

    def keep(self, now: float, most: int, room: int) -> None:
        """Starts and lets go replicas: at most so many, and no more new ones than there is room."""
        wanted = self._wanted(now, most)
        staff = self._staff()
        for replica in staff[wanted:]:
            replica.leave(now)
        missing = min(wanted - len(staff), room) if now >= self._not_before else 0
        for _ in range(missing):
            name = f"{self.facts.deployment_id}.{next(self._numbers)}"
            self.replicas.append(self._spawn(self.facts, name))

    def _wanted(self, now: float, most: int) -> int:
        if not self.facts.auto_scale:
            return self.facts.replicas
        loads = [one.load for one in self.replicas if one.state is State.READY]
        return self._scaling.heed(loads, min(self.facts.replicas, most), now)

    @property
    def extra(self) -> int:
        """How many replicas it has above the fewest it may have."""
        return max(0, len(self._staff()) - self.facts.fewest)

    def stop(self, now: float) -> None:
        """Lets all replicas go."""
        for replica in self._staff():
            replica.leave(now)

    def standing(self) -> ReplicaCounts:
        """Tells how the replicas stand."""
        ready = sum(replica.state is State.READY for replica in self.replicas)
        is_final = self._is_final and not ready
        return ReplicaCounts(ready >= self.facts.fewest, self._failure, is_final)

    def _staff(self) -> list[Replica]:
        return [replica for replica in self.replicas if replica.state is not State.LEAVING]
