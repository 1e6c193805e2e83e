"""Ports for the servers that tests start."""

import secrets
import socket
from contextlib import suppress

FIRST, MANY = 15_000, 15_000
"""Below those that the system gives to whoever asks for any, so that nobody takes one meanwhile."""


def free_port() -> int:
    """Finds a port nobody listens on."""
    while True:
        port = FIRST + secrets.randbelow(MANY)
        with suppress(OSError), socket.create_server(("127.0.0.1", port)):
            return port
