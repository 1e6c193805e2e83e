"""Moves the objects that no row names to the trash: those left behind, and what came late.

What lies in storage is named by rows of many features; each says here which keys its rows hold.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import timedelta
from functools import partial

from sqlalchemy.orm import Session

from modelwright.core.clock import Clock
from modelwright.core.db.database import ALL_ACCOUNTS, Database, after_commit
from modelwright.core.errors import ApiError
from modelwright.core.logging import logger
from modelwright.storage import ownership_marker
from modelwright.storage.checked import DIGESTS
from modelwright.storage.domain import PROBES, is_under, may_sweep
from modelwright.storage.errors import ObjectLost, SweepsStopped
from modelwright.storage.object_store import ObjectStore

MIN_ORPHAN_AGE = timedelta(hours=6)
"""An object is stored a moment before or after the row that names it; never this much."""

ListReferences = Callable[[Session], Iterable[str]]
"""Tells the prefixes of keys that the rows of a transaction's scope name."""


@dataclass(eq=False)
class GarbageCollector:
    """Removes what no row names, under each prefix of the storage."""

    clock: Clock
    objects: ObjectStore
    database: Database
    trash_days: int

    def __post_init__(self) -> None:
        self._references: dict[str, ListReferences] = {}
        self._finished: list[ListReferences] = []

    def register_references(
        self, prefix: str, references: ListReferences, finished: ListReferences
    ) -> None:
        """Learns how to list what rows name under a prefix.

        `references` lists all that they name, work under way included; `finished` lists only what
        is stored for sure.
        """
        self._references[prefix] = references
        self._finished.append(finished)

    def prefixes(self) -> list[str]:
        """Lists the prefixes that rows name objects under."""
        return list(self._references)

    def never_recorded(self, db: Session) -> list[str]:
        """Lists what finished rows name and is not there, and of which no digest is kept either.

        Programs before digests stored such objects, and a damaged store may lose both.
        """
        return [
            key for finished in self._finished for key in finished(db) if not self._is_known(key)
        ]

    def _is_known(self, key: str) -> bool:
        try:
            is_there = self.objects.size(key) is not None or any(self.objects.keys(key))
            return is_there or any(self.objects.keys(f"{DIGESTS}/{key}"))
        except ObjectLost:
            return True

    def clear(self, db: Session) -> None:
        """Removes all that the scope's rows name, once the transaction that deletes them is over.

        What cannot be removed then is an orphan, and swept later.
        """
        for references in self._references.values():
            for key in list(references(db)):
                after_commit(db, partial(self.objects.delete_all, key))

    def sweep(self, db: Session, *, however_many: bool = False) -> None:
        """Moves the orphans among objects that are not young to the trash, after the transaction.

        Where they are more than a small share of all, and not said to be meant, none is moved:
        that is an alarm, since more likely the database is not the one that names them. Without
        the database's own mark, or where a copy of the database swept, none is moved either.
        For the platform's own transaction, which sees all accounts; safe to call at any time: a
        row that names an object is older than the object, so that none appears meanwhile.
        """
        held = {prefix: set(references(db)) for prefix, references in self._references.items()}
        after_commit(db, partial(self._sweep, held, however_many=however_many))

    def probe(self, db: Session) -> None:
        """Refuses while sweeps have stopped."""
        if why := ownership_marker.alarm(db):
            raise SweepsStopped(why)

    def _sweep(self, held: dict[str, set[str]], *, however_many: bool) -> None:
        why = self._move_orphans(held, however_many=however_many)
        with self.database.transaction(ALL_ACCOUNTS) as db:
            ownership_marker.raise_alarm(db, why)
        if why is not None:
            logger().error("storage.sweep_stopped", why=why)
            return
        now = self.clock.now()
        for key, changed in self.objects.changed(PROBES):
            if changed < now - MIN_ORPHAN_AGE:
                self.objects.delete(key)
        emptied = self.objects.empty_trash((now - timedelta(days=self.trash_days)).date())
        if emptied:
            logger().info("storage.trash_emptied", objects=emptied)

    def _move_orphans(self, held: dict[str, set[str]], *, however_many: bool) -> str | None:
        """Moves them; returns why it did not."""
        try:
            ownership_marker.check(self.database, self.objects)
            ownership_marker.take_turn(self.database, self.objects, however=however_many)
        except ApiError as refusal:
            return refusal.message
        orphans, count = self._orphans(held)
        if not however_many and not may_sweep(len(orphans), count):
            return (
                f"{len(orphans)} of {count} stored objects are named by no row of the database, "
                "and were left alone: if this is the right database, modelwright cleanup moves "
                "them to the trash; otherwise have the server use the right one."
            )
        for key in orphans:
            self.objects.discard(key, self.clock.now())
        if orphans:
            logger().info("storage.swept", objects=len(orphans), of=count)
        return None

    def _orphans(self, held: dict[str, set[str]]) -> tuple[list[str], int]:
        """Lists the orphans that are not young, and counts all objects."""
        before = self.clock.now() - MIN_ORPHAN_AGE
        orphans, count = [], 0
        for prefix, named in held.items():
            for key, changed in self.objects.changed(prefix):
                count += 1
                if changed < before and not is_under(key, named):
                    orphans.append(key)
        return orphans, count
