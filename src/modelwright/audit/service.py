"""Adds to the log in the transaction of what is done, reads it, and forgets what is very old."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy.orm import Session

from modelwright.audit import domain, repository
from modelwright.audit.domain import AuditFilter
from modelwright.audit.orm import AuditRecord
from modelwright.core.clock import Clock
from modelwright.core.db.queries import to_dataclass
from modelwright.core.http.context import RequestContext
from modelwright.core.http.paging import Page
from modelwright.core.ids import new_id

CLEANUP_BATCH_ROWS = 10_000
"""Entries forgotten in one transaction, so that it keeps nobody waiting."""


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a request came from and what it asked for."""

    operation: str
    path: str
    address: str


@dataclass(frozen=True, slots=True)
class AuditEntryInfo:
    """One entry of the log."""

    entry_id: str
    at: datetime
    account_id: str
    actor: str
    key_id: str | None
    operation: str
    resource: str
    path: str
    address: str
    request_id: str


class Audit:
    """The room's verbs."""

    def __init__(self, clock: Clock, days: int) -> None:
        self._clock = clock
        self._days = days

    def record(self, ctx: RequestContext, origin: Origin, answer: Any) -> None:
        """Records what a request did; undone with it when it fails."""
        caller = ctx.caller
        resource = domain.resource_of(origin.operation, answer)
        entry = self._entry(origin.operation, caller.account_id, resource)
        entry.actor, entry.key_id = caller.email, caller.key_id
        entry.path, entry.address = origin.path, origin.address
        entry.request_id = ctx.request_id
        ctx.db.add(entry)

    def record_command(self, db: Session, operation: str, account_id: str, resource: str) -> None:
        """Records what the operator did on the command line."""
        db.add(self._entry(operation, account_id, resource))

    def list_(
        self, db: Session, sought: AuditFilter, window: Page
    ) -> tuple[list[AuditEntryInfo], int]:
        """Lists entries, newest first, with the number of all."""
        rows, total = repository.page(db, sought, window)
        return [to_dataclass(row, AuditEntryInfo) for row in rows], total

    def sweep(self, db: Session) -> None:
        """Forgets entries whose days are over, some at a time; safe to call at any time."""
        repository.delete_before(
            db, self._clock.now() - timedelta(days=self._days), CLEANUP_BATCH_ROWS
        )

    def _entry(self, operation: str, account_id: str, resource: str) -> AuditRecord:
        return AuditRecord(
            entry_id=new_id("aud"),
            at=self._clock.now(),
            account_id=account_id,
            actor="command line",
            key_id=None,
            operation=operation,
            resource=resource,
            path="",
            address="",
            request_id="",
        )
