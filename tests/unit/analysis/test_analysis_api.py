"""Analyses over HTTP: asked for, carried out, read, drawn, deleted with their upload."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from fastapi.testclient import TestClient
from tests.factories import ModelSide, make_runner

from modelwright.analysis.tasks import AnalyseUpload
from modelwright.bootstrap.container import Container
from modelwright.core.clock import FrozenClock
from modelwright.core.config.settings import Settings
from modelwright.jobs.domain import Lane
from modelwright.storage.object_store import ObjectStore
from modelwright.uploads.domain import NewFile, NewUpload
from modelwright.uploads.service import Uploads

Analyse = Callable[..., dict[str, Any]]
PNG = b"\x89PNG\r\n\x1a\n"


@pytest.fixture
def objects(container: Container) -> ObjectStore:
    return container.service(ObjectStore)  # type: ignore[type-abstract]


def ask(api: TestClient, **body: Any) -> Any:
    return api.post("/data/analyze", json=body)


class TestCreate:
    def test_it_answers_a_pending_job_of_its_kind(
        self, api: TestClient, upload_id: str, clock: FrozenClock
    ):
        answer = ask(api, upload_id=upload_id).json()
        assert set(answer) == {"job_id", "status", "estimated_completion"}
        assert answer["status"] == "pending"
        assert answer["estimated_completion"] > clock.now().isoformat()
        job = api.get(f"/jobs/{answer['job_id']}").json()
        assert (job["kind"], job["status"]) == ("analysis", "PENDING")
        assert job["upload_id"] == upload_id
        found = api.get(f"/data/analysis/{answer['job_id']}").json()
        assert (found["status"], found["files"], found["completed_at"]) == ("pending", [], None)
        assert (found["recommendations"], found["error"]) == ([], None)

    @pytest.mark.parametrize("files", [["other.csv"], ["table0.csv", "x"], []])
    def test_files_that_the_upload_lacks_are_refused(
        self, api: TestClient, upload_id: str, files: list[str]
    ):
        refused = ask(api, upload_id=upload_id, files=files)
        assert refused.status_code == 422
        error = refused.json()["error"]
        assert (error["code"], error["details"][0]["field"]) == ("validation_failed", "files")

    @pytest.mark.parametrize(
        ("member", "value"),
        [("analysis_type", "deep"), ("analysis_type", 1), ("files", "table0.csv"), ("files", [1])],
    )
    def test_wrong_members_are_refused_by_name(
        self, api: TestClient, upload_id: str, member: str, value: Any
    ):
        refused = ask(api, upload_id=upload_id, **{member: value})
        assert (refused.status_code, refused.json()["error"]["code"]) == (422, "validation_failed")
        assert member in refused.json()["error"]["message"]

    def test_the_upload_must_be_named(self, api: TestClient):
        refused = ask(api)
        assert (refused.status_code, refused.json()["error"]["code"]) == (400, "invalid_request")
        assert "upload_id" in refused.json()["error"]["message"]

    def test_an_upload_that_is_not_complete_is_a_conflict(
        self, api: TestClient, container: Container, model_side: ModelSide
    ):
        with model_side.transaction() as db:
            new = NewUpload(None, None, (NewFile("a.csv", "text/csv"),))
            upload = container.service(Uploads).create(db, model_side.account_id, new)
        refused = ask(api, upload_id=upload.upload_id)
        assert (refused.status_code, refused.json()["error"]["code"]) == (409, "resource_conflict")


@pytest.mark.usefixtures("in_process_children")
class TestRead:
    def test_a_completed_analysis_has_all_members_of_the_contract(
        self, analysed: Analyse, upload_id: str
    ):
        found = analysed(analysis_type="comprehensive", files=None)
        assert (found["status"], found["upload_id"], found["error"]) == (
            "completed", upload_id, None,
        )  # fmt: skip
        assert found["completed_at"]
        sales, stock = found["files"]
        assert (sales["filename"], stock["filename"]) == ("table0.csv", "table1.csv")
        stats = sales["stats"]
        assert (stats["rows"], stats["columns"]) == (120, 5)
        assert stats["missing_values"] == {
            "day": 0, "region": 40, "amount": 0, "rate": 0, "code": 0,
        }  # fmt: skip
        assert stats["column_types"]["amount"] == "integer"
        amount = stats["summary"]["amount"]
        values = sorted(n * 7 % 50 for n in range(120))
        assert (amount["min"], amount["max"]) == (values[0], values[-1])
        assert amount["mean"] == pytest.approx(sum(values) / 120)
        assert amount["median"] == (values[59] + values[60]) / 2
        assert stats["categorical_counts"]["region"] == {"north": 40, "south": 40}
        pair = next(one for one in sales["correlations"] if one["feature2"] == "rate")
        assert (pair["feature1"], pair["measure"]) == ("amount", "pearson")
        assert pair["correlation"] == pytest.approx(1.0)
        assert {"missing", "identifier", "leakage"} <= {one["type"] for one in sales["insights"]}
        assert all(one["severity"] in {"low", "medium", "high"} for one in sales["insights"])
        assert all(
            set(one) >= {"type", "message", "importance"} for one in found["recommendations"]
        )

    def test_only_the_files_named_are_looked_at(self, analysed: Analyse):
        found = analysed(files=["table1.csv", "table1.csv"])
        assert [file["filename"] for file in found["files"]] == ["table1.csv"]
        assert found["files"][0]["stats"]["missing_values"] == {"item": 0, "left": 1}

    def test_a_job_of_another_kind_is_no_analysis(self, api: TestClient, model_side: ModelSide):
        with model_side.transaction() as db:
            job_id = model_side.jobs.enqueue(db, "processing", "upload_x")
        assert api.get(f"/data/analysis/{job_id}").status_code == 404


@pytest.mark.usefixtures("in_process_children")
class TestVisualization:
    def test_pictures_are_served_as_data_and_painted(self, analysed: Analyse, api: TestClient):
        found = analysed(analysis_type="comprehensive", files=["table0.csv"])
        pictures = found["files"][0]["visualizations"]
        assert {
            "missing_values",
            "correlation_heatmap",
            "time_series",
            "histogram",
            "bar_chart",
        } <= {one["type"] for one in pictures}
        for picture in pictures:
            assert picture["data_url"].startswith("http://testserver/data/visualization/vis_")
            data = api.get(picture["data_url"])
            assert data.headers["content-type"] == "application/json"
            assert "vega-lite" in data.json()["$schema"]
            assert data.json()["title"]["text"] == [picture["title"]]
            painted = api.get(picture["thumbnail_url"])
            assert painted.headers["content-type"] == "image/png"
            assert painted.content.startswith(PNG)

    def test_a_browser_may_keep_it_and_can_run_nothing_of_it(
        self, analysed: Analyse, api: TestClient
    ):
        picture = analysed()["files"][0]["visualizations"][0]
        for address in (picture["data_url"], picture["thumbnail_url"]):
            headers = api.get(address).headers
            assert headers["x-content-type-options"] == "nosniff"
            assert headers["content-security-policy"] == "default-src 'none'; sandbox"
            assert headers["cache-control"].startswith("private, max-age=")
            assert headers["content-disposition"].startswith("inline; filename=")
        assert api.options(picture["data_url"]).status_code == 200

    @pytest.mark.parametrize(
        "name", ["nothing", "vis_0.json", "result.json", "vis_" + "0" * 32 + ".png", "..%2Fx.json"]
    )
    def test_anything_else_is_not_found(self, api: TestClient, name: str):
        refused = api.get(f"/data/visualization/{name}")
        assert (refused.status_code, refused.json()["error"]["code"]) == (404, "not_found")

    def test_a_visualization_is_had_only_as_data_or_painted(
        self, api: TestClient, analysed: Analyse
    ):
        address = analysed()["files"][0]["visualizations"][0]["data_url"]
        assert api.get(address.replace(".json", ".svg")).status_code == 404

    def test_the_list_shows_all_newest_first_in_pages(self, api: TestClient, analysed: Analyse):
        found = analysed()
        drawn = [one for file in found["files"] for one in file["visualizations"]]
        listed = api.get("/data/visualization", params={"limit": 1}).json()
        assert listed["pagination"] == {
            "total": len(drawn), "limit": 1, "offset": 0, "has_more": len(drawn) > 1,
        }  # fmt: skip
        (entry,) = listed["visualizations"]
        assert entry["data_url"] == drawn[-1]["data_url"]
        assert (entry["job_id"], entry["upload_id"]) == (found["job_id"], found["upload_id"])
        assert api.get("/data/visualization", params={"limit": 101}).status_code == 422

    def test_hostile_names_stay_text(
        self, api: TestClient, model_side: ModelSide, worker: Callable[[], int]
    ):
        name = "<script>alert(1)</script>"
        rows = "".join(f"{n % 7},{'=cmd()' if n % 2 else '<b>'}\n" for n in range(40))
        upload_id = model_side.upload(f"{name},datum.x + 1\n{rows}")
        worker()
        job_id = ask(api, upload_id=upload_id, analysis_type="comprehensive").json()["job_id"]
        worker()
        (file,) = api.get(f"/data/analysis/{job_id}").json()["files"]
        assert file["stats"]["categorical_counts"]["datum.x + 1"] == {"<b>": 20, "=cmd()": 20}
        for picture in file["visualizations"]:
            document = api.get(picture["data_url"]).json()
            assert name not in json.dumps(document["encoding"].get("tooltip", []))
            assert api.get(picture["thumbnail_url"]).content.startswith(PNG)


class TestWork:
    def test_a_second_run_changes_nothing(
        self, api: TestClient, model_side: ModelSide, analysed: Analyse, worker: Callable[[], int],
        objects: ObjectStore,
    ):  # fmt: skip
        found = analysed()
        kept = list(objects.keys("analyses"))
        with model_side.transaction() as db:
            subject = model_side.jobs.read(db, found["job_id"]).subject
            model_side.jobs.enqueue(db, "analysis", subject)
        assert worker() == 1
        assert api.get(f"/data/analysis/{found['job_id']}").json() == found
        assert list(objects.keys("analyses")) == kept

    def test_a_cancelled_analysis_is_failed_and_leaves_nothing(
        self, api: TestClient, upload_id: str, worker: Callable[[], int], objects: ObjectStore
    ):
        job_id = ask(api, upload_id=upload_id).json()["job_id"]
        api.post(f"/jobs/{job_id}/cancel")
        worker()
        found = api.get(f"/data/analysis/{job_id}").json()
        assert (found["status"], found["files"]) == ("failed", [])
        assert "cancelled" in found["error"]
        assert list(objects.keys("analyses")) == []

    def test_what_it_needed_too_much_of_is_told(
        self, api: TestClient, container: Container, upload_id: str
    ):
        job_id = ask(api, upload_id=upload_id).json()["job_id"]
        runner = make_runner(container)
        handler = runner.handlers["analysis"]
        short: Settings = container.settings.model_copy(update={"analysis_seconds": 0.05})
        assert isinstance(handler, AnalyseUpload)
        handler.settings = short
        job = runner.claim(Lane.SHORT)
        assert job
        runner.carry_out(job, runner.begin(job))
        found = api.get(f"/data/analysis/{job_id}").json()
        assert found["status"] == "failed"
        assert "0.05 seconds" in found["error"]

    def test_deleting_the_upload_takes_everything_away(
        self, api: TestClient, analysed: Analyse, upload_id: str, objects: ObjectStore,
        worker: Callable[[], int],
    ):  # fmt: skip
        found = analysed()
        address = found["files"][0]["visualizations"][0]["data_url"]
        waiting = ask(api, upload_id=upload_id).json()["job_id"]
        assert api.delete(f"/uploads/{upload_id}").status_code == 200
        worker()
        assert api.get(f"/data/analysis/{found['job_id']}").status_code == 404
        assert api.get(f"/data/analysis/{waiting}").status_code == 404
        assert api.get(f"/jobs/{waiting}").json()["status"] == "CANCELLED"
        assert api.get(address).status_code == 404
        assert api.get("/data/visualization").json()["pagination"]["total"] == 0
        assert list(objects.keys("analyses")) == []
