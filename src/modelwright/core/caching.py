"""Keeps what is dear to make: the values used last, each made once, however many ask for it."""

from collections import OrderedDict
from collections.abc import Callable
from threading import Lock
from typing import Generic, TypeVar

V = TypeVar("V")


class SingleFlightCache(Generic[V]):
    """Values by name, at most so many; the least recently used one leaves first. Thread-safe."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._lock = Lock()
        self._kept: OrderedDict[str, V] = OrderedDict()
        self._making: dict[str, Lock] = {}

    def __contains__(self, name: str) -> bool:
        return name in self._kept

    def get(self, name: str, make: Callable[[], V]) -> V:
        """Returns a value, made now where it is not kept; raises what the making raises."""
        found = self._find(name)
        if found is not None:
            return found
        with self._lock:
            gate = self._making.setdefault(name, Lock())
        with gate:
            try:
                found = self._find(name)
                return self._keep(name, make()) if found is None else found
            finally:
                with self._lock:
                    self._making.pop(name, None)

    def _find(self, name: str) -> V | None:
        with self._lock:
            found = self._kept.get(name)
            if found is not None:
                self._kept.move_to_end(name)
            return found

    def _keep(self, name: str, value: V) -> V:
        with self._lock:
            self._kept[name] = value
            while len(self._kept) > self._most:
                self._kept.popitem(last=False)
        return value
