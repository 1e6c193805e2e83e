"""Machines that start at the same moment on an empty database make its tables once."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

from tests.unit.connections.servers import PASSWORD, postgresql

from modelwright import migrations
from modelwright.core.db.database import Database

MACHINES = 4


def test_upgrades_at_the_same_moment_all_succeed() -> None:
    with postgresql() as server:
        server.run("create database shared")
        url = f"postgresql+psycopg://owner:{PASSWORD}@127.0.0.1:{server.port}/shared"

        def upgrade(_: int) -> str | None:
            with closing(Database(url)) as database:
                migrations.upgrade(database)
                with database.engine.connect() as connection:
                    return migrations.revision(connection)

        with ThreadPoolExecutor(MACHINES) as starters:
            found = list(starters.map(upgrade, range(MACHINES)))
        assert found == [migrations.head()] * MACHINES
