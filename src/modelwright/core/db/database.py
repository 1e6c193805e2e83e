"""The database: one engine for SQLite or PostgreSQL, transactions, and the wall between tenants."""

import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import (
    DateTime,
    Dialect,
    Engine,
    MetaData,
    String,
    create_engine,
    delete,
    event,
    func,
    select,
    text,
)
from sqlalchemy.orm import (
    DeclarativeBase,
    Mapped,
    ORMExecuteState,
    Session,
    mapped_column,
    with_loader_criteria,
)
from sqlalchemy.pool import ConnectionPoolEntry
from sqlalchemy.types import TypeDecorator

from modelwright.core.db.errors import DatabaseDamaged, translate_database_errors
from modelwright.core.logging import logger

SQLITE_BUSY_SECONDS = 20
"""How long a write waits for the one writer that SQLite has."""
LOCK_SECONDS = 20
"""How long a statement waits for what another transaction holds on PostgreSQL: as on SQLite, and
not for ever, so that nobody who holds a table open stops the server."""
CONNECT_SECONDS = 10
"""How long PostgreSQL may take to let a connection be opened."""


class UtcDateTime(TypeDecorator[datetime]):
    """A moment, stored in UTC and read back aware."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Stores UTC; SQLite keeps no zone."""
        if value is None:
            return None
        moment = value.astimezone(UTC)
        return moment.replace(tzinfo=None) if dialect.name == "sqlite" else moment

    def process_result_value(self, value: datetime | None, _dialect: Dialect) -> datetime | None:
        """Reads UTC."""
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


class Base(DeclarativeBase):
    """Every table's row."""

    metadata = MetaData(
        naming_convention={
            "ix": "ix_%(table_name)s_%(column_0_N_name)s",
            "uq": "uq_%(table_name)s_%(column_0_N_name)s",
            "fk": "fk_%(table_name)s_%(column_0_name)s",
            "pk": "pk_%(table_name)s",
        }
    )
    type_annotation_map = {datetime: UtcDateTime, str: String}  # noqa: RUF012 - SQLAlchemy's own


class AccountOwned:
    """A row that belongs to one account; no statement of another account ever sees it."""

    account_id: Mapped[str] = mapped_column(String(64), index=True)


class Trashable:
    """A row that lies in the trash before it goes; no statement sees it there unless it says so."""

    trashed_at: Mapped[datetime | None] = mapped_column(UtcDateTime)


AFTER_COMMIT = "after_commit"
"""Where a session keeps what is done once it is committed."""
WITH_TRASH = {"with_trash": True}
"""Execution options of a statement that sees what lies in the trash, too."""


class UnscopedError(RuntimeError):
    """A statement touched an account's rows without saying for which account."""


_NO_TRASH = with_loader_criteria(
    Trashable, lambda row: row.trashed_at.is_(None), include_aliases=True
)


@event.listens_for(Session, "do_orm_execute")
def _apply_tenant_filter(state: ORMExecuteState) -> None:
    if state.is_column_load or state.is_relationship_load:
        return
    if not state.execution_options.get("with_trash"):
        state.statement = state.statement.options(_NO_TRASH)
    scope = state.session.info.get("account")
    if scope is ALL_ACCOUNTS:
        return
    if scope is None:
        if any(issubclass(mapper.class_, AccountOwned) for mapper in state.all_mappers):
            raise UnscopedError(str(state.statement))
        return
    state.statement = state.statement.options(
        with_loader_criteria(
            AccountOwned, lambda row: row.account_id == scope, include_aliases=True
        )
    )


@event.listens_for(Session, "before_flush")
def _set_account_id(db: Session, _context: Any, _instances: Any) -> None:
    scope = db.info.get("account")
    for row in db.new:
        if not isinstance(row, AccountOwned):
            continue
        if scope is None or scope is ALL_ACCOUNTS:
            if row.account_id is None:
                raise UnscopedError(type(row).__name__)
        elif row.account_id is None:
            row.account_id = scope
        elif row.account_id != scope:
            raise UnscopedError(type(row).__name__)


ALL_ACCOUNTS = object()
"""The scope of the platform's own work (worker, operator, start-up), which sees all accounts."""


def scope_to(db: Session, account: str | object) -> None:
    """Binds a transaction to one account's rows, or to `ALL_ACCOUNTS`'s."""
    db.info["account"] = account


def delete_owned(db: Session, account_id: str) -> None:
    """Deletes every row of an account, those that refer to others first."""
    owned = {
        mapper.local_table
        for mapper in Base.registry.mappers
        if issubclass(mapper.class_, AccountOwned)
    }
    for table in reversed(Base.metadata.sorted_tables):
        if table in owned:
            db.execute(table.delete().where(table.c.account_id == account_id))


def delete_oldest(db: Session, row: Any, kept: int, at_once: int, *among: Any) -> None:
    """Deletes each account's oldest rows beyond its newest `kept`, so many at a time.

    Goes by the rows' ids, which sort by time; `among` narrows which of the rows are meant.
    """
    key = row.__mapper__.primary_key[0]
    many = select(row.account_id, func.count()).where(*among).group_by(row.account_id)
    for account_id, count in db.execute(many.having(func.count() > kept)).all():
        oldest = select(key).where(row.account_id == account_id, *among).order_by(key)
        ids = db.scalars(oldest.limit(min(count - kept, at_once))).all()
        db.execute(delete(row).where(key.in_(ids)))


def advisory_lock(db: Session, name: str) -> None:
    """Lets one transaction at a time go on from here; on SQLite those that write are alone.

    They are from their first statement on, so that one is made to begin here.
    """
    if db.connection().dialect.name == "postgresql":
        db.execute(text("select pg_advisory_xact_lock(hashtext(:name))"), {"name": name})


def one_moment(db: Session) -> None:
    """Has all that a transaction reads be of one moment; it is the transaction's first statement.

    On SQLite that is so anyway.
    """
    if db.connection().dialect.name == "postgresql":
        db.execute(text("set transaction isolation level repeatable read"))


def after_commit(db: Session, action: Callable[[], None]) -> None:
    """Carries something out once the whole transaction is committed, never when it is undone.

    It may take its time: nobody waits for this transaction's rows any more. When it fails that is
    logged: what is committed stays so, and is answered so.
    """
    db.info.setdefault(AFTER_COMMIT, []).append(action)


def _carry_out(actions: list[Callable[[], None]]) -> None:
    for action in actions:
        try:
            action()
        except Exception:  # noqa: BLE001 - it may do anything
            logger().exception("db.after_commit_failed")


class Database:
    """One engine and its transactions."""

    def __init__(self, url: str) -> None:
        self.engine = _engine(url)
        self.is_damaged = False
        """Whether a statement has met damaged pages; health itself reads none of them."""
        self._watching = threading.Lock()
        self._watch = (
            _connect_watcher(self.engine.url.database) if url.startswith("sqlite") else None
        )

    @contextmanager
    def transaction(
        self, scope: str | object | None = None, *, write: bool = True
    ) -> Iterator[Session]:
        """Opens a transaction, commits at the end, undoes everything when anything is raised.

        On SQLite a writing transaction takes the write lock at once, so that two never deadlock.
        Refuses when the database is full, busy or not to be reached.
        """
        engine = self.engine.execution_options(writes=write)
        db = Session(engine, autoflush=True, expire_on_commit=False)
        if scope is not None:
            scope_to(db, scope)
        try:
            with translate_database_errors(), db, db.begin():
                yield db
        except DatabaseDamaged:
            self.is_damaged = True
            raise
        # Not by SQLAlchemy's own event, which comes at the end of each savepoint, too.
        _carry_out(db.info.pop(AFTER_COMMIT, []))

    def stamp(self) -> int | None:
        """Returns a number that changes with every commit of any process; None where none does.

        What was read after a stamp is still true as long as the stamp is the same.
        """
        if self._watch is None:
            return None
        with self._watching:
            stamp: int = self._watch.execute("PRAGMA data_version").fetchone()[0]
        return stamp

    def close(self) -> None:
        """Closes every connection."""
        if self._watch is not None:
            with self._watching:
                self._watch.close()
        self.engine.dispose()


def _connect_watcher(path: str | None) -> sqlite3.Connection:
    return sqlite3.connect(path or "", check_same_thread=False, isolation_level=None)


def _engine(url: str) -> Engine:
    """Makes the pool of connections that fits the kind of database."""
    if not url.startswith("sqlite"):
        engine = create_engine(
            url,
            hide_parameters=True,
            pool_pre_ping=True,
            pool_size=10,
            max_overflow=20,
            connect_args={"connect_timeout": CONNECT_SECONDS},
        )
        event.listen(engine, "connect", _prepare_postgres)
        return engine
    engine = create_engine(
        url,
        hide_parameters=True,  # an error that is logged tells no passwords' hashes and no data
        pool_size=40,
        max_overflow=20,
        connect_args={
            "check_same_thread": False,
            "timeout": SQLITE_BUSY_SECONDS,
            "isolation_level": None,
        },
    )
    event.listen(engine, "connect", _prepare_sqlite)
    event.listen(engine, "begin", _begin_sqlite)
    return engine


def write_ahead(connection: sqlite3.Connection, seconds: float) -> None:
    """Turns a file to its write-ahead log; SQLite's own time-out does not wait for that."""
    until = time.monotonic() + seconds
    while True:
        try:
            connection.execute("PRAGMA journal_mode=WAL")
        except sqlite3.OperationalError as problem:
            if problem.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > until:
                raise
            time.sleep(0.002)
        else:
            return


def _prepare_postgres(connection: Any, _entry: ConnectionPoolEntry) -> None:
    from psycopg.types.string import StrDumperUnknown  # noqa: PLC0415 - for PostgreSQL alone

    class Storable(StrDumperUnknown):
        """A text as PostgreSQL can hold it: without NUL, which values of data may have."""

        def dump(self, obj: str) -> Any:
            return super().dump(obj.replace("\0", "\ufffd"))

    connection.adapters.register_dumper(str, Storable)
    connection.execute(f"set lock_timeout = '{LOCK_SECONDS}s'")
    connection.commit()


def _prepare_sqlite(connection: sqlite3.Connection, _entry: ConnectionPoolEntry) -> None:
    write_ahead(connection, SQLITE_BUSY_SECONDS)
    cursor = connection.cursor()
    for pragma in (
        "synchronous=FULL",
        "foreign_keys=ON",
        "cache_size=-16000",
        "temp_store=MEMORY",
    ):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _begin_sqlite(connection: Any) -> None:
    writes = connection.get_execution_options().get("writes", True)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")
