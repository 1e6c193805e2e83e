"""Has tests write to memory where there is enough: each sync of a disk takes milliseconds.

The thousands of databases that come and go in a run are synced hundreds of thousands of times.
"""

import os
import tempfile
from pathlib import Path

import psutil

MEMORY = Path("/dev/shm")
ENOUGH_BYTES = 4 * 1024**3
"""Free memory from which on it is used: many times what workers were seen to have in folders."""


def write_to_memory() -> None:
    """Has temporary folders, also those of children, made in memory, unless told where."""
    if "TMPDIR" not in os.environ and _is_roomy(MEMORY):
        os.environ["TMPDIR"] = tempfile.tempdir = str(MEMORY)


def _is_roomy(folder: Path) -> bool:
    """Tells whether it holds what tests write, some of which they run."""
    try:
        found = os.statvfs(folder)
    except OSError:
        return False
    free_bytes = min(found.f_bavail * found.f_frsize, psutil.virtual_memory().available)
    is_usable = os.access(folder, os.W_OK) and not found.f_flag & os.ST_NOEXEC
    return is_usable and free_bytes >= ENOUGH_BYTES
