"""`Connections`: tried, stored with a sealed password, listed, looked into, deleted.

Passwords are sealed and opened here and by no other service, so that one place has to be trusted
with them.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from sqlalchemy.orm import Session

from modelwright.connections import repository
from modelwright.connections.connection_tester import ConnectionTester
from modelwright.connections.domain import (
    ConnectionInfo,
    ConnectionStatus,
    OpenConnection,
    Target,
    option_fault,
)
from modelwright.connections.drivers.registry import DRIVERS
from modelwright.connections.errors import (
    CannotConnect,
    ConnectionInUse,
    ExternalDatabaseUnavailable,
    PasswordUnreadable,
)
from modelwright.connections.orm import ConnectionRecord
from modelwright.connections.password_cipher import PasswordCipher
from modelwright.core.clock import Clock
from modelwright.core.config.sealing import SEALING
from modelwright.core.db.database import advisory_lock
from modelwright.core.db.queries import insert
from modelwright.core.errors import ValidationFailed, get_or_404, missing
from modelwright.core.http.paging import Page
from modelwright.core.ids import new_id
from modelwright.core.logging import logger
from modelwright.jobs.domain import Kind
from modelwright.jobs.service import Jobs

FIELD = "connection_id"


@dataclass(eq=False)
class Connections:
    """Stores connections to databases and lists their tables."""

    clock: Clock
    jobs: Jobs
    reach: ConnectionTester
    seal: PasswordCipher

    def try_(self, account_id: str, target: Target, password: str | None) -> None:
        """Opens a database once, outside of any transaction: it may take seconds.

        Refuses what is missing or not an option, and a database that does not let us in.
        """
        self.reach.probe(account_id, _complete_target(target), password)

    def create(
        self, db: Session, name: str, target: Target, password: str | None
    ) -> ConnectionInfo:
        """Stores a connection that was tried just now."""
        connection_id = new_id("conn")
        target = _complete_target(target)
        advisory_lock(db, SEALING)
        row = ConnectionRecord(
            connection_id=connection_id,
            name=name,
            type=target.type,
            host=target.host,
            port=target.port,
            database=target.database,
            username=target.username,
            sealed=None if password is None else self.seal.close(password, connection_id),
            options=dict(target.options),
            status=ConnectionStatus.CONNECTED,
            created_at=self.clock.now(),
        )
        insert(db, row)
        logger().info("connections.created", connection_id=connection_id, type=target.type)
        return row.to_info()

    def list_(self, db: Session, page: Page) -> tuple[list[ConnectionInfo], int]:
        """Lists connections, newest first, and counts them all."""
        rows, total = repository.connections(db, page)
        return [row.to_info() for row in rows], total

    def read(self, db: Session, connection_id: str) -> ConnectionInfo:
        """Finds one connection; refuses one that is not the caller's."""
        return get_or_404(repository.connection(db, connection_id), FIELD, connection_id).to_info()

    def open(self, db: Session, connection_id: str) -> OpenConnection:
        """Finds what it takes to look into a database; refuses a connection that is not there."""
        row = get_or_404(repository.connection(db, connection_id), FIELD, connection_id)
        return OpenConnection(row.account_id, row.target(), self._password(row))

    def tables(self, opened: OpenConnection, page: Page) -> tuple[list[Any], int]:
        """Lists what can be brought in, outside of any transaction: it may take seconds.

        Refuses when the database cannot be reached now.
        """
        try:
            found = self.reach.tables(
                opened.account_id, opened.target, opened.password, page.limit, page.offset
            )
        except CannotConnect as refusal:
            reason = refusal.details[0].message
            raise ExternalDatabaseUnavailable(
                f"The database cannot be read now: {reason}"
            ) from None
        return found["tables"], found["total"]

    def delete(self, db: Session, connection_id: str) -> datetime:
        """Forgets a connection and stops what it brings in; refuses one that a schedule uses."""
        row = get_or_404(repository.lock_connection(db, connection_id), FIELD, connection_id)
        users = repository.of_connection(db, connection_id)
        scheduled = [user.ingestion_id for user in users if user.schedule]
        if scheduled:
            raise ConnectionInUse(scheduled)
        for user in users:
            self.jobs.cancel_for(db, Kind.INGESTION, user.ingestion_id)
        db.delete(row)
        logger().info("connections.deleted", connection_id=connection_id)
        return self.clock.now()

    def opened(self, db: Session, connection_id: str, seconds: float) -> dict[str, Any] | None:
        """Gathers what a child needs to read from a database; None when it was deleted."""
        row = repository.connection(db, connection_id)
        if row is None:
            return None
        row.last_used_at = self.clock.now()
        return self.reach.payload(row.target(), self._password(row), seconds)

    def noted(self, db: Session, connection_id: str, error: str | None) -> None:
        """Notes whether the database could be reached."""
        row = repository.connection(db, connection_id)
        if row is not None:
            row.error = error
            row.status = ConnectionStatus.FAILED if error else ConnectionStatus.CONNECTED

    def reseal(self, db: Session, renew: Callable[[], object]) -> tuple[int, list[str]]:
        """Seals every password anew, with the secret that `renew` puts in place meanwhile.

        For the platform's own transaction, which sees all accounts. Counts the passwords, and
        lists the connections whose own could not be opened, and is left as it is.
        """
        advisory_lock(db, SEALING)
        opened, broken = [], []
        for row in repository.sealed(db):
            try:
                opened.append((row, self._password(row)))
            except PasswordUnreadable:
                broken.append(row.connection_id)
        renew()
        for row, password in opened:
            row.sealed = self.seal.close(password or "", row.connection_id)
        return len(opened), broken

    def _password(self, row: ConnectionRecord) -> str | None:
        return None if row.sealed is None else self.seal.open(row.sealed, row.connection_id)


def _complete_target(target: Target) -> Target:
    """Fills in the usual port; refuses what the type needs and lacks, and unknown options."""
    if fault := option_fault(target.type, target.options):
        raise ValidationFailed.of(f"options.{fault[0]}", fault[1])
    if DRIVERS[target.type].is_file:
        return replace(target, host=None, port=None, username=None)
    if target.host is None:
        raise missing("host")
    if target.username is None:
        raise missing("username")
    return replace(target, port=target.port or DRIVERS[target.type].port)
