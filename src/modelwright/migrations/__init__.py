"""Brings a database to the present tables: numbered, linear steps."""

from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import Connection, inspect, text

from modelwright.core.db import Database

if TYPE_CHECKING:
    from alembic.config import Config

FOLDER = Path(__file__).parent


def head() -> str:
    """Names the newest step: the highest number among the files."""
    return max(path.stem.split("_", 1)[0] for path in (FOLDER / "versions").glob("[0-9]*.py"))


def revision(connection: Connection) -> str | None:
    """Names the step a database stands at; None for an empty one."""
    if not inspect(connection).has_table("alembic_version"):
        return None
    found: str | None = connection.scalar(text("select version_num from alembic_version"))
    return found


def upgrade(database: Database, to: str = "head") -> None:
    """Brings a database to a step; costs one look when it is there already."""
    with database.engine.begin() as connection:
        if revision(connection) == (head() if to == "head" else to):
            return
        from alembic import command  # noqa: PLC0415 - only needed when there is work to do

        command.upgrade(_config(connection), to)


def _config(connection: Connection) -> "Config":
    from alembic.config import Config  # noqa: PLC0415 - only needed when there is work to do

    config = Config()
    config.set_main_option("script_location", str(FOLDER))
    config.attributes["connection"] = connection
    return config
