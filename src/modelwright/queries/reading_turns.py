"""Turns at reading questions, which takes the API's process from all its other requests.

A few are read at a time, accounts take turns, and none has all places: one account's long
questions then hold up neither another's nor anything else.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Condition

PLACES, OWN = 3, 2
"""Questions that are read at the same time, and of one account."""
LOOK_SECONDS = 0.5
"""How often those who wait look whether anybody still waits for their answer."""


class Turns:
    """The line of one process."""

    def __init__(self) -> None:
        self._changed = Condition()
        self._line: list[list[str]] = []
        self._busy: Counter[str] = Counter()

    @contextmanager
    def turn(self, account_id: str, is_over: Callable[[], bool]) -> Iterator[bool]:
        """Waits for a place and keeps it; gives False, and no place, when it is over before."""
        has_one = self._wait([account_id], is_over)
        try:
            yield has_one
        finally:
            with self._changed:
                self._busy -= Counter({account_id: int(has_one)})  # forgets who has none left
                self._changed.notify_all()

    def _wait(self, mine: list[str], is_over: Callable[[], bool]) -> bool:
        with self._changed:
            self._line.append(mine)
            while not (is_mine := self._next() is mine) and not is_over():
                self._changed.wait(LOOK_SECONDS)
            self._line = [one for one in self._line if one is not mine]
            self._busy[mine[0]] += is_mine
            return is_mine

    def _next(self) -> list[str] | None:
        if self._busy.total() >= PLACES:
            return None
        first = min(self._line, key=lambda one: self._busy[one[0]])
        return first if self._busy[first[0]] < OWN else None
