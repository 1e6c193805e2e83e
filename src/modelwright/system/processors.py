"""How many processors this process may use."""

import os


def usable_processors() -> int:
    """Returns the processors this process may run on, at least one.

    Containers and `taskset` give a process fewer than the machine has; only Linux tells.
    """
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
