"""Ties a process to its parent: no child outlives it, not even after kill -9."""

import ctypes
import os
import signal
import sys

_PR_SET_PDEATHSIG = 1


def die_with_parent(parent: int) -> None:
    """Has the kernel kill this process when its parent is gone; kills it now if it already is.

    The kernel watches the thread that started this process, which must therefore live on.
    """
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, int(signal.SIGKILL), 0, 0, 0)
    if os.getppid() != parent:
        os.kill(os.getpid(), signal.SIGKILL)
