"""`Machines`: this one gives signs of life, all are listed, one is drained, one leads.

What must happen once in the installation, such as sweeps, is done by the one that leads; without a
leader each machine would do it.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy.orm import Session

from modelwright.core.clock import Clock
from modelwright.core.errors import get_or_404
from modelwright.machines import repository
from modelwright.machines.domain import Machine, MachineIdentity, MachinePart
from modelwright.machines.errors import MachineSilent

FORGET_HOURS = 1
"""After so many hours without a sign a machine is no longer listed, nor missed."""


@dataclass(eq=False)
class Machines:
    """Lists the machines of the installation; `here` is this machine."""

    clock: Clock
    here: MachineIdentity

    def now(self, db: Session) -> datetime:
        """Tells the time that all machines go by, however their own clocks differ."""
        return repository.database_time(db) or self.clock.now()

    def beat(self, db: Session, part: MachinePart) -> datetime:
        """Gives a sign of life of a part; returns until when it is believed."""
        now, here = self.now(db), self.here
        until = now + timedelta(seconds=here.pace.lease_seconds)
        values = {
            "name": here.name,
            "address": here.address,
            "version": here.version,
            "room": here.room,
            "seen_at": now,
            f"{part}_until": until,
        }
        repository.upsert(db, here.machine_id, values)
        return until

    def leave(self, db: Session, part: MachinePart) -> None:
        """Says that a part was stopped, so that nobody waits for a sign of it."""
        repository.change(db, self.here.machine_id, **{f"{part}_until": None})

    def list_(self, db: Session) -> list[Machine]:
        """Lists all machines but those that are gone for good."""
        since = self.now(db) - timedelta(hours=FORGET_HOURS)
        return [row.to_machine() for row in repository.everything(db) if row.seen_at > since]

    def hosts(self, db: Session) -> list[Machine]:
        """Lists the machines that reach each other and run replicas now."""
        now = self.now(db)
        return [one for one in self.list_(db) if one.address and one.has(MachinePart.REPLICAS, now)]

    def read(self, db: Session, machine_id: str) -> Machine:
        """Finds one machine."""
        found = (one for one in self.list_(db) if one.machine_id == machine_id)
        return get_or_404(next(found, None), "machine_id", machine_id)

    def drain(self, db: Session, machine_id: str, *, is_draining: bool) -> Machine:
        """Has a machine get no more work, or work again; refuses one that is not there."""
        repository.change(db, machine_id, is_draining=is_draining)
        return self.read(db, machine_id)

    def is_draining(self, db: Session) -> bool:
        """Returns whether this machine is to get no more work."""
        return repository.is_draining(db, self.here.machine_id)

    def lead(self, db: Session, name: str, seconds: float) -> bool:
        """Takes or keeps the lead in something for so long; others wait until the commit."""
        now = self.now(db)
        until = now + timedelta(seconds=seconds)
        return repository.take_lead(db, name, self.here.machine_id, now, until)

    def give_up_lead(self, db: Session) -> None:
        """Lets others lead at once."""
        repository.give_up_lead(db, self.here.machine_id)

    def probe(self, db: Session) -> None:
        """Raises MachineSilent when a part fell silent that nobody had stopped."""
        now = self.now(db)
        for machine in self.list_(db):
            if silent := machine.silent(now):
                raise MachineSilent(machine.name, silent)

    def sweep(self, db: Session) -> None:
        """Forgets machines that are gone for good; safe to call at any time."""
        repository.forget_unseen(db, self.now(db) - timedelta(hours=FORGET_HOURS))
