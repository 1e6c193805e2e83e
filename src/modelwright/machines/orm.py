"""Rows of machines, and of who leads."""

from datetime import datetime

from sqlalchemy import String
from sqlalchemy.orm import Mapped, mapped_column

from modelwright.core.db.database import Base
from modelwright.core.db.queries import to_dataclass
from modelwright.machines.domain import Machine


class MachineRecord(Base):
    """One machine; each of its parts says for itself until when it is to be believed."""

    __tablename__ = "machines"

    machine_id: Mapped[str] = mapped_column(String(64), primary_key=True)
    name: Mapped[str] = mapped_column(String(255))
    address: Mapped[str] = mapped_column(String(300))
    version: Mapped[str] = mapped_column(String(32))
    room: Mapped[int]
    is_draining: Mapped[bool] = mapped_column(default=False)
    seen_at: Mapped[datetime]
    api_until: Mapped[datetime | None]
    worker_until: Mapped[datetime | None]
    replicas_until: Mapped[datetime | None]

    def to_machine(self) -> Machine:
        """Tells what is known of the machine."""
        return to_dataclass(self, Machine)


class LeaderLeaseRecord(Base):
    """Who alone may do something, and until when."""

    __tablename__ = "leader_leases"

    name: Mapped[str] = mapped_column(String(64), primary_key=True)
    holder: Mapped[str] = mapped_column(String(64))
    until: Mapped[datetime]
