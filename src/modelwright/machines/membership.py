"""The signs of life of one part of a machine, and what it is told in return."""

import time
from contextlib import suppress

from modelwright.core.db.database import ALL_ACCOUNTS, Database
from modelwright.core.errors import Unavailable
from modelwright.machines.domain import MachinePart
from modelwright.machines.service import Machines

CHECK_SECONDS = 1.0
"""How soon a part notices that its machine is being drained."""


class Membership:
    """Keeps a part of this machine known to the others."""

    def __init__(self, database: Database, machines: Machines, part: MachinePart) -> None:
        self.is_draining = False
        """Whether the part is to begin nothing new."""
        self._database = database
        self._machines = machines
        self._part = part
        self._beat_at = self._check_at = 0.0

    def keep(self) -> None:
        """Gives a sign of life and asks whether the machine is being drained, when it is time."""
        now = time.monotonic()
        if now >= self._beat_at:
            with self._database.transaction(ALL_ACCOUNTS) as db:
                self._machines.beat(db, self._part)
            self._beat_at = now + self._machines.here.pace.beat_seconds
        if now >= self._check_at:
            with self._database.transaction(ALL_ACCOUNTS, write=False) as db:
                self.is_draining = self._machines.is_draining(db)
            self._check_at = now + CHECK_SECONDS

    def leave(self) -> None:
        """Says that the part was stopped."""
        with suppress(Unavailable), self._database.transaction(ALL_ACCOUNTS) as db:
            self._machines.leave(db, self._part)
