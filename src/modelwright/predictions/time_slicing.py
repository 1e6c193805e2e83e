"""Work in slices on the event loop: a share of its time, so that who asks for little goes first.

Threads would cost more: numpy gives the interpreter away at every step and has to wait for it
again, and so has the event loop whenever it reads or writes.
"""

from asyncio import Future, get_running_loop
from collections import deque
from collections.abc import Generator
from time import perf_counter
from typing import Any, TypeVar

T = TypeVar("T")

TIME_SHARE = 0.5
"""What slices take in a turn of the loop for each second that everything else took before."""


class TimeSlicer:
    """Works that take turns, slice by slice, at least one in a turn; belongs to one event loop."""

    def __init__(self) -> None:
        self._works: deque[tuple[Generator[None, None, Any], Future[Any]]] = deque()
        self._ended = 0.0

    async def run(self, work: Generator[None, None, T]) -> T:
        """Returns what a work returns, which yields after each slice; raises what it raises."""
        loop = get_running_loop()
        if not self._works:
            self._ended = perf_counter()
            loop.call_soon(self._turn)
        result: Future[T] = loop.create_future()
        self._works.append((work, result))
        return await result

    def _turn(self) -> None:
        now = perf_counter()
        until = now + TIME_SHARE * (now - self._ended)
        while self._works:
            self._slice()
            now = perf_counter()
            if now >= until:
                break
        self._ended = now
        if self._works:
            get_running_loop().call_soon(self._turn)

    def _slice(self) -> None:
        work, result = self._works.popleft()
        if result.done():  # its caller has left
            return
        try:
            next(work)
        except StopIteration as end:
            result.set_result(end.value)
        except Exception as fault:  # noqa: BLE001 - whoever asked for it is told
            result.set_exception(fault)
        else:
            self._works.append((work, result))
