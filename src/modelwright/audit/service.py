"""Adds to the log in the transaction of what is done, reads it, and forgets what is very old."""

import json
from dataclasses import KW_ONLY, asdict, dataclass
from datetime import datetime, timedelta
from functools import partial
from itertools import takewhile
from typing import Any

from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session

from modelwright.audit import domain, repository
from modelwright.audit.chain import ChainWalk, Link, digest_of
from modelwright.audit.domain import AuditFilter, storable
from modelwright.audit.errors import AuditUnavailable
from modelwright.audit.orm import AuditAnchorRecord, AuditRecord
from modelwright.core.clock import Clock
from modelwright.core.config.signing_keys import SigningKeys
from modelwright.core.db.database import after_commit, one_moment
from modelwright.core.db.queries import to_dataclass
from modelwright.core.errors import ApiError
from modelwright.core.http.context import RequestContext
from modelwright.core.http.paging import Page
from modelwright.core.ids import new_id
from modelwright.core.logging import logger
from modelwright.storage.object_store import ObjectStore

HEAD = "audit/head"
"""The object that tells how far the chain goes."""
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


@dataclass(frozen=True, slots=True)
class Verification:
    """What looking through the whole log has found."""

    entries: int
    """Entries of the chain, each of which was looked at."""
    unchained: int
    """Entries from before there was a chain, of which nothing can be said."""
    pruned: int
    """The last entry that was removed with age; 0 where none was."""
    kept_head: int | None
    """The entry up to which the object store knows the chain; None where it knows none yet."""
    faults: tuple[str, ...]


@dataclass(eq=False)
class Audit:
    """Records who changed what, and lists it."""

    clock: Clock
    days: int
    objects: ObjectStore
    keys: SigningKeys
    _: KW_ONLY
    is_required: bool = True

    def record(self, ctx: RequestContext, origin: Origin, answer: Any) -> None:
        """Records what a request did; undone with it when it fails.

        The request fails with `AuditUnavailable` where its entry cannot be written, unless the
        operator said otherwise.
        """
        caller = ctx.caller
        resource = domain.resource_of(origin.operation, answer)
        entry = self._entry(origin.operation, caller.account_id, resource)
        entry.actor, entry.key_id = caller.email, caller.key_id
        entry.path, entry.address = storable(origin.path), origin.address
        entry.request_id = ctx.request_id
        self._write(ctx.db, entry)

    def record_failure(self, db: Session, origin: Origin, account_id: str, request_id: str) -> None:
        """Records that somebody unknown tried something on an account and failed."""
        entry = self._entry(origin.operation, account_id, account_id)
        entry.actor = "unknown"
        entry.path, entry.address = storable(origin.path), origin.address
        entry.request_id = request_id
        self._write(db, entry)

    def record_command(self, db: Session, operation: str, account_id: str, resource: str) -> None:
        """Records what the operator did on the command line."""
        self._write(db, self._entry(operation, account_id, resource))

    def list_(
        self, db: Session, sought: AuditFilter, window: Page
    ) -> tuple[list[AuditEntryInfo], int]:
        """Lists entries, newest first, with the number of all."""
        rows, total = repository.page(db, sought, window)
        return [to_dataclass(row, AuditEntryInfo) for row in rows], total

    def sweep(self, db: Session) -> None:
        """Forgets entries whose days are over, some at a time; safe to call at any time.

        The chain then hangs from a signed anchor: the last entry that went.
        """
        before = self.clock.now() - timedelta(days=self.days)
        repository.delete_unchained(db, before, CLEANUP_BATCH_ROWS)
        oldest = repository.oldest(db, CLEANUP_BATCH_ROWS)
        over = list(takewhile(lambda row: row.at < before, oldest))
        if over:
            last = Link(over[-1].sequence or 0, over[-1].digest or "")
            self._anchor(db, last)
            repository.delete_up_to(db, last.sequence)

    def keep_head(self, db: Session) -> None:
        """Tells the object store, signed, how far the chain goes; safe to call at any time."""
        head = repository.head(db)
        if head.sequence:
            after_commit(db, partial(self._store_head, head))

    def sign_anew(self, db: Session) -> None:
        """Signs the anchor and the kept end with the present key, once the secret was changed."""
        anchor = repository.anchor(db)
        if anchor is not None:
            self._anchor(db, Link(anchor.sequence, anchor.digest))
        self.keep_head(db)

    def verify(self, db: Session) -> Verification:
        """Looks through the whole chain and names each entry that was tampered with.

        It takes a transaction of its own, since entries are added meanwhile.
        """
        faults = list[str]()
        kept = self._kept_head(faults)  # before the database, so that it is never ahead of it
        one_moment(db)
        anchor = repository.anchor(db)
        start = Link(anchor.sequence, anchor.digest) if anchor else Link()
        if anchor and not self.keys.is_ours(start.message(), anchor.signature):
            faults.append("What the chain hangs from was not signed by this server.")
        pruned = kept is not None and kept.sequence <= start.sequence
        walk = ChainWalk(start, None if pruned else kept, faults)
        faults.extend(
            f"The entry {entry_id} was put in beside the chain."
            for entry_id in repository.put_in(db)
        )
        for entry in repository.chained(db):
            walk.step(entry)
        walk.end(repository.head(db))
        return Verification(
            walk.entries,
            repository.unchained(db),
            start.sequence,
            kept.sequence if kept else None,
            tuple(walk.faults),
        )

    def _write(self, db: Session, entry: AuditRecord) -> None:
        """Adds an entry at the end of the chain.

        What else the transaction does is sent to the database before: other writers wait from here
        until it is committed.
        """
        db.flush()
        try:
            with db.begin_nested():
                head = repository.lock_head(db)
                entry.sequence, entry.previous = head.sequence + 1, head.digest
                entry.digest = digest_of(entry)
                head.sequence, head.digest = entry.sequence, entry.digest
                head.first_entry_id = head.first_entry_id or entry.entry_id
                db.add(entry)
        except SQLAlchemyError as fault:
            logger().error("audit.not_written", operation=entry.operation, exc_info=fault)
            if self.is_required:
                raise AuditUnavailable from fault

    def _anchor(self, db: Session, last: Link) -> None:
        signature = self.keys.sign(last.message()).value
        row = AuditAnchorRecord(
            anchor_id=new_id("anchor"),
            sequence=last.sequence,
            digest=last.digest,
            pruned_at=self.clock.now(),
            signature=signature,
        )
        repository.replace_anchor(db, row)

    def _store_head(self, head: Link) -> None:
        told = asdict(head) | {"signature": self.keys.sign(head.message()).value}
        with self.objects.writer(HEAD) as writer:
            writer.write(json.dumps(told).encode())
            writer.commit()

    def _kept_head(self, faults: list[str]) -> Link | None:
        """Reads how far the object store knows the chain; notes an end that is not ours."""
        if self.objects.size(HEAD) is None:
            return None
        try:
            told = json.loads(b"".join(self.objects.open(HEAD)))
            head = Link(int(told["sequence"]), str(told["digest"]))
            if self.keys.is_ours(head.message(), str(told["signature"])):
                return head
        except (ApiError, ValueError, KeyError, TypeError):
            logger().warning("audit.head_unreadable", exc_info=True)
        faults.append("The end of the chain that the object store keeps was not signed by us.")
        return None

    def _entry(self, operation: str, account_id: str, resource: str) -> AuditRecord:
        return AuditRecord(
            entry_id=new_id("aud"),
            at=self.clock.now(),
            account_id=account_id,
            actor="command line",
            key_id=None,
            operation=operation,
            resource=storable(resource),
            path="",
            address="",
            request_id="",
        )
