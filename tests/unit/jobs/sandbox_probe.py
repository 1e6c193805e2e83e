"""What a hostile child would try; it runs in place of a real one, with the real one's reach."""

import ctypes
import os
import signal
import socket
import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

PTRACE_ATTACH = 16
NO_ROUTE = "192.0.2.1"
"""An address of nobody (RFC 5737)."""
libc = ctypes.CDLL(None, use_errno=True)


def _call(name: str, *values: object) -> None:
    if getattr(libc, name)(*values) < 0:
        raise OSError(ctypes.get_errno(), name)


def _read(path: str) -> None:
    with Path(path).open("rb") as file:
        file.read(1)


def _write(path: str, mode: str = "r+b") -> None:
    with Path(path).open(mode) as file:
        file.write(b"x")


def _use(folder: str) -> None:
    inner = Path(folder, "inner")
    inner.mkdir()
    (inner / "a").write_text("x")
    (inner / "a").rename(Path(folder, "b"))
    Path(folder, "b").unlink()
    inner.rmdir()


def _thread() -> None:
    started = threading.Thread(target=len, args=("x",))
    started.start()
    started.join()


def _connect(host: str, port: int, kind: int = socket.SOCK_STREAM) -> None:
    with socket.socket(socket.AF_INET, kind) as one:
        one.settimeout(2)
        one.connect((host, port))


def _listen() -> None:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))


def _reach_socket() -> None:
    with socket.socket(socket.AF_UNIX) as one:
        one.connect("/run/nowhere")


def _fork() -> None:
    if os.fork() == 0:
        os._exit(0)


def _rights() -> None:
    status = Path("/proc/self/status").read_text("ascii")
    told = dict(line.split(":\t", 1) for line in status.splitlines() if ":\t" in line)
    found = {name: told[name].strip() for name in ("CapEff", "CapPrm", "NoNewPrivs", "Seccomp")}
    assert found == {"CapEff": "0" * 16, "CapPrm": "0" * 16, "NoNewPrivs": "1", "Seccomp": "2"}


def tries(told: dict[str, Any]) -> dict[str, Callable[[], object]]:
    """All that is tried, by name; `told` says where things are."""
    own, parent = told["own"], os.getppid()
    within = own or told["outside"]
    everywhere: dict[str, Callable[[], object]] = {
        "start a thread": _thread,
        "have no rights left": _rights,
        "signal itself": lambda: os.kill(os.getpid(), 0),
        "load another module": lambda: __import__("plistlib"),
        "read /etc/passwd": lambda: _read("/etc/passwd"),
        "read another account's object": lambda: _read(told["object"]),
        "list the objects": lambda: list(Path(told["objects"]).iterdir()),
        "read the database": lambda: _read(told["database"]),
        "write the database": lambda: _write(told["database"]),
        "delete the database": lambda: Path(told["database"]).unlink(),
        "read the sealing key": lambda: _read(told["key"]),
        "change the key's rights": lambda: Path(told["key"]).chmod(0o644),
        "read the parent's environment": lambda: _read(f"/proc/{parent}/environ"),
        "read the parent's memory": lambda: _read(f"/proc/{parent}/mem"),
        "write outside its folder": lambda: _write(told["outside"] + "/new", "wb"),
        "make a folder outside": lambda: Path(told["outside"], "sub").mkdir(),
        "leave a link": lambda: Path(within, "link").symlink_to("/etc/passwd"),
        "link to the key": lambda: os.link(told["key"], within + "/hard"),
        "leave a pipe": lambda: os.mkfifo(within + "/pipe"),
        "leave a socket": _listen,
        "change the times of a file": lambda: os.utime(told["key"]),
        "connect to loopback": lambda: _connect("127.0.0.1", told["listening"]),
        "connect to its database's port": lambda: _connect("127.0.0.1", told["port"]),
        "connect out": lambda: _connect(NO_ROUTE, 80),
        "connect to a socket of the machine": _reach_socket,
        "make a raw socket": lambda: socket.socket(socket.AF_INET, socket.SOCK_RAW, 1),
        "run a shell": lambda: os.execv("/bin/sh", ["sh", "-c", "exit 3"]),
        "fork": _fork,
        "kill its parent": lambda: os.kill(parent, signal.SIGKILL),
        "kill its group": lambda: os.killpg(0, signal.SIGKILL),
        "leave its group": os.setsid,
        "slow its parent down": lambda: os.setpriority(os.PRIO_PROCESS, parent, 19),
        "bind its parent to a processor": lambda: os.sched_setaffinity(parent, {0}),
        "trace its parent": lambda: _call("ptrace", PTRACE_ATTACH, parent, 0, 0),
        "outlive its parent": lambda: _call("prctl", 1, 0, 0, 0, 0),
        "leave its namespaces": lambda: _call("unshare", 0x10000000),
        "become another user": lambda: os.setuid(1),
    }
    everywhere |= {f"read {path}": partial(_read, path) for path in told["readable"]}
    everywhere |= {f"write {path}": partial(_write, path) for path in told["readable"]}
    if own:
        everywhere["use its folder"] = lambda: _use(own)
    return everywhere


def probe(payload: dict[str, Any], _report: object) -> dict[str, str]:
    """Tries everything and tells how each went."""
    found = {}
    for name, attempt in tries(payload["probe"]).items():
        try:
            attempt()
            found[name] = "done"
        except Exception as error:  # noqa: BLE001 - the way it ended is the answer
            found[name] = type(error).__name__
    return found
