"""Brings a database to the present tables: numbered, linear steps."""

from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import Connection, inspect, text

from modelwright.core.db.database import Database

if TYPE_CHECKING:
    from alembic.config import Config

FOLDER = Path(__file__).parent
LOCK = 0x6D6F64656C
"""Of PostgreSQL's advisory locks the one that whoever upgrades holds."""


def head() -> str:
    """Names the newest step: the highest number among the files."""
    return max(path.stem.split("_", 1)[0] for path in (FOLDER / "versions").glob("[0-9]*.py"))


def revision(connection: Connection) -> str | None:
    """Names the step a database stands at; None for an empty one."""
    if not inspect(connection).has_table("alembic_version"):
        return None
    found: str | None = connection.scalar(text("select version_num from alembic_version"))
    return found


def upgrade(database: Database) -> None:
    """Brings a database to the present tables; costs one look when they are there already."""
    with database.engine.begin() as connection:
        if revision(connection) == head():
            return
        if connection.dialect.name == "postgresql":
            # Machines may start at the same moment; until the first is done the others wait.
            connection.execute(text("set local lock_timeout = 0"))
            connection.execute(text("select pg_advisory_xact_lock(:key)"), {"key": LOCK})
        stands = revision(connection)
        if stands == head() or (stands is None and _found(connection)):
            return
        _walk(connection, "head")


def walk(database: Database, to: str = "head") -> None:
    """Takes a database step by step up to one of them."""
    with database.engine.begin() as connection:
        _walk(connection, to)


def snapshot_path() -> Path:
    """Names the file with what all steps amount to on SQLite."""
    return FOLDER / f"sqlite_{head()}.sql"


def _found(connection: Connection) -> bool:
    """Makes all tables of an empty SQLite database at once, where the snapshot is of this step."""
    path = snapshot_path()
    is_empty = connection.dialect.name == "sqlite" and not inspect(connection).get_table_names()
    if not (is_empty and path.exists()):
        return False
    for statement in path.read_text("utf-8").strip().split("\n\n"):
        connection.exec_driver_sql(statement)
    connection.execute(text("insert into alembic_version values (:step)"), {"step": head()})
    return True


def _walk(connection: Connection, to: str) -> None:
    from alembic import command  # noqa: PLC0415 - only needed when there is work to do

    command.upgrade(_config(connection), to)


def _config(connection: Connection) -> "Config":
    from alembic.config import Config  # noqa: PLC0415 - only needed when there is work to do

    config = Config()
    config.set_main_option("script_location", str(FOLDER))
    config.attributes["connection"] = connection
    return config
