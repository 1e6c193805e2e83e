"""The line of predictions that are not answered at once: so many are worked on, so many wait.

It has threads of its own, so that batches and models read from storage keep nothing else waiting,
and accounts take turns, so that none keeps the others waiting.
"""

from collections import Counter
from collections.abc import AsyncIterator, Callable, Hashable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TypeVar

from anyio import CapacityLimiter, Event
from anyio.to_thread import run_sync

from modelwright.core.fair_queue import next_in_turn
from modelwright.predictions.errors import QueueFull

T = TypeVar("T")

PREDICTIONS_AT_ONCE = 16
"""Predictions worked on at the same time; some of them read from storage or the database."""
OWN_AT_ONCE = 12
"""Of them, those of one account."""
RESERVED_PLACES = 4
"""Places beside them, for accounts that have none at work."""
MOST_BYTES = 256 << 20
"""What the bodies of all predictions in line may be together; one alone may always stand in it."""
OWN_BYTES = 96 << 20
"""What those of one account may be; two accounts leave room for a third's."""


@dataclass(slots=True, eq=False)
class _QueuedRequest:
    account: str
    size: int
    called: Event = field(default_factory=Event)
    is_sent_away: bool = False


class AdmissionQueue:
    """The line of one API process; belongs to its event loop."""

    def __init__(self, waiting: int) -> None:
        self._most = waiting
        self._threads = CapacityLimiter(PREDICTIONS_AT_ONCE + RESERVED_PLACES)
        self._at_work: list[_QueuedRequest] = []
        self._waiting: list[_QueuedRequest] = []

    async def run(self, account: str, size: int, work: Callable[[], T]) -> T:
        """Does the work over a body of so many bytes in a thread, when its account has its turn.

        Refuses what `place` refuses.
        """
        async with self.place(account, size):
            return await run_sync(work, limiter=self._threads)

    @asynccontextmanager
    async def place(self, account: str, size: int) -> AsyncIterator[None]:
        """Waits for the account's turn to have a body of so many bytes worked on.

        Refuses when too many are in line, or their bodies are too large together. A full line
        still takes the first of an account, for which the newest of the longest one gives way.
        """
        place = self._stand(account, size)
        try:
            self._call()
            if place not in self._at_work:
                await place.called.wait()
            if place.is_sent_away:
                raise QueueFull
            yield
        finally:
            line = self._at_work if place in self._at_work else self._waiting
            if place in line:
                line.remove(place)
            self._call()

    def _stand(self, account: str, size: int) -> _QueuedRequest:
        in_line = [*self._at_work, *self._waiting]
        own = [place.size for place in in_line if place.account == account]
        whole = sum(place.size for place in in_line)
        if in_line and (whole + size > MOST_BYTES or (own and sum(own) + size > OWN_BYTES)):
            raise QueueFull
        is_at_once = (
            len(self._at_work) < PREDICTIONS_AT_ONCE and self._busy()[account] < OWN_AT_ONCE
        )
        if not is_at_once and len(self._waiting) >= self._most:
            self._make_room(account)
        place = _QueuedRequest(account, size)
        self._waiting.append(place)
        return place

    def _make_room(self, account: str) -> None:
        """Sends the newest of the account away that has most waiting, if that is fairer."""
        waiting = Counter(place.account for place in self._waiting)
        longest, number = next(iter(waiting.most_common(1)), ("", 0))
        if number <= waiting[account] + 1:
            raise QueueFull
        newest = next(place for place in reversed(self._waiting) if place.account == longest)
        self._waiting.remove(newest)
        newest.is_sent_away = True
        newest.called.set()

    def _busy(self) -> Counter[Hashable]:
        return Counter(place.account for place in self._at_work)

    def _call(self) -> None:
        """Gives the free threads to those who waited longest of the accounts with fewest."""
        while place := next_in_turn(
            self._waiting,
            lambda one: one.account,
            self._busy(),
            PREDICTIONS_AT_ONCE,
            OWN_AT_ONCE,
            RESERVED_PLACES,
        ):
            self._waiting.remove(place)
            self._at_work.append(place)
            place.called.set()
