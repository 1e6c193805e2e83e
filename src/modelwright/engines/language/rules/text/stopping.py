"""A reading that takes too long is stopped: its long loops ask whether they may go on."""

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar


class TooLong(Exception):
    """A reading was stopped before it came to an end."""


T = TypeVar("T")
Stopped = Callable[[], bool]


def never() -> bool:
    """Lets a reading take as long as it needs."""
    return False


def heeding(stopped: Stopped, each: Iterable[T]) -> Iterator[T]:
    """Goes through each, asking at each step whether to go on; stops with `TooLong`."""
    for one in each:
        if stopped():
            raise TooLong
        yield one
