"""Ports for the servers that tests start."""

import secrets
import socket
from contextlib import suppress

FIRST_PORT = 15_000
"""Ports from here on are tried."""
PORTS = 15_000
"""How many: all lie below those that the system hands out, so that nobody takes one meanwhile."""


def free_port() -> int:
    """Finds a port nobody listens on."""
    while True:
        port = FIRST_PORT + secrets.randbelow(PORTS)
        with suppress(OSError), socket.create_server(("127.0.0.1", port)):
            return port
