"""Versions of a dataset: labelled at completion, listed, found again."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from fastapi.testclient import TestClient

from modelwright.bootstrap.container import Container
from modelwright.core.clock import FrozenClock
from modelwright.core.errors import Conflict, NotFound
from modelwright.datasets.domain import ResolvedDataset
from modelwright.datasets.orm import DatasetVersionRecord
from modelwright.datasets.service import Datasets
from modelwright.uploads.domain import FileColumn, TableFile, UploadCompleted

Take = Callable[..., dict[str, Any]]
ONE = {"a.csv": b"x,y\n1,2\n"}
SAME = {"b.csv": b"y,x\n5,6\n7,8\n"}
OTHER = {"a.csv": b"x,z\n1,2\n"}


@pytest.fixture
def account(api: TestClient) -> str:
    return str(api.get("/auth/user").json()["user_id"])


@pytest.fixture
def resolve(container: Container, account: str) -> Callable[..., ResolvedDataset]:
    def find(dataset_id: str, *, scope: str = account, **more: str) -> ResolvedDataset:
        with container.database.transaction(scope, write=False) as db:
            return container.service(Datasets).resolve(db, dataset_id, **more)

    return find


def labels(api: TestClient, name: str) -> list[str]:
    body = api.get(f"/uploads/datasets/{name}/versions").json()
    return [version["version"] for version in body["versions"]]


class TestLabel:
    def test_uploads_of_one_name_are_versions_of_one_dataset(
        self, api: TestClient, clock: FrozenClock, complete: Take
    ):
        uploads = []
        for contents in (ONE, SAME, OTHER):
            uploads.append(complete(contents, name="sales"))
            clock.advance(seconds=1)
        body = api.get("/uploads/datasets/sales/versions").json()
        assert body["dataset_name"] == "sales"
        assert [v["version"] for v in body["versions"]] == ["v2.0", "v1.1", "v1.0"]
        assert [v["upload_id"] for v in body["versions"]] == [
            upload["upload_id"] for upload in reversed(uploads)
        ]
        assert body["versions"][-1] == {
            "version": "v1.0",
            "upload_id": uploads[0]["upload_id"],
            "created_at": uploads[0]["completed_at"],
            "status": "complete",
            "file_count": 1,
            "total_size_bytes": 8,
        }
        assert body["pagination"] == {"total": 3, "limit": 100, "offset": 0, "has_more": False}

    def test_a_label_is_never_used_again(self, api: TestClient, complete: Take):
        complete(ONE, name="sales")
        second = complete(SAME, name="sales")
        api.delete(f"/uploads/{second['upload_id']}")
        assert labels(api, "sales") == ["v1.0"]
        complete(ONE, name="sales")
        assert labels(api, "sales") == ["v1.2", "v1.0"]

    def test_an_upload_without_a_name_is_its_own_dataset(self, api: TestClient, complete: Take):
        complete(ONE)
        complete(OTHER)
        assert labels(api, "a.csv") == ["v1.0"]

    def test_a_named_dataset_comes_before_one_that_is_called_so_after_its_file(
        self, api: TestClient, complete: Take, resolve: Callable[..., ResolvedDataset]
    ):
        named = complete(ONE, name="a.csv")
        complete(OTHER)
        assert resolve("a.csv").upload_id == named["upload_id"]

    def test_two_accounts_share_no_labels(
        self, container: Container, api: TestClient, other_account_client: TestClient, account: str
    ):
        other = other_account_client.get("/auth/user").json()["user_id"]
        for number, scope in enumerate((account, other, account)):
            with container.database.transaction(scope) as db:
                container.service(Datasets).label(db, done(f"upload_{number}", container))
        with container.database.transaction(other, write=False) as db:
            (row,) = db.query(DatasetVersionRecord)
            assert str(row.label) == "v1.0"

    def test_labels_rise_also_when_the_last_one_is_taken_meanwhile(
        self, container: Container, account: str, monkeypatch: pytest.MonkeyPatch
    ):
        from modelwright.datasets import repository

        looked = repository.last
        with container.database.transaction(account) as db:
            container.service(Datasets).label(db, done("upload_1", container))
        stale = iter([None])
        monkeypatch.setattr(repository, "last", lambda *given: next(stale, looked(*given)))
        with container.database.transaction(account) as db:
            container.service(Datasets).label(db, done("upload_2", container))
        with container.database.transaction(account, write=False) as db:
            assert sorted(str(row.label) for row in db.query(DatasetVersionRecord)) == [
                "v1.0",
                "v1.1",
            ]

    def test_many_at_once_get_a_label_each(self, container: Container, account: str):
        start = threading.Barrier(4)

        def label(number: int) -> None:
            start.wait()
            with container.database.transaction(account) as db:
                container.service(Datasets).label(db, done(f"upload_{number}", container))

        with ThreadPoolExecutor(4) as pool:
            list(pool.map(label, range(4)))
        with container.database.transaction(account, write=False) as db:
            given = sorted(str(row.label) for row in db.query(DatasetVersionRecord))
        assert given == ["v1.0", "v1.1", "v1.2", "v1.3"]


def done(upload_id: str, container: Container) -> UploadCompleted:
    columns = (FileColumn("x", "integer", False, True),)
    table = TableFile("a.csv", "tables/u/1", 1, columns, "csv", "uploads/u/1", 4)
    return UploadCompleted(upload_id, "sales", True, container.clock.now(), (table,))


class TestVersions:
    def test_a_name_with_a_slash_or_a_space_is_found(self, api: TestClient, complete: Take):
        complete(ONE, name="sales 2024/Q1")
        assert labels(api, "sales%202024%2FQ1") == ["v1.0"]

    def test_a_dataset_without_a_complete_version_has_none(self, api: TestClient, declare: Take):
        declare(name="sales")
        body = api.get("/uploads/datasets/sales/versions").json()
        assert (body["versions"], body["pagination"]["total"]) == ([], 0)

    def test_an_unknown_name_is_not_found(
        self, api: TestClient, other_account_client: TestClient, declare: Take
    ):
        declare(name="sales")
        assert api.get("/uploads/datasets/%00/versions").status_code == 404
        for client, name in ((api, "other"), (other_account_client, "sales"), (api, "sales.csv")):
            answer = client.get(f"/uploads/datasets/{name}/versions")
            assert answer.status_code == 404
            assert "dataset_name" in answer.json()["error"]["message"]


class TestResolve:
    def test_an_upload_a_name_and_a_label_are_found(
        self, complete: Take, resolve: Callable[..., ResolvedDataset]
    ):
        first = complete(ONE, name="sales")
        second = complete(OTHER, name="sales")
        assert resolve(first["upload_id"]).version_label == "v1.0"
        newest = resolve("sales")
        assert (newest.upload_id, newest.version_label) == (second["upload_id"], "v2.0")
        older = resolve("sales@v1.0")
        assert (older.upload_id, older.dataset_name) == (first["upload_id"], "sales")
        (table,) = older.tables
        assert [column.name for column in table.columns] == ["x", "y"]
        assert table.rows == 1

    def test_a_name_that_looks_like_a_label_is_found_first(
        self, complete: Take, resolve: Callable[..., ResolvedDataset]
    ):
        upload = complete(ONE, name="sales@v1.0")
        assert resolve("sales@v1.0").upload_id == upload["upload_id"]

    @pytest.mark.parametrize(
        "dataset_id", ["other", "upload_x", "sales@v9.9", "other@v1.0", "", "@v1.0"]
    )
    def test_what_does_not_exist_is_not_found_by_its_field(
        self,
        container: Container,
        account: str,
        resolve: Callable[..., ResolvedDataset],
        dataset_id: str,
    ):
        with container.database.transaction(account) as db:
            container.service(Datasets).label(db, done("upload_1", container))
        with pytest.raises(NotFound, match="upload_id") as refused:
            resolve(dataset_id, field="upload_id")
        assert refused.value.details[0].field == "upload_id"

    def test_anothers_is_not_found(
        self,
        other_account_client: TestClient,
        complete: Take,
        resolve: Callable[..., ResolvedDataset],
    ):
        upload = complete(ONE, name="sales")
        other = other_account_client.get("/auth/user").json()["user_id"]
        for dataset_id in (upload["upload_id"], "sales", "sales@v1.0"):
            with pytest.raises(NotFound):
                resolve(dataset_id, scope=other)

    def test_what_is_not_complete_is_a_conflict(
        self, declare: Take, resolve: Callable[..., ResolvedDataset]
    ):
        upload = declare(name="sales")
        for dataset_id in (upload["upload_id"], "sales"):
            with pytest.raises(Conflict):
                resolve(dataset_id)

    def test_a_newer_incomplete_upload_does_not_hide_a_complete_one(
        self, complete: Take, declare: Take, resolve: Callable[..., ResolvedDataset]
    ):
        upload = complete(ONE, name="sales")
        declare(name="sales")
        assert resolve("sales").upload_id == upload["upload_id"]

    def test_a_deleted_version_is_not_found(
        self, api: TestClient, complete: Take, resolve: Callable[..., ResolvedDataset]
    ):
        upload = complete(ONE, name="sales")
        api.delete(f"/uploads/{upload['upload_id']}")
        for dataset_id in (upload["upload_id"], "sales", "sales@v1.0"):
            with pytest.raises(NotFound):
                resolve(dataset_id)
