"""What is told of a version that is asked, before and after it is written down."""

import csv
import random
from typing import Any

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import create_engine
from tests.built_models import PENGUINS

from modelwright.bootstrap.container import Container
from modelwright.core.clock import FrozenClock
from modelwright.core.db.database import ALL_ACCOUNTS
from modelwright.core.db.errors import DatabaseUnavailable
from modelwright.models.service import Models
from modelwright.monitoring.domain import NotedRequest
from modelwright.monitoring.prediction_buffer import PredictionBuffer
from modelwright.monitoring.service import Monitoring
from modelwright.storage.object_store import ObjectStore

Row = dict[str, Any]


def rows(wanted: str = "species") -> list[Row]:
    """The penguins without gaps, typed as JSON is, without what is to be predicted."""
    typed: dict[str, Any] = {"flipper_length_mm": int, "year": int, "bill_length_mm": float}
    typed |= {"bill_depth_mm": float, "body_mass_g": float}
    with PENGUINS.open(encoding="utf-8", newline="") as lines:
        read = [line for line in csv.DictReader(lines) if all(line.values())]
    return [
        {name: typed.get(name, str)(value) for name, value in row.items() if name != wanted}
        for row in read
    ]


def some(count: int, **changed: Any) -> list[Row]:
    chosen = random.Random(7).choices(rows(), k=count)
    return [row | changed for row in chosen]


def told(anonymous_client: TestClient, place: str, **query: Any) -> dict[str, Any]:
    answer = anonymous_client.get(f"{place}/monitoring", params=query)
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


def column(report: dict[str, Any], name: str) -> dict[str, Any]:
    return next(dict(one) for one in report["columns"] if one["name"] == name)


class TestRead:
    def test_a_version_nobody_asked_has_training_s_side_alone(
        self, read_only_client: TestClient, penguins: str
    ):
        report = told(read_only_client, penguins)
        assert (report["rows"], report["examined"], report["moved"]) == (0, 0, [])
        assert report["since"] == "2026-03-01T12:00:00Z"
        assert report["until"] == "2026-03-02T12:00:00Z"
        assert report["measure"] == "psi"
        sex = column(report, "sex")
        assert (sex["status"], sex["psi"], sex["lately"]) == ("not_enough_data", None, None)
        assert {"male", "female", "missing"} <= set(sex["bins"])
        for one in [*report["columns"], report["predictions"]]:
            assert sum(one["training"]) == pytest.approx(1, abs=1e-4)
            assert len(one["bins"]) == len(one["training"])

    def test_rows_like_training_s_raise_no_alarm(self, api: TestClient, penguins: str):
        assert api.post(f"{penguins}/predictions", json=some(3000)).status_code == 200
        report = told(api, penguins)
        assert (report["rows"], report["examined"], report["moved"]) == (3000, 3000, [])
        assert {one["status"] for one in report["columns"]} <= {"stable", "watch"}
        assert report["predictions"]["status"] == "stable"

    def test_twenty_strange_rows_raise_none_either(self, api: TestClient, penguins: str):
        api.post(f"{penguins}/predictions", json=some(20, island="Atlantis", year=2050))
        report = told(api, penguins)
        assert (report["rows"], report["moved"]) == (20, [])
        assert column(report, "island")["lately"] is not None

    def test_what_moved_is_named_and_nothing_else(self, api: TestClient, penguins: str):
        api.post(f"{penguins}/predictions", json=some(400, island="Atlantis", year=2050))
        report = told(api, penguins)
        assert set(report["moved"]) - {"species"} == {"island", "year"}
        island = column(report, "island")
        assert island["psi"] > 1 > island["noise"]
        assert dict(zip(island["bins"], island["lately"], strict=True))["other"] == 1

    def test_the_predictions_are_compared_as_well(self, api: TestClient, penguins: str):
        gentoo = next(row for row in rows() if row["flipper_length_mm"] > 225)
        api.post(f"{penguins}/predictions", json=[gentoo] * 300)
        report = told(api, penguins)
        assert "species" in report["moved"]
        predictions = report["predictions"]
        shares = dict(zip(predictions["bins"], predictions["lately"], strict=True))
        assert shares == {"Adelie": 0, "Chinstrap": 0, "Gentoo": 1}

    def test_a_regression_s_answers_are_compared_by_value(self, api: TestClient, weights: str):
        table = random.Random(7).choices(rows("body_mass_g"), k=1000)
        api.post(f"{weights}/predictions", json=table)
        report = told(api, weights)
        assert report["moved"] == []
        assert report["predictions"]["kind"] == "value"
        assert report["predictions"]["status"] in {"stable", "watch"}

    def test_single_rows_and_batches_count_alike(self, api: TestClient, penguins: str):
        for row in some(5):
            assert api.post(f"{penguins}/infer", json=row).status_code == 200
        api.post(f"{penguins}/predictions", json=some(7))
        api.post(f"{penguins}/infer", json={})
        assert told(api, penguins)["rows"] == 12

    def test_tells_the_same_before_and_after_it_is_written(
        self, api: TestClient, penguins: str, monitoring: Monitoring
    ):
        api.post(f"{penguins}/predictions", json=some(150))
        before = told(api, penguins)
        monitoring.flush()
        assert told(api, penguins) == before
        api.post(f"{penguins}/predictions", json=some(150))
        monitoring.flush()
        both = told(api, penguins)
        assert both["rows"] == 300
        assert both["columns"][0]["lately"] == before["columns"][0]["lately"]

    def test_a_window_leaves_out_what_is_older(
        self, api: TestClient, penguins: str, monitoring: Monitoring, clock: FrozenClock
    ):
        api.post(f"{penguins}/predictions", json=some(3))
        monitoring.flush()
        clock.advance(hours=5)
        api.post(f"{penguins}/predictions", json=some(4))
        monitoring.flush()
        assert told(api, penguins, window_hours=2)["rows"] == 4
        assert told(api, penguins, window_hours=5)["rows"] == 7

    @pytest.mark.parametrize("hours", ["0", "-1", "many", "99999"])
    def test_names_a_window_that_is_none(self, api: TestClient, penguins: str, hours: str):
        answer = api.get(f"{penguins}/monitoring", params={"window_hours": hours})
        assert answer.status_code == 422
        assert "window_hours" in answer.json()["error"]["message"]

    def test_is_of_my_ready_versions(
        self, api: TestClient, other_account_client: TestClient, penguins: str, model_side: Any
    ):
        model_side.draft("m")
        assert other_account_client.get(f"{penguins}/monitoring").status_code == 404
        assert api.get("/models/penguins/v9.9/monitoring").status_code == 404
        assert api.get("/models/m/v1.0/monitoring").status_code == 409


class TestKeeping:
    def test_what_is_too_old_is_forgotten(
        self,
        api: TestClient,
        container: Container,
        penguins: str,
        monitoring: Monitoring,
        clock: FrozenClock,
    ):
        api.post(f"{penguins}/predictions", json=some(3))
        monitoring.flush()
        clock.advance(days=31)
        with container.database.transaction(ALL_ACCOUNTS) as db:
            monitoring.sweep(db)
        assert told(api, penguins, window_hours=24 * 60)["rows"] == 0

    def test_a_deleted_model_leaves_nothing_and_stops_nothing(
        self, api: TestClient, penguins: str, weights: str, monitoring: Monitoring
    ):
        api.post(f"{penguins}/predictions", json=some(3))
        monitoring.flush()
        api.post(f"{penguins}/predictions", json=some(3))
        api.post(f"{weights}/predictions", json=rows("body_mass_g")[:2])
        assert api.delete("/models/penguins").status_code == 200
        monitoring.flush()
        assert told(api, weights)["rows"] == 2


class TestWriting:
    def test_what_cannot_be_written_is_written_the_next_time(
        self, api: TestClient, container: Container, penguins: str, monitoring: Monitoring
    ):
        api.post(f"{penguins}/predictions", json=some(150))
        before = told(api, penguins)
        engine = container.database.engine
        container.database.engine = create_engine("sqlite:////nowhere/at/all")
        with pytest.raises(DatabaseUnavailable):
            monitoring.flush()
        container.database.engine = engine
        assert told(api, penguins) == before
        monitoring.flush()
        assert monitoring.buffer.of("") == []
        assert told(api, penguins) == before

    def test_what_cannot_be_counted_holds_up_nothing(
        self, api: TestClient, penguins: str, weights: str, monitoring: Monitoring
    ):
        api.post(f"{penguins}/predictions", json=some(3))
        [noted] = monitoring.buffer.begin()
        monitoring.buffer.settle([noted._replace(body=b"{")])
        api.post(f"{weights}/predictions", json=rows("body_mass_g")[:2])
        monitoring.flush()
        assert told(api, penguins)["rows"] == 0
        assert told(api, weights)["rows"] == 2

    def test_rows_beyond_the_most_are_not_held(self):
        buffer = PredictionBuffer(most_rows=2)
        for _ in range(3):
            buffer.record(NotedRequest("a", "v", "artifact", "req_1", [0, 0], [], [{}, {}]))
        assert [len(one.rows or ()) for one in buffer.of("v")] == [2, 0, 0]

    def test_servers_on_one_database_add_up(
        self, api: TestClient, container: Container, penguins: str, monitoring: Monitoring
    ):
        other = Monitoring(
            container.database,
            container.clock,
            container.service(ObjectStore),  # type: ignore[type-abstract]
            container.service(Models),
            days=30,
            kept=1000,
        )
        items = api.post(f"{penguins}/predictions", json=some(130)).json()
        for noted in monitoring.buffer.begin():
            other.record(noted)
        monitoring.buffer.settle()
        other.flush()
        api.post(f"{penguins}/predictions", json=some(120))
        monitoring.flush()
        report = told(api, penguins)
        assert (report["rows"], report["examined"]) == (250, 250)
        body = {"request_id": items[129]["request_id"], "actual": "Gentoo"}
        assert api.post(f"{penguins}/feedback", json=body).json()["accepted"] == 1
