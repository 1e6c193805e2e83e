"""A replica process: holds one predictor and answers frames on its socket, one after the other.

`python -m modelwright.deployments.replica FD`, started by `replica_set` with the folder of the
sockets as its working folder. `FD` is the line to the host: it tells what to load, asks for the
load, and says when to leave; when it breaks, the host is gone and so is the replica.
"""

import os
import selectors
import socket
import sys
import time
import traceback
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any

import msgspec

from modelwright.core.errors import ApiError
from modelwright.deployments.framing import GOODBYE_FRAME, FrameDecoder, FramingError, pack, split
from modelwright.system.loading import loading
from modelwright.system.packets import PacketSocket
from modelwright.system.parent_death import die_with_parent
from modelwright.system.process_title import set_title

Reply = Callable[[Any, bytes], tuple[Any, bytes]]
"""Answers a request's head and body with a head and a body; `failed` in the head is ours."""

ASK = b"load?"
"""The order to tell the load."""
LEAVE = b"leave"
"""The order to answer what has come, and end."""
CHUNK_BYTES = 1 << 18
"""Bytes that are received at a time."""
QUIET_SECONDS = 0.5
"""How long no request must come before a replica that leaves ends."""
SEND_SECONDS = 10.0
"""How long a caller may leave its answer lying about before its line is cut."""
MAX_BUFFER_BYTES = 1 << 27
"""Bytes of requests that one line may have waiting."""
LISTEN_BACKLOG = 128
"""Connections that wait to be accepted."""


def main(descriptor: int) -> None:
    """Loads what the host says and answers until it says to leave."""
    with PacketSocket.of_descriptor(descriptor) as host:
        told = msgspec.json.decode(host.recv())
        die_with_parent(told["parent"])
        set_title(f"replica {told['name']}")
        with suppress(OSError):
            Path("/proc/self/oom_score_adj").write_text("500", encoding="ascii")
        try:
            module, _, name = told["target"].partition(":")
            with loading():
                reply: Reply = getattr(import_module(module), name)(told)
        except Exception as error:  # noqa: BLE001 - whatever it is, the host is told
            is_final = isinstance(error, ApiError)
            why = str(error) if is_final else f"{type(error).__name__}: {error}"
            host.send(msgspec.json.encode({"failed": why, "is_final": is_final}))
            return
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listener:
            listener.bind(told["name"])
            listener.listen(LISTEN_BACKLOG)
            host.send(msgspec.json.encode({"ready": True}))
            Replica(host, listener, reply).serve()


class Replica:
    """The lines to the callers and what is done on them."""

    def __init__(self, host: PacketSocket, listener: socket.socket, reply: Reply) -> None:
        self._host, self._listener, self._reply = host, listener, reply
        self._lines: dict[socket.socket, FrameDecoder] = {}
        self._selector = selectors.DefaultSelector()
        self._busy, self._asked = 0.0, time.monotonic()
        self._leaving = False
        listener.setblocking(False)

    def serve(self) -> None:
        """Answers until it is to leave and callers have hung up, or asked nothing for a while."""
        self._selector.register(self._host, selectors.EVENT_READ, self._obey)
        self._selector.register(self._listener, selectors.EVENT_READ, self._accept)
        while self._lines or not self._leaving:
            ready = self._selector.select(QUIET_SECONDS if self._leaving else None)
            if self._leaving and not ready:
                return
            for key, _ in ready:
                key.data(key.fileobj)

    def _obey(self, host: PacketSocket) -> None:
        order = host.recv()
        if order == ASK:
            now = time.monotonic()
            load = self._busy / max(now - self._asked, 1e-9)
            self._busy, self._asked = 0.0, now
            host.send(msgspec.json.encode({"load": min(load, 1.0)}))
        elif order == LEAVE:
            self._leave()
        else:
            os._exit(1)

    def _accept(self, listener: socket.socket) -> None:
        with suppress(BlockingIOError):
            while True:
                line, _ = listener.accept()
                line.settimeout(SEND_SECONDS)
                self._lines[line] = FrameDecoder(MAX_BUFFER_BYTES)
                self._selector.register(line, selectors.EVENT_READ, self._answer)

    def _answer(self, line: socket.socket) -> None:
        try:
            data = line.recv(CHUNK_BYTES)
            for number, content in self._lines[line].feed(data):
                started = time.monotonic()
                frame = self._frame(number, content)
                self._busy += time.monotonic() - started
                line.sendall(frame)
        except (OSError, FramingError):
            data = b""
        if not data:
            self._hang_up(line)

    def _frame(self, number: int, content: bytes) -> bytes:
        try:
            return pack(number, *self._reply(*split(content)))
        except Exception:  # noqa: BLE001 - one request must not take the others along
            trace = traceback.format_exc().encode("ascii", "backslashreplace").decode()
            return pack(number, {"failed": trace}, b"")

    def _leave(self) -> None:
        self._accept(self._listener)
        self._selector.unregister(self._listener)
        self._listener.close()
        self._leaving = True
        for line in list(self._lines):
            try:
                line.sendall(pack(GOODBYE_FRAME, None, b""))
            except OSError:
                self._hang_up(line)

    def _hang_up(self, line: socket.socket) -> None:
        self._selector.unregister(line)
        del self._lines[line]
        line.close()


if __name__ == "__main__":
    main(int(sys.argv[1]))
