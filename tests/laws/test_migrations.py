"""The migrations make exactly the tables that the code declares."""

from contextlib import closing
from pathlib import Path

from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext

from modelwright import migrations, wiring
from modelwright.core.db import Database, Row


class TestMigrations:
    def test_the_migrated_tables_are_those_of_the_code(self, tmp_path: Path):
        assert wiring.__doc__
        with closing(Database(f"sqlite:///{tmp_path / 'fresh.sqlite'}")) as database:
            migrations.upgrade(database)
            with database.engine.connect() as connection:
                context = MigrationContext.configure(connection, opts={"compare_type": True})
                assert compare_metadata(context, Row.metadata) == []

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
