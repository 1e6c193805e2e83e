"""Messages on a socket between a session and its child: a length, then bytes, under a deadline.

The child runs what users write and may be taken over by it: lengths are bounded and nothing that
arrives is ever unpickled.
"""

import json
import select
import socket
import struct
from collections.abc import Callable
from time import monotonic
from typing import Any

HEAD = struct.Struct("!Q")
CHUNK_BYTES = 1 << 20
"""Bytes that are received at a time."""
CANCELLATION_CHECK_SECONDS = 0.05
"""Seconds between two looks at whether the answer is still wanted."""


class Closed(Exception):
    """The other side is gone."""


class Late(Exception):
    """The deadline has passed."""


class TooLong(Exception):
    """The other side announces more than may be sent."""


def send(channel: socket.socket, *parts: bytes) -> None:
    """Sends one message.

    Args:
        channel: A connected socket.
        *parts: What the message consists of, one after the other.

    Raises:
        Closed: Nobody listens.
    """
    try:
        channel.sendall(HEAD.pack(sum(map(len, parts))))
        for part in parts:
            channel.sendall(part)
    except OSError as error:
        raise Closed from error


def send_json(channel: socket.socket, value: Any) -> None:
    """Sends one message that is a JSON value.

    Args:
        channel: A connected socket.
        value: What `json` can write.
    """
    send(channel, json.dumps(value).encode())


def receive(
    channel: socket.socket,
    deadline: float | None = None,
    longest: int = 1 << 32,
    check_cancelled: Callable[[], None] | None = None,
) -> bytes:
    """Waits for the next message.

    Args:
        channel: A connected socket.
        deadline: Seconds of the monotonic clock; without it there is none.
        longest: Bytes at most.
        check_cancelled: Called every `CANCELLATION_CHECK_SECONDS` while it waits; it may raise.

    Returns:
        The message.

    Raises:
        Late: The deadline has passed.
        Closed: The other side is gone.
        TooLong: The message is longer than `longest`.
    """
    (length,) = HEAD.unpack(_exactly(channel, HEAD.size, deadline, check_cancelled))
    if length > longest:
        raise TooLong
    return _exactly(channel, length, deadline, check_cancelled)


def _exactly(
    channel: socket.socket,
    length: int,
    deadline: float | None,
    check_cancelled: Callable[[], None] | None,
) -> bytes:
    parts: list[bytes] = []
    while length:
        _wait(channel, deadline, check_cancelled)
        try:
            part = channel.recv(min(length, CHUNK_BYTES))
        except OSError as error:
            raise Closed from error
        if not part:
            raise Closed
        parts.append(part)
        length -= len(part)
    return b"".join(parts)


def _wait(
    channel: socket.socket, deadline: float | None, check_cancelled: Callable[[], None] | None
) -> None:
    if deadline is None:
        return
    poll = select.poll()
    poll.register(channel, select.POLLIN)
    while True:
        if check_cancelled:
            check_cancelled()
        left = deadline - monotonic()
        if left <= 0:
            raise Late
        if poll.poll(1000 * min(left, CANCELLATION_CHECK_SECONDS if check_cancelled else left)):
            return
