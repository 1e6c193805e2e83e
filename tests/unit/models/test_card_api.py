"""Model cards by HTTP: what they tell, and a page that can do nothing."""

import re
from dataclasses import replace
from html.parser import HTMLParser
from typing import Any

import pytest
from fastapi.testclient import TestClient
from tests.built_models import Built, put_to_work
from tests.factories import OUTCOME, ModelSide

from modelwright.models.charts import bars, calibration, residuals, roc, ticks

HOSTILE = "<script>alert(1)</script>\"'><img src=x onerror=alert(1)>"
DRAWN = {"svg", "text", "line", "polyline", "polygon", "circle", "rect"}


class Seen(HTMLParser):
    """The tags and attributes of a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}


class TestJson:
    def test_tells_all_there_is_to_know(self, api: TestClient, penguins: str) -> None:
        card = api.get(f"{penguins}/card").json()
        assert (card["task"], card["target"]) == ("multiclass", "species")
        assert card["data"]["rows"] == 344
        assert 0 < card["data"]["held_out_rows"] < 344
        assert sum(card["data"]["target"]["shares"]) == pytest.approx(1)
        assert re.fullmatch("[0-9a-f]{64}", card["data"]["sha256"])
        assert card["libraries"].keys() >= {"python", "lightgbm", "catboost", "numpy"}
        assert card["plan"]["seed"] == 0
        assert card["plan"]["reasons"]
        assert card["metrics"]["confidence"].keys() >= {"accuracy", "log_loss"}
        assert card["metrics"]["baseline"]["log_loss"] > card["metrics"]["log_loss"]
        assert [one["class"] for one in card["curves"]["roc"]] == card["data"]["target"]["classes"]
        assert sum(card["members"].values()) == pytest.approx(1)
        assert any("held out" in one for one in card["limits"])

    def test_tells_residuals_of_a_regression_in_bins(
        self, api: TestClient, model_side: ModelSide, mass: Built
    ) -> None:
        place = put_to_work(model_side, "mass", mass)
        bins = api.get(f"{place}/card").json()["curves"]["residuals"]
        assert 1 < len(bins) <= 20
        for one in bins:
            assert one["p5"] <= one["p25"] <= one["median"] <= one["p75"] <= one["p95"]
            assert one["rows"] >= 10

    def test_says_that_it_is_not_surely_better_wherever_it_is_told(
        self, api: TestClient, model_side: ModelSide, species: Built
    ) -> None:
        sentence = "On rows it never saw the model is not better."
        sure = {**species.outcome.metrics["confidence"], "lift": [-0.02, 0.05]}
        metrics = {**species.outcome.metrics, "better_than_baseline": False, "confidence": sure}
        report = {**species.outcome.report, "warnings": [sentence]}
        outcome = replace(species.outcome, metrics=metrics, report=report)
        place = put_to_work(model_side, "chance", species._replace(outcome=outcome))
        assert api.get(f"{place}/describe").json()["warnings"] == [sentence]
        card = api.get(f"{place}/card").json()
        assert sentence in card["limits"]
        assert card["metrics"]["better_than_baseline"] is False
        page = api.get(f"{place}/card", params={"format": "html"}).text
        assert sentence in page
        assert "not surely better than the baseline, -2% to 5%" in page

    def test_names_the_numbers_that_name_things(
        self, api: TestClient, model_side: ModelSide, species: Built
    ) -> None:
        assert species.outcome.report["naming"] == []
        many = [f"shop {number}" for number in range(7)]
        report = {**species.outcome.report, "naming": many}
        made = species._replace(outcome=replace(species.outcome, report=report))
        limits = api.get(f"{put_to_work(model_side, 'shops', made)}/card").json()["limits"]
        [said] = [one for one in limits if "name things" in one]
        assert "shop 0, shop 1, shop 2, shop 3, shop 4 and 2 more" in said

    def test_of_a_version_that_is_not_ready_is_409(
        self, api: TestClient, model_side: ModelSide
    ) -> None:
        model_side.draft("churn")
        answer = api.get("/models/churn/v1.0/card")
        assert (answer.status_code, answer.json()["error"]["code"]) == (409, "conflict")

    @pytest.mark.parametrize("path", ["none/v1.0", "churn/v7.0"])
    def test_of_what_is_not_there_is_404(
        self, api: TestClient, model_side: ModelSide, path: str
    ) -> None:
        model_side.ready("churn")
        assert api.get(f"/models/{path}/card").status_code == 404

    def test_of_a_version_with_few_figures_is_there(
        self, api: TestClient, model_side: ModelSide
    ) -> None:
        model_side.ready("churn")
        assert api.get("/models/churn/v1.0/card").json()["metrics"] == OUTCOME.metrics
        assert api.get("/models/churn/v1.0/card?format=html").status_code == 200


class TestPage:
    @pytest.mark.parametrize(
        ("query", "accept", "kind"),
        [
            ("", "*/*", "application/json"),
            ("", "text/html,application/xhtml+xml,*/*;q=0.8", "text/html"),
            ("", "application/json, text/html", "application/json"),
            ("?format=html", "application/json", "text/html"),
            ("?format=json", "text/html", "application/json"),
        ],
    )
    def test_comes_to_who_wants_it(
        self, api: TestClient, penguins: str, query: str, accept: str, kind: str
    ) -> None:
        answer = api.get(f"{penguins}/card{query}", headers={"Accept": accept})
        assert answer.headers["content-type"].startswith(kind)
        assert "Accept" in answer.headers.get("vary", "") or kind == "application/json"

    def test_in_a_strange_format_is_422(self, api: TestClient, penguins: str) -> None:
        answer = api.get(f"{penguins}/card?format=pdf")
        assert answer.status_code == 422
        assert "format" in answer.json()["error"]["message"]

    def test_can_do_nothing(self, api: TestClient, penguins: str) -> None:
        answer = api.get(f"{penguins}/card?format=html")
        policy = answer.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "sandbox" in policy
        assert "script" not in policy
        assert answer.headers["x-content-type-options"] == "nosniff"
        seen = Seen(answer.text)
        assert seen.tags.isdisjoint({"script", "img", "iframe", "link", "object", "form", "a"})
        assert not [name for name in seen.attributes if name.startswith("on") or name == "href"]

    @pytest.mark.parametrize(
        ("seconds", "told"), [(2.4, "built in 2 seconds"), (150, "built in 2.5 minutes")]
    )
    def test_tells_how_long_it_was_built(
        self, api: TestClient, model_side: ModelSide, species: Built, seconds: float, told: str
    ) -> None:
        outcome = replace(species.outcome, training_seconds=seconds)
        place = put_to_work(model_side, "timed", species._replace(outcome=outcome))
        assert told in api.get(f"{place}/card", params={"format": "html"}).text

    def test_escapes_every_word_of_others(self, api: TestClient, model_side: ModelSide) -> None:
        words: dict[str, Any] = {
            "target": HOSTILE, "task": "binary", "metric": HOSTILE, "split": HOSTILE,
            "reasons": [HOSTILE], "warnings": [HOSTILE],
            "left_out": [{"column": HOSTILE, "reason": HOSTILE}],
        }  # fmt: skip
        version = model_side.draft("churn", name=HOSTILE, description=HOSTILE)
        model_side.start(version)
        curve = {"class": HOSTILE, "points": [[0, 0], [1, 1]]}
        report = {
            "rows": 10, "held_out_rows": 5, "weights": {HOSTILE: 1.0}, "curves": {"roc": [curve]},
            "target": {"classes": [HOSTILE, "b"], "shares": [0.5, 0.5]},
            "stopped_by_the_clock": [HOSTILE],
        }  # fmt: skip
        metrics = OUTCOME.metrics | {"confusion_matrix": [[1, 2], [3, 4]]}
        fields = {name: getattr(OUTCOME, name) for name in OUTCOME.__slots__}
        hostile = type(OUTCOME)(**{
            **fields, "plan": words, "report": report, "metrics": metrics,
            "feature_importance": {HOSTILE: 1.0}, "input_schema": {HOSTILE: "string"},
        })  # fmt: skip
        model_side.finish(version, hostile)
        page = api.get("/models/churn/v1.0/card?format=html").text
        assert "<script" not in page
        assert "<img" not in page
        assert page.count("&lt;script&gt;") > 8


class TestCharts:
    def test_draw_only_shapes_inside_the_picture(self) -> None:
        bins = [
            {"predicted": float(at), "rows": 10, "p5": -9.0, "p25": -1.0, "median": 0.0,
             "p75": 2.0, "p95": 1e9}
            for at in range(5)
        ]  # fmt: skip
        pictures = [
            roc([{"class": "a", "points": [[0, 0], [0.2, 0.9], [1, 1]]}]),
            calibration([{"said": 0.5, "true": 0.5, "rows": 3}]),
            residuals(bins), residuals(bins[:1]), bars({"a": 0.0}, "a"), bars({}, "none"),
        ]  # fmt: skip
        for picture in pictures:
            assert Seen(picture).tags <= DRAWN
            assert "nan" not in picture
            for point in re.findall(r'points="([^"]*)"', picture):
                for pair in point.split():
                    across, up = map(float, pair.split(","))
                    assert 0 <= across <= 360
                    assert 0 <= up <= 250

    @pytest.mark.parametrize(("low", "high"), [(0, 1), (-3e9, 7e9), (1e-9, 2e-9), (99, 101)])
    def test_have_a_few_round_ticks(self, low: float, high: float) -> None:
        found = ticks(low, high)
        assert 2 <= len(found) <= 6
        assert all(low - 1e-6 * (high - low) <= one <= high + 1e-6 * (high - low) for one in found)
