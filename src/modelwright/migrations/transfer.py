"""Copies a whole database into an empty one of another kind, in one transaction, and counts.

Many begin on SQLite and go on with PostgreSQL; a dump of one is no input of the other.
"""

import json
from hashlib import sha256

from sqlalchemy import Connection, Table, func, select, text
from sqlalchemy.exc import DBAPIError

from modelwright import migrations
from modelwright.core.db.database import Base, Database

ROWS_AT_ONCE = 500
"""How many rows of a table are in memory at a time."""


class TransferError(Exception):
    """The data cannot be copied; the message says why and what to do."""


def transfer(source: Database, target: Database) -> int:
    """Copies every row into an empty database and returns how many there were.

    Both are brought to the present tables first. While that goes on nobody writes to the source;
    the target has all rows afterwards, or none.
    One that has the very same rows already, from a run that was ended after it had copied them, is
    counted as it is. Refuses any other target that has rows, and one whose rows are not as many as
    the source's.
    """
    migrations.upgrade(source)
    migrations.upgrade(target)
    with source.engine.begin() as old, target.engine.begin() as new:
        if _has_the_same(old, new):
            return sum(_rows(table, new) for table in Base.metadata.sorted_tables)
        _refuse_filled(new)
        return sum(_copy(table, old, new) for table in Base.metadata.sorted_tables)


def _refuse_filled(target: Connection) -> None:
    for table in Base.metadata.sorted_tables:
        if target.execute(select(text("1")).select_from(table).limit(1)).first():
            message = (
                f"The new database is not empty: its table {table.name} has rows. Name an empty "
                "database in MODELWRIGHT_DATABASE_URL."
            )
            raise TransferError(message)


def _has_the_same(source: Connection, target: Connection) -> bool:
    """Tells whether each table has the same rows in both, and any has some."""
    tables = Base.metadata.sorted_tables
    counts = [_rows(table, target) for table in tables]
    return (
        any(counts)
        and counts == [_rows(table, source) for table in tables]
        and all(_sum(table, source) == _sum(table, target) for table in tables)
    )


def _rows(table: Table, connection: Connection) -> int:
    return connection.scalar(select(func.count()).select_from(table)) or 0


def _sum(table: Table, connection: Connection) -> int:
    """Sums up the rows of a table, in whatever order and types a database has them."""
    found = connection.execution_options(yield_per=ROWS_AT_ONCE).execute(select(table))
    total = 0
    for row in found:
        told = json.dumps([_plain(value) for value in row], sort_keys=True, default=str)
        total += int.from_bytes(sha256(told.encode()).digest())
    return total


def _plain(value: object) -> object:
    """Makes the same of what the databases give for the same value."""
    if isinstance(value, bool):
        return int(value)
    return bytes(value).hex() if isinstance(value, (bytes, memoryview)) else value


def _copy(table: Table, source: Connection, target: Connection) -> int:
    found = source.execution_options(yield_per=ROWS_AT_ONCE).execute(select(table))
    count = 0
    try:
        for rows in found.mappings().partitions():
            target.execute(table.insert(), [dict(row) for row in rows])
            count += len(rows)
    except DBAPIError as fault:
        reason = str(fault.orig).partition("\n")[0]
        message = f"A row of the table {table.name} does not fit the new database: {reason}."
        raise TransferError(message) from None
    copied = _rows(table, target)
    if copied != count:
        message = f"Of {count} rows of the table {table.name}, {copied} arrived; nothing is kept."
        raise TransferError(message)
    _go_on_counting(table, target)
    return count


def _go_on_counting(table: Table, target: Connection) -> None:
    """Has numbers that the new database gives begin after those that were copied."""
    column = table.autoincrement_column
    if column is None or target.dialect.name != "postgresql":
        return
    newest = select(func.max(column)).scalar_subquery()
    sequence = func.pg_get_serial_sequence(table.name, column.name)
    target.execute(select(func.setval(sequence, newest)).where(sequence.is_not(None)))
