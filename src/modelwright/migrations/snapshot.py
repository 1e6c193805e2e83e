"""What all steps amount to on SQLite, written by `make tables` so that a first start is quick."""

import tempfile
from contextlib import closing
from pathlib import Path

from modelwright import migrations
from modelwright.core.db.database import Database

MADE = "select sql from sqlite_master where sql is not null order by rowid"


def statements() -> str:
    """Takes an empty SQLite database through all steps and returns what makes its tables."""
    with (
        tempfile.TemporaryDirectory() as folder,
        closing(Database(f"sqlite:///{Path(folder) / 'walked.sqlite'}")) as database,
    ):
        migrations.walk(database)
        with database.engine.connect() as connection:
            return "\n\n".join(connection.exec_driver_sql(MADE).scalars()) + "\n"


if __name__ == "__main__":
    for stale in migrations.FOLDER.glob("sqlite_*.sql"):
        stale.unlink()
    migrations.snapshot_path().write_text(statements(), "utf-8")
