"""What the operating system takes away from a process that runs untrusted SQL."""

import resource
import signal
import sys
from collections.abc import Iterable
from pathlib import Path

from modelwright.system.sandbox import process
from modelwright.system.sandbox.process import Reach

MACHINE = ("/proc/self/cgroup", "/proc/stat", "/sys/devices/system/cpu/online", "/sys/fs/cgroup")
"""What DuckDB reads of the machine as it starts; it ends the process where it may not."""
THREADS_SPACE = 512 * 1024**2
"""Address space for stacks and allocator arenas, which is reserved and hardly used."""


def enter_sandbox(readable: Iterable[Path], memory_bytes: int, open_files: int) -> list[str]:
    """Bounds this process and takes its rights; returns the names of the sandbox's layers.

    It keeps: its memory up to `memory_bytes` above what it holds now, its open descriptors, and
    reading the `readable` files. It loses: writing files, the network, starting programs and
    processes, signalling others, and the rights of root. Threads started later are bound likewise.

    Args:
        readable: Files that it may go on reading.
        memory_bytes: How much more memory it may take than it holds now.
        open_files: Descriptors that it may have open.

    Returns:
        Names of the layers; fewer on a system that has fewer.
    """
    limits(memory_bytes, open_files)
    machine = map(str, process.present(MACHINE))
    return ["limits", *process.enter_sandbox(Reach(readable=(*map(str, readable), *machine)))]


def limits(memory_bytes: int, open_files: int) -> None:
    """Sets the limits that hold for good: memory, files written, files open, core dumps.

    Args:
        memory_bytes: How much more memory it may take than it holds now.
        open_files: Descriptors that it may have open.
    """
    bounds = {
        resource.RLIMIT_FSIZE: 0,
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_NOFILE: open_files,
    }
    if sys.platform == "linux":
        bounds[resource.RLIMIT_AS] = _address_space() + memory_bytes + THREADS_SPACE
    for limit, bound in bounds.items():
        _, hard = resource.getrlimit(limit)
        least = bound if hard == resource.RLIM_INFINITY else min(bound, hard)
        resource.setrlimit(limit, (least, least))


def bound_time(seconds: float, threads: int) -> None:
    """Ends this process unless `unbound_time` is called in time.

    Args:
        seconds: Wall time; CPU time is bound to as much for each thread.
        threads: Threads that compute side by side.
    """
    signal.setitimer(signal.ITIMER_REAL, seconds)
    used = resource.getrusage(resource.RUSAGE_SELF)
    spent = used.ru_utime + used.ru_stime
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    resource.setrlimit(resource.RLIMIT_CPU, (int(spent + seconds * threads) + 1, hard))


def unbound_time() -> None:
    """Call off the end that `bound_time` set."""
    signal.setitimer(signal.ITIMER_REAL, 0)


def _address_space() -> int:
    pages = int(Path("/proc/self/statm").read_text("ascii").split()[0])
    return pages * resource.getpagesize()
