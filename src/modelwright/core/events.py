"""Events between features, delivered inside the transaction that publishes them."""

from collections import defaultdict
from collections.abc import Callable
from typing import Any, TypeVar

from sqlalchemy.orm import Session

E = TypeVar("E")


class Events:
    """Calls every listener of an event's type at once, in the order they subscribed."""

    def __init__(self) -> None:
        self._listeners: dict[type, list[Callable[[Session, Any], None]]] = defaultdict(list)

    def listen(self, event: type[E], listener: Callable[[Session, E], None]) -> None:
        """Subscribes to a type of event."""
        self._listeners[event].append(listener)

    def publish(self, db: Session, event: object) -> None:
        """Tells the listeners; one that raises undoes the whole transaction."""
        for listener in self._listeners[type(event)]:
            listener(db, event)
