"""Databases of all kinds to connect to; reading happens in this process unless a test says so."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from tests.unit.connections import servers
from tests.unit.connections.servers import Server

from modelwright.core.config.settings import Settings

ORDERS = """
create table orders (id integer primary key, city varchar(40), price double precision, day date);
insert into orders values (1, 'Oslo', 9.5, '2024-01-05'), (2, 'Bad, "Ems"', null, '2024-02-29'),
  (3, '', 7, null);
"""


@pytest.fixture(scope="session")
def postgresql() -> Iterator[Server]:
    with servers.postgresql() as server:
        server.run(ORDERS)
        yield server


@pytest.fixture(scope="session")
def mariadb() -> Iterator[Server]:
    with servers.mariadb() as server:
        server.run(f"use shop;{ORDERS}")
        yield server


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The folder for SQLite files, with one in it."""
    made = tmp_path / "files"
    made.mkdir()
    with closing(sqlite3.connect(made / "shop.db")) as db:
        db.executescript(ORDERS)
    return made


@pytest.fixture
def settings(settings: Settings, folder: Path) -> Settings:
    return settings.model_copy(update={"sqlite_folder": folder})


SQLITE = {"name": "the shop", "type": "sqlite", "database": "shop.db"}


@pytest.fixture
def connect(api: TestClient) -> Callable[..., str]:
    """Stores a connection and answers its id."""

    def make(body: dict[str, Any] | None = None) -> str:
        answer = api.post("/database/connections", json=body or SQLITE)
        assert answer.status_code == 200, answer.text
        return str(answer.json()["connection_id"])

    return make


@pytest.fixture
def bring_in(api: TestClient, worker: Callable[[], int]) -> Callable[..., dict[str, Any]]:
    """Brings something in and answers how the ingestion stands once all jobs are done."""

    def make(connection_id: str, **members: Any) -> dict[str, Any]:
        body = {"connection_id": connection_id, "dataset_name": "orders", **members}
        answer = api.post("/database/ingest", json=body)
        assert answer.status_code == 200, answer.text
        worker()
        return dict(api.get(f"/database/ingest/{answer.json()['ingestion_id']}").json())

    return make


@pytest.fixture
def brought(api: TestClient, bring_in: Callable[..., dict[str, Any]]) -> Callable[..., Any]:
    """Brings something in and answers its columns with their types, and its rows."""

    def make(connection_id: str, **members: Any) -> tuple[dict[str, str], list[list[str]]]:
        standing = bring_in(connection_id, **members)
        assert standing["status"] == "completed", standing
        upload = api.get(f"/uploads/{standing['upload_id']}").json()
        assert upload["status"] == "complete", upload
        file = upload["files"][0]
        rows = api.get(file["preview_url"], params={"limit": 100}).json()["data"]
        return {column["name"]: column["type"] for column in file["column_info"]}, rows

    return make
