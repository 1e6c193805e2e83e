"""What the children of the tests run."""

import gc
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb

from modelwright.jobs.errors import JobRefused

Report = Callable[[dict[str, Any]], None]


def double(payload: dict[str, Any], report: Report) -> dict[str, Any]:
    sys.stdout.write("noise on standard output\n")
    report({"percent": 40, "stage": "doubling", "message": f"doubling {payload['number']}"})
    return {"number": payload["number"] * 2}


def show_environment(payload: dict[str, Any], _report: Report) -> dict[str, Any]:
    return dict(os.environ)


def tell_of_garbage(payload: dict[str, Any], _report: Report) -> dict[str, Any]:
    return {"is_looked_for": gc.isenabled(), "left_alone": gc.get_freeze_count()}


def refuse(payload: dict[str, Any], _report: Report) -> dict[str, Any]:
    raise JobRefused({"message": "line 3 has too few cells", "line": 3})


def fail(payload: dict[str, Any], _report: Report) -> dict[str, Any]:
    raise ValueError("a mistake of ours")


def run_out_of_memory(payload: dict[str, Any], _report: Report) -> dict[str, Any]:
    """Ends as the system has a process end that takes the last memory."""
    os.kill(os.getpid(), signal.SIGKILL)
    return payload


def crash(payload: dict[str, Any], _report: Report) -> dict[str, Any]:
    os.kill(os.getpid(), signal.SIGSEGV)
    return {}


def leave(payload: dict[str, Any], _report: Report) -> dict[str, Any]:
    os._exit(7)


def grow(payload: dict[str, Any], _report: Report) -> dict[str, Any]:
    kept = []
    while True:
        kept.append(bytearray(b"x" * (8 << 20)))
        time.sleep(0.005)


def fill_the_disk(payload: dict[str, Any], _report: Report) -> dict[str, Any]:
    Path("/dev/full").write_bytes(b"x")
    return {}


def fill_the_disk_by_duckdb(payload: dict[str, Any], _report: Report) -> dict[str, Any]:
    duckdb.sql("COPY (SELECT range AS n FROM range(100000)) TO '/dev/full' (FORMAT csv)")
    return {}


def out_of_memory(payload: dict[str, Any], _report: Report) -> dict[str, Any]:
    raise MemoryError


relatives: list[subprocess.Popen[bytes]] = []


def start_a_relative(payload: dict[str, Any]) -> None:
    """Starts a process, as only the preparation may: in the sandbox none starts."""
    code = f"kept = b'x' * ({payload.get('relative_mb', 0)} << 20); import time; time.sleep(600)"
    relatives.append(subprocess.Popen([sys.executable, "-c", code]))


def have_a_family(payload: dict[str, Any], report: Report) -> dict[str, Any]:
    """Tells the numbers of its family, and goes on for ever."""
    report({"pids": [os.getpid(), os.getppid(), *(one.pid for one in relatives)]})
    time.sleep(600)
    return {}
