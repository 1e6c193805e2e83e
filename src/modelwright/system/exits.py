"""Whether a child has ended, without reaping it."""

import os
import subprocess

SIGNAL_BASE = 128
"""Shells report a child that signal n ended as 128 + n."""


def peek_exit(process: subprocess.Popen[bytes]) -> int | None:
    """Returns the status a child ended with (128 + n for signal n), or None while it runs.

    Where the system allows, the child is not reaped: its id stays taken, so that its group can
    still be killed safely.
    """
    if not hasattr(os, "waitid"):  # macOS before Python 3.13
        code = process.poll()
        return code if code is None or code >= 0 else SIGNAL_BASE - code
    ended = os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    if ended is None:
        return None
    by_itself = ended.si_code == os.CLD_EXITED
    return ended.si_status if by_itself else SIGNAL_BASE + ended.si_status
