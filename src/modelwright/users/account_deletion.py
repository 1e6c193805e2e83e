"""The end of an account: everything it owns goes with it, and what comes late goes too.

A request or a job that was under way may still write something; for a day that is cleared away.
"""

from collections.abc import Callable
from datetime import timedelta

from sqlalchemy.orm import Session

from modelwright.core.clock import Clock
from modelwright.core.db.database import ALL_ACCOUNTS, delete_owned, scope_to
from modelwright.core.logging import logger
from modelwright.users import repository
from modelwright.users.errors import OperatorStays
from modelwright.users.orm import DeletedAccountRecord

LATE = timedelta(days=1)
"""How long something of a deleted account may still come."""


class AccountDeletion:
    """The verbs of deleting accounts; `clear` removes what the scope's rows hold in storage."""

    def __init__(self, clock: Clock, clear: Callable[[Session], None]) -> None:
        self._clock = clock
        self._clear = clear

    def delete(self, db: Session, account_id: str) -> None:
        """Deletes an account and all it owns; a worker stops its jobs for want of their rows.

        For the platform's own transaction, which sees all accounts. Refuses the operator's.
        """
        row = repository.get_or_404(db, account_id)
        if row.is_operator:
            raise OperatorStays("The operator's account can't be deleted.")
        scope_to(db, account_id)
        self._clear(db)
        scope_to(db, ALL_ACCOUNTS)
        delete_owned(db, account_id)
        repository.mark_deleted(
            db, row, DeletedAccountRecord(account_id=account_id, until=self._clock.now() + LATE)
        )
        logger().info("users.deleted", account_id=account_id)

    def sweep(self, db: Session) -> None:
        """Clears what came late of deleted accounts.

        For the platform's own transaction; safe to call at any time. Objects that came late are
        orphans, which the storage sweeps.
        """
        for row in repository.deleted_account(db):
            delete_owned(db, row.account_id)
            if row.until <= self._clock.now():
                db.delete(row)
