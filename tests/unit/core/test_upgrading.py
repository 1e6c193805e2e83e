"""A database with data comes through every upgrade whole, and the server reads all of it.

The rows are made from the tables as they were at each earlier step, so that a new step is tested
by being there; a column whose values the server understands gets one below.
"""

from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import JSON, Column, DateTime, MetaData, String, Table, insert, select
from sqlalchemy.engine import Connection, make_url
from tests.conftest import POSTGRES, _recreate
from tests.contract.walking import told_of

from modelwright import migrations
from modelwright.api_keys.service import Keys
from modelwright.bootstrap.container import Container, build_container
from modelwright.core.config.settings import Settings
from modelwright.core.db.database import ALL_ACCOUNTS, Database
from modelwright.core.http.context import Level
from modelwright.server.app import create_app

STEPS = sorted(path.stem[:4] for path in (migrations.FOLDER / "versions").glob("[0-9]*.py"))
MOMENT = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)
FULL = 1
"""The first row of every table has all values."""
SPARSE = 2
"""The second row has only those it must have."""
Rows = dict[str, list[dict[str, Any]]]

SAID: dict[str, Any] = {
    "account_id": "user_{n}",
    "user_id": "user_{n}",
    "email": "user{n}@example.org",
    "model_name": "model-{n}",
    "model_version": "v1.0",
    "label": "v1.0",
    "tags": [],
    "options": {},
    "files": [],
    "tables": [],
    "subjects": [],
    "queries.choices": [],
    "queries.read_by": ["rules"],
    "queries.warnings": [],
    "jobs.resource": {},
    "picture": None,
    "trashed_at": None,
    "trashed_name": None,
    "key_id": "key_id_{n}",
    "api_keys.level": "read_only",
    "api_keys.status": "active",
    "users.tier": "basic",
    "uploads.status": "complete",
    "upload_files.format": "csv",
    "upload_files.column_info": [{"name": "a", "type": "float", "nullable": True, "unique": False}],
    "upload_files.error": None,
    "upload_files.read_as": {"delimiter": ",", "encoding": "utf-8", "null_values": []},
    "model_versions.status": "READY",
    "replicas.status": "READY",
    "model_versions.wish": {"intent": "Predict b", "upload_id": "upload_id_1"},
    "model_versions.input_schema": {"a": "float"},
    "model_versions.output_schema": {"b": "string"},
    "model_versions.metrics": {"accuracy": 0.9},
    "model_versions.training": {
        "dataset_size": 10,
        "training_time_minutes": 0.1,
        "algorithm": "LightGBM",
        "feature_importance": {"a": 1.0},
        "report": {},
    },
    "model_versions.deployment_status": None,
    "model_versions.error": None,
    "upload_claims.version": "v1.0",
    "jobs.kind": "processing",
    "jobs.lane": "short",
    "jobs.status": "COMPLETED",
    "jobs.lease_owner": None,
    "exports.status": "completed",
    "exports.format": "csv",
    "analyses.status": "completed",
    "analyses.type": "basic",
    "analyses.key": None,
    "queries.query_type": "sql",
    "visualizations.type": "histogram",
    "dataset_versions.shape": [["a", "float"]],
    "usage.kind": "requests",
    "api_keys.scopes": None,
    "api_keys.allowed_networks": None,
    "deployments.status": "FAILED",
    "environment": "production",
    "connections.type": "sqlite",
    "connections.status": "connected",
    "connections.sealed": None,
    "objects_marks.turn": None,
    "objects_marks.next_turn": None,
    "ingestions.status": "completed",
    "ingestions.schedule": "0 3 * * *",
}
"""Values by column, or by table and column, that the server understands."""
DETAILS = (
    "/models/model-1",
    "/models/model-1/versions",
    "/models/model-1/deployments",
    "/uploads/upload_id_1",
    "/auth/api-keys/key_id_1",
    "/jobs/job_id_1",
    "/jobs/job_id_1/logs",
)
"""What is read of the first account's things beside all lists."""


def value(column: Column[Any], number: int) -> Any:
    """Makes the value of a column in a row: said above, a reference, or any of its type."""
    for name in (f"{column.table.name}.{column.name}", column.name):
        if name in SAID:
            said = SAID[name]
            return said.replace("{n}", str(number)) if isinstance(said, str) else said
    if number == SPARSE and column.nullable:
        return None
    for reference in column.foreign_keys:
        return value(reference.column, number)
    return typed(column, number)


def typed(column: Column[Any], number: int) -> Any:
    """Makes any value of a column's type."""
    if isinstance(column.type, JSON):
        return {"number": number}
    if isinstance(column.type, DateTime):
        return MOMENT if column.type.timezone else MOMENT.replace(tzinfo=None)
    if isinstance(column.type, String):
        return f"{column.name}_{number}"[: column.type.length]
    return column.type.python_type(number)


def tables(connection: Connection) -> list[Table]:
    """The tables there are, those that others refer to first."""
    metadata = MetaData()
    metadata.reflect(connection)
    return [table for table in metadata.sorted_tables if table.name != "alembic_version"]


def fill(connection: Connection) -> None:
    """Puts two rows into every table."""
    for table in tables(connection):
        keys = list(table.primary_key)
        counted = len(keys) == 1 and keys[0].type.python_type is int
        given = [column for column in table.columns if not (counted and column is keys[0])]
        for number in (FULL, SPARSE):
            row = {column.name: value(column, number) for column in given}
            connection.execute(insert(table).values(row))


def read(connection: Connection) -> Rows:
    """All rows of all tables, in the order of their keys."""
    found = {}
    for table in tables(connection):
        rows = connection.execute(select(table).order_by(*table.primary_key))
        found[table.name] = [dict(row) for row in rows.mappings()]
    return found


@pytest.fixture
def url(tmp_path: Path, worker_id: str) -> Iterator[str]:
    """The address of a database without tables."""
    if not POSTGRES:
        yield f"sqlite:///{tmp_path / 'modelwright.sqlite'}"
        return
    name = f"modelwright_upgrading_{worker_id}"
    with closing(Database(POSTGRES)) as server:
        _recreate(server, name)
        yield make_url(POSTGRES).set(database=name).render_as_string(hide_password=False)
        _recreate(server, name, again=False)


@pytest.fixture(params=STEPS[:-1])
def before(request: pytest.FixtureRequest, url: str) -> Rows:
    """What was in the database at an earlier step, before it was upgraded."""
    with closing(Database(url)) as database:
        migrations.walk(database, request.param)
        with database.engine.begin() as connection:
            fill(connection)
        with database.engine.connect() as connection:
            rows = read(connection)
        migrations.upgrade(database)
    return rows


@pytest.fixture
def container(before: Rows, url: str, tmp_path: Path) -> Iterator[Container]:
    """The server's parts over the upgraded database."""
    assert before
    built = build_container(Settings(data_dir=tmp_path / "data", database_url=url))
    yield built
    built.database.close()


@pytest.fixture
def client(container: Container) -> Iterator[TestClient]:
    """A client of the first account, with a key made after the upgrade."""
    with container.database.transaction(ALL_ACCOUNTS) as db:
        keys = container.service(Keys)
        issued = keys.issue(db, "user_1", "user1@example.org", "new", Level.ADMIN, None)
    with TestClient(create_app(container), headers={"x-api-key": issued.secret}) as made:
        yield made


def reads(client: TestClient) -> Iterator[tuple[str, bool]]:
    """Every address that reads the first account's things, and whether it is a list."""
    for path, verbs in told_of(client.app)["paths"].items():
        if "get" not in verbs or path.startswith("/console"):
            continue
        told = verbs["get"].get("parameters", [])
        needed = [one["name"] for one in told if one["in"] == "query" and one.get("required")]
        query = "&".join(f"{name}={known(name)}" for name in needed)
        parts = [known(part[1:-1]) if part[:1] == "{" else part for part in path.split("/")]
        yield "/".join(parts) + (f"?{query}" if query else ""), "{" not in path


def known(name: str) -> str:
    """The id or name that a parameter stands for."""
    words = {"keyId": "key_id_1", "dataset_name": "name_1", "filename": "filename_1"}
    said = SAID.get(name, f"{name}_1")
    return words.get(name) or str(said).replace("{n}", "1")


class TestUpgrade:
    def test_no_row_and_no_value_is_lost(self, before: Rows, url: str):
        with closing(Database(url)) as database, database.engine.connect() as connection:
            assert migrations.revision(connection) == migrations.head()
            after = read(connection)
        assert {name: len(rows) for name, rows in before.items()} == dict.fromkeys(before, 2)
        assert before.keys() <= after.keys()
        for name, rows in before.items():
            kept = [row.keys() & old.keys() for old, row in zip(rows, after[name], strict=True)]
            for old, row, columns in zip(rows, after[name], kept, strict=True):
                assert {one: row[one] for one in columns} == {one: old[one] for one in columns}, (
                    name
                )

    @pytest.mark.parametrize("before", STEPS[-2:-1], indirect=True)
    def test_the_server_reads_and_sweeps_all_of_it(self, client: TestClient, container: Container):
        answers = {path: client.get(path) for path, _ in reads(client)}
        assert {path: one.text for path, one in answers.items() if one.status_code == 500} == {}
        for path, is_list in reads(client):
            assert answers[path].is_success or not is_list, answers[path].text
        for path in DETAILS:
            assert answers[path].is_success, answers[path].text
        assert client.get("/models").json()["pagination"]["total"] == 1
        assert client.get("/uploads").json()["pagination"]["total"] == 1
        assert client.get("/auth/api-keys").json()["pagination"]["total"] == 2
        for duty in container.duties:
            with container.database.transaction(ALL_ACCOUNTS) as db:
                duty.carry_out(db)
