"""Several servers over one PostgreSQL write one chain, also where it is killed meanwhile."""

import threading
from collections.abc import Iterator

import pytest
from tests.e2e.private_postgres import PrivatePostgres, private_postgres

from modelwright import migrations
from modelwright.audit.service import Audit
from modelwright.bootstrap.container import Container, build_container
from modelwright.core.config.settings import Settings
from modelwright.core.db.database import ALL_ACCOUNTS
from modelwright.core.errors import ApiError

WRITERS = 4
ENTRIES = 25
"""Of each writer."""
TRIES = 1000


@pytest.fixture(scope="module")
def postgres() -> Iterator[PrivatePostgres]:
    with private_postgres() as postgres:
        yield postgres


@pytest.fixture(scope="module")
def servers(
    postgres: PrivatePostgres, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[list[Container]]:
    """The insides of servers that share the database, each with connections of its own."""
    folder = tmp_path_factory.mktemp("chain")
    settings = Settings(data_dir=folder, database_url=postgres.url)
    made = [build_container(settings) for _ in range(WRITERS)]
    migrations.upgrade(made[0].database)
    yield made
    for one in made:
        one.database.close()


class Writer:
    """Makes entries one after the other, each of which it knows to be committed or makes again."""

    def __init__(self, server: Container, name: str) -> None:
        self.acknowledged: list[str] = []
        self._server, self._name = server, name
        self._thread = threading.Thread(target=self._write)
        self._thread.start()

    def _write(self) -> None:
        audit = self._server.service(Audit)
        for number in range(ENTRIES):
            resource = f"{self._name}-{number}"
            for _ in range(TRIES):
                try:
                    with self._server.database.transaction(ALL_ACCOUNTS) as db:
                        audit.record_command(db, "users.create", "user_1", resource)
                except ApiError:
                    continue
                self.acknowledged.append(resource)
                break

    def join(self) -> list[str]:
        """Waits for the last; returns what was acknowledged."""
        self._thread.join()
        return self.acknowledged


def resources(server: Container) -> list[str]:
    """What the entries of the log are about, once its chain was found to be whole."""
    with server.database.transaction(ALL_ACCOUNTS, write=False) as db:
        assert server.service(Audit).verify(db).faults == ()
        connection = db.connection()
        return [row[0] for row in connection.exec_driver_sql("select resource from audit")]


class TestWriters:
    def test_of_several_servers_make_one_chain(self, servers: list[Container]):
        writers = [Writer(one, f"calm-{number}") for number, one in enumerate(servers)]
        acknowledged = [name for writer in writers for name in writer.join()]
        assert len(acknowledged) == WRITERS * ENTRIES
        assert sorted(one for one in resources(servers[0]) if one.startswith("calm")) == sorted(
            acknowledged
        )

    def test_lose_no_acknowledged_entry_where_the_database_is_killed(
        self, servers: list[Container], postgres: PrivatePostgres
    ):
        writers = [Writer(one, f"killed-{number}") for number, one in enumerate(servers)]
        postgres.kill()
        postgres.start()
        acknowledged = [name for writer in writers for name in writer.join()]
        assert len(acknowledged) == WRITERS * ENTRIES
        assert set(acknowledged) <= set(resources(servers[0]))
