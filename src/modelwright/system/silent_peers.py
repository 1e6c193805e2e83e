"""Has the system end connections whose other end is gone without a word."""

import socket
from typing import Any

SILENCE_MILLISECONDS = 4000
"""How long what was sent may stay unconfirmed before the other machine is taken for gone."""
IDLE_SECONDS = 2
"""After so long without a word the other end is asked whether it is there, each second, twice."""


def watch_silence(line: Any) -> None:
    """Sends at once, and ends the connection where the other end does not confirm.

    macOS names the idle time otherwise, and has no bound for what was sent.
    """
    line.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    wanted = {
        "TCP_USER_TIMEOUT": SILENCE_MILLISECONDS,
        "TCP_KEEPIDLE" if hasattr(socket, "TCP_KEEPIDLE") else "TCP_KEEPALIVE": IDLE_SECONDS,
        "TCP_KEEPINTVL": 1,
        "TCP_KEEPCNT": 2,
    }
    for name, value in wanted.items():
        if hasattr(socket, name):
            line.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)
