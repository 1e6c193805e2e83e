"""`Sessions`: opened over an upload, chosen, queried by those above, ended, expired.

Queries, catalogs and learning all look at tables through a session, so that who may see them, and
for how long, is decided in one place.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from sqlalchemy.orm import Session

from modelwright.core.clock import Clock
from modelwright.core.db.database import after_commit
from modelwright.core.db.queries import insert_if_absent
from modelwright.core.errors import get_or_404, missing
from modelwright.core.events import Events
from modelwright.core.http.paging import Page
from modelwright.core.ids import SessionId, new_id
from modelwright.core.limits.contract import LIMITS, Limits
from modelwright.core.logging import logger
from modelwright.datasets.domain import ResolvedDataset
from modelwright.datasets.service import Datasets
from modelwright.engines.sql.executor import BoundedStatement, Rows
from modelwright.engines.sql.failures import Ended
from modelwright.sessions import repository
from modelwright.sessions.domain import (
    MAX_NAME_LENGTH,
    UNRECORDED,
    SessionInfo,
    SessionOpened,
    SessionVersion,
    SessionView,
    dataset_of,
    name_in,
    qualified_names,
    table_names,
)
from modelwright.sessions.errors import (
    NoSession,
    SessionOfAnotherUpload,
    SessionOver,
    TooManySessions,
)
from modelwright.sessions.executors import Executors
from modelwright.sessions.orm import SessionRecord
from modelwright.sessions.shared_executors import SharedExecutors
from modelwright.storage.errors import ObjectMissing
from modelwright.uploads.domain import UploadDeleted, units_of
from modelwright.uploads.service import Uploads
from modelwright.users.domain import AccountStopped

MIN_IDLE = timedelta(hours=1)
"""What a session holds on a machine is at most so much older than its row seems."""
KEPT_SESSIONS_PER_ACCOUNT = 10_000
"""Newest ended sessions of an account that are kept, as many as entries of its history."""
CLEANUP_BATCH_ROWS = 10_000
"""Rows that are deleted in one transaction."""


@dataclass(eq=False)
class Sessions:
    """Opens, lists and ends data sessions."""

    clock: Clock
    uploads: Uploads
    datasets: Datasets
    executors: Executors | SharedExecutors
    events: Events
    limits: Limits = LIMITS

    def __post_init__(self) -> None:
        self.events.listen(UploadDeleted, self._forsake)
        self.events.listen(AccountStopped, self._end_all)

    def create(
        self,
        db: Session,
        upload_id: str | None,
        name: str | None = None,
        hours: int | None = None,
        dataset_ids: Sequence[str] = (),
    ) -> SessionInfo:
        """Opens a session over the tables of an upload, of datasets, or of both.

        Refuses what is not complete, nothing at all, and one session too many.
        """
        held = self._held(db, upload_id, dataset_ids)
        first, now = held[0], self.clock.now()
        names = ", ".join(dict.fromkeys(one.dataset_name for one in held))
        row = SessionRecord(
            session_id=SessionId(new_id("sess")),
            name=name or names[:MAX_NAME_LENGTH],
            upload_id=first.upload_id,
            dataset=dataset_of(first.dataset_name, first.own),
            created_at=now,
            expires_at=now + timedelta(hours=hours or self.limits.session_hours),
            tables=_as_json(held),
        )
        self._seat(db, row, now)
        self.events.publish(db, SessionOpened(row.to_info()))
        logger().info("sessions.created", session_id=row.session_id, upload_id=first.upload_id)
        return row.to_info()

    def _held(
        self, db: Session, upload_id: str | None, dataset_ids: Sequence[str]
    ) -> list[ResolvedDataset]:
        """Finds what a session is to hold, each upload once."""
        if upload_id is not None:
            self.uploads.tables(db, upload_id)
        elif not dataset_ids:
            raise missing("upload_id")
        wanted = [] if upload_id is None else [self.datasets.resolve(db, upload_id, "upload_id")]
        wanted += [self.datasets.resolve(db, one, "dataset_ids") for one in dataset_ids]
        return list({one.upload_id: one for one in wanted}.values())

    def view(self, db: Session, session: SessionInfo) -> SessionView:
        """Tells what became of the data of a session since it was opened."""
        if session.over_since(self.clock.now()):
            return SessionView(session)
        held = ((one, self.datasets.versions_now(db, one)) for one in session.upload_ids)
        return SessionView(
            session,
            tuple(
                SessionVersion(
                    now.dataset_name, now.version, one, now.newest_version, now.newest_upload_id
                )
                for one, now in held
                if now is not None
            ),
        )

    def unrecorded(self, account_id: str, version: ResolvedDataset) -> SessionInfo:
        """Makes a session that nobody is told of, to look at data; `release` ends it."""
        now = self.clock.now()
        row = SessionRecord(
            session_id=SessionId(new_id(UNRECORDED)),
            account_id=account_id,
            name=version.dataset_name,
            upload_id=version.upload_id,
            dataset=dataset_of(version.dataset_name, version.own),
            is_default=False,
            created_at=now,
            expires_at=now + MIN_IDLE,
            tables=_as_json([version]),
        )
        return row.to_info()

    def unrecorded_like(self, session: SessionInfo) -> SessionInfo:
        """Makes a session over the tables of another one, ended or not; `release` ends it."""
        now = self.clock.now()
        name = SessionId(new_id(UNRECORDED))
        return replace(session, session_id=name, ended_at=None, expires_at=now + MIN_IDLE)

    def release(self, session: SessionInfo) -> None:
        """Ends a session that nobody was told of."""
        self.executors.end(session.session_id)

    def use(self, db: Session, upload_id: str, session_id: str | None = None) -> SessionInfo:
        """Makes a session on an upload the account's default: the one named, an open one, or a new.

        Refuses a session that has ended or is over another upload, and one session too many.
        """
        self.uploads.tables(db, upload_id)
        if session_id is not None:
            facts = self.ready(db, session_id)
            if facts.upload_id != upload_id:
                raise SessionOfAnotherUpload.of("session_id", f"is over {facts.upload_id}.")
        else:
            row = repository.newest_on(db, upload_id, self.clock.now())
            facts = row.to_info() if row else self.create(db, upload_id)
        row = _find(db, facts.session_id)
        repository.prefer(db, row)
        db.flush()
        return row.to_info()

    def list_(self, db: Session, page: Page) -> tuple[list[SessionInfo], int]:
        """Lists sessions, newest first, and counts them all."""
        rows, total = repository.page(db, page)
        return [row.to_info() for row in rows], total

    def read(self, db: Session, session_id: str) -> SessionInfo:
        """Finds one session; refuses one that is not the caller's."""
        return _find(db, session_id).to_info()

    def ready(self, db: Session, session_id: str | None = None) -> SessionInfo:
        """Finds the session that takes a query: the one named, the default, or the newest open one.

        Refuses one that has ended, here too if another process ended it, and to choose from none.
        """
        now = self.clock.now()
        if session_id is None:
            row = repository.preferred(db, now)
            if row is None:
                raise NoSession
            return row.to_info()
        facts = self.read(db, session_id)
        if facts.over_since(now):
            self.executors.end(session_id)
            raise SessionOver(session_id)
        return facts

    def end(self, db: Session, session_id: str) -> SessionInfo:
        """Ends a session and what it holds; one that has ended stays as it is."""
        row = get_or_404(repository.lock(db, session_id), "session_id", session_id)
        over = row.to_info().over_since(self.clock.now())
        self._close(db, row, over or self.clock.now())
        return row.to_info()

    def run(self, session: SessionInfo, statement: BoundedStatement) -> Rows:
        """Runs one SELECT over a session's tables; never inside a transaction, it may take long.

        Refuses one whose session ended, or whose data was deleted, meanwhile.
        """
        try:
            return self.executors.run(session, statement)
        except (Ended, ObjectMissing):
            raise SessionOver(session.session_id) from None

    def has_data(self, db: Session, dataset: str) -> bool:
        """Returns whether anything of a dataset is still there."""
        name = name_in(dataset)
        return (
            self.datasets.has_own(db, dataset) if name is None else self.uploads.has_named(db, name)
        )

    def sweep(self, db: Session) -> None:
        """Ends the sessions whose time is over, and removes what ended ones left on this machine.

        Forgets an account's oldest ended ones beyond the newest ten thousand.

        For the platform's own transaction, which sees all accounts; safe to call at any time.
        """
        now = self.clock.now()
        repository.end_expired(db, now)
        repository.delete_old(db, KEPT_SESSIONS_PER_ACCOUNT, CLEANUP_BATCH_ROWS)
        open_ids = repository.open_ids(db)
        after_commit(db, lambda: self.executors.sweep(open_ids, now - MIN_IDLE))

    def now(self) -> datetime:
        """Tells the moment that sessions expire by."""
        return self.clock.now()

    def close(self) -> None:
        """Releases what all sessions hold in this process."""
        self.executors.close()

    def _seat(self, db: Session, row: SessionRecord, now: datetime) -> None:
        repository.end_expired(db, now)
        others = repository.active(db, now)
        taken = {other.slot for other in others}
        for slot in range(self.limits.active_sessions):
            if slot not in taken:
                row.slot = slot
                if insert_if_absent(db, row):
                    return
        names = [other.session_id for other in repository.active(db, now)]
        raise TooManySessions(self.limits.active_sessions, names)

    def _close(self, db: Session, row: SessionRecord, at: datetime) -> None:
        row.ended_at, row.slot, row.is_default = at, None, False
        session_id = row.session_id
        after_commit(db, lambda: self.executors.end(session_id))

    def _forsake(self, db: Session, deleted: UploadDeleted) -> None:
        now = self.clock.now()
        for row in repository.open_on(db, deleted.upload_id):
            self._close(db, row, min(now, row.expires_at))

    def _end_all(self, db: Session, stopped: AccountStopped) -> None:
        now = self.clock.now()
        for row in repository.open_of(db, stopped.account_id):
            self._close(db, row, min(now, row.expires_at))


def _find(db: Session, session_id: str) -> SessionRecord:
    return get_or_404(repository.find(db, session_id), "session_id", session_id)


def _as_json(held: Sequence[ResolvedDataset]) -> list[dict[str, object]]:
    alone = [table_names(table.filename for table in one.tables) for one in held]
    shown = qualified_names(
        [(one.dataset_name, names) for one, names in zip(held, alone, strict=True)]
    )
    return [
        {
            "file": table.filename,
            "table": name,
            "key": table.key,
            "columns": [column.name for column in table.columns],
            "units": units_of(table),
            "upload_id": one.upload_id,
            "dataset": dataset_of(one.dataset_name, one.own),
            "dataset_name": one.dataset_name,
            "own_name": own_name,
        }
        for one, own_names, names in zip(held, alone, shown, strict=True)
        for table, own_name, name in zip(one.tables, own_names, names, strict=True)
    ]
