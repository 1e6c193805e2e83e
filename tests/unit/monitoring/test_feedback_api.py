"""Truths told later: found by their request's id, counted once, and made into metrics."""

from typing import Any

import pytest
from fastapi.testclient import TestClient
from tests.unit.monitoring.test_monitoring_api import rows, some, told

from modelwright.bootstrap.container import Container
from modelwright.core.db.database import ALL_ACCOUNTS
from modelwright.core.ids import new_id
from modelwright.monitoring.service import Monitoring


def answered(api: TestClient, place: str, count: int) -> tuple[list[str], list[str]]:
    """Asks a batch; gives ids and answers."""
    items = api.post(f"{place}/predictions", json=some(count)).json()
    return [one["request_id"] for one in items], [one["prediction"]["species"] for one in items]


def tell(api: TestClient, place: str, ids: list[str], actuals: list[Any]) -> dict[str, Any]:
    body = [
        {"request_id": request_id, "actual": actual}
        for request_id, actual in zip(ids, actuals, strict=True)
    ]
    answer = api.post(f"{place}/feedback", json=body)
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


class TestTell:
    def test_one_truth_of_one_request(self, api: TestClient, penguins: str):
        asked = api.post(f"{penguins}/infer", json=some(1)[0]).json()
        body = {"request_id": asked["request_id"], "actual": asked["result"]["species"]}
        answer = api.post(f"{penguins}/feedback", json=body)
        assert answer.json() == {
            "model_name": "penguins",
            "model_version": "v1.0",
            "accepted": 1,
            "unknown": [],
        }
        live = told(api, penguins)["feedback"]
        assert (live["truths"], live["metrics"]["accuracy"]) == (1, 1.0)

    def test_finds_predictions_waiting_and_written(
        self, api: TestClient, penguins: str, monitoring: Monitoring
    ):
        ids, species = answered(api, penguins, 30)
        monitoring.flush()
        more, others = answered(api, penguins, 20)
        assert tell(api, penguins, ids + more, species + others)["accepted"] == 50
        assert told(api, penguins)["feedback"]["truths"] == 50

    def test_metrics_are_those_of_the_version_by_name_and_value(
        self, api: TestClient, penguins: str
    ):
        ids, species = answered(api, penguins, 40)
        wrong = ["Adelie" if one != "Adelie" else "Gentoo" for one in species[:10]]
        tell(api, penguins, ids, wrong + species[10:])
        live = told(api, penguins)["feedback"]
        assert live["metrics"]["accuracy"] == pytest.approx(0.75)
        assert 0 < live["metrics"]["roc_auc"] < 1
        assert live["metrics"]["log_loss"] > 0.1
        known = api.get("/models/penguins").json()["metrics"]
        assert set(live["metrics"]) <= set(known)
        assert live["training_metrics"] == {name: known[name] for name in live["metrics"]}

    def test_a_regression_is_measured_in_its_units(self, api: TestClient, weights: str):
        items = api.post(f"{weights}/predictions", json=rows("body_mass_g")[:50]).json()
        ids = [one["request_id"] for one in items]
        actuals = [one["prediction"]["body_mass_g"] + 10 for one in items]
        assert tell(api, weights, ids, actuals)["accepted"] == 50
        live = told(api, weights)["feedback"]["metrics"]
        assert live["mae"] == pytest.approx(10)
        assert live["rmse"] == pytest.approx(10)

    def test_telling_again_counts_once_and_the_last_word_holds(
        self, api: TestClient, penguins: str, monitoring: Monitoring
    ):
        ids, species = answered(api, penguins, 4)
        for _ in range(2):
            assert tell(api, penguins, ids, species)["accepted"] == 4
            monitoring.flush()
        other = "Adelie" if species[0] != "Adelie" else "Gentoo"
        tell(api, penguins, ids[:1] * 2, [species[0], other])
        live = told(api, penguins)["feedback"]
        assert (live["truths"], live["metrics"]["accuracy"]) == (4, 0.75)

    def test_a_single_row_is_one_prediction_with_its_number_and_without(
        self, api: TestClient, penguins: str, monitoring: Monitoring
    ):
        asked = api.post(f"{penguins}/infer", json=some(1)[0]).json()
        whole, species = asked["request_id"], asked["result"]["species"]
        [row], [kind] = answered(api, penguins, 1)
        wrong = "Adelie" if kind != "Adelie" else "Gentoo"
        assert tell(api, penguins, [f"{whole}.0", whole], [wrong, species])["accepted"] == 1
        assert tell(api, penguins, [row], [wrong])["accepted"] == 1
        monitoring.flush()
        assert tell(api, penguins, [row.removesuffix(".0"), f"{whole}.0"], [kind, species])
        live = told(api, penguins)["feedback"]
        assert (live["truths"], live["metrics"]["accuracy"]) == (2, 1.0)

    def test_unknown_requests_are_named_and_the_others_taken(
        self, api: TestClient, penguins: str, weights: str
    ):
        ids, species = answered(api, penguins, 2)
        whole = ids[0].partition(".")[0]
        strange = [new_id("req"), "req_1", whole, f"{whole}.2", f"{whole}.00", f"{whole}.\u0660"]
        answer = tell(api, penguins, [*strange, *ids], ["Gentoo"] * 6 + species)
        assert answer["unknown"] == strange
        assert answer["accepted"] == 2
        body = {"request_id": ids[0], "actual": 4000.0}
        assert api.post(f"{weights}/feedback", json=body).json()["unknown"] == [ids[0]]

    def test_a_class_that_the_model_does_not_know_is_counted_apart(
        self, api: TestClient, penguins: str
    ):
        ids, species = answered(api, penguins, 3)
        tell(api, penguins, ids, [*species[:2], "Emperor"])
        live = told(api, penguins)["feedback"]
        assert (live["truths"], live["unknown_classes"]) == (3, 1)
        assert live["metrics"]["accuracy"] == 1.0

    @pytest.mark.parametrize(
        ("body", "status", "says"),
        [
            ({"request_id": "req_1"}, 400, "actual"),
            ({"actual": "Gentoo"}, 400, "request_id"),
            ({"request_id": "req_1", "actual": None}, 422, "actual: must be a string, a number"),
            ({"request_id": "req_1", "actual": ["Gentoo"]}, 422, "actual: must be a string"),
            ({"request_id": "req_1", "actual": 5}, 422, "string"),
            ({"request_id": 5, "actual": "Gentoo"}, 422, "request_id"),
            ([], 422, "body"),
            ("Gentoo", 422, "body"),
            ([{"request_id": "req_1", "actual": "Gentoo"}, {"request_id": "req_2"}], 400, "1"),
        ],
    )
    def test_names_what_is_wrong(
        self, api: TestClient, penguins: str, body: Any, status: int, says: str
    ):
        answer = api.post(f"{penguins}/feedback", json=body)
        assert answer.status_code == status, answer.text
        assert says in answer.json()["error"]["message"]

    def test_names_the_place_of_what_is_wrong_in_a_list_alone(self, api: TestClient, penguins: str):
        wrong = {"request_id": "req_1", "actual": None}
        for body, field in ((wrong, "actual"), ([wrong], "0.actual")):
            error = api.post(f"{penguins}/feedback", json=body).json()["error"]
            assert [one["field"] for one in error["details"]] == [field]

    @pytest.mark.parametrize("number", ["1e999", "1" + "0" * 400, "-1" + "0" * 400])
    def test_a_number_too_large_is_refused(self, api: TestClient, weights: str, number: str):
        body = f'{{"request_id": "req_1", "actual": {number}}}'
        answer = api.post(f"{weights}/feedback", content=body)
        assert answer.status_code == 422
        assert "actual: is a number too large" in answer.json()["error"]["message"]


class TestKept:
    def test_the_oldest_predictions_go_first_when_there_are_too_many(
        self, api: TestClient, container: Container, penguins: str, monitoring: Monitoring
    ):
        batches = []
        for _ in range(3):
            batches.append(answered(api, penguins, 10))
            monitoring.flush()
        monitoring._kept = 20
        with container.database.transaction(ALL_ACCOUNTS) as db:
            monitoring.sweep(db)
        taken = [tell(api, penguins, *one)["accepted"] for one in batches]
        assert taken == [0, 10, 10]

    def test_a_truth_told_before_can_be_mended_after_its_prediction_is_gone(
        self, api: TestClient, container: Container, penguins: str, monitoring: Monitoring
    ):
        ids, species = answered(api, penguins, 2)
        monitoring.flush()
        tell(api, penguins, ids, species)
        monitoring._kept = 0
        with container.database.transaction(ALL_ACCOUNTS) as db:
            monitoring.sweep(db)
        assert tell(api, penguins, ids, species)["accepted"] == 2
