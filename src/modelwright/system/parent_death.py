"""Ties a process to its parent: no child outlives it, not even after kill -9."""

import ctypes
import os
import signal
import sys
import threading
import time

_PR_SET_PDEATHSIG = 1
"""Option of prctl: which signal the process gets when its parent ends."""
_POLL_SECONDS = 0.5
"""How soon a child notices, where the kernel does not tell it."""


def die_with_parent(parent: int) -> None:
    """Kills this process when its parent is gone, now if it already is.

    Linux watches by itself, for the thread that started this process, which must therefore live
    on. Elsewhere a thread of this process looks twice a second.
    """
    if has_death_signal():
        ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, int(signal.SIGKILL), 0, 0, 0)
    else:
        threading.Thread(target=_watch, args=(parent,), name="parent-death", daemon=True).start()
    if os.getppid() != parent:
        os.kill(os.getpid(), signal.SIGKILL)


def has_death_signal() -> bool:
    """Returns whether the kernel kills a child whose parent died (Linux's PR_SET_PDEATHSIG)."""
    return sys.platform == "linux"


def _watch(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(_POLL_SECONDS)
    os.kill(os.getpid(), signal.SIGKILL)
