"""schemathesis calls a real server over the whole document and holds each answer against it."""

import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import pytest
from tests.e2e.server import Server
from tests.factories import CHURN, make_upload

from modelwright import migrations
from modelwright.api_keys.service import Keys
from modelwright.bootstrap.container import build_container
from modelwright.bootstrap.startup import check_object_store
from modelwright.core.config.settings import Settings
from modelwright.core.db.database import ALL_ACCOUNTS
from modelwright.core.http.context import Level
from modelwright.users.service import Users

SCHEMATHESIS = Path(sys.executable).with_name("schemathesis")
ROOT = Path(__file__).parents[2]
CONFIG = Path(__file__).with_name("schemathesis.toml")
SECONDS = 230
FLAGS = ("--no-color", "--continue-on-failure")
PARTS = {
    "models": "^/(models|predict|jobs)",
    "data": "^/data/",
    "uploads and databases": "^/(uploads|database|storage)",
    "all else": "^/(?!models|predict|jobs|data/|uploads|database|storage)",
}
"""Operations by their paths; together these are all."""


@dataclass(frozen=True, slots=True)
class Called:
    """A server, and how it is called: by an `admin` key in an account it cannot lock out."""

    url: str
    key: str
    account: str

    @property
    def headers(self) -> dict[str, str]:
        """What goes with every call."""
        return {"x-api-key": self.key, "X-Account": self.account}


@pytest.fixture(scope="module")
def called(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Called]:
    """A server with a dataset, a SQLite file to connect to, and no way to other databases."""
    folder = tmp_path_factory.mktemp("document")
    account, key = prepare(folder)
    server = Server(
        folder,
        build_seconds=1,
        database_hosts="nowhere.invalid",
        replicas_at_most=2,
        sqlite_folder=folder,
        trusted_proxies="127.0.0.1",
    )
    try:
        server.start()
        yield Called(server.url, key, account)
    finally:
        server.stop()


def prepare(folder: Path) -> tuple[str, str]:
    """Makes an account with a dataset, and a key of the operator's to act in it."""
    with closing(sqlite3.connect(folder / "shop.sqlite")) as shop, shop:
        shop.execute("create table orders (order_id integer, total real)")
        shop.executemany("insert into orders values (?, ?)", [(1, 2.5), (2, 4.0)])
    (folder / "customers.csv").write_text(CHURN)
    (folder / "data").mkdir()
    container = build_container(Settings(data_dir=folder / "data"))
    with closing(container.database):
        migrations.upgrade(container.database)
        check_object_store(container)  # marks the store as this database's, as a start does
        users, keys = container.service(Users), container.service(Keys)
        with container.database.transaction(ALL_ACCOUNTS) as db:
            operator = users.operator(db, container.settings.operator_email)
            account = users.create(db, "ana@example.org").user_id
            key = keys.issue(db, operator.user_id, operator.email, "test", Level.ADMIN, None)
        make_upload(container, account, [folder / "customers.csv"], "people")
    return account, key.secret


def findings(called: Called, *words: str) -> str:
    """Runs schemathesis; returns what it found, nothing where all is well."""
    headers = [
        word for name, value in called.headers.items() for word in ("-H", f"{name}: {value}")
    ]
    location = f"{called.url}/openapi.json"
    done = subprocess.run(
        [SCHEMATHESIS, "--config-file", CONFIG, "run", location, *FLAGS, *headers, *words],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    return "" if done.returncode == 0 else done.stdout + done.stderr


class TestDocument:
    @pytest.mark.parametrize("part", PARTS)
    def test_every_operation_answers_as_it_is_described(self, called: Called, part: str):
        phases = ("--phases", "examples,coverage,fuzzing")
        found = findings(called, *phases, "--include-path-regex", PARTS[part])
        assert not found, found

    def test_what_is_made_is_read_and_deleted_as_the_links_say(self, called: Called):
        found = findings(called, "--phases", "stateful")
        assert not found, found
