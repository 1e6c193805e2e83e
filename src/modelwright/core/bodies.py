"""What is looked at before a request's body is read: whether a key came with it, and its size."""

from fastapi import Request
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers
from starlette.types import Message, Receive, Scope

from modelwright.core.door import Door
from modelwright.core.errors import InvalidKey, PayloadTooLarge
from modelwright.core.limits import MB


def guarded(receive: Receive, scope: Scope, bound: int) -> Receive:
    """Wraps `receive` so that it refuses before the first byte what is known to be refused anyway.

    Refuses a request to a route that needs a key when none came or it cannot be one, and a body
    of more than `bound` bytes: at once when that is declared, else as soon as it has come.
    """
    declared = Headers(scope=scope).get("content-length", "0")
    refusal = PayloadTooLarge(f"The body is larger than {bound // MB} MB.")
    seen = 0
    untouched = True

    async def receive_on() -> Message:
        nonlocal seen, untouched
        if untouched:
            untouched = False
            await _glance(scope)
            if declared.isdigit() and int(declared) > bound:
                raise refusal
        message = await receive()
        seen += len(message.get("body", b""))
        if seen > bound:
            raise refusal
        return message

    return receive_on


async def _glance(scope: Scope) -> None:
    is_admitted = "caller" in scope["state"]
    if is_admitted or not hasattr(scope.get("endpoint"), "needs"):
        return
    request = Request(scope)
    door: Door = request.app.state.door
    try:
        door.glance(request)
    except InvalidKey:
        await run_in_threadpool(door.turnstile.failed, request)
        raise
