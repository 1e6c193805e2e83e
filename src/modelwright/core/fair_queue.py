"""Who is next where a few work at a time and accounts take turns: the one policy of all queues.

Of those who wait, the first of the account that has fewest at work is next, and no account has
all places: one account's many requests hold up nobody else's. Places that are reserved are for
accounts that have nothing at work, so that several accounts together hold up nobody either.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import contextmanager
from threading import Condition
from typing import TypeVar

T = TypeVar("T")

POLL_SECONDS = 0.5
"""How often those who wait look whether anybody still waits for their answer."""


def next_in_turn(
    waiting: Sequence[T],
    account_of: Callable[[T], Hashable],
    busy: Counter[Hashable],
    places: int,
    places_per_account: int,
    reserved: int = 0,
) -> T | None:
    """Picks whose turn it is; None where all places are taken or those of all who wait.

    Args:
        waiting: Those who wait, who came first first.
        account_of: Tells whose one of them is.
        busy: How many of each account are at work.
        places: How many may be at work together.
        places_per_account: How many of one account.
        reserved: How many may be at work beside `places`, of accounts that have none.
    """
    if not waiting:
        return None
    first = min(waiting, key=lambda one: busy[account_of(one)])
    own = busy[account_of(first)]
    has_room = busy.total() < places + (0 if own else reserved)
    return first if has_room and own < places_per_account else None


class FairQueue:
    """A queue of threads of one process."""

    def __init__(self, places: int, places_per_account: int, reserved: int = 0) -> None:
        self._places = places
        self._per_account = places_per_account
        self._reserved = reserved
        self._changed = Condition()
        self._waiting: list[list[str]] = []
        self._busy: Counter[Hashable] = Counter()

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
            self._waiting.append(mine)
            while not (is_mine := self._next() is mine) and not is_over():
                self._changed.wait(POLL_SECONDS)
            self._waiting = [one for one in self._waiting if one is not mine]
            self._busy[mine[0]] += is_mine
            return is_mine

    def _next(self) -> list[str] | None:
        return next_in_turn(
            self._waiting,
            lambda one: one[0],
            self._busy,
            self._places,
            self._per_account,
            self._reserved,
        )
