"""Signals that come at any moment, as they do: they neither hang a process nor are they lost."""

import ast
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[3] / "src" / "modelwright"
STORM_SECONDS = 1.5
SOON = 60.0

WAITS = """
import os, threading
from modelwright.core.process.stop_signals import on_stop_signal
turns, stopping = [], threading.Event()
on_stop_signal(lambda: turns.append(1) if len(turns) < 500 else stopping.set())
print("begins", flush=True)
while not stopping.wait(1e-4):
    pass
os._exit(0)
"""
"""Waits as hosts do; ends when it has been told to stop more than 500 times."""

SUPERVISES = """
import socket, sys, time
from pathlib import Path
from modelwright.core.process.heartbeat import HeartbeatBoard
from modelwright.processes.parts_file import PartsFile
from modelwright.processes.supervisor import Child, Supervisor
board = HeartbeatBoard(["idle"], 600.0)
with PartsFile(Path(sys.argv[1])) as parts, socket.create_server(("127.0.0.1", 0)) as listener:
    children = [Child("idle", lambda: time.sleep(600))]
    supervisor = Supervisor(children, listener, 5.0, board, parts)
    print("begins", flush=True)
    supervisor.run()
print("ended")
"""


@contextmanager
def running(code: str, *arguments: str) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-c", code, *arguments]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "begins\n"
        try:
            yield process
        finally:
            process.kill()


def storm(process: subprocess.Popen[str], number: signal.Signals) -> None:
    """Sends a signal at some ten thousand moments that are drawn at random."""
    draw = random.Random(1)
    until = time.monotonic() + STORM_SECONDS
    while process.poll() is None and time.monotonic() < until:
        process.send_signal(number)
        time.sleep(draw.uniform(0, 2e-5))


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_process_that_is_told_to_stop_many_times_stops(number: signal.Signals):
    with running(WAITS) as process:
        storm(process, number)
        assert process.wait(SOON) == 0


def test_a_supervisor_outlives_news_of_its_children_and_stops_when_told(tmp_path: Path):
    with running(SUPERVISES, str(tmp_path)) as process:
        time.sleep(0.5)  # its handlers are there soon after
        storm(process, signal.SIGCHLD)
        process.terminate()
        told, _ = process.communicate(timeout=SOON)
        assert (process.returncode, told) == (0, "ended\n")


def test_only_two_places_handle_signals():
    """Any other would have to know what a handler must not do."""
    handling = {
        path.relative_to(SOURCE).as_posix()
        for path in SOURCE.rglob("*.py")
        for call in ast.walk(ast.parse(path.read_text()))
        if isinstance(call, ast.Call)
        and ast.unparse(call.func) == "signal.signal"
        and not ast.unparse(call.args[1]).startswith("signal.SIG_")
    }
    assert handling == {"core/process/stop_signals.py", "processes/supervisor.py"}
