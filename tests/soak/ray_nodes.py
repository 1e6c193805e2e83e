"""Starts a cluster of Ray on this machine, whose nodes can be killed and put back."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import psutil

STOP_SECONDS = 120
FIT_TITLE = "ray::_run"
"""Ray names a process after the function that it runs there."""


class RayNodes:
    """The process of a cluster whose head has no processors and whose nodes have one each."""

    def __init__(self, nodes: int) -> None:
        program = Path(__file__).with_name("ray_cluster.py")
        self.process = subprocess.Popen(
            [sys.executable, program, str(nodes)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            # Ray's workers are nice (15) unless told, and would starve beside anything else.
            env=os.environ | {"RAY_worker_niceness": "0"},
            text=True,
        )
        self.address = self._line("127.")

    def _line(self, begin: str) -> str:
        assert self.process.stdout
        while line := self.process.stdout.readline().strip():
            if line.startswith(begin):
                return line
        raise AssertionError("the cluster ended")

    def _do(self, word: str, done: str) -> None:
        assert self.process.stdin
        self.process.stdin.write(f"{word}\n")
        self.process.stdin.flush()
        self._line(done)

    def kill_a_node(self) -> None:
        """Kills the newest node and all that runs there."""
        self._do("kill", "killed")

    def add_a_node(self) -> None:
        """Starts one more."""
        self._do("add", "added")

    def fits(self) -> set[psutil.Process]:
        """The processes of the cluster that fit something now, by the title that Ray gives them."""
        found = set()
        for one in psutil.Process(self.process.pid).children(recursive=True):
            with suppress(psutil.NoSuchProcess):
                if " ".join(one.cmdline()).startswith(FIT_TITLE):
                    found.add(one)
        return found

    def stop(self) -> None:
        """Ends the cluster."""
        assert self.process.stdin
        self.process.stdin.close()
        self.process.wait(STOP_SECONDS)


@contextmanager
def ray_nodes(nodes: int) -> Iterator[RayNodes]:
    """Runs a cluster until the end of the block."""
    made = RayNodes(nodes)
    try:
        yield made
    finally:
        made.stop()
