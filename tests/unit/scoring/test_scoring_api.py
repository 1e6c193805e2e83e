"""Whole uploads scored over HTTP: started, made by a job, fetched as an export."""

import csv
import io
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from fastapi.testclient import TestClient
from tests.api_helpers import used
from tests.built_models import Built, put_to_work
from tests.factories import ModelSide

from modelwright.core.config.settings import Settings
from modelwright.uploads.domain import FileColumn, TableFile
from modelwright.uploads.service import Uploads
from modelwright.usage.domain import Kind

pytestmark = pytest.mark.usefixtures("in_process_children")
Scored = Callable[..., dict[str, Any]]


@pytest.fixture
def scored(api: TestClient, worker: Callable[[], int]) -> Scored:
    """Has an upload scored and answers how the export stands."""

    def make(place: str, upload_id: str, **members: Any) -> dict[str, Any]:
        answer = api.post(f"{place}/score", json={"upload_id": upload_id, **members})
        assert answer.status_code == 200, answer.text
        worker()
        return dict(api.get(f"/data/export/{answer.json()['export_id']}").json())

    return make


def fetched(anonymous_client: TestClient, export: dict[str, Any], number: int = 0) -> bytes:
    assert export["status"] == "completed", export
    answer = anonymous_client.get(export["files"][number]["download_url"])
    assert answer.status_code == 200
    return bytes(answer.content)


def predicted(api: TestClient, place: str, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    query = {"include": "probabilities"}
    answer = api.post(f"{place}/predictions", json=rows, params=query)
    assert answer.status_code == 200, answer.text
    return list(answer.json())


class TestStart:
    def test_answers_job_and_export(self, api: TestClient, penguins: str, upload_id: str):
        body = api.post(f"{penguins}/score", json={"upload_id": upload_id}).json()
        assert body.pop("export_id").startswith("exp_")
        assert body.pop("estimated_completion") > "2026-03-02T12:00:00Z"
        job = api.get(f"/jobs/{body.pop('job_id')}").json()
        assert (job["kind"], job["status"]) == ("scoring", "PENDING")
        assert (job["model_name"], job["upload_id"]) == ("penguins", upload_id)
        assert body == {
            "status": "processing",
            "model_name": "penguins",
            "model_version": "v1.0",
            "upload_id": upload_id,
            "format": "csv",
            "created_at": "2026-03-02T12:00:00Z",
        }

    @pytest.mark.parametrize(
        ("members", "status", "field"),
        [
            ({}, 400, "upload_id"),
            ({"upload_id": "upload_of_nobody"}, 404, "upload_id"),
            ({"format": "xml"}, 422, "format"),
            ({"include": ["colours"]}, 422, "include"),
            ({"include": "probabilities"}, 422, "include"),
        ],
    )
    def test_names_a_wrong_field(
        self,
        api: TestClient,
        penguins: str,
        upload_id: str,
        members: dict[str, Any],
        status: int,
        field: str,
    ):
        body = {"upload_id": upload_id, **members} if members else {}
        answer = api.post(f"{penguins}/score", json=body)
        assert answer.status_code == status
        assert field in answer.json()["error"]["message"]

    def test_names_the_file_and_the_column_that_it_lacks(
        self, api: TestClient, penguins: str, model_side: ModelSide
    ):
        answer = api.post(
            f"{penguins}/score", json={"upload_id": model_side.upload("island\nBiscoe\n")}
        )
        assert answer.status_code == 422
        message = answer.json()["error"]["message"]
        assert "table0.csv lacks the columns" in message
        assert "`bill_length_mm`" in message
        assert "`island`" not in message

    @pytest.mark.parametrize("kept", ["inputs", "units"])
    @pytest.mark.parametrize(
        ("learnt", "given", "said"),
        [
            ("$", "EUR", "`body_mass_g` is in EUR, and the model learnt it in $"),
            ("%", "$", "`body_mass_g` is in $, and the model learnt it in %"),
            ("$", "USD", None),
            ("$", "", None),
            ("", "EUR", None),
        ],
    )
    def test_refuses_another_unit_than_the_model_learnt(
        self,
        api: TestClient,
        model_side: ModelSide,
        species: Built,
        upload_id: str,
        monkeypatch: pytest.MonkeyPatch,
        learnt: str,
        given: str,
        said: str | None,
        kept: str,
    ):
        """In `units` versions of earlier programs keep them."""

        def tables(uploads: Uploads, db: Any, upload_id: str) -> list[TableFile]:
            return [
                replace(one, columns=tuple(map(in_unit, one.columns)))
                for one in plain(uploads, db, upload_id)
            ]

        def in_unit(column: FileColumn) -> FileColumn:
            return replace(column, unit=given if column.name == "body_mass_g" else "")

        plain = Uploads.tables
        monkeypatch.setattr(Uploads, "tables", tables)
        report = dict(species.outcome.report)
        if learnt and kept == "units":
            report["units"] = {"body_mass_g": learnt}
        elif learnt:
            mass = report["inputs"]["body_mass_g"] | {"unit": learnt}
            report["inputs"] = report["inputs"] | {"body_mass_g": mass}
        built = species._replace(outcome=replace(species.outcome, report=report))
        place = put_to_work(model_side, "priced", built)
        answer = api.post(f"{place}/score", json={"upload_id": upload_id})
        assert answer.status_code == (422 if said else 200)
        assert (said or "") in answer.text

    def test_needs_a_ready_version_of_mine_and_a_key_that_writes(
        self,
        api: TestClient,
        read_only_client: TestClient,
        other_account_client: TestClient,
        model_side: ModelSide,
        penguins: str,
        upload_id: str,
    ):
        model_side.draft("m")
        body = {"upload_id": upload_id}
        assert api.post("/models/m/v1.0/score", json=body).status_code == 409
        assert api.post("/models/penguins/v9.9/score", json=body).status_code == 404
        assert other_account_client.post(f"{penguins}/score", json=body).status_code == 404
        assert read_only_client.post(f"{penguins}/score", json=body).status_code == 403

    def test_refuses_an_upload_that_is_not_complete(self, api: TestClient, penguins: str):
        files = [{"filename": "a.csv", "content_type": "text/csv"}]
        pending = api.post("/data/upload", json={"files": files}).json()["upload_id"]
        answer = api.post(f"{penguins}/score", json={"upload_id": pending})
        assert (answer.status_code, answer.json()["error"]["code"]) == (409, "conflict")


class TestFiles:
    @pytest.mark.parametrize(
        ("form", "kind"), [("csv", "text/csv; charset=utf-8"), ("json", "application/json")]
    )
    def test_of_text_say_how_it_is_encoded_as_exports_do(
        self, api: TestClient, penguins: str, upload_id: str, scored: Scored, form: str, kind: str
    ):
        export = scored(penguins, upload_id, format=form)
        name = export["files"][0]["filename"]
        answer = api.get(f"/data/export/{export['export_id']}/{name}")
        assert answer.headers["content-type"] == kind

    def test_carry_the_rows_and_what_the_predictions_room_answers(
        self,
        api: TestClient,
        anonymous_client: TestClient,
        penguins: str,
        upload_id: str,
        scored: Scored,
    ):
        export = scored(penguins, upload_id, format="json", include=["probabilities"])
        assert [file["filename"] for file in export["files"]] == ["table0_predictions.json"]
        rows = json.loads(fetched(anonymous_client, export))
        given = [
            {name: value for name, value in row.items() if not name.startswith("pr")}
            for row in rows
        ]
        expected = predicted(api, penguins, given)
        assert len(rows) > 300
        assert [row["prediction"] for row in rows] == [
            one["prediction"]["species"] for one in expected
        ]
        for name in ("Adelie", "Chinstrap", "Gentoo"):
            assert [row[f"probability_{name}"] for row in rows] == pytest.approx(
                [one["probabilities"][name] for one in expected], abs=1e-9
            )

    def test_are_written_in_every_format(
        self,
        anonymous_client: TestClient,
        model_side: ModelSide,
        weights: str,
        penguin_file: Path,
        scored: Scored,
    ):
        lines = penguin_file.read_text("utf-8").splitlines()
        whole = [line for line in lines if all(line.split(","))]
        upload_id = model_side.upload("\n".join(whole) + "\n")
        members: dict[str, Any] = {"include": ["interval", "explanation"]}
        told = {
            kind: fetched(anonymous_client, scored(weights, upload_id, format=kind, **members))
            for kind in ("csv", "json", "parquet")
        }
        table = pq.read_table(io.BytesIO(told["parquet"]))
        rows = json.loads(told["json"])
        cells: list[Any] = [*csv.DictReader(io.StringIO(told["csv"].decode()))]
        assert table.column_names == list(rows[0]) == list(cells[0])
        values = table["prediction"].to_pylist()
        assert [row["prediction"] for row in rows] == values
        assert [float(line["prediction"]) for line in cells] == values
        for row in rows[:20]:
            assert row["interval_low"] <= row["prediction"] <= row["interval_high"]
            added = [value for name, value in row.items() if name.startswith("contribution_")]
            told = row["explanation_base"] + sum(added)
            assert told == pytest.approx(row["prediction"], rel=1e-6) or told < 10

    def test_number_the_names_that_are_taken(
        self,
        api: TestClient,
        anonymous_client: TestClient,
        model_side: ModelSide,
        penguins: str,
        penguin_file: Path,
        scored: Scored,
    ):
        head, *lines = penguin_file.read_text("utf-8").splitlines()
        table = "\n".join([f"Prediction,{head}", *(f"mine,{line}" for line in lines)]) + "\n"
        export = scored(penguins, model_side.upload(table), format="parquet")
        read = pq.read_table(io.BytesIO(fetched(anonymous_client, export)))
        assert set(read["Prediction"].to_pylist()) == {"mine"}
        assert set(read["prediction_2"].to_pylist()) == {"Adelie", "Chinstrap", "Gentoo"}
        logs = api.get(f"/jobs/{export['job_id']}/logs").json()["logs"]
        assert any("prediction_2" in line["message"] for line in logs)

    def test_are_as_many_as_the_upload_has(
        self,
        anonymous_client: TestClient,
        model_side: ModelSide,
        penguins: str,
        penguin_file: Path,
        scored: Scored,
    ):
        lines = penguin_file.read_text("utf-8").splitlines()
        one, other = "\n".join(lines[:5]) + "\n", "\n".join([lines[0], *lines[100:103]]) + "\n"
        export = scored(penguins, model_side.upload(one, other))
        assert [len(fetched(anonymous_client, export, place).splitlines()) for place in (0, 1)] == [
            5,
            4,
        ]

    def test_of_an_empty_table_has_its_columns(
        self,
        tmp_path: Path,
        anonymous_client: TestClient,
        model_side: ModelSide,
        penguins: str,
        scored: Scored,
    ):
        columns = "island,bill_length_mm,bill_depth_mm,flipper_length_mm,body_mass_g,sex,year"
        export = scored(penguins, model_side.upload(f"{columns}\n"))
        assert fetched(anonymous_client, export).decode().strip() == f"{columns},prediction"

    def test_are_counted_as_predictions(
        self, api: TestClient, penguins: str, upload_id: str, scored: Scored
    ):
        scored(penguins, upload_id)
        assert used(api, Kind.PREDICTIONS) > 300


class TestRowsThatDoNotFit:
    @pytest.fixture
    def lines(self, penguin_file: Path) -> list[str]:
        return penguin_file.read_text("utf-8").splitlines()

    @staticmethod
    def spoilt(lines: list[str], row: int, column: str, value: str) -> None:
        cells = lines[row + 1].split(",")
        cells[lines[0].split(",").index(column)] = value
        lines[row + 1] = ",".join(cells)

    @pytest.mark.parametrize("kind", ["csv", "json", "parquet"])
    def test_have_no_prediction_and_a_reason_beside_those_that_have(
        self,
        api: TestClient,
        anonymous_client: TestClient,
        model_side: ModelSide,
        penguins: str,
        lines: list[str],
        scored: Scored,
        kind: str,
    ):
        whole = scored(penguins, model_side.upload("\n".join(lines) + "\n"), format="json")
        expected = [row["prediction"] for row in json.loads(fetched(anonymous_client, whole))]
        self.spoilt(lines, 7, "year", "long ago")
        self.spoilt(lines, 300, "year", "")
        before = used(api, Kind.PREDICTIONS)
        members: dict[str, Any] = {"format": kind, "include": ["probabilities"]}
        export = scored(penguins, model_side.upload("\n".join(lines) + "\n"), **members)
        rows = rows_of(fetched(anonymous_client, export), kind)
        reasons = {
            7: "`year` must be an integer, not a string",
            300: "`year` is required: the training data never lacks it",
        }
        assert [row["prediction"] or None for row in rows] == [
            None if at in reasons else one for at, one in enumerate(expected)
        ]
        assert not rows[7]["probability_Adelie"]
        assert rows[8]["probability_Adelie"]
        assert {at: row["prediction_error"] for at, row in enumerate(rows)} == {
            at: reasons.get(at, "" if kind == "csv" else None) for at in range(len(rows))
        }
        assert used(api, Kind.PREDICTIONS) - before == len(rows) - 2
        notice = (
            f"2 of {len(rows)} rows have no prediction; prediction_error says why, first in row 7"
            " (counted from 0): `year` must be an integer, not a string."
        )
        assert export["files"][0]["notice"] == notice
        logs = api.get(f"/jobs/{export['job_id']}/logs").json()["logs"]
        assert any(notice in line["message"] for line in logs)

    def test_are_named_where_no_row_of_a_file_fits(
        self,
        api: TestClient,
        model_side: ModelSide,
        penguins: str,
        lines: list[str],
        scored: Scored,
    ):
        for row in range(len(lines) - 1):
            self.spoilt(lines, row, "year", "long ago")
        export = scored(penguins, model_side.upload("\n".join(lines) + "\n"))
        job = api.get(f"/jobs/{export['job_id']}").json()
        assert (export["status"], job["status"]) == ("failed", "FAILED")
        for told in (export["error"], job["error"]):
            assert "_predictions.csv is not made, as no row fits: row 0" in told
            assert "(counted from 0): `year` must be an integer, not a string" in told


def rows_of(content: bytes, kind: str) -> list[dict[str, Any]]:
    if kind == "csv":
        return list(csv.DictReader(io.StringIO(content.decode())))
    if kind == "json":
        return list(json.loads(content))
    return list(pq.read_table(io.BytesIO(content)).to_pylist())


class TestEnding:
    def test_of_a_damaged_version_fails_with_what_to_do(
        self, scored: Scored, penguins: str, upload_id: str, settings: Settings
    ):
        for path in settings.objects_dir.rglob("artifacts/*/1/model.zip"):
            path.unlink()
            path.write_text("{}")
        export = scored(penguins, upload_id)
        assert export["status"] == "failed"
        assert "damaged" in export["error"]
        assert "retrain" in export["error"]

    def test_ends_with_the_model(
        self, api: TestClient, penguins: str, upload_id: str, worker: Callable[[], int]
    ):
        started = api.post(f"{penguins}/score", json={"upload_id": upload_id}).json()
        api.delete("/models/penguins")
        worker()
        assert api.get(f"/jobs/{started['job_id']}").json()["status"] == "CANCELLED"
        assert api.get(f"/data/export/{started['export_id']}").json()["status"] == "failed"

    def test_can_be_cancelled(
        self, api: TestClient, penguins: str, upload_id: str, worker: Callable[[], int]
    ):
        started = api.post(f"{penguins}/score", json={"upload_id": upload_id}).json()
        assert api.post(f"/jobs/{started['job_id']}/cancel").status_code == 200
        worker()
        export = api.get(f"/data/export/{started['export_id']}").json()
        assert (export["status"], export["files"]) == ("failed", [])
