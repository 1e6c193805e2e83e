"""Tells work that takes seconds that its client has gone, so that it can stop."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from threading import Event

from starlette.requests import Request


@asynccontextmanager
async def watching(request: Request) -> AsyncIterator[Event]:
    """Gives an event that is set once the client went away; the body must have been read."""
    gone = Event()
    watch = asyncio.create_task(_wait(request, gone))
    try:
        yield gone
    finally:
        watch.cancel()
        await asyncio.gather(watch, return_exceptions=True)


async def _wait(request: Request, gone: Event) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass
    gone.set()
