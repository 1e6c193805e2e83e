"""What the operating system takes away from a process that runs untrusted SQL.

Each wall stands by itself; those a platform lacks are left out (`raise_walls` says which stand).
"""

import ctypes
import os
import resource
import signal
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

from modelwright.engines.sql import landlock, seccomp

PR_SET_DUMPABLE = 4
PR_SET_NO_NEW_PRIVS = 38
CAPSET = {"x86_64": 126, "aarch64": 91}
CAPABILITY_VERSION_3 = 0x20080522
MACHINE = ("/proc/self/cgroup", "/proc/stat", "/sys/devices/system/cpu/online", "/sys/fs/cgroup")
"""What DuckDB reads of the machine as it starts; it ends the process where it may not."""
THREADS_SPACE = 512 * 1024**2
"""Address space for stacks and allocator arenas, which is reserved and hardly used."""


def raise_walls(readable: Iterable[Path], memory_bytes: int, open_files: int) -> list[str]:
    """Bound this process and take its rights; the names of the walls that stand.

    It keeps: its memory up to `memory_bytes` above what it holds now, its open descriptors, and
    reading the `readable` files. It loses: writing files, the network, starting programs and
    processes, signalling, and the rights of root. Threads started later are bound likewise.
    """
    limits(memory_bytes, open_files)
    standing = ["limits"]
    if sys.platform == "linux":
        _prctl(PR_SET_NO_NEW_PRIVS, 1)
        _prctl(PR_SET_DUMPABLE, 0)
        walls: tuple[tuple[str, Callable[[], bool]], ...] = (
            ("capabilities", _drop_capabilities),
            ("landlock", lambda: landlock.restrict([*readable, *_present(MACHINE)])),
            ("seccomp", seccomp.restrict),
        )
        standing += [name for name, wall in walls if wall()]
    return standing


def limits(memory_bytes: int, open_files: int) -> None:
    """Set the limits that hold for good: memory, files written, files open, core dumps."""
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
    """End this process unless `unbound_time` is called within `seconds` of wall time."""
    signal.setitimer(signal.ITIMER_REAL, seconds)
    used = resource.getrusage(resource.RUSAGE_SELF)
    spent = used.ru_utime + used.ru_stime
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    resource.setrlimit(resource.RLIMIT_CPU, (int(spent + seconds * threads) + 1, hard))


def unbound_time() -> None:
    """Call off the end that `bound_time` set."""
    signal.setitimer(signal.ITIMER_REAL, 0)


def _present(paths: Iterable[str]) -> list[Path]:
    return [Path(path) for path in paths if Path(path).exists()]


def _address_space() -> int:
    pages = int(Path("/proc/self/statm").read_text("ascii").split()[0])
    return pages * resource.getpagesize()


def _drop_capabilities() -> bool:
    number = CAPSET.get(os.uname().machine)
    if number is None:
        return False
    header = (ctypes.c_uint32 * 2)(CAPABILITY_VERSION_3, 0)
    nothing = (ctypes.c_uint32 * 6)()
    return bool(ctypes.CDLL(None).syscall(number, header, nothing) == 0)


def _prctl(option: int, value: int) -> None:
    none = ctypes.c_ulong(0)
    if ctypes.CDLL(None, use_errno=True).prctl(option, ctypes.c_ulong(value), none, none, none):
        raise OSError(ctypes.get_errno(), "prctl")
