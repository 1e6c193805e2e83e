"""Removes the objects that no row names: those of a deleted account, and those left behind.

What lies in storage is named by rows of many rooms; each says here which keys its rows hold.
"""

from collections.abc import Callable, Iterable
from datetime import datetime, timedelta
from functools import partial

from sqlalchemy.orm import Session

from modelwright.core.clock import Clock
from modelwright.core.db.database import after_commit
from modelwright.core.logging import logger
from modelwright.storage.domain import is_under
from modelwright.storage.object_store import Objects

YOUNG = timedelta(hours=6)
"""An object is stored a moment before or after the row that names it; never this much."""

Holds = Callable[[Session], Iterable[str]]
"""Tells the prefixes of keys that the rows of a transaction's scope name."""


class Sweeper:
    """Knows what is held under each prefix of the storage."""

    def __init__(self, clock: Clock, objects: Objects) -> None:
        self._clock = clock
        self._objects = objects
        self._holds: dict[str, Holds] = {"probe": lambda _db: ()}

    def hold(self, prefix: str, holds: Holds) -> None:
        """Learns who holds what under a prefix."""
        self._holds[prefix] = holds

    def clear(self, db: Session) -> None:
        """Removes all that the scope's rows name, once the transaction that deletes them is over.

        What cannot be removed then is an orphan, and swept later.
        """
        for holds in self._holds.values():
            for key in list(holds(db)):
                after_commit(db, partial(self._objects.delete_all, key))

    def sweep(self, db: Session) -> None:
        """Removes the orphans among objects that are not young, once the transaction is over.

        For the platform's own transaction, which sees all accounts; safe to call at any time: a
        row that names an object is older than the object, so that none appears meanwhile.
        """
        before = self._clock.now() - YOUNG
        for prefix, holds in self._holds.items():
            held = set(holds(db))
            after_commit(db, partial(self._drop, prefix, held, before))

    def _drop(self, prefix: str, held: set[str], before: datetime) -> None:
        orphans = [key for key in self._objects.old(prefix, before) if not is_under(key, held)]
        for key in orphans:
            self._objects.delete(key)
        if orphans:
            logger().info("storage.swept", prefix=prefix, objects=len(orphans))
