"""A pair of sockets that keep messages apart, between a process and its child.

Linux has them (SOCK_SEQPACKET). Elsewhere each message travels over a stream behind its length.
"""

import socket
import struct
from typing import Self

_LENGTH = struct.Struct("!I")
MAX_PACKET_BYTES = 1 << 16
"""Bytes of a packet."""


class PacketSocket:
    """One end of a pair: `send` and `recv` whole messages of at most 64 KiB."""

    def __init__(self, end: socket.socket) -> None:
        self._end = end
        self._is_framed = end.type == socket.SOCK_STREAM

    @classmethod
    def of_descriptor(cls, descriptor: int) -> Self:
        """Takes over the end that a parent handed down."""
        return cls(socket.socket(fileno=descriptor))

    def fileno(self) -> int:
        """Returns the descriptor, for selectors and children."""
        return self._end.fileno()

    def setblocking(self, is_blocking: bool) -> None:
        """Makes `recv` wait for a message, or raise BlockingIOError where there is none."""
        self._end.setblocking(is_blocking)

    def send(self, message: bytes) -> None:
        """Sends one message; raises OSError when the other end is gone."""
        if not self._is_framed:
            self._end.send(message)
            return
        was_blocking = self._end.getblocking()
        self._end.setblocking(True)  # messages are far smaller than the kernel's buffer
        try:
            self._end.sendall(_LENGTH.pack(len(message)) + message)
        finally:
            self._end.setblocking(was_blocking)

    def recv(self) -> bytes:
        """Returns the next message, b"" when the other end is gone."""
        if not self._is_framed:
            return self._end.recv(MAX_PACKET_BYTES)
        start = self._end.recv(_LENGTH.size)  # BlockingIOError where nothing has come
        if not start:
            return b""
        was_blocking = self._end.getblocking()
        self._end.setblocking(True)  # the rest of a message that began is on its way
        try:
            (length,) = _LENGTH.unpack(start + self._exactly(_LENGTH.size - len(start)))
            return self._exactly(length)
        finally:
            self._end.setblocking(was_blocking)

    def _exactly(self, size: int) -> bytes:
        parts = bytearray()
        while len(parts) < size:
            part = self._end.recv(size - len(parts))
            if not part:
                raise ConnectionResetError("The other end closed within a message.")
            parts += part
        return bytes(parts)

    def close(self) -> None:
        """Closes this end."""
        self._end.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def packet_pair() -> tuple[PacketSocket, PacketSocket]:
    """Makes two connected ends, one of which a child may inherit."""
    try:
        ends = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    except (OSError, AttributeError):
        ends = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
    return PacketSocket(ends[0]), PacketSocket(ends[1])
