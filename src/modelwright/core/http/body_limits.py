"""What is looked at before a request's body is read: whose it is, and its size.

The framework reads a whole body before it asks who sent it; without this anybody could fill the
memory with bodies that are refused in the end.
"""

from time import monotonic

from anyio import fail_after
from fastapi import Request
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers
from starlette.types import Message, Receive, Scope

from modelwright.core.errors import InvalidKey, InvalidRequest, PayloadTooLarge
from modelwright.core.http.context import RequiredPermission
from modelwright.core.http.pace import Pace
from modelwright.core.http.pipeline import RequestPipeline
from modelwright.core.limits.contract import MB

KB = 1024
"""Bytes."""
ANONYMOUS_BODY_BYTES = 64 * KB
"""The largest body that is read before its sender is known."""
ANONYMOUS_BODY_SECONDS = 60.0
"""How long such a body may take to come."""


def limit_body(receive: Receive, scope: Scope, bound: int) -> Receive:
    """Wraps `receive` so that it refuses before the first byte what is known to be refused anyway.

    Refuses a request to a route that needs a key when none came or it cannot be one; one whose
    body is not small when the key is not good; and a body of more than `bound` bytes, or one that
    is not small where no key is needed: at once when that is declared, else as soon as it has come.
    """
    length = _declared_length(Headers(scope=scope))
    seen, until, is_whole = 0, 0.0, False
    pace: Pace | None = None

    async def receive_on() -> Message:
        nonlocal seen, until, is_whole, pace
        most = bound if _required_permission(scope) else ANONYMOUS_BODY_BYTES
        if not until:
            until = monotonic() + ANONYMOUS_BODY_SECONDS
            await _authenticate_sender(scope, length, most)
        if is_whole:
            return await receive()
        if "caller" in scope["state"]:
            pace = pace or Pace()
            message = await pace.wait(receive)
            pace.came(len(message.get("body", b"")))
        else:
            message = await _receive_before(receive, until)
        is_whole = not message.get("more_body", False)
        seen += len(message.get("body", b""))
        if seen > most:
            raise _body_too_large(most)
        return message

    return receive_on


def _declared_length(headers: Headers) -> int | None:
    """Reads how long the body is; None when that is not said."""
    declared = headers.get("content-length", "")
    if declared.isdigit():
        return int(declared)
    return None if "transfer-encoding" in headers else 0


async def _authenticate_sender(scope: Scope, length: int | None, most: int) -> None:
    """Learns as much of the sender as a body of its length asks for."""
    request = Request(scope)
    pipeline: RequestPipeline = request.app.state.pipeline
    stranger = None if "caller" in scope["state"] else _required_permission(scope)
    if stranger:
        try:
            pipeline.validate_key_format(request)
        except InvalidKey:
            await run_in_threadpool(pipeline.limiter.failed, request)
            raise
    if length is not None and length > most:
        raise _body_too_large(most)
    if stranger and (length is None or length > ANONYMOUS_BODY_BYTES):
        await run_in_threadpool(pipeline.check, request, stranger)


async def _receive_before(receive: Receive, until: float) -> Message:
    try:
        with fail_after(max(0.0, until - monotonic())):
            return await receive()
    except TimeoutError:
        message = f"The body did not come within {ANONYMOUS_BODY_SECONDS:g} seconds."
        raise InvalidRequest(message) from None


def _required_permission(scope: Scope) -> RequiredPermission | None:
    return getattr(scope.get("endpoint"), "needs", None)


def _body_too_large(most: int) -> PayloadTooLarge:
    size = f"{most // MB} MB" if most >= MB else f"{most // KB} KB"
    return PayloadTooLarge(f"The body is larger than {size}.")
