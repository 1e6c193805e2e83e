"""The `modelwright` command in forks of one process that has loaded it.

Loading takes a second of processor time, which a run would spend on each of its servers and
commands. The server forks its own parts from a process that has loaded everything, too.
"""

import atexit
import gc
import json
import os
import select
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, suppress
from functools import cache
from importlib import import_module
from pathlib import Path
from types import FrameType
from typing import IO, Any, NoReturn

from modelwright.system.process_title import set_title

COMMAND = Path(sys.executable).with_name("modelwright")
OF_A_START = ("PYTHON", "LD_")
"""How variables begin that are read when a program starts: with others it is not forked."""
MAX_REQUEST_BYTES = 1 << 17


class Fork:
    """A process that was forked, with what is used here of `subprocess.Popen`."""

    def __init__(self, words: Sequence[str], reports: int) -> None:
        self.args = words
        self.returncode: int | None = None
        self._reports = os.fdopen(reports, "r", encoding="ascii")
        self.pid = int(self._reports.readline())

    def poll(self) -> int | None:
        """Returns the exit status; None while it runs."""
        return self._status(0)

    def wait(self, timeout: float | None = None) -> int:
        """Waits until it ends; returns the exit status."""
        status = self._status(timeout)
        if status is None:
            raise subprocess.TimeoutExpired(self.args, timeout or 0.0)
        return status

    def terminate(self) -> None:
        """Asks it to end."""
        if self.poll() is None:
            os.kill(self.pid, signal.SIGTERM)

    def kill(self) -> None:
        """Kills it."""
        if self.poll() is None:
            os.kill(self.pid, signal.SIGKILL)

    def _status(self, within: float | None) -> int | None:
        if self.returncode is None and select.select([self._reports], [], [], within)[0]:
            self.returncode = int(self._reports.readline())
            self._reports.close()
        return self.returncode


class ForkServer:
    """The process that all forks come from."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._of_a_start = _of_a_start(os.environ)
        self._requests, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            words = [sys.executable, "-P", __file__, str(theirs.fileno())]
            self._process = subprocess.Popen(words, pass_fds=[theirs.fileno()])
        atexit.register(self.stop)

    def stop(self) -> None:
        """Ends it; its forks go on."""
        self._requests.close()
        self._process.wait()

    def can_fork(self, environment: Mapping[str, str]) -> bool:
        """Tells whether a program would start with these variables as this one did."""
        return _of_a_start(environment) == self._of_a_start

    def fork(
        self, words: Sequence[str], environment: Mapping[str, str], folder: Path, *files: IO[bytes]
    ) -> Fork:
        """Forks, with three files for input, output and errors."""
        request = {"words": [*words], "environment": dict(environment), "folder": str(folder)}
        reports, told = os.pipe()
        try:
            with self._lock:
                handles = [*(file.fileno() for file in files), told]
                socket.send_fds(self._requests, [json.dumps(request).encode()], handles)
        finally:
            os.close(told)
        return Fork(words, reports)


def _of_a_start(environment: Mapping[str, str]) -> dict[str, str]:
    return {name: value for name, value in environment.items() if name.startswith(OF_A_START)}


@cache
def _server() -> ForkServer:
    return ForkServer()


def start(
    words: Sequence[str], environment: Mapping[str, str], folder: Path, output: IO[bytes]
) -> Fork | subprocess.Popen[bytes]:
    """Starts `modelwright` with words; what it says goes into a file."""
    if not _server().can_fork(environment):
        return execute(words, environment, folder, output)
    with Path(os.devnull).open("rb") as nothing:
        return _server().fork(words, environment, folder, nothing, output, output)


def execute(
    words: Sequence[str], environment: Mapping[str, str], folder: Path, output: IO[bytes]
) -> subprocess.Popen[bytes]:
    """Starts `modelwright` as a child of this process, as a shell would."""
    return subprocess.Popen(
        [COMMAND, *words], env=environment, cwd=folder, stdout=output, stderr=output
    )


def run(
    words: Sequence[str],
    environment: Mapping[str, str],
    folder: Path,
    *,
    told: str = "",
    within: float | None = None,
) -> subprocess.CompletedProcess[str]:
    """Runs `modelwright` with words and what it is told; returns what it said and its status."""
    with ExitStack() as stack:
        given, *said = [stack.enter_context(tempfile.TemporaryFile()) for _ in range(3)]
        given.write(told.encode())
        given.seek(0)
        process = _server().fork(words, environment, folder, given, *said)
        try:
            status = process.wait(within)
        except subprocess.TimeoutExpired:
            process.kill()
            raise
        return subprocess.CompletedProcess(words, status, *map(_read, said))


def _read(file: IO[bytes]) -> str:
    file.seek(0)
    return file.read().decode()


def _load() -> None:
    """Loads what `modelwright` does, as its command line would."""
    gc.disable()
    import_module("modelwright_client.cli")
    for module in import_module("modelwright.cli.commands").MODULES:
        import_module(f"modelwright.cli.{module}")
    set_title("fork server")  # which finds its place in memory before forks change what lies there
    gc.freeze()
    gc.enable()


def _serve(requests: socket.socket) -> dict[str, Any] | None:
    """Forks for each request, and reports each fork's id and its end; returns what a fork does."""
    running: dict[int, int] = {}
    ended: dict[int, int] = {}
    ends, end = os.pipe()
    os.set_blocking(end, False)
    signal.set_wakeup_fd(end)
    signal.signal(signal.SIGCHLD, _wake)
    poll = select.poll()
    poll.register(requests, select.POLLIN)
    poll.register(ends, select.POLLIN)
    while True:
        ready = {handle for handle, _ in poll.poll()}
        if ends in ready:
            os.read(ends, MAX_REQUEST_BYTES)
            for report in [one for one, pid in running.items() if _has_reported(one, pid)]:
                ended[report] = running.pop(report)
                poll.register(report, 0)  # wakes where the other end is closed
        for report in ready & ended.keys():
            poll.unregister(report)
            os.close(report)
            os.waitpid(ended.pop(report), 0)
        if requests.fileno() not in ready:
            continue
        message, files, _, _ = socket.recv_fds(requests, MAX_REQUEST_BYTES, 4)
        if not message:
            return None
        *streams, report = files
        if pid := os.fork():
            running[report] = pid
            os.write(report, f"{pid}\n".encode())
            for handle in streams:
                os.close(handle)
            continue
        _leave_behind(requests.detach(), ends, end, report, *running, *ended)
        for number, handle in enumerate(streams):
            os.dup2(handle, number)
            os.close(handle)
        request: dict[str, Any] = json.loads(message)
        return request


def _leave_behind(*handles: int) -> None:
    """Has a fork let go of what is the fork server's."""
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    for handle in handles:
        os.close(handle)


def _wake(_number: int, _frame: FrameType | None) -> None:
    """Has a byte be written for each signal."""


def _has_reported(report: int, pid: int) -> bool:
    """Reports the exit status of a fork that has ended; it stays until that is known there."""
    found = os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    if found is None:
        return False
    status = found.si_status if found.si_code == os.CLD_EXITED else -found.si_status
    with suppress(BrokenPipeError):
        os.write(report, f"{status}\n".encode())
    return True


def main() -> NoReturn:
    """Serves requests, and is what they ask for in the forks."""
    _load()
    request = _serve(socket.socket(fileno=int(sys.argv[1])))
    if request is None:
        sys.exit(0)
    os.environ.clear()
    os.environ.update(request["environment"])
    os.chdir(request["folder"])
    sys.argv = [str(COMMAND), *request["words"]]
    sys.exit(import_module("modelwright_client.cli").main())


if __name__ == "__main__":
    main()
