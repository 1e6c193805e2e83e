"""Reads what another server answers, so that none can hold a thread or fill the memory."""

from time import monotonic
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import httpx

MAX_ANSWER_BYTES = 1024**2
"""Bytes of one answer, far above any statement of SQL and all that a provider tells."""


def read_body(response: "httpx.Response", until: float) -> bytes:
    """Reads the body of an answer that streams in.

    Args:
        response: An answer whose body was not read yet.
        until: When it must have come, in seconds of the monotonic clock.

    Returns:
        The body.

    Raises:
        ValueError: It drips beyond its time, or grows too large.
    """
    body = b""
    for piece in response.iter_bytes():
        body += piece
        if len(body) > MAX_ANSWER_BYTES or monotonic() > until:
            raise ValueError("the answer is too long")
    return body
