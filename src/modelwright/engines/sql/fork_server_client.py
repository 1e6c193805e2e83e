"""Keeps the one process that children are forked from, and asks it for them.

To start Python and load DuckDB for each session would keep its first question waiting; a fork of a
process that has both is there at once, and inherits none of the server's secrets.
"""

import socket
import struct
import subprocess
import sys
from threading import Lock

from modelwright.engines.sql.failures import Unavailable

ORDER = struct.Struct("=cQ")
START = b"S"
"""The order to fork a child."""
KILL = b"K"
"""The order to kill one."""
ENVIRONMENT = {"LC_ALL": "C.UTF-8", "TZ": "UTC", "MALLOC_ARENA_MAX": "2"}
START_SECONDS = 30
"""How long the process may take to load what children need."""
REPLY_SECONDS = 5
"""How long it may take to fork or kill one, once it has loaded; it is replaced when it takes
longer."""


class ForkServerClient:
    """Starts children in milliseconds; nothing of this process's memory is in them.

    Thread-safe. Refuses (`Unavailable`) where processes cannot be started.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._control: socket.socket | None = None
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> tuple[int, socket.socket]:
        """Starts a child.

        Returns:
            Its process id and the socket to it.

        Raises:
            Unavailable: No process can be started.
        """
        ours, theirs = socket.socketpair()
        with theirs:
            try:
                return self._ask(START, 0, [theirs.fileno()]), ours
            except OSError as error:
                ours.close()
                raise Unavailable("The query process cannot be started.") from error

    def kill(self, pid: int) -> None:
        """Ends a child of this fork server; nothing happens if it has ended.

        Args:
            pid: Process id that `start` gave.
        """
        with self._lock:
            if self._control:
                try:
                    self._exchange(self._control, KILL, pid, [])
                except OSError:
                    self._end()

    def close(self) -> None:
        """End the process and all its children."""
        with self._lock:
            self._end()

    def _ask(self, verb: bytes, pid: int, channels: list[int]) -> int:
        with self._lock:
            for last in (False, True):
                control = self._control or self._begin()
                try:
                    return self._exchange(control, verb, pid, channels)
                except OSError:
                    self._end()
                    if last:
                        raise
        raise AssertionError

    def _begin(self) -> socket.socket:
        """Starts the process that children are forked from, with an environment of its own."""
        ours, theirs = socket.socketpair()
        ours.settimeout(START_SECONDS)
        with theirs:
            self._process = subprocess.Popen(
                [
                    sys.executable,
                    "-I",
                    "-m",
                    "modelwright.engines.sql.fork_server",
                    str(theirs.fileno()),
                ],
                env=ENVIRONMENT,
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                cwd="/",
                start_new_session=True,
            )
        self._control = ours
        return ours

    @staticmethod
    def _exchange(control: socket.socket, verb: bytes, pid: int, channels: list[int]) -> int:
        socket.send_fds(control, [ORDER.pack(verb, pid)], channels)
        answer = control.recv(ORDER.size, socket.MSG_WAITALL)
        if len(answer) < ORDER.size:
            raise BrokenPipeError
        control.settimeout(REPLY_SECONDS)
        answered: int = ORDER.unpack(answer)[1]
        return answered

    def _end(self) -> None:
        if self._control:
            self._control.close()
        if self._process:
            self._process.kill()
            self._process.wait()
        self._control = self._process = None

    def __del__(self) -> None:
        self._end()
