"""Puts the calling process into the sandbox, and says which of its layers this system lacks.

Each layer stands by itself; those that a system lacks are left out. All of them are Linux's.
"""

import ctypes
import os
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from modelwright.system.sandbox import landlock, seccomp

PR_SET_DUMPABLE = 4
"""Option of prctl: whether others of the same user may look into the process."""
PR_SET_NO_NEW_PRIVS = 38
"""Option of prctl: programs that are started gain no rights."""
CAPSET = {"x86_64": 126, "aarch64": 91}
"""The number of the system call, by processor: the C library has no function for it."""
CAPABILITY_VERSION_3 = 0x20080522
"""Version of the header of capset, with 64 capabilities."""
DNS_PORT = 53
"""The port that names are resolved at."""
DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom")
LIBRARIES = ("/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib")
SYSTEM = (
    "/etc/ld.so.cache",
    "/etc/localtime",
    "/etc/mime.types",
    "/etc/ssl/openssl.cnf",
    "/etc/pki/tls/openssl.cnf",
    "/usr/share/zoneinfo",
    "/proc/self",
    "/proc/cpuinfo",
    "/proc/meminfo",
    "/proc/stat",
    "/proc/sys/vm/overcommit_memory",
    "/sys/devices/system",
    "/sys/kernel/mm/transparent_hugepage",
    "/sys/fs/cgroup",
)
"""What Python and the libraries of numbers read of the machine as they start."""
NAMES = (
    "/etc/resolv.conf",
    "/etc/hosts",
    "/etc/host.conf",
    "/etc/gai.conf",
    "/etc/nsswitch.conf",
    "/etc/services",
    "/run/systemd/resolve",
    "/usr/share/ca-certificates",
    "/etc/pki/ca-trust/extracted",
)
"""What looking up a host's name and checking its certificate reads."""
MISSING = {
    "capabilities": "children keep the rights of the server's user",
    "landlock": "children can reach the files that the server's user can reach",
    "network": "children can open connections",
    "seccomp": "children can start programs and signal other processes",
}
"""By layer: what can be done where it is missing."""


@dataclass(frozen=True, slots=True)
class Reach:
    """What a sandboxed process may reach beyond itself; folders with all that is in them."""

    readable: tuple[str, ...] = ()
    writable: tuple[str, ...] = ()
    port: int | None = None
    """The port to which it may connect, on whatever host; without one there is no network."""

    @classmethod
    def of_json(cls, document: dict[str, Any]) -> Self:
        """Reads what `dataclasses.asdict` made, and JSON carried."""
        return cls(tuple(document["readable"]), tuple(document["writable"]), document["port"])


def missing() -> dict[str, str]:
    """Returns the layers that this system lacks, and what can be done for want of each."""
    known = landlock.version() if sys.platform == "linux" else 0
    is_filtered = sys.platform == "linux" and seccomp.is_available()
    standing = {
        "capabilities": sys.platform == "linux" and os.uname().machine in CAPSET,
        "landlock": known >= 1,
        "network": is_filtered or known >= landlock.NET_SINCE,
        "seccomp": is_filtered,
    }
    return {name: MISSING[name] for name, stands in standing.items() if not stands}


def program_files() -> list[Path]:
    """Returns what a Python process reads to load its modules and libraries."""
    added = os.environ.get("LD_LIBRARY_PATH", "").split(":")
    prefixes = {sys.prefix, sys.base_prefix}
    own = [str(Path(prefix, name)) for prefix in prefixes for name in ("lib", "pyvenv.cfg")]
    return present([*sys.path, *own, *added, *LIBRARIES, *SYSTEM])


def enter_sandbox(reach: Reach) -> list[str]:
    """Takes all rights from this process but those of the reach; returns the layers that stand.

    It keeps its open descriptors, may start threads and may signal itself; where its reach has a
    writable folder it may use the devices that keep nothing as well. It loses other files, the
    network, starting programs and processes, signalling, and the rights of root.
    """
    if sys.platform != "linux":
        return []
    if len(list(Path("/proc/self/task").iterdir())) > 1:
        raise RuntimeError(
            "The sandbox is entered before there are threads: Landlock binds one alone."
        )
    _prctl(PR_SET_NO_NEW_PRIVS, 1)
    _prctl(PR_SET_DUMPABLE, 0)
    permits = seccomp.Permits(changes_files=bool(reach.writable), connects=reach.port is not None)
    layers: tuple[tuple[str, Callable[[], bool]], ...] = (
        ("capabilities", _drop_capabilities),
        ("landlock", lambda: _bound_files(reach)),
        ("seccomp", lambda: seccomp.restrict(permits)),
    )
    return [name for name, enter in layers if enter()]


def present(paths: Iterable[str]) -> list[Path]:
    """Returns those of the paths that exist."""
    return [Path(path) for path in dict.fromkeys(paths) if path and Path(path).exists()]


def _network_files() -> list[Path]:
    """Returns what a process reads to find a host and to check who answers there."""
    import ssl  # noqa: PLC0415 - slow to load, and few children have a network

    roots = ssl.get_default_verify_paths()
    return present([*NAMES, roots.cafile or "", roots.capath or ""])


def _bound_files(reach: Reach) -> bool:
    network = _network_files() if reach.port is not None else []
    ports = [] if reach.port is None else [reach.port, DNS_PORT]
    return landlock.restrict(
        [*map(Path, reach.readable), *network],
        [*map(Path, reach.writable), *(present(DEVICES) if reach.writable else ())],
        ports,
    )


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
