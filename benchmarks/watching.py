"""Runs a command and watches the memory of its process tree."""

import subprocess
import threading
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import psutil

STEP_SECONDS = 0.2


def watched(command: Sequence[str], folder: Path | None = None) -> tuple[str, int]:
    """Runs a command to its end; gives what it printed and the peak MB of its tree, sampled."""
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=folder) as running:
        ended, seen = threading.Event(), [0]

        def look() -> None:
            whole = psutil.Process(running.pid)
            while not ended.wait(STEP_SECONDS):
                seen.append(_resident(whole))

        watcher = threading.Thread(target=look)
        watcher.start()
        printed, _ = running.communicate()
        ended.set()
        watcher.join()
    if running.returncode:
        raise subprocess.CalledProcessError(running.returncode, command)
    return printed, round(max(seen) / 2**20)


def _resident(whole: psutil.Process) -> int:
    used = 0
    with suppress(psutil.NoSuchProcess):
        for one in [whole, *whole.children(recursive=True)]:
            with suppress(psutil.NoSuchProcess):
                used += one.memory_info().rss
    return used
