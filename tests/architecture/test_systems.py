"""What only Linux has stands in `modelwright.system`, behind functions that have a fallback."""

import ast
from pathlib import Path

SRC = Path(__file__).parents[2] / "src"
SYSTEM = "modelwright/system/"
OF_LINUX = frozenset(
    [
        "os.copy_file_range",
        "os.eventfd",
        "os.fdatasync",
        "os.getrandom",
        "os.getresgid",
        "os.getresuid",
        "os.getxattr",
        "os.listxattr",
        "os.memfd_create",
        "os.pidfd_open",
        "os.pipe2",
        "os.posix_fadvise",
        "os.posix_fallocate",
        "os.preadv",
        "os.pwritev",
        "os.removexattr",
        "os.sched_getaffinity",
        "os.sched_setaffinity",
        "os.sched_setscheduler",
        "os.setns",
        "os.setresgid",
        "os.setresuid",
        "os.setxattr",
        "os.splice",
        "os.unshare",
        "os.waitid",
        "os.O_DIRECT",
        "os.O_NOATIME",
        "os.O_PATH",
        "os.O_TMPFILE",
        "resource.prlimit",
        "resource.RLIMIT_MSGQUEUE",
        "resource.RLIMIT_NICE",
        "resource.RLIMIT_RTPRIO",
        "resource.RLIMIT_SIGPENDING",
        "select.epoll",
        "signal.sigtimedwait",
        "signal.sigwaitinfo",
        "signal.pidfd_send_signal",
        "signal.SIGRTMIN",
        "socket.MSG_NOSIGNAL",
        "socket.SO_BINDTODEVICE",
        "socket.SO_PASSCRED",
        "socket.SO_PEERCRED",
        "socket.SOCK_CLOEXEC",
        "socket.SOCK_NONBLOCK",
        "socket.SOCK_SEQPACKET",
        "socket.TCP_CORK",
        "socket.TCP_DEFER_ACCEPT",
        "socket.TCP_KEEPIDLE",
        "socket.TCP_QUICKACK",
        "socket.TCP_USER_TIMEOUT",
        "time.CLOCK_BOOTTIME",
        "mmap.MAP_POPULATE",
        "fcntl.F_ADD_SEALS",
        "fcntl.F_SETPIPE_SZ",
    ]
)
"""Names of the standard library that macOS lacks, or has and does not serve."""


def of_linux(tree: ast.Module) -> list[str]:
    """Lists the names that macOS lacks, with their lines."""
    found: list[str] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            named = [f"{node.value.id}.{node.attr}"]
        elif isinstance(node, ast.ImportFrom):
            named = [f"{node.module}.{one.name}" for one in node.names]
        else:
            continue
        found += [f"{node.lineno} {name}" for name in named if name in OF_LINUX]
    return found


def test_finds_names_of_linux_and_no_others() -> None:
    tree = ast.parse("import os\nfrom socket import SO_PEERCRED\nos.fdatasync(1)\nos.fsync(1)\n")
    assert of_linux(tree) == ["2 socket.SO_PEERCRED", "3 os.fdatasync"]


def test_only_the_system_package_uses_what_macos_lacks() -> None:
    strays = {
        place: found
        for path in sorted(SRC.rglob("*.py"))
        if not (place := path.relative_to(SRC).as_posix()).startswith(SYSTEM)
        and (found := of_linux(ast.parse(path.read_text("utf-8"))))
    }
    assert strays == {}
