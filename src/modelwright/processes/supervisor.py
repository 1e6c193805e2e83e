"""`serve`: API, worker and replicas as children of a process that starts them again when they die.

One that gives no sign of life for long is killed, and so started again too (`core.process.
heartbeat`). They are forked after everything is imported, so that both start, and start again, at
once. The listening socket is the parent's: while the API is started again, callers wait instead of
failing.
"""

import gc
import os
import signal
import socket
import sys
import time
import traceback
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from types import FrameType
from typing import NoReturn

import uvicorn
from typer import Exit

from modelwright.bootstrap.adapters import local_models
from modelwright.bootstrap.startup import StartupError, open_container, start_telemetry, until_there
from modelwright.core.config.settings import Settings, listed
from modelwright.core.http.connection_guard import GuardedHttpProtocol
from modelwright.core.ids import new_id
from modelwright.core.logging import logger, set_up
from modelwright.core.process import heartbeat
from modelwright.core.process.heartbeat import HeartbeatBoard
from modelwright.core.process.open_files import raise_limit
from modelwright.core.process.stop_signals import STOP_SIGNALS
from modelwright.language_models.domain import ModelFile, place_of
from modelwright.machines.domain import MachinePart
from modelwright.processes.language_model_host import host as host_language_model
from modelwright.processes.listener import CannotListenError, listen, listen_for_peers
from modelwright.processes.parts_file import PartsFile
from modelwright.processes.replica_host import host_replicas
from modelwright.processes.worker import work
from modelwright.server.app import create_app
from modelwright.server.membership import joined
from modelwright.system.parent_death import die_with_parent
from modelwright.system.process_title import set_title

KEEP_ALIVE_SECONDS = 65
"""How long an idle connection stays open: longer than proxies keep theirs."""
STOP_SECONDS = 7.0
"""How much longer than requests in flight everything may take to stop."""
STABLE_SECONDS = 30.0
"""A child that lived this long starts again at once; one that did not, ever later."""
MAX_RESTART_SECONDS = 5.0
"""The longest pause before a process that keeps ending is started again."""
LOOK_SECONDS = 1.0
"""How often the supervisor looks whether its children live, unless they may be silent for less."""
LOOKS_PER_LIMIT = 4
"""How often a process is looked at before it counts as hung."""


def serve(settings: Settings, host: str, port: int, welcome: Callable[[], None]) -> int:
    """Serves until SIGTERM or SIGINT, after a welcome; returns the exit status.

    Says in one line why it cannot: the data folder is not writable, the address is taken.
    """
    raise_limit()
    try:
        listener = listen(settings, host, port)
        peers = listen_for_peers(settings)
    except CannotListenError as reason:
        print(reason, file=sys.stderr)  # noqa: T201 - for the operator
        return 1
    set_up(settings.log_level)
    bound = [*listed(settings.allowed_hosts), host.strip("[]")]
    settings = (
        settings
        if settings.public_url
        else settings.model_copy(update={"allowed_hosts": ",".join(bound)})
    )
    if not settings.s3_bucket:
        welcome()
    elif status := _apart(welcome):
        return status
    boot = new_id("boot")
    children = [
        Child("api", lambda: _serve_requests(settings, listener, peers)),
        Child("worker", lambda: work(settings, _boot_of_worker(boot))),
        Child("replica host", lambda: host_replicas(settings), outlasts=True),
        *language_models(settings),
    ]
    board = HeartbeatBoard([child.name for child in children], settings.hung_seconds)
    heartbeat.put_up(board)
    set_title(heartbeat.SUPERVISOR)
    with PartsFile(settings.parts_dir) as parts_file:
        stop_seconds = settings.drain_seconds + STOP_SECONDS
        Supervisor(children, listener, stop_seconds, board, parts_file).run()
    return 0


def _boot_of_worker(boot: str) -> str:
    """Names the worker's start; one that was killed for its silence is not blamed on its jobs.

    What makes it silent is most often a database that hangs, and three such would fail a build.
    """
    board = heartbeat.board()
    return f"{boot}-{board.pulse('worker').replaced}" if board else boot


def _apart(do: Callable[[], None]) -> int:
    """Carries something out in a process of its own; returns the exit status.

    The client of S3 has threads, which would not survive the forks to come, nor would it.
    """
    pid = os.fork()
    if pid:
        return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    status = 1
    try:
        do()
        status = 0
    except Exit as leaving:
        status = leaving.exit_code
    except BaseException:  # noqa: BLE001 - the last stop before the process ends
        traceback.print_exc()
    finally:
        _leave(status)


def _leave(status: int) -> NoReturn:
    """Ends a forked process here, whatever becomes of its last words."""
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    finally:
        os._exit(status)


@dataclass(slots=True)
class Child:
    """A process to be kept running."""

    name: str
    entry: Callable[[], None]
    outlasts: bool = False
    """Whether it is told to stop only when the others have, whose requests it serves."""
    pid: int = 0
    started: float = 0.0
    wait_seconds: float = 0.0
    last_beat: float = 0.0
    silent_seconds: float = 0.0
    """How long the supervisor, while it ran itself, has seen no beat."""

    @property
    def due(self) -> float:
        """When it may be started again."""
        return self.started + self.wait_seconds

    def reap(self) -> None:
        """Notes that it ended, and when it may be started again."""
        now = time.monotonic()
        if now - self.started > STABLE_SECONDS:
            self.wait_seconds = 0.0
        else:
            self.wait_seconds = min(MAX_RESTART_SECONDS, max(0.1, 2 * self.wait_seconds))
        self.pid, self.started = 0, now


def language_models(settings: Settings) -> list[Child]:
    """Makes a child for each language model of this machine."""

    def entry(model: ModelFile) -> Callable[[], None]:
        place, memory_mb = place_of(settings.data_dir, model), settings.language_model_memory_mb
        return lambda: host_language_model(model, place, memory_mb, settings.log_level)

    # They outlast the API, whose last questions they read.
    return [
        Child(f"language model {model.name}", entry(model), outlasts=True)
        for model in local_models(settings)
    ]


class Supervisor:
    """Keeps children running; stops them when it is told to stop."""

    def __init__(
        self,
        children: list[Child],
        listener: socket.socket,
        stop_seconds: float,
        board: HeartbeatBoard,
        parts_file: PartsFile,
    ) -> None:
        self.children = children
        self.listener = listener
        self.stop_seconds = stop_seconds
        self.board = board
        self.parts_file = parts_file
        self._look_seconds = min(LOOK_SECONDS, board.hung_seconds / LOOKS_PER_LIMIT)
        self._looked = time.monotonic()
        self._stopping = False
        self._woken: SimpleQueue[int] = SimpleQueue()
        self._log = logger()

    def run(self) -> None:
        """Starts the children and looks after them until SIGTERM or SIGINT."""
        for number in (*STOP_SIGNALS, signal.SIGCHLD):
            signal.signal(number, self._heed)
        gc.freeze()
        while not self._stopping:
            self._bury()
            now = time.monotonic()
            for child in self.children:
                if not child.pid and child.due <= now:
                    self._start(child)
            self._listen_to_hearts()
            waits = [child.due - now for child in self.children if not child.pid]
            self._wait(max(0.0, min([*waits, self._look_seconds])))
        self._stop()

    def _heed(self, number: int, _frame: FrameType | None) -> None:
        if number != signal.SIGCHLD:
            self._stopping = True
        self._woken.put(number)

    def _wait(self, seconds: float) -> None:
        """Waits for a signal, at most so long; one that came since the last wait counts too."""
        with suppress(Empty):
            self._woken.get(timeout=seconds)
            while True:
                self._woken.get_nowait()

    def _start(self, child: Child) -> None:
        parent = os.getpid()
        child.started, child.silent_seconds = time.monotonic(), 0.0
        self.board.beat(child.name, heartbeat.START_SECONDS)
        self.board.record(child.name, 0.0)
        child.pid = os.fork()
        if child.pid == 0:
            _live(child, parent)

    def _listen_to_hearts(self) -> None:
        """Notes who is silent, and kills who has been for too long; they are then started again."""
        now = time.monotonic()
        # Time in which the supervisor was stopped, most often with all others, is nobody's silence.
        elapsed = min(now - self._looked, 2 * self._look_seconds)
        self._looked = now
        self.board.beat(heartbeat.SUPERVISOR)
        for child in self.children:
            pulse = self.board.pulse(child.name)
            is_heard = pulse.beat != child.last_beat or not child.pid
            child.last_beat = pulse.beat
            child.silent_seconds = 0.0 if is_heard else child.silent_seconds + elapsed
            is_hung = child.silent_seconds > self.board.limit(pulse)
            self.board.record(child.name, child.silent_seconds, replaced=is_hung)
            if is_hung:
                silence = round(child.silent_seconds, 1)
                self._log.error("supervise.child_hung", child=child.name, silent_seconds=silence)
                child.silent_seconds = 0.0
                self._tell([child], signal.SIGKILL)
        self.parts_file.write({child.name: child.pid for child in self.children}, self.board)

    def _bury(self) -> None:
        # As the first process of a container it also buries what its children left behind.
        by_pid = {child.pid: child for child in self.children if child.pid}
        while gone := _next_dead():
            if child := by_pid.get(gone[0]):
                child.reap()
                if not self._stopping:
                    self._log.error("supervise.child_died", child=child.name, status=gone[1])

    def _stop(self) -> None:
        self.listener.close()
        until = time.monotonic() + self.stop_seconds
        for outlasts in (False, True):
            children = [child for child in self.children if child.outlasts is outlasts]
            self._tell(children, signal.SIGTERM)
            while any(child.pid for child in children) and time.monotonic() < until:
                self._bury()
                if any(child.pid for child in children):
                    self._wait(0.5)
        self._tell(self.children, signal.SIGKILL)

    @staticmethod
    def _tell(children: list[Child], number: signal.Signals) -> None:
        for child in children:
            if child.pid:
                os.kill(child.pid, number)


def _next_dead() -> tuple[int, int] | None:
    try:
        pid, status = os.waitpid(-1, os.WNOHANG)
    except ChildProcessError:
        return None
    return (pid, os.waitstatus_to_exitcode(status)) if pid else None


def _live(child: Child, parent: int) -> NoReturn:
    """Is the whole life of a child process: it never returns to the supervisor's code."""
    code = 1
    try:
        for number in (*STOP_SIGNALS, signal.SIGCHLD):
            signal.signal(number, signal.SIG_DFL)
        signal.signal(signal.SIGTTOU, signal.SIG_IGN)
        die_with_parent(parent)
        # A group, so that Ctrl-C reaches the supervisor alone, but no session: see jobs.children.
        os.setpgid(0, 0)
        set_title(child.name)
        heartbeat.begin(child.name)
        child.entry()
        code = 0
    except SystemExit as leaving:
        code = leaving.code if isinstance(leaving.code, int) else 1
    except StartupError as reason:
        print(reason, file=sys.stderr)  # noqa: T201 - for the operator
    except BaseException:  # noqa: BLE001 - the last stop before the process ends
        traceback.print_exc()
    finally:
        _leave(code)


class Server(uvicorn.Server):
    """The HTTP server; says when it answers, and tells open streams when it is to end."""

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Starts to answer."""
        await super().startup(sockets)
        if self.started and sockets:
            host, port = sockets[0].getsockname()[:2]
            shown = f"[{host}]" if ":" in host else host
            scheme = "https" if self.config.is_ssl else "http"
            with suppress(OSError):  # nobody reads it
                print(f"Modelwright answers on {scheme}://{shown}:{port}", flush=True)  # noqa: T201

    async def on_tick(self, counter: int) -> bool:
        """Says ten times a second that the event loop turns."""
        heartbeat.beat()
        return await super().on_tick(counter)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Begins to drain."""
        heartbeat.beat(float(self.config.timeout_graceful_shutdown or 0) + STOP_SECONDS)
        self.config.app.state.closing = True  # type: ignore[union-attr]
        super().handle_exit(sig, frame)


def _pause(seconds: float) -> None:
    heartbeat.beat(heartbeat.START_SECONDS)
    time.sleep(seconds)


def _serve_requests(
    settings: Settings, listener: socket.socket, peers: socket.socket | None
) -> None:
    """Is this process's API until SIGTERM."""
    set_up(settings.log_level)
    # numpy is not loaded yet; its threads would only stand in the way of requests side by side.
    os.environ["OPENBLAS_NUM_THREADS"] = "1"
    container = until_there(lambda: open_container(settings), _pause)
    assert container is not None  # noqa: S101 - this pause never stops waiting
    app = create_app(container, start_telemetry(settings, MachinePart.API))
    app.state.joins = lambda: joined(container, peers)
    config = uvicorn.Config(
        app,
        http=GuardedHttpProtocol,
        lifespan="on",
        access_log=False,
        log_config=None,
        server_header=False,
        proxy_headers=bool(settings.trusted_proxies),
        forwarded_allow_ips=settings.trusted_proxies or None,
        ssl_certfile=settings.tls_cert,
        ssl_keyfile=settings.tls_key,
        timeout_keep_alive=KEEP_ALIVE_SECONDS,
        timeout_graceful_shutdown=max(1, round(settings.drain_seconds)),
    )
    Server(config).run(sockets=[listener])
