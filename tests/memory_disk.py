"""Has tests write to memory where there is enough: each sync of a disk takes milliseconds.

The thousands of databases that come and go in a run are synced hundreds of thousands of times. What
a run leaves in its folder goes with it, or, where it was killed, with the next one.
"""

import atexit
import os
import shutil
import tempfile
from pathlib import Path

import psutil

MEMORY = Path("/dev/shm")
PREFIX = "modelwright-tests-"
"""How folders of runs are called; the number of the run's process follows."""
ENOUGH_BYTES = 4 * 1024**3
"""Free memory from which on it is used: many times what workers were seen to have in folders."""


def write_to_memory() -> None:
    """Has temporary folders, also those of children, made in memory, unless told where."""
    if "TMPDIR" not in os.environ and _is_roomy(MEMORY):
        remove_left_behind(MEMORY)
        run = os.getpid()
        folder = MEMORY / f"{PREFIX}{run}"
        folder.mkdir(exist_ok=True)
        folder.chmod(0o1777)  # as that for temporary files: servers run as other users, too
        atexit.register(_remove, folder, run)
        # The folders of the last runs' tests can still be looked at.
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(MEMORY))
        os.environ["TMPDIR"] = tempfile.tempdir = str(folder)


def remove_left_behind(memory: Path) -> None:
    """Removes the folders of runs that are no more."""
    for folder in memory.glob(f"{PREFIX}*"):
        run = folder.name.removeprefix(PREFIX)
        if run.isdigit() and not psutil.pid_exists(int(run)):
            shutil.rmtree(folder, ignore_errors=True)


def _remove(folder: Path, run: int) -> None:
    if os.getpid() == run:  # not of a child that was forked
        shutil.rmtree(folder, ignore_errors=True)


def _is_roomy(folder: Path) -> bool:
    """Tells whether it holds what tests write, some of which they run."""
    try:
        found = os.statvfs(folder)
    except OSError:
        return False
    free_bytes = min(found.f_bavail * found.f_frsize, psutil.virtual_memory().available)
    is_usable = os.access(folder, os.W_OK) and not found.f_flag & os.ST_NOEXEC
    return is_usable and free_bytes >= ENOUGH_BYTES
