"""Models of the release before get the endpoints that they would have by now."""

from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import MetaData, insert, select
from sqlalchemy.engine import Connection
from tests.unit.core.test_upgrading import value

from modelwright import migrations
from modelwright.core.db.database import Database

NOON = datetime(2026, 3, 2, 12, 0, tzinfo=UTC).replace(tzinfo=None)
Add = Callable[..., None]


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    """A database of the release before."""
    with closing(Database(f"sqlite:///{tmp_path / 'modelwright.sqlite'}")) as made:
        migrations.walk(made, "0026")
        yield made


@pytest.fixture
def add(database: Database) -> Add:
    """Adds a row of what matters here."""

    def carry_out(table: str, **said: Any) -> None:
        with database.engine.begin() as connection:
            columns = reflected(connection).tables[table]
            row = {column.name: value(column, 1) for column in columns.columns}
            connection.execute(insert(columns).values(row | said))

    return carry_out


def reflected(connection: Connection) -> MetaData:
    metadata = MetaData()
    metadata.reflect(connection)
    return metadata


def add_model(add: Add, model_id: str, *versions: str, **more: Any) -> None:
    """Adds a model with versions of these statuses, v1.0 and on, an hour after each other."""
    add("models", model_id=model_id, model_name=model_id, **more)
    for number, status in enumerate(versions):
        add(
            "model_versions",
            version_id=f"{model_id}-{number}",
            model_id=model_id,
            version=number + 1,
            label=f"v1.{number}",
            status=status,
            artifact=f"artifacts/{number}" if status == "READY" else None,
            updated_at=NOON + timedelta(hours=number),
        )


def add_deployment(add: Add, deployment_id: str, model_id: str, number: int, **more: Any) -> None:
    add(
        "deployments",
        deployment_id=deployment_id,
        model_id=model_id,
        version_id=f"{model_id}-{number}",
        model_version=f"v1.{number}",
        artifact=f"artifacts/{number}",
        **more,
    )


def upgraded(database: Database) -> dict[tuple[str, str], tuple[str, str]]:
    """What is in service by model and environment: label and artifact."""
    migrations.walk(database, "0027")
    with database.engine.begin() as connection:
        tables = reflected(connection).tables
        rows = connection.execute(select(tables["endpoints"])).mappings().all()
        changes = connection.execute(select(tables["endpoint_changes"])).mappings().all()
    told = {one["change_id"]: one for one in changes}
    assert len(told) == len(rows)
    for row in rows:
        change = told[row["change_id"]]
        assert (change["version_id"], change["until"]) == (row["version_id"], None)
        assert change["account_id"] == row["account_id"] == "user_1"
    return {
        (row["model_id"], row["environment"]): (row["model_version"], row["artifact"])
        for row in rows
    }


class TestMigration:
    def test_the_first_ready_version_is_in_service(self, database: Database, add: Add) -> None:
        add_model(add, "a", "ERROR", "READY", "READY", "BUILDING")
        add_model(add, "b", "DRAFT")
        add_model(add, "gone", "READY", trashed_at=NOON)
        assert upgraded(database) == {
            ("a", "production"): ("v1.1", "artifacts/1"),
            ("gone", "production"): ("v1.0", "artifacts/0"),
        }

    def test_what_is_deployed_goes_first(self, database: Database, add: Add) -> None:
        add_model(add, "a", "READY", "READY", "READY")
        add_deployment(add, "dep_1", "a", 0, status="FAILED")
        add_deployment(add, "dep_2", "a", 1, status="ACTIVE")
        add_deployment(add, "dep_3", "a", 2, status="ACTIVE")
        add_deployment(add, "dep_4", "a", 2, status="DEPLOYING", environment="staging")
        add_deployment(add, "dep_5", "no-more", 0, status="ACTIVE")
        assert upgraded(database) == {
            ("a", "production"): ("v1.1", "artifacts/1"),
            ("a", "staging"): ("v1.2", "artifacts/2"),
        }

    def test_an_empty_database_has_none(self, database: Database) -> None:
        assert upgraded(database) == {}
