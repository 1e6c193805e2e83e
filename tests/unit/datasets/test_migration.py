"""What the release before kept of later versions of an unnamed dataset is found by its first."""

import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import MetaData, insert, select
from tests.unit.core.test_upgrading import value

from modelwright import migrations
from modelwright.core.db.database import Database


class Before:
    """A database of the release before, and what became of its rows."""

    def __init__(self, database: Database) -> None:
        self.database = database

    def add(self, table: str, **said: Any) -> None:
        with self.database.engine.begin() as connection:
            columns = self._tables(connection)[table]
            row = {one.name: value(one, 1) for one in columns.columns}
            connection.execute(insert(columns).values(row | said))

    def rows(self, table: str, *names: str) -> list[tuple[Any, ...]]:
        with self.database.engine.begin() as connection:
            columns = self._tables(connection)[table]
            found = connection.execute(select(*(columns.c[name] for name in names)))
            return sorted((tuple(row) for row in found), key=json.dumps)

    def upgrade(self) -> None:
        migrations.walk(self.database, "0028")

    @staticmethod
    def _tables(connection: Any) -> Any:
        metadata = MetaData()
        metadata.reflect(connection)
        return metadata.tables


@pytest.fixture
def before(tmp_path: Path) -> Iterator[Before]:
    with closing(Database(f"sqlite:///{tmp_path / 'modelwright.sqlite'}")) as made:
        migrations.walk(made, "0027")
        old = Before(made)
        for minor, (upload_id, own) in enumerate([("up_1", "up_1"), ("up_2", "up_1")]):
            old.add("uploads", upload_id=upload_id, name="a.csv")
            old.add(
                "dataset_versions",
                upload_id=upload_id, name="a.csv", own=own, major=1, minor=minor,
            )  # fmt: skip
        yield old


def test_uploads_tell_their_version(before: Before):
    before.add("uploads", upload_id="up_3")
    before.upgrade()
    told = before.rows("uploads", "upload_id", "dataset_version")
    assert told == [("up_1", "v1.0"), ("up_2", "v1.1"), ("up_3", None)]


def test_later_corrections_go_over_earlier_ones(before: Before):
    before.add("catalogs", dataset="up_1", corrections={"time_zone": "UTC", "tables": {"a": {}}})
    before.add("catalogs", dataset="up_2", corrections={"time_zone": "Europe/Oslo"})
    before.add("catalogs", dataset="named a.csv", corrections={})
    before.upgrade()
    assert before.rows("catalogs", "dataset", "corrections") == [
        ("named a.csv", {}),
        ("up_1", {"time_zone": "Europe/Oslo", "tables": {"a": {}}}),
    ]


def test_the_last_answer_that_was_verified_stays(before: Before):
    for number, (dataset, asked) in enumerate([("up_1", "x"), ("up_1", "y"), ("up_2", "x")]):
        query_id = f"q_{number}"
        before.add("queries", query_id=query_id, dataset=dataset)
        before.add("verified_queries", query_id=query_id, dataset=dataset, fingerprint=asked)
        before.add("catalog_synonyms", query_id=query_id, dataset=dataset)
    before.upgrade()
    kept = [("up_1", "q_1"), ("up_1", "q_2")]
    assert before.rows("verified_queries", "dataset", "query_id") == kept
    assert before.rows("catalog_synonyms", "dataset", "query_id") == kept
    assert before.rows("queries", "dataset") == 3 * [("up_1",)]


def test_open_sessions_go_on(before: Before):
    tables = [{"table": "a", "dataset": "up_2"}, {"table": "b", "dataset": "named b"}]
    before.add("data_sessions", session_id="s", dataset="up_2", tables=tables)
    before.upgrade()
    (session,) = before.rows("data_sessions", "dataset", "tables")
    assert session == ("up_1", [{"table": "a", "dataset": "up_1"}, tables[1]])
