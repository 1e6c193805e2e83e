"""A build as a whole: the artifact answers, explains, checks and can't run code."""

import json
import subprocess
import sys
import time
import weakref
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.unit.engines.automl.conftest import Built, build, labelled, rows_of

from modelwright.engines.automl.estimators.estimator import Deadline
from modelwright.engines.automl.estimators.extra_trees import fit_extra_trees
from modelwright.engines.automl.estimators.families import FAMILIES, load_libraries
from modelwright.engines.automl.estimators.lightgbm import fit_lightgbm
from modelwright.engines.automl.search import model_search
from modelwright.engines.automl.search.model_search import ModelSearch
from modelwright.engines.automl.search.portfolio import Candidate
from modelwright_runtime import explainer
from modelwright_runtime.predictor import Predictor


class TestFit:
    def test_is_better_than_the_baseline_on_rows_it_never_saw(self, built: Built):
        result = built[2]
        least = {"binary": 0.35, "multiclass": 0.1, "regression": 0.2}
        assert result.metrics["lift"] > least[Predictor.load(built[1]).goal.task]
        assert result.dataset_size == 600

    def test_tells_only_json(self, built: Built):
        json.dumps(Predictor.load(built[1]).manifest, allow_nan=False)

    def test_gives_every_metric_with_its_certainty(self, built: Built):
        metrics = built[2].metrics
        assert {"accuracy", "precision", "recall", "f1_score"} <= metrics.keys()
        for name, (low, high) in metrics["confidence"].items():
            assert low <= metrics[name] <= high

    def test_finds_what_matters(self, built: Built):
        shares = built[2].feature_importance
        assert sum(shares.values()) == pytest.approx(1)
        matters, noise = ("size", "branch", "place", "said"), ("count", "member", "opened")
        assert min(shares[name] for name in matters) > 3 * max(shares[name] for name in noise)

    def test_is_the_same_again_with_the_same_seed_and_iterations(
        self, write: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ):
        """Also where what ended first ends last, as on a busy machine."""
        x, z, noise = np.random.default_rng(0).normal(size=(3, 800))
        score = 2 * x + 0.6 * x * z + 0.7 * noise
        path = write(x=x, z=z, y=np.where(score > 0, "yes", "no"))
        first = build(path, tmp_path / "first", max_iterations=2)

        def slowly(*given: Any) -> Any:
            time.sleep(0.5)
            return fit_lightgbm(*given)

        monkeypatch.setitem(FAMILIES, "LightGBM", replace(FAMILIES["LightGBM"], fit=slowly))
        second = build(path, tmp_path / "second", max_iterations=2)
        assert list(first.report["weights"]) == ["LightGBM", "Linear"]
        assert list(first.report["weights"].items()) == list(second.report["weights"].items())
        assert first.report["stopped_by_the_clock"] == second.report["stopped_by_the_clock"] == []
        one, two = (Predictor.load(tmp_path / name).manifest for name in ("first", "second"))
        assert one["members"] == two["members"]

    def test_gives_means_of_what_is_learnt_by_its_logarithm(self, write: Any, tmp_path: Path):
        """Unless absolute errors are asked for, which medians make least."""
        x, noise = np.random.default_rng(0).normal(size=(2, 3000))
        path = write(x=x, y=np.exp(3 + 1.5 * x + 0.6 * noise))
        given = {}
        for metric in ("rmse", "mae"):
            build(path, tmp_path / metric, max_iterations=2, all_folds=True, metric=metric)
            told = Predictor.load(tmp_path / metric).predict_many([{"x": one} for one in x[:500]])
            given[metric] = np.array([one.result["y"] for one in told])
        assert (given["rmse"] / given["mae"]).mean() > np.exp(0.6**2 / 2) * 0.95

    @pytest.mark.parametrize("rows", [30, 12])
    def test_ends_with_a_model_on_few_rows(self, write: Any, tmp_path: Path, rows: int):
        x = np.random.default_rng(0).normal(size=rows)
        path = write(x=x, z=x[::-1], y=np.where(x > 0, "yes", "no"))
        result = build(path, tmp_path / "model", max_iterations=3)
        assert Predictor.load(tmp_path / "model").predict_one({"x": 1.0, "z": 0.0}).result
        assert result.dataset_size == rows

    def test_keeps_the_deadline_with_no_cap_on_iterations(self, write: Any, tmp_path: Path):
        load_libraries()
        path, begun = write(**labelled("binary", 3000)), time.monotonic()
        build(path, tmp_path / "model", seconds=1, max_iterations=None)
        assert time.monotonic() - begun < 20

    def test_says_when_the_columns_say_nothing(self, write: Any, tmp_path: Path):
        maker = np.random.default_rng(1)
        path = write(x=maker.normal(size=300), y=maker.integers(0, 2, 300))
        result = build(path, tmp_path / "model", max_iterations=2)
        assert result.metrics["lift"] < 0.05
        assert result.metrics["better_than_baseline"] is False
        [said] = result.report["warnings"]
        assert "the columns may say nothing of the target" in said

    def test_says_that_the_time_ended_where_it_did(
        self, write: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ):
        monkeypatch.setattr(ModelSearch, "_stop", lambda *_: Deadline(0.0))
        maker = np.random.default_rng(1)
        path = write(x=maker.normal(size=300), y=maker.integers(0, 2, 300))
        result = build(path, tmp_path / "model", max_iterations=2)
        assert result.metrics["better_than_baseline"] is False
        [said] = result.report["warnings"]
        assert "its time ended before another model had learnt" in said

    def test_leans_to_the_rare_class_for_recall(self, write: Any, tmp_path: Path):
        maker = np.random.default_rng(0)
        x = maker.normal(size=2000)
        path = write(x=x, y=np.where(x + maker.normal(size=2000) > 1.8, "yes", "no"))
        found = [
            build(path, tmp_path / name, max_iterations=2, metric=name).metrics["recall"]
            for name in ("log_loss", "recall")
        ]
        assert found[1] > found[0]


class TestPredict:
    def test_gives_the_same_for_one_row_and_for_many(self, built: Built):
        predictor, rows = Predictor.load(built[1]), rows_of(built[0], 600) * 10
        many = predictor.predict_many(rows)
        assert len(many) == 6000
        for row, answer in list(zip(rows, many, strict=True))[:300]:
            one = predictor.predict_one(row)
            told, also = one.result["y"], answer.result["y"]
            assert told == (also if isinstance(also, str) else pytest.approx(also, rel=1e-12))
            assert one.raw_prediction == pytest.approx(answer.raw_prediction, rel=0, abs=1e-12)

    def test_of_nothing_is_nothing(self, built: Built):
        assert Predictor.load(built[1]).predict_many([]) == []

    def test_matches_the_output_schema(self, built: Built):
        predictor = Predictor.load(built[1])
        answer = predictor.predict_one(rows_of(built[0])[0])
        assert answer.result.keys() == predictor.output_schema.keys()
        kind = {"string": str, "float": float}[predictor.output_schema["y"]]
        assert type(answer.result["y"]) is kind
        assert answer.probabilities.sum() == pytest.approx(1 if kind is str else 0)

    def test_takes_unseen_categories_and_gaps(self, built: Built):
        predictor, row = Predictor.load(built[1]), rows_of(built[0])[0]
        odd = row | {"place": "nowhere", "size": None, "unknown": 1}
        assert predictor.check(odd) is None
        assert np.isfinite(predictor.predict_one(odd).raw_prediction).all()

    def test_explains_with_parts_that_sum_to_the_link(self, built: Built):
        predictor = Predictor.load(built[1])
        for row in rows_of(built[0], 20):
            told = predictor.explain(row, predictor.predict_one(row))
            parts = told["contributions"]
            assert parts.keys() == predictor.input_schema.keys()
            assert told["base"] + sum(parts.values()) == pytest.approx(told["sum"], abs=1e-6)

    def test_explains_the_class_that_it_named(self, built: Built):
        predictor, rows = Predictor.load(built[1]), rows_of(built[0], 200)
        answers = predictor.predict_many(rows)
        told = [one["of"] for one in predictor.explain_many(rows, answers)]
        if len(predictor.classes) > 2:
            assert told == [one.result["y"] for one in answers]
            assert set(told) == set(predictor.classes)
        else:
            assert set(told) == set(predictor.classes[1:]) or told == [None] * 200

    @pytest.mark.parametrize("shift", [0.0, 10.0])
    def test_gives_intervals_that_are_no_points_beyond_the_range_seen(
        self, write: Any, tmp_path: Path, shift: float
    ):
        x, noise = np.random.default_rng(0).normal(size=(2, 400))
        y = np.exp(x + noise / 9) if shift else 5 * x + noise
        build(write(x=x, y=y + shift), tmp_path / "model", max_iterations=2)
        predictor = Predictor.load(tmp_path / "model")
        for far in (-1000.0, 1000.0):
            answer = predictor.predict_one({"x": far})
            found = predictor.interval(answer)
            assert found is not None
            assert found["low"] <= answer.result["y"] <= found["high"]
            assert found["high"] - found["low"] > 0.01

    def test_gives_intervals_that_hold_the_truth_of_nine_in_ten(self, built: Built):
        predictor, rows = Predictor.load(built[1]), rows_of(built[0], 600)
        answers = predictor.predict_many(rows)
        ranges = [predictor.interval(one) for one in answers]
        if predictor.output_schema["y"] == "string":
            assert set(ranges) == {None}
            return
        held = built[2].metrics["interval"]["coverage"]
        assert 0.8 <= held <= 1
        assert all(one and one["low"] <= one["high"] for one in ranges)


class TestExplainMany:
    def test_holds_the_parts_of_few_rows_at_a_time(
        self, built: Built, monkeypatch: pytest.MonkeyPatch
    ):
        predictor, rows = Predictor.load(built[1]), rows_of(built[0], 200)
        held: list[weakref.ref[Any]] = []
        still: list[int] = []
        explain = explainer.Explainer.explain

        def noted(one: explainer.Explainer, some: Any) -> explainer.Explanation:
            still.append(sum(part() is not None for part in held))
            found = explain(one, some)
            held.append(weakref.ref(found.parts))
            return found

        monkeypatch.setattr(explainer.Explainer, "explain", noted)
        monkeypatch.setattr(explainer, "CHUNK_ROWS", 25)
        assert len(predictor.explain_many(rows, predictor.predict_many(rows))) == 200
        assert (len(still), max(still)) == (8, 1)


class TestExplainForests:
    def test_sums_to_the_link_where_probabilities_are_averaged(
        self, write: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ):
        monkeypatch.setattr(
            model_search, "portfolio", lambda *_, **__: [Candidate("ExtraTrees", fit_extra_trees)]
        )
        x, z = np.random.default_rng(0).normal(size=(2, 400))
        path = write(x=x, z=z, y=np.where(x + z > 0, "yes", "no"))
        build(path, tmp_path / "model", max_iterations=1)
        predictor = Predictor.load(tmp_path / "model")
        row = {"x": 0.7, "z": 0.4}
        told = predictor.explain(row, predictor.predict_one(row))
        assert told["base"] + sum(told["contributions"].values()) == pytest.approx(told["sum"])
        assert all(part > 0 for part in told["contributions"].values())


class TestCheck:
    @pytest.mark.parametrize(
        ("field", "value", "kind"),
        [
            ("count", None, "missing"),
            ("said", None, "missing"),
            ("count", "9", "type"),
            ("count", 2.5, "type"),
            ("count", True, "type"),
            ("count", 10**400, "type"),
            ("size", "1.5", "type"),
            ("size", [1], "type"),
            ("member", 1, "type"),
            ("member", "true", "type"),
            ("place", 4, "type"),
            ("opened", "yesterday", "type"),
            ("opened", 20240101, "type"),
        ],
    )
    def test_names_the_field(self, built: Built, field: str, value: Any, kind: str):
        row = rows_of(built[0])[0] | {field: value}
        problem = Predictor.load(built[1]).check(row)
        assert problem is not None
        assert (problem.field, problem.kind) == (field, kind)
        assert field in problem.message

    @pytest.mark.parametrize(
        ("field", "value"),
        [
            ("size", 3),
            ("size", None),
            ("place", None),
            ("opened", "2024-02-03"),
            ("opened", "2024-02-03T04:05:06Z"),
            ("opened", "2024-02-03T04:05:06+02:00"),
        ],
    )
    def test_takes_what_fits(self, built: Built, field: str, value: Any):
        predictor, row = Predictor.load(built[1]), rows_of(built[0])[0] | {field: value}
        assert predictor.check(row) is None
        assert np.array_equal(
            predictor.predict_one(row).raw_prediction, predictor.raw_predictions([row, row])[0]
        )


class TestImport:
    def test_of_what_the_api_process_needs_is_light(self):
        asked = (
            "import sys, modelwright_runtime.predictor;"
            "import modelwright.engines.automl.planning.plan;"
            "heavy = {'lightgbm', 'catboost', 'sklearn', 'pyarrow', 'duckdb', 'onnx', 'scipy',"
            " 'onnxruntime', 'pandas'}; print(sorted(heavy & set(sys.modules)))"
        )
        told = subprocess.run([sys.executable, "-c", asked], capture_output=True, check=True)
        assert told.stdout.decode().strip() == "[]"
