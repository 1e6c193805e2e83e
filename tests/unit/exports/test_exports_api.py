"""Exports over HTTP: asked for, made, fetched with and without a key, forgotten."""

import io
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pyarrow.parquet as pq
import pytest
from fastapi.testclient import TestClient
from tests.factories import ModelSide
from tests.unit.exports.conftest import SALES

from modelwright.bootstrap.container import Container
from modelwright.core.clock import FrozenClock
from modelwright.core.db.database import ALL_ACCOUNTS
from modelwright.core.limits.contract import LIMITS
from modelwright.exports.service import Exports
from modelwright.storage.object_store import ObjectStore

pytestmark = pytest.mark.usefixtures("in_process_children")
Made = Callable[..., dict[str, Any]]


def fetched(api: TestClient, export: dict[str, Any], number: int = 0) -> Any:
    name = export["files"][number]["filename"]
    return api.get(f"/data/export/{export['export_id']}/{name}")


class TestCreate:
    def test_answers_what_is_under_way(self, api: TestClient, upload_id: str):
        body = api.post("/data/export", json={"upload_id": upload_id, "format": "csv"}).json()
        assert body.pop("export_id").startswith("exp_")
        assert body.pop("job_id").startswith("job_")
        assert body.pop("estimated_completion") > "2026-03-02T12:00:00Z"
        assert body == {
            "upload_id": upload_id,
            "status": "processing",
            "format": "csv",
            "created_at": "2026-03-02T12:00:00Z",
            "completed_at": None,
            "files": [],
            "error": None,
        }

    def test_asks_for_the_upload(self, api: TestClient):
        answer = api.post("/data/export", json={})
        assert answer.status_code == 400
        assert "upload_id" in answer.json()["error"]["message"]

    @pytest.mark.parametrize(
        ("members", "field"),
        [
            ({"format": "xml"}, "format"),
            ({"files": ["other.csv"]}, "files"),
            ({"files": []}, "files"),
            ({"files": "table0.csv"}, "files"),
            ({"include_headers": "no"}, "include_headers"),
            ({"email_notification": 1}, "email_notification"),
            ({"email_notification": True}, "email_notification"),
        ],
    )
    def test_names_a_wrong_field(
        self, api: TestClient, upload_id: str, members: dict[str, Any], field: str
    ):
        answer = api.post("/data/export", json={"upload_id": upload_id, **members})
        assert answer.status_code == 422
        assert answer.json()["error"]["code"] == "validation_failed"
        assert field in answer.json()["error"]["message"]

    def test_refuses_an_upload_that_is_not_complete(self, api: TestClient):
        files = [{"filename": "a.csv", "content_type": "text/csv"}]
        pending = api.post("/data/upload", json={"files": files}).json()["upload_id"]
        assert api.post("/data/export", json={"upload_id": pending}).status_code == 409

    def test_files_are_not_there_before_it_is_completed(self, api: TestClient, upload_id: str):
        export_id = api.post("/data/export", json={"upload_id": upload_id}).json()["export_id"]
        answer = api.get(f"/data/export/{export_id}/table0.csv")
        assert (answer.status_code, answer.json()["error"]["code"]) == (409, "resource_conflict")


class TestFormats:
    def test_csv(self, export: Made, api: TestClient):
        answer = fetched(api, export(format="csv"))
        assert answer.headers["content-type"] == "text/csv; charset=utf-8"
        assert answer.text == (
            'city,amount,sold_on\nOslo,1.5,2024-01-05\n"Bad, ""Ems""",,2024-02-29\n'
        )

    def test_csv_without_headers(self, export: Made, api: TestClient):
        answer = fetched(api, export(format="csv", include_headers=False))
        assert answer.text.startswith("Oslo,")

    def test_json_is_one_array(self, export: Made, api: TestClient):
        answer = fetched(api, export(format="json"))
        assert answer.headers["content-type"] == "application/json"
        assert answer.json() == [
            {"city": "Oslo", "amount": 1.5, "sold_on": "2024-01-05"},
            {"city": 'Bad, "Ems"', "amount": None, "sold_on": "2024-02-29"},
        ]

    def test_parquet(self, export: Made, api: TestClient):
        answer = fetched(api, export(format="parquet"))
        assert answer.headers["content-type"] == "application/vnd.apache.parquet"
        assert pq.read_table(io.BytesIO(answer.content)).num_rows == 2

    def test_as_it_came_by_default(self, export: Made, api: TestClient):
        made = export()
        assert made["format"] is None
        assert fetched(api, made).text == SALES

    def test_what_came_is_of_no_charset_that_it_may_not_have(
        self, export: Made, api: TestClient, anonymous_client: TestClient
    ):
        made = export()
        assert fetched(api, made).headers["content-type"] == "text/csv"
        kept = anonymous_client.head(made["files"][0]["download_url"]).headers["content-type"]
        assert kept == "application/octet-stream"

    def test_as_it_came_but_without_headers(self, export: Made, api: TestClient):
        assert fetched(api, export(include_headers=False)).text.startswith("Oslo,")

    def test_only_the_files_asked_for(self, api: TestClient, model_side: ModelSide, worker: Any):
        upload_id = model_side.upload("a\n1\n", "b\n2\n")
        body = {"upload_id": upload_id, "files": ["table1.csv"], "format": "json"}
        export_id = api.post("/data/export", json=body).json()["export_id"]
        worker()
        made = api.get(f"/data/export/{export_id}").json()
        assert [one["filename"] for one in made["files"]] == ["table1.json"]
        assert fetched(api, made).json() == [{"b": 2}]

    def test_hostile_names_stay_text(self, api: TestClient, model_side: ModelSide, worker: Any):
        path = model_side.container.settings.data_dir / "<img src=x onerror=alert(1)>'\".csv"
        path.write_text('"""><script>","a\'b"\n1,2\n')
        body = {"upload_id": model_side.upload(path), "format": "json"}
        export_id = api.post("/data/export", json=body).json()["export_id"]
        worker()
        made = api.get(f"/data/export/{export_id}").json()
        answer = fetched(api, made)
        assert answer.json() == [{'"><script>': 1, "a'b": 2}]
        assert "<" not in answer.headers["content-disposition"]


class TestDownload:
    def test_works_without_a_key_by_the_signed_address(
        self, export: Made, anonymous_client: TestClient
    ):
        file = export(format="csv")["files"][0]
        answer = anonymous_client.get(file["download_url"])
        assert (answer.status_code, len(answer.content)) == (200, file["size_bytes"])

    def test_the_signed_address_lives_minutes_and_is_asked_for_anew(
        self, export: Made, api: TestClient, anonymous_client: TestClient, clock: FrozenClock
    ):
        made = export(format="csv")
        [file] = made["files"]
        assert file["download_url_expires_at"] == "2026-03-02T12:15:00Z"
        clock.advance(minutes=15)
        late = anonymous_client.get(file["download_url"])
        assert late.status_code == 403
        assert "ask for a new one" in late.json()["error"]["message"]
        [file] = api.get(f"/data/export/{made['export_id']}").json()["files"]
        assert anonymous_client.get(file["download_url"]).status_code == 200

    def test_the_other_path_needs_a_key(
        self, export: Made, anonymous_client: TestClient, read_only_client: TestClient
    ):
        made = export(format="csv")
        assert fetched(anonymous_client, made).status_code == 401
        assert fetched(read_only_client, made).status_code == 200

    def test_nothing_in_it_runs_on_our_origin(self, export: Made, api: TestClient):
        made = export(format="json")
        for answer in (fetched(api, made), api.get(made["files"][0]["download_url"])):
            assert answer.headers["x-content-type-options"] == "nosniff"
            assert answer.headers["content-disposition"].startswith("attachment;")
            assert "sandbox" in answer.headers["content-security-policy"]

    @pytest.mark.parametrize(
        ("asked", "expected"),
        [("bytes=0-3", slice(0, 4)), ("bytes=5-", slice(5, None)), ("bytes=-4", slice(-4, None))],
    )
    def test_gives_a_range(self, export: Made, api: TestClient, asked: str, expected: slice):
        made = export()
        path = f"/data/export/{made['export_id']}/table0.csv"
        answer = api.get(path, headers={"Range": asked})
        assert answer.status_code == 206
        assert answer.content == SALES.encode()[expected]
        assert answer.headers["content-range"].endswith(f"/{len(SALES)}")

    def test_refuses_a_range_outside(self, export: Made, api: TestClient):
        made = export()
        path = f"/data/export/{made['export_id']}/table0.csv"
        assert api.get(path, headers={"Range": "bytes=9999-"}).status_code == 416

    def test_head_tells_the_size(self, export: Made, api: TestClient):
        made = export()
        answer = api.head(f"/data/export/{made['export_id']}/table0.csv")
        assert (answer.status_code, answer.content) == (200, b"")
        assert answer.headers["content-length"] == str(len(SALES))

    def test_a_file_that_is_not_in_it(self, export: Made, api: TestClient):
        made = export()
        answer = api.get(f"/data/export/{made['export_id']}/other.csv")
        assert answer.status_code == 404
        assert "filename" in answer.json()["error"]["message"]


class TestRetention:
    def test_after_seven_days_it_is_gone(
        self,
        export: Made,
        api: TestClient,
        anonymous_client: TestClient,
        clock: FrozenClock,
        container: Container,
    ):
        made = export(format="csv")
        file = made["files"][0]
        assert file["expires_at"] == "2026-03-09T12:00:00Z"
        clock.advance(days=6, hours=23)
        assert fetched(api, made).status_code == 200
        clock.advance(hours=1)
        assert api.get(f"/data/export/{made['export_id']}").status_code == 404
        assert fetched(api, made).status_code == 404
        with container.database.transaction(ALL_ACCOUNTS) as db:
            container.service(Exports).sweep(db)
        objects = container.service(ObjectStore)  # type: ignore[type-abstract]
        assert list(objects.keys("exports")) == []

    def test_outlives_its_upload(self, export: Made, api: TestClient, upload_id: str):
        made = export()
        assert api.delete(f"/uploads/{upload_id}").status_code == 200
        assert fetched(api, made).text == SALES


class TestFailing:
    def test_deleting_the_upload_fails_what_is_not_made_yet(
        self, api: TestClient, upload_id: str, worker: Any
    ):
        body = {"upload_id": upload_id, "format": "csv"}
        export_id = api.post("/data/export", json=body).json()["export_id"]
        api.delete(f"/uploads/{upload_id}")
        worker()
        made = api.get(f"/data/export/{export_id}").json()
        assert (made["status"], made["files"]) == ("failed", [])
        assert made["error"]

    def test_cancelling_the_job_fails_it(self, api: TestClient, upload_id: str, worker: Any):
        export = api.post("/data/export", json={"upload_id": upload_id}).json()
        job = api.get(f"/jobs/{export['job_id']}").json()
        assert job["kind"] == "export"
        assert api.post(f"/jobs/{export['job_id']}/cancel").status_code == 200
        worker()
        made = api.get(f"/data/export/{export['export_id']}").json()
        assert made["status"] == "failed"
        answer = api.get(f"/data/export/{export['export_id']}/table0.csv")
        assert answer.status_code == 409


class TestRoomOfAnAccount:
    def test_what_was_made_counts_until_it_is_gone(
        self,
        export: Made,
        api: TestClient,
        container: Container,
        clock: FrozenClock,
        upload_id: str,
        worker: Callable[[], int],
    ):
        made = export(format="json")
        size = made["files"][0]["size_bytes"]
        exports = container.service(Exports)
        exports._limits = replace(LIMITS, account_bytes=size + 1)
        asked = [api.post("/data/export", json={"upload_id": upload_id}) for _ in range(3)]
        assert [one.status_code for one in asked] == [200] * 3
        worker()
        ends = [api.get(f"/data/export/{one.json()['export_id']}").json() for one in asked]
        assert [one["status"] for one in ends] == ["completed", "failed", "failed"]
        assert "Your exports take the" in ends[1]["error"]
        refused = api.post("/data/export", json={"upload_id": upload_id})
        assert refused.status_code == 413
        assert refused.json()["error"]["code"] == "payload_too_large"
        clock.advance(days=8)
        with container.database.transaction(ALL_ACCOUNTS) as db:
            exports.sweep(db)
        assert api.post("/data/export", json={"upload_id": upload_id}).status_code == 200
