"""The migrations make exactly the tables that the code declares."""

from contextlib import closing
from pathlib import Path

from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext

from modelwright import migrations
from modelwright.bootstrap import startup
from modelwright.core.db.database import Base, Database
from modelwright.migrations.snapshot import MADE, statements


class TestMigrations:
    def test_the_migrated_tables_are_those_of_the_code(self, tmp_path: Path):
        assert startup.__doc__
        with closing(Database(f"sqlite:///{tmp_path / 'fresh.sqlite'}")) as database:
            migrations.walk(database)
            with database.engine.connect() as connection:
                context = MigrationContext.configure(connection, opts={"compare_type": True})
                assert compare_metadata(context, Base.metadata) == []

    def test_the_steps_are_numbered_and_linear(self):
        steps = sorted((migrations.FOLDER / "versions").glob("*.py"))
        numbers = [step.stem.split("_", 1)[0] for step in steps]
        assert numbers == [f"{number:04d}" for number in range(1, len(steps) + 1)]

    def test_a_second_upgrade_changes_nothing(self, tmp_path: Path):
        with closing(Database(f"sqlite:///{tmp_path / 'fresh.sqlite'}")) as database:
            migrations.upgrade(database)
            migrations.upgrade(database)
            with database.engine.connect() as connection:
                assert migrations.revision(connection) == migrations.head()

    def test_the_snapshot_is_what_the_steps_amount_to(self):
        path = migrations.snapshot_path()
        assert list(migrations.FOLDER.glob("sqlite_*.sql")) == [path], "Run `make tables`."
        assert path.read_text() == statements(), "Run `make tables`."

    def test_an_empty_database_is_made_from_the_snapshot(self, tmp_path: Path):
        with closing(Database(f"sqlite:///{tmp_path / 'fresh.sqlite'}")) as database:
            migrations.upgrade(database)
            with database.engine.connect() as connection:
                made = "\n\n".join(connection.exec_driver_sql(MADE).scalars())
                assert made + "\n" == migrations.snapshot_path().read_text()
                assert migrations.revision(connection) == migrations.head()
