"""Speaks HTTP over a Unix socket, and stops waiting when it is told to."""

import json
import select
import socket
from http.client import HTTPConnection
from pathlib import Path
from time import monotonic
from typing import Any

from modelwright.engines.language.rules.text.stopping import Stopped, never

GLANCE_SECONDS = 0.1
"""How often is looked whether somebody still waits."""
READ_SECONDS = 5.0
"""How long the rest of an answer may take that has begun to arrive."""
MAX_ANSWER_BYTES = 16 * 1024**2
"""Bytes of one answer."""


class AnswerLate(OSError):
    """The answer did not come in time, or nobody waits for it any more."""


class _Connection(HTTPConnection):
    def __init__(self, path: Path, seconds: float) -> None:
        super().__init__("localhost", timeout=seconds)
        self._path = path

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.settimeout(self.timeout)
        self.sock.connect(str(self._path))


def request(
    path: Path,
    method: str,
    target: str,
    body: dict[str, Any] | None,
    seconds: float,
    stopped: Stopped = never,
) -> tuple[int, Any]:
    """Sends one request; closing the connection early has the server stop its work.

    Args:
        path: The socket.
        method: HTTP's method.
        target: Path and query.
        body: What is sent, as JSON.
        seconds: How long the answer may take.
        stopped: Tells whether nobody waits any more.

    Returns:
        The status and the decoded JSON.

    Raises:
        OSError: Nobody listens, or (`AnswerLate`) the answer took too long or was called off.
        ValueError: The answer is too long or not JSON.
    """
    until = monotonic() + seconds
    connection = _Connection(path, READ_SECONDS)
    try:
        encoded = json.dumps(body).encode() if body is not None else None
        headers = {"Content-Type": "application/json"} if encoded else {}
        connection.request(method, target, encoded, headers)
        while not select.select([connection.sock], [], [], GLANCE_SECONDS)[0]:
            if monotonic() > until or stopped():
                raise AnswerLate("It took too long.")
        response = connection.getresponse()
        told = response.read(MAX_ANSWER_BYTES + 1)
    finally:
        connection.close()
    if len(told) > MAX_ANSWER_BYTES:
        raise ValueError("The answer is too long.")
    return response.status, json.loads(told)
