"""Both ends of the channel: one is called and hands each call to who it is for, one calls.

A call begins with one line of JSON whose `to` says who it is for; what follows is theirs.
"""

import asyncio
import contextlib
import socket
import ssl
from collections.abc import Awaitable, Callable
from functools import cached_property
from typing import Any

import msgspec

from modelwright.core.channel.credentials import contexts
from modelwright.core.logging import logger
from modelwright.system.silent_peers import watch_silence

CONNECT_SECONDS = 2.0
"""How long another machine may take to answer a call."""
OPENING_SECONDS = 10.0
"""How long a caller may take to say who a call is for."""
MAX_OPENING_BYTES = 1 << 16
"""Bytes that a peer may send before it is known."""

Handler = Callable[[dict[str, Any], asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]
"""Serves one call to its end; gets what its first line said."""


class PeerLost(ConnectionError):
    """Another machine could not be reached, or went away in the middle."""


class Channel:
    """Calls to and from other machines."""

    def __init__(self, secrets: list[str], name: str) -> None:
        self._secrets, self._name = secrets, name
        self._handlers: dict[str, Handler] = {}

    @cached_property
    def _contexts(self) -> tuple[ssl.SSLContext, ssl.SSLContext]:
        return contexts(self._secrets, self._name)

    @property
    def client_context(self) -> ssl.SSLContext:
        """What a call is protected with."""
        return self._contexts[1]

    def serve(self, kind: str, handler: Handler) -> None:
        """Has calls for somebody served by them."""
        self._handlers[kind] = handler

    async def listen(self, listener: socket.socket) -> asyncio.Server:
        """Begins to take calls."""
        return await asyncio.start_server(
            self._called,
            sock=listener,
            ssl=self._contexts[0],
            ssl_handshake_timeout=OPENING_SECONDS,
            limit=MAX_OPENING_BYTES,
        )

    async def _called(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            watch_silence(writer.get_extra_info("socket"))
            async with asyncio.timeout(OPENING_SECONDS):
                opened = msgspec.json.decode(await reader.readline())
            await self._handlers[opened["to"]](opened, reader, writer)
        except (OSError, TimeoutError, ValueError, KeyError, TypeError, EOFError):
            logger().warning("channel.call_dropped", exc_info=True)
        finally:
            with contextlib.suppress(OSError):
                writer.close()

    def call(self, address: str, **members: Any) -> ssl.SSLSocket:
        """Calls another machine, in a thread that may wait; raises PeerLost."""
        host, port = split_address(address)
        try:
            raw = socket.create_connection((host, port), timeout=CONNECT_SECONDS)
            watch_silence(raw)
            line = self.client_context.wrap_socket(raw)
            line.sendall(opening(**members))
        except OSError as error:
            raise PeerLost(str(error)) from None
        return line


def opening(**members: Any) -> bytes:
    """Makes the line that a call begins with."""
    return msgspec.json.encode(members) + b"\n"


def split_address(address: str) -> tuple[str, int]:
    """Takes host and port apart; IPv6 addresses stand in brackets."""
    host, _, port = address.rpartition(":")
    return host.strip("[]"), int(port)
