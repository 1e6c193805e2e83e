"""The threads that requests are carried out in, of which one account has a part at the most.

Those of its requests that are more wait without a thread, and keep no other account waiting.
"""

from collections import Counter, deque
from collections.abc import Callable
from typing import TypeVar

from anyio import Event
from starlette.concurrency import run_in_threadpool

T = TypeVar("T")
MAX_THREADS_PER_ACCOUNT = 16
"""Threads of one account; all together have 40."""


class AccountThreadLimiter:
    """Who has how many threads; belongs to an event loop."""

    def __init__(self) -> None:
        self._busy: Counter[str] = Counter()
        self._lines: dict[str, deque[Event]] = {}

    async def run(self, account: str, work: Callable[[], T]) -> T:
        """Does the work in a thread, once the account has one free."""
        if self._busy[account] < MAX_THREADS_PER_ACCOUNT:
            self._busy[account] += 1
        else:
            await self._wait(account)
        try:
            return await run_in_threadpool(work)
        finally:
            self._leave(account)

    async def _wait(self, account: str) -> None:
        turn = Event()
        line = self._lines.setdefault(account, deque())
        line.append(turn)
        try:
            await turn.wait()
        except BaseException:
            if turn.is_set():
                self._leave(account)
            else:
                line.remove(turn)
            raise

    def _leave(self, account: str) -> None:
        """Gives the place to the account's next, or back."""
        line = self._lines.get(account)
        if line:
            line.popleft().set()
            return
        self._lines.pop(account, None)
        self._busy[account] -= 1
        if not self._busy[account]:
            del self._busy[account]
