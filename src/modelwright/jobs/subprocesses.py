"""Starts heavy work in a process of its own and holds it to its memory, its time and its job.

JSON lines over pipes, nothing is pickled. The process leads a group that is killed as a whole
when the work ends, for whatever reason; see `child` for the other side.
"""

import json
import os
import selectors
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import IO, Any

import psutil

from modelwright.jobs.errors import ChildFailed, ChildKilled, DiskFull, JobRefused
from modelwright.system.exits import SIGNAL_BASE, peek_exit
from modelwright.system.sandbox.process import Reach

TICK_SECONDS = 0.05
"""How often a child's limits are looked at."""
MEMORY_CHECK_SECONDS = 0.5
"""How often a child's own children are looked for; that costs more than a look."""
MAX_STOPPED_CHECKS = 4
"""How many checks in a row may find a child stopped (SIGSTOP), which ends by itself never.

Checks are counted, not seconds: a whole server that was stopped goes on as it was.
"""
NOTHING = Reach()
CHILD_NICENESS = 7
"""Answers come before jobs: children yield the processors to the server."""
SMALL_NICE = 2
"""Small jobs come before large ones, and get about three times the processor time of one."""
TAIL_BYTES = 4096
"""Bytes of a child's last words that the log keeps."""
_KEPT_VARIABLES = {
    "PATH",
    "HOME",
    "LANG",
    "LC_ALL",
    "TZ",
    "TMPDIR",
    "PYTHONPATH",
    "LD_LIBRARY_PATH",
    "SSL_CERT_FILE",
    "OMP_NUM_THREADS",
}

Report = Callable[[dict[str, Any]], None]


@dataclass(frozen=True, slots=True)
class ChildLimits:
    """What one child may use; the memory is that of all its processes."""

    memory_mb: int
    seconds: float
    answer_bytes: int = 256 * 1024**2
    """The longest message that it may send."""
    nice: int = CHILD_NICENESS
    """How far it steps back for others where the processors are busy."""


def run(
    target: str,
    payload: Mapping[str, Any],
    *,
    limits: ChildLimits,
    on_report: Report,
    check: Callable[[], None],
    reach: Reach = NOTHING,
    folder: Path | None = None,
    prepare: str | None = None,
) -> dict[str, Any]:
    """Runs `module:function` on a payload and returns its answer.

    `check` is called twenty times a second; what it raises kills the child and is raised.
    The sandbox leaves the child only its reach, the files of Python and its libraries, and the
    folder, where its temporary files are, since one that is killed leaves them behind. `prepare`
    names a function of the payload that the child calls before it enters the sandbox.
    """
    env = environment() | {"HOME": str(folder or "/")}
    if folder:
        env["TMPDIR"] = str(folder)
        reach = replace(reach, writable=(*reach.writable, str(folder)))
    request = {
        "target": target,
        "payload": dict(payload),
        "reach": asdict(reach),
        "prepare": prepare,
    }
    child = _Child(request, limits, on_report, env)
    try:
        return child.wait(check)
    finally:
        child.kill()


def environment() -> dict[str, str]:
    """Returns the environment of children: no settings, no secrets, no threads beside their own."""
    kept = {name: value for name, value in os.environ.items() if name in _KEPT_VARIABLES}
    return {**kept, "OPENBLAS_NUM_THREADS": "1"}


@dataclass
class _Lines:
    """Bytes of one pipe, cut into lines."""

    pipe: IO[bytes]
    most: int
    rest: bytearray = field(default_factory=bytearray)
    is_open: bool = True

    def read(self) -> bytes:
        chunk = os.read(self.pipe.fileno(), 1 << 16)
        self.is_open = bool(chunk)
        return chunk

    def lines(self) -> list[bytes]:
        chunk = self.read()
        self.rest += chunk
        if len(self.rest) > self.most:
            raise ChildKilled("memory", f"Its answer was larger than {self.most >> 20} MB.")
        if b"\n" not in chunk:
            return []
        *whole, rest = bytes(self.rest).split(b"\n")
        self.rest = bytearray(rest)
        return whole


class _Child:
    def __init__(
        self,
        request: dict[str, Any],
        limits: ChildLimits,
        on_report: Report,
        env: dict[str, str],
    ) -> None:
        self.limits = limits
        self.on_report = on_report
        self.deadline = time.monotonic() + limits.seconds
        self.request = json.dumps(request | {"nice": limits.nice}).encode() + b"\n"
        self.process = subprocess.Popen(
            [sys.executable, "-P", "-X", "faulthandler", "-m", "modelwright.jobs.child"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=env,
            # A group to be killed, but no session: kernels that weigh sessions against each other
            # would count the child's nice value for nothing.
            process_group=0,
        )
        pipes = (self.process.stdin, self.process.stdout, self.process.stderr)
        self.pipes = [pipe for pipe in pipes if pipe is not None]
        self.questions = self.pipes[0]
        self.answers, self.noise = (_Lines(one, limits.answer_bytes) for one in self.pipes[1:])
        self.tail = b""
        self.family: list[psutil.Process] = []
        self.family_at = 0.0
        self.stopped_checks = 0

    def wait(self, check: Callable[[], None]) -> dict[str, Any]:
        """Waits for the answer, within the limits."""
        with suppress(BrokenPipeError):
            self.questions.write(self.request)
            self.questions.flush()
        with selectors.DefaultSelector() as selector:
            for lines in (self.answers, self.noise):
                selector.register(lines.pipe, selectors.EVENT_READ, lines)
            while True:
                gone = self._gone()  # before the last look at what it said
                ready = selector.select(0 if gone else TICK_SECONDS)
                for key, _events in ready:
                    answer = self._hear(key.data)
                    if answer is not None:
                        return answer
                    if not key.data.is_open:
                        selector.unregister(key.fileobj)
                check()
                self._hold()
                if gone and not (ready and self.answers.is_open):
                    raise ChildKilled("crash", gone, self.tail.decode(errors="replace"))

    def _hear(self, source: _Lines) -> dict[str, Any] | None:
        """Takes what a child says; returns its result, or raises what it ended with."""
        if source is self.noise:
            self.tail = (self.tail + source.read())[-TAIL_BYTES:]
            return None
        for line in source.lines():
            message = json.loads(line)
            match message["is"]:
                case "report":
                    self.on_report(message["data"])
                case "result":
                    return dict(message["data"] or {})
                case "refused":
                    raise JobRefused(message["data"])
                case "memory":
                    raise self._too_large()
                case "full":
                    raise DiskFull
                case _:
                    raise ChildFailed(message["data"])
        return None

    def _hold(self) -> None:
        if time.monotonic() > self.deadline:
            raise ChildKilled("deadline", f"It took longer than {self.limits.seconds:g} seconds.")
        if self._used() > self.limits.memory_mb << 20:
            raise self._too_large()

    def _too_large(self) -> ChildKilled:
        return ChildKilled("memory", f"It needed more than {self.limits.memory_mb} MB of memory.")

    def _used(self) -> int:
        now = time.monotonic()
        if not self.family or now - self.family_at > MEMORY_CHECK_SECONDS:
            self.family_at = now
            with suppress(psutil.NoSuchProcess):
                keeper = psutil.Process(self.process.pid)
                self.family = keeper.children(recursive=True)
                self._check_stopped([keeper, *self.family])
        return sum(map(_resident, self.family))

    def _check_stopped(self, processes: list[psutil.Process]) -> None:
        if not any(map(_is_stopped, processes)):
            self.stopped_checks = 0
            return
        self.stopped_checks += 1
        if self.stopped_checks >= MAX_STOPPED_CHECKS:
            raise ChildKilled("crash", "Its process was stopped (SIGSTOP) and did not go on.")

    def _gone(self) -> str | None:
        # Not reaped yet: its id stays taken, so that the group can still be killed safely.
        code = peek_exit(self.process)
        return None if code is None else _end(code)

    def kill(self) -> None:
        """Kills the whole group, whatever of it is left, and takes leave of it."""
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        for pipe in self.pipes:
            with suppress(BrokenPipeError):
                pipe.close()
        self.process.wait()


def _end(code: int) -> str:
    if code == SIGNAL_BASE + signal.SIGKILL:
        return (
            "Its process was killed, as it is where the machine's memory runs out (SIGKILL); "
            "fewer rows or columns need less."
        )
    if code > SIGNAL_BASE:
        return f"Its process was killed by {signal.Signals(code - SIGNAL_BASE).name}."
    return f"Its process ended by itself with status {code}."


def _resident(process: psutil.Process) -> int:
    try:
        return int(process.memory_info().rss)
    except psutil.NoSuchProcess:
        return 0


def _is_stopped(process: psutil.Process) -> bool:
    try:
        return bool(process.status() == psutil.STATUS_STOPPED)
    except psutil.NoSuchProcess:
        return False
