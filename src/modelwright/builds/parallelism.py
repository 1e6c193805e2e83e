"""What a build's process does before it enters the sandbox."""

import os
import socket
import subprocess
import sys
from collections.abc import Mapping
from multiprocessing.connection import Connection
from typing import Any

GATEWAYS: list[Connection] = []
"""This process's end of the connection to other machines, where there is one."""


def prepare(payload: Mapping[str, Any]) -> None:
    """Loads joblib, by which scikit-learn fits in threads, and starts the gateway to Ray.

    As joblib loads it tries a semaphore in the folder that all processes share. In the sandbox
    it may not, and would fit with one thread. The gateway has the network that the build lacks.
    """
    import joblib  # noqa: F401, PLC0415 - slow to load, only in the process of a build

    if address := payload.get("ray_address"):
        GATEWAYS.append(start_gateway(str(address), int(payload["memory_mb"])))


def start_gateway(address: str, memory_mb: int) -> Connection:
    """Starts a process that carries fits to a cluster of Ray.

    Args:
        address: Of the cluster, as `ray.init` takes it.
        memory_mb: What the process of a fit may have there, in MiB.

    Returns:
        The connection to it; see `RemoteExecutor`. The process ends when it is closed.
    """
    ours, theirs = socket.socketpair()
    module = "modelwright.builds.ray_gateway"
    with theirs:
        subprocess.Popen(
            [sys.executable, "-P", "-m", module, str(theirs.fileno()), address, str(memory_mb)],
            pass_fds=[theirs.fileno()],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=os.environ | {"RAY_ENABLE_UV_RUN_RUNTIME_ENV": "0"},
        )
    return Connection(ours.detach())
