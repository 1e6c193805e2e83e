"""Several servers over one PostgreSQL write one chain, also where it is killed meanwhile."""

import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import psycopg
import pytest
from fastapi.testclient import TestClient
from tests.e2e.private_postgres import PrivatePostgres, private_postgres

from modelwright import migrations
from modelwright.api_keys.service import Keys
from modelwright.audit.service import Audit
from modelwright.bootstrap.container import Container, build_container
from modelwright.core.config.settings import Settings
from modelwright.core.db import database
from modelwright.core.db.database import ALL_ACCOUNTS
from modelwright.core.errors import ApiError
from modelwright.core.http.context import Level
from modelwright.server.app import create_app
from modelwright.users.service import Users

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


class TestLocked:
    def test_what_cannot_be_recorded_is_refused_soon_and_not_done(
        self, postgres: PrivatePostgres, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ):
        """Somebody holds the table of the log, as a forgotten `psql` does."""
        monkeypatch.setattr(database, "LOCK_SECONDS", 1)
        server = build_container(Settings(data_dir=tmp_path, database_url=postgres.url))
        migrations.upgrade(server.database)
        with server.database.transaction(ALL_ACCOUNTS) as db:
            account = server.service(Users).for_key(db, "ana@example.org")
            keys = server.service(Keys)
            made = keys.issue(db, account.user_id, "ana", "n", Level.READ_WRITE, None)
        body = {"name": "a", "permission_level": "read_only"}
        client = TestClient(create_app(server), headers={"x-api-key": made.secret})
        with (
            closing(server.database),
            psycopg.connect(postgres.url.replace("+psycopg", "")) as held,
        ):
            held.execute("lock table audit in access exclusive mode")
            answer = client.post("/auth/api-keys", json=body)
            assert answer.json()["error"]["code"] == "service_unavailable", answer.text
            assert client.get("/auth/api-keys").json()["pagination"]["total"] == 1
            held.rollback()
            assert client.post("/auth/api-keys", json=body).status_code == 200
            assert client.get("/auth/api-keys").json()["pagination"]["total"] == 2


class TestWriters:
    def test_of_several_servers_make_one_chain(self, servers: list[Container]):
        writers = [Writer(one, f"calm-{number}") for number, one in enumerate(servers)]
        acknowledged = [name for writer in writers for name in writer.join()]
        assert len(acknowledged) == WRITERS * ENTRIES
        assert sorted(one for one in resources(servers[0]) if one.startswith("calm")) == sorted(
            acknowledged
        )

    def test_look_like_no_tampering_to_who_verifies_meanwhile(self, servers: list[Container]):
        writers = [Writer(one, f"seen-{number}") for number, one in enumerate(servers)]
        looks = 0
        while any(len(one.acknowledged) < ENTRIES for one in writers) or looks == 0:
            with servers[0].database.transaction(ALL_ACCOUNTS, write=False) as db:
                assert servers[0].service(Audit).verify(db).faults == ()
            looks += 1
        for writer in writers:
            writer.join()

    def test_lose_no_acknowledged_entry_where_the_database_is_killed(
        self, servers: list[Container], postgres: PrivatePostgres
    ):
        writers = [Writer(one, f"killed-{number}") for number, one in enumerate(servers)]
        postgres.kill()
        postgres.start()
        acknowledged = [name for writer in writers for name in writer.join()]
        assert len(acknowledged) == WRITERS * ENTRIES
        assert set(acknowledged) <= set(resources(servers[0]))
