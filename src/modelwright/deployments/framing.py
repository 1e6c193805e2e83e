"""What travels between the API and a replica: frames of a length, a number, JSON, and a body.

The head is JSON of its own on one line, so that the body passes through undecoded.
"""

import struct
from collections.abc import Iterator
from typing import Any

import msgspec

_LENGTH_PREFIX = struct.Struct(">II")
GOODBYE_FRAME = 0
"""The number of the frame with which a replica asks for no more; requests count from 1."""


class FramingError(ValueError):
    """What arrived is not a frame."""


def pack(number: int, head: Any, body: bytes) -> bytes:
    """Makes a frame."""
    told = msgspec.json.encode(head)
    return b"".join((_LENGTH_PREFIX.pack(len(told) + 1 + len(body), number), told, b"\n", body))


def split(content: bytes) -> tuple[Any, bytes]:
    """Takes a frame's content apart into head and body."""
    told, _, body = content.partition(b"\n")
    return msgspec.json.decode(told), body


class FrameDecoder:
    """Cuts what arrives into frames of at most so many bytes."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._rest = bytearray()

    def feed(self, data: bytes) -> Iterator[tuple[int, bytes]]:
        """Yields number and content of each frame that is whole; refuses one that is too long."""
        rest = self._rest
        rest += data
        while len(rest) >= _LENGTH_PREFIX.size:
            length, number = _LENGTH_PREFIX.unpack_from(rest)
            if length > self._most:
                raise FramingError(length)
            end = _LENGTH_PREFIX.size + length
            if len(rest) < end:
                return
            content = bytes(memoryview(rest)[_LENGTH_PREFIX.size : end])
            del rest[:end]
            yield number, content
