"""Copies a whole database into an empty one of another kind, in one transaction, and counts."""

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
    Refuses a target that has rows, and one whose rows are not as many as the source's.
    """
    migrations.upgrade(source)
    migrations.upgrade(target)
    with source.engine.begin() as old, target.engine.begin() as new:
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
    copied = target.scalar(select(func.count()).select_from(table))
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
