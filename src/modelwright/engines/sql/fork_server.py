"""The process that session children are forked from: DuckDB loaded, no secrets, one thread.

It is started with an empty environment and obeys the socket it is given: start a child on a
socket sent along, or kill one of its own. When the socket closes it ends, its children with it.
"""

import contextlib
import os
import signal
import socket
import sys

from modelwright.engines.sql import child, fork_server_client
from modelwright.system.process_title import set_title


def main(descriptor: int) -> None:
    """Serves the client at the other end of a socket until it closes.

    Args:
        descriptor: Descriptor of the socket.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    set_title("query host")
    child.load()
    with socket.socket(fileno=descriptor) as control:
        living: set[int] = set()
        while order := _next(control):
            verb, pid, channels = order
            if verb == fork_server_client.START and channels:
                pid = _start(channels[0])
                living.add(pid)
            elif verb == fork_server_client.KILL and pid in living:
                os.kill(pid, signal.SIGKILL)
            control.sendall(fork_server_client.ORDER.pack(verb, pid))
            living -= _reaped()


def _next(control: socket.socket) -> tuple[bytes, int, list[int]] | None:
    message, channels, _, _ = socket.recv_fds(control, fork_server_client.ORDER.size, 1)
    if len(message) < fork_server_client.ORDER.size:
        return None
    verb, pid = fork_server_client.ORDER.unpack(message)
    return verb, pid, channels


def _start(channel: int) -> int:
    parent = os.getpid()
    pid = os.fork()
    if pid == 0:
        status = 1
        with contextlib.suppress(BaseException):
            status = child.run(channel, parent)
        os._exit(status)
    os.close(channel)
    return pid


def _reaped() -> set[int]:
    dead: set[int] = set()
    with contextlib.suppress(ChildProcessError):
        while pid := os.waitpid(-1, os.WNOHANG)[0]:
            dead.add(pid)
    return dead


if __name__ == "__main__":
    main(int(sys.argv[1]))
