"""Carries fits between a build's process, which has no network, and a cluster of Ray.

`python -m modelwright.builds.ray_gateway DESCRIPTOR ADDRESS MEMORY_MB`, started before the build
enters its sandbox. What it carries it does not read: rows, fits and outcomes are bytes to it. It
ends with the build's end of the connection, and Ray then cancels what still runs.
"""

import logging
import sys
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import Any

from modelwright.engines.automl.search.gateway_messages import (
    DATA,
    HELLO,
    ID_BYTES,
    LOST,
    NAME_BYTES,
    REFUSED,
    RESULT,
)

POLL_SECONDS = 0.02
"""How long Ray is waited for before cancelled fits are looked for."""
CPUS_PER_FIT = 1
"""Processors that a fit reserves; its libraries run one thread each."""


def main(descriptor: int, address: str, memory_mb: int) -> None:
    """Serves one build, each of whose fits may have so much memory, until its end is closed."""
    connection = Connection(descriptor)
    import ray  # noqa: PLC0415 - an extra, and slow to load

    try:
        ray.init(address=address, log_to_driver=False, logging_level=logging.ERROR)
    except Exception as problem:  # noqa: BLE001 - the build goes on without it, and says so
        reason = f"{type(problem).__name__}: {problem}".partition("\n")[0]
        connection.send_bytes(bytes([REFUSED]) + reason.encode())
        return
    resources: dict[str, float] = ray.cluster_resources()  # type: ignore[no-untyped-call]
    processors = int(resources.get("CPU", 0)) // CPUS_PER_FIT
    if not processors:
        connection.send_bytes(bytes([REFUSED]) + b"no machine of it has a processor to spare")
        return
    connection.send_bytes(bytes([HELLO]) + processors.to_bytes(4, "big"))
    with suppress(EOFError, BrokenPipeError, ConnectionResetError):
        _Carrier(ray, connection, memory_mb).carry()
    ray.shutdown()


class _Carrier:
    """What runs in the cluster, and the rows that are there."""

    def __init__(self, ray: Any, connection: Connection, memory_mb: int) -> None:
        self._ray, self._connection, self._memory_mb = ray, connection, memory_mb
        # A fit that is lost is begun again by the build, which knows how much time is left.
        self._task = ray.remote(num_cpus=CPUS_PER_FIT, max_retries=0)(_run)
        self._rows: dict[bytes, Any] = {}
        self._running: dict[Any, bytes] = {}

    def carry(self) -> None:
        """Passes messages on for ever; raises `EOFError` when the build is gone."""
        while True:
            if self._connection.poll(0 if self._running else None):
                self._begin(self._connection.recv_bytes())
                continue
            done, _ = self._ray.wait(list(self._running), timeout=POLL_SECONDS)
            for task in done:
                self._end(task)

    def _begin(self, message: bytes) -> None:
        if message[0] == DATA:
            name, rows = message[1 : 1 + NAME_BYTES], message[1 + NAME_BYTES :]
            self._rows = {name: self._ray.put(rows)}
            return
        number, rest = message[1 : 1 + ID_BYTES], message[1 + ID_BYTES :]
        name, fit = rest[:NAME_BYTES], rest[NAME_BYTES:]
        begun = self._task.remote(name, self._rows[name], fit, self._memory_mb)
        self._running[begun] = number

    def _end(self, task: Any) -> None:
        number = self._running.pop(task)
        try:
            answer = bytes([RESULT]) + number + self._ray.get(task)
        except Exception as lost:  # noqa: BLE001 - Ray's own: the fit's faults are in its outcome
            reason = f"{type(lost).__name__}: {lost}".partition("\n")[0]
            answer = bytes([LOST]) + number + reason.encode()
        self._connection.send_bytes(answer)


def _run(name: bytes, rows: bytes, fit: bytes, memory_mb: int) -> bytes:
    """Runs a fit on a machine of the cluster."""
    from threadpoolctl import (  # type: ignore[import-untyped]  # noqa: PLC0415 - there, not here
        threadpool_limits,
    )

    from modelwright.engines.automl.estimators.families import load_libraries  # noqa: PLC0415
    from modelwright.engines.automl.search.executors import run_encoded  # noqa: PLC0415
    from modelwright.engines.automl.search.fit_memory import run_within  # noqa: PLC0415

    load_libraries()
    with threadpool_limits(1, user_api="blas"):
        return run_within(memory_mb, lambda: run_encoded(name, rows, fit))


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2], int(sys.argv[3]))
