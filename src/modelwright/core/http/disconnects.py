"""Tells work that takes seconds that its client went away or was shut out, so that it stops."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from threading import Event

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request

from modelwright.core.errors import ApiError
from modelwright.core.http.pipeline import RequestPipeline

READMIT_SECONDS = 0.5
"""How often it is asked again whether the caller may still call."""


@asynccontextmanager
async def watching(request: Request) -> AsyncIterator[Event]:
    """Yields an event that is set once the client went away or was shut out.

    The body must have been read. Who was shut out in the middle is refused as at the start,
    whatever became of the work.
    """
    gone, refusals = Event(), list[ApiError]()
    watches = (
        asyncio.create_task(_wait(request, gone)),
        asyncio.create_task(_readmit(request, gone, refusals)),
    )
    try:
        yield gone
    except Exception:
        if refusals:
            raise refusals[0] from None
        raise
    finally:
        for watch in watches:
            watch.cancel()
        await asyncio.gather(*watches, return_exceptions=True)
    if refusals:
        raise refusals[0]


async def _wait(request: Request, gone: Event) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass
    gone.set()


async def _readmit(request: Request, gone: Event, refusals: list[ApiError]) -> None:
    pipeline: RequestPipeline = request.app.state.pipeline
    while not gone.is_set():
        await asyncio.sleep(READMIT_SECONDS)
        try:
            await run_in_threadpool(pipeline.readmit, request)
        except ApiError as refusal:
            refusals.append(refusal)
            gone.set()
