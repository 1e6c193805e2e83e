"""Watches the memory and CPU time of processes that are started meanwhile."""

import subprocess
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import psutil


@dataclass
class Used:
    """What new children of this process and their descendants took at the most, sampled."""

    peak_mb: int = 0
    """Together, at one time."""
    cpu_seconds: float = 0.0


@contextmanager
def watching(step_seconds: float = 0.02) -> Iterator[Used]:
    """Looks at the children that are not there yet, until the block ends."""
    used, ended, here = Used(), threading.Event(), psutil.Process()
    before = set(here.children())

    def look() -> None:
        while not ended.wait(step_seconds):
            memory = cpu = 0.0
            for one in _new(here, before):
                with suppress(psutil.NoSuchProcess):
                    memory += one.memory_info().rss
                    cpu += sum(one.cpu_times()[:2])
            used.peak_mb = max(used.peak_mb, round(memory / 2**20))
            used.cpu_seconds = max(used.cpu_seconds, cpu)

    watcher = threading.Thread(target=look)
    watcher.start()
    try:
        yield used
    finally:
        ended.set()
        watcher.join()


def watched(command: Sequence[str], folder: Path | None = None) -> tuple[str, int]:
    """Runs a command to its end; gives what it printed and the peak MB of its tree."""
    with watching(0.2) as used:
        ran = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, cwd=folder)
    return ran.stdout, used.peak_mb


def _new(here: psutil.Process, before: set[psutil.Process]) -> Iterator[psutil.Process]:
    for child in set(here.children()) - before:
        yield child
        with suppress(psutil.NoSuchProcess):
            yield from child.children(recursive=True)
