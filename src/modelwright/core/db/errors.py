"""A database that is full, busy, damaged or not to be reached: a refusal, not the request's fault.

Everything else that a database says stays the error that it is.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy.exc import DBAPIError, OperationalError
from sqlalchemy.exc import TimeoutError as NoConnection

from modelwright.core.errors import Damaged, Unavailable
from modelwright.core.logging import logger

_SQLITE_UNAVAILABLE = {
    sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_READONLY,
}
_SQLITE_DAMAGED = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}
_POSTGRESQL_DAMAGED = {"XX001", "XX002"}
_POSTGRESQL_UNAVAILABLE = {"08", "53", "57"}
"""Classes of its states: connections, resources (a full disk among them), the operator's doing."""
_POSTGRESQL_BUSY = {"55P03", "40P01", "40001"}
"""Its states that others are the cause of: a lock that was not let go, a deadlock, a conflict."""


class DatabaseUnavailable(Unavailable):
    """The database cannot do now what it is asked."""

    def __init__(self) -> None:
        super().__init__(
            "The database can't be used now, and nothing was changed; try again later.",
            retry_after=10,
        )


class DatabaseDamaged(Damaged):
    """What is stored in the database is no longer what was written."""

    def __init__(self) -> None:
        super().__init__("The database is damaged. The operator must put it back from a backup.")


@contextmanager
def translate_database_errors() -> Iterator[None]:
    """Refuses what a database cannot do now, and logs why."""
    try:
        yield
    except (DBAPIError, NoConnection, sqlite3.DatabaseError) as fault:
        cause = fault.orig if isinstance(fault, DBAPIError) else fault
        if _is_damaged(cause):
            logger().error("database.damaged", why=str(cause))
            raise DatabaseDamaged from fault
        if not (isinstance(fault, NoConnection) or _is_unavailable(fault, cause)):
            raise
        logger().warning("database.away", why=str(cause))
        raise DatabaseUnavailable from fault


def _is_damaged(cause: BaseException | None) -> bool:
    code: int | None = getattr(cause, "sqlite_errorcode", None)
    if code is not None:
        return code & 0xFF in _SQLITE_DAMAGED
    return getattr(cause, "sqlstate", None) in _POSTGRESQL_DAMAGED


def _is_unavailable(fault: Exception, cause: BaseException | None) -> bool:
    code: int | None = getattr(cause, "sqlite_errorcode", None)
    if code is not None:
        return code & 0xFF in _SQLITE_UNAVAILABLE
    state: str | None = getattr(cause, "sqlstate", None)
    return isinstance(fault, OperationalError) and (
        state is None or state[:2] in _POSTGRESQL_UNAVAILABLE or state in _POSTGRESQL_BUSY
    )
