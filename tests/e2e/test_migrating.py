"""A server that outgrew SQLite goes on with PostgreSQL: the same rows, the same answers."""

import json
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from tests.e2e.killing import ROW
from tests.e2e.server import Server
from tests.e2e.test_belonging import run, start
from tests.e2e.test_serving import INTENT
from tests.unit.connections.servers import PASSWORD, postgresql
from tests.unit.connections.servers import Server as Postgres
from tests.unit.core.test_upgrading import fill, read

from modelwright import migrations
from modelwright.core.config.settings import DATABASE, Settings
from modelwright.core.db.database import ALL_ACCOUNTS, Base, Database
from modelwright.core.process.locks import file_lock
from modelwright.jobs.orm import JobLogRecord
from modelwright.migrations import transfer as moving
from modelwright.migrations.transfer import TransferError, transfer
from modelwright_client.demo.table import PENGUINS

MIGRATED = f"{DATABASE}.migrated"


@pytest.fixture(scope="module")
def postgres() -> Iterator[Postgres]:
    with postgresql() as server:
        yield server


@pytest.fixture
def url(postgres: Postgres) -> str:
    """The address of an empty database."""
    postgres.run("drop database if exists moved with (force)")
    postgres.run("create database moved")
    return f"postgresql+psycopg://owner:{PASSWORD}@127.0.0.1:{postgres.port}/moved"


@pytest.fixture
def embedded(tmp_path: Path) -> Iterator[Database]:
    """A SQLite database with two rows in every table."""
    with closing(Database(f"sqlite:///{tmp_path / 'old.sqlite'}")) as database:
        migrations.upgrade(database)
        with database.engine.begin() as connection:
            fill(connection)
        yield database


def plain(value: object) -> object:
    """What two databases give for the same value: moments and numbers, whatever their type."""
    return json.loads(json.dumps(value, default=lambda one: str(one).removesuffix("+00:00")))


class TestTransfer:
    def test_every_value_of_every_table_arrives(self, embedded: Database, url: str):
        with closing(Database(url)) as target:
            count = transfer(embedded, target)
            with embedded.engine.connect() as old, target.engine.connect() as new:
                expected, found = read(old), read(new)
        assert plain(found) == plain(expected)
        assert count == sum(map(len, expected.values())) == 2 * len(expected)

    def test_numbers_that_are_given_go_on_after_the_last(self, embedded: Database, url: str):
        with closing(Database(url)) as target:
            transfer(embedded, target)
            with target.transaction(ALL_ACCOUNTS) as db:
                newest = max(row.sequence for row in db.query(JobLogRecord))
                row = db.query(JobLogRecord).first()
                assert row is not None
                given = {c.name: getattr(row, c.name) for c in JobLogRecord.__table__.columns}
                added = JobLogRecord(
                    **{name: value for name, value in given.items() if name != "sequence"}
                )
                db.add(added)
                db.flush()
                assert added.sequence > newest

    def test_a_database_with_rows_is_refused_and_stays_as_it_is(self, embedded: Database, url: str):
        with closing(Database(url)) as target:
            with target.engine.begin() as new:
                migrations.upgrade(target)
                new.exec_driver_sql(
                    "insert into objects_marks (mark, is_placed) values ('m', true)"
                )
            with pytest.raises(TransferError, match="is not empty: its table objects_marks"):
                transfer(embedded, target)

    def test_one_that_was_killed_anywhere_is_run_again(
        self, embedded: Database, url: str, monkeypatch: pytest.MonkeyPatch
    ):
        copy, tables = moving._copy, len(Base.metadata.sorted_tables)
        for killed_at in (0, 1, tables // 2, tables - 1):
            left = iter(range(killed_at))

            def killed(*given: Any, left: Iterator[int] = left) -> int:
                if next(left, None) is None:
                    raise KeyboardInterrupt
                return copy(*given)

            with closing(Database(url)) as target:
                with monkeypatch.context() as patch:
                    patch.setattr(moving, "_copy", killed)
                    with pytest.raises(KeyboardInterrupt):
                        transfer(embedded, target)
                with target.engine.connect() as new:
                    assert {name for name, rows in read(new).items() if rows} == set()
        with closing(Database(url)) as target:
            count = transfer(embedded, target)
            assert transfer(embedded, target) == count  # it was killed before the file went aside

    def test_a_database_that_differs_by_one_value_is_refused(self, embedded: Database, url: str):
        with closing(Database(url)) as target:
            transfer(embedded, target)
            with target.engine.begin() as new:
                new.exec_driver_sql("update users set credits = credits + 1")
            with pytest.raises(TransferError, match="is not empty: its table"):
                transfer(embedded, target)

    def test_a_row_that_does_not_fit_undoes_everything(self, embedded: Database, url: str):
        with embedded.engine.begin() as connection:
            connection.exec_driver_sql(f"update users set email = '{'x' * 400}' where rowid = 1")
        with closing(Database(url)) as target:
            with pytest.raises(TransferError, match="table users does not fit"):
                transfer(embedded, target)
            with target.engine.connect() as new:
                assert {name for name, rows in read(new).items() if rows} == set()


class TestCommand:
    @pytest.mark.timeout(300)
    def test_a_server_goes_on_where_it_was(
        self, new_server: Callable[..., Server], tmp_path: Path, url: str
    ):
        server = new_server(build_seconds=5).start()
        client = server.client()
        upload_id = client.uploads.send([PENGUINS])["upload_id"]
        client.models.build("p", INTENT, upload_id, max_iterations=1)
        told = client.predictions.infer("p", "v1.0", ROW)["result"]
        before = client.uploads.read(upload_id)
        server.stop()
        moved = Settings(data_dir=server.data, database_url=url)
        done = run(moved, "migrate-database")
        assert (done.returncode, done.stderr) == (0, "")
        assert "rows moved; start the server" in done.stdout
        again = new_server(build_seconds=5, database_url=url)
        again.key = server.key
        client = again.start().client()
        assert client.predictions.infer("p", "v1.0", ROW)["result"] == told
        after = json.dumps(client.uploads.read(upload_id)).replace(again.url, server.url)
        assert json.loads(after) == before
        client.models.build("q", INTENT, upload_id, max_iterations=1)
        again.stop()
        done = run(Settings(data_dir=server.data), "worker")
        assert done.returncode == 1
        assert "is missing" in done.stderr

    def test_it_is_refused_while_the_server_runs(self, tmp_path: Path, url: str):
        settings = Settings(data_dir=tmp_path / "data", database_url=url)
        start(Settings(data_dir=settings.data_dir))
        with file_lock(settings.data_dir / "worker.lock", lambda _: False):
            done = run(settings, "migrate-database")
        assert (done.returncode, "stop it first" in done.stderr) == (1, True)
        assert (settings.data_dir / DATABASE).exists()

    def test_without_an_address_or_a_file_it_says_so(self, tmp_path: Path, url: str):
        told = Settings(data_dir=tmp_path / "data")
        told.make_data_dir()
        assert "Set MODELWRIGHT_DATABASE_URL" in run(told, "migrate-database").stderr
        told = Settings(data_dir=tmp_path / "data", database_url=url)
        assert f"There is no {told.data_dir / DATABASE}" in run(told, "migrate-database").stderr
