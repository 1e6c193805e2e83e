"""Every family compiles to the same numbers as its own library, missing values included."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import catboost
import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet
from tests.unit.engines.automl.conftest import labelled

from modelwright.engines.automl.estimators import additive_model
from modelwright.engines.automl.estimators.additive_model import STRAIGHT_KNOTS, fit_additive
from modelwright.engines.automl.estimators.catboost import fit_catboost
from modelwright.engines.automl.estimators.compilation import compile_model
from modelwright.engines.automl.estimators.estimator import Deadline, Estimator, FitRequest
from modelwright.engines.automl.estimators.extra_trees import fit_extra_trees
from modelwright.engines.automl.estimators.fitted_model import CompiledModel, FittedModel, Latency
from modelwright.engines.automl.estimators.lightgbm import (
    MAX_TOTAL_BINS,
    MIN_BINS,
    bin_settings,
    fit_lightgbm,
)
from modelwright.engines.automl.estimators.network import fit_network
from modelwright.engines.automl.planning.build_plan import make_plan
from modelwright.engines.automl.search.training_data import TrainingData, read_training_data
from modelwright_runtime.components import store_all
from modelwright_runtime.components.trees import AveragedTrees, SummedTrees
from modelwright_runtime.objective import Objective
from modelwright_runtime.path_attribution import PathAttribution
from modelwright_runtime.shapley_exact import ExactShapley

FAMILIES = [fit_lightgbm, fit_catboost, fit_extra_trees, fit_additive, fit_network]


@pytest.fixture(scope="module", params=["binary", "multiclass", "regression"])
def training(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> TrainingData:
    path = tmp_path_factory.mktemp("lesson") / "table.parquet"
    columns = labelled(request.param)
    columns.pop("said")
    parquet.write_table(pa.table(columns), path)
    found = read_training_data([path], make_plan([path], "", target="y", seconds=10))
    found.fit_encoder(np.arange(600))
    return found


def test_an_importance_that_nobody_asks_for_is_not_computed(
    training: TrainingData, monkeypatch: pytest.MonkeyPatch
):
    """CatBoost computes it at the end of a fit, where a fit in another thread may crash by it."""
    asked: list[Any] = []
    monkeypatch.setattr(catboost.CatBoost, "_calc_fstr", lambda *told: asked.append(told))
    train, valid = np.arange(450), np.arange(450, 600)
    stop = Deadline(time.monotonic() + 30)
    fitted = fit_catboost(
        FitRequest(training.fold_data(0, train), train, valid, None, stop, {"depth": 2})
    )
    assert fitted.rounds > 0
    assert asked == []


@pytest.fixture(scope="module", params=FAMILIES)
def fitted(request: pytest.FixtureRequest, training: TrainingData) -> FittedModel:
    """Gives a member of each family, fitted with rows held out to stop by."""
    train, valid = np.arange(450), np.arange(450, 600)
    stop = Deadline(time.monotonic() + 600)
    made: FittedModel = request.param(
        FitRequest(training.fold_data(0, train), train, valid, None, stop, {})
    )
    return made


class TestFitted:
    def test_compiles_to_the_numbers_of_its_library(
        self, training: TrainingData, fitted: FittedModel
    ):
        fold_data = training.fold_data(0, np.arange(450))
        members = [(1.0, fitted.compiled())]
        model = compile_model(training.goal, fold_data.encoder, members).opened()
        assert (
            np.abs(
                model.raw_prediction(fold_data.features) - fitted.raw_prediction(np.arange(600))
            ).max()
            < 1e-6
        )

    def test_learns_more_than_a_constant(self, training: TrainingData, fitted: FittedModel):
        valid = np.arange(450, 600)
        flat = np.zeros((150, training.goal.width))
        truth = training.y[valid]
        assert training.goal.loss(fitted.raw_prediction(valid), truth) < training.goal.loss(
            flat, truth
        )


class TestCompiled:
    def test_is_made_once_however_often_it_is_asked_for(self):
        made = []

        def compiled() -> CompiledModel:
            made.append(1)
            return CompiledModel(np.zeros(1))

        fitted = FittedModel(1, lambda rows: np.zeros((len(rows), 1)), compiled, Latency(1.0, 1.0))
        assert fitted.compiled() is fitted.compiled()
        assert made == [1]


@pytest.mark.parametrize("estimator", FAMILIES)
class TestFamily:
    def test_gives_a_model_even_when_the_time_is_over(
        self, training: TrainingData, estimator: Estimator
    ):
        train, valid = np.arange(450), np.arange(450, 600)
        fitted = estimator(
            FitRequest(training.fold_data(0, train), train, valid, None, Deadline(0.0), {})
        )
        assert np.isfinite(fitted.raw_prediction(valid)).all()

    def test_is_the_same_with_the_same_seed(self, training: TrainingData, estimator: Estimator):
        train, everything = np.arange(450), np.arange(600)
        fold_data, stop = training.fold_data(0, train), Deadline(time.monotonic() + 600)
        first, second = (
            estimator(FitRequest(fold_data, train, None, 5, stop, {})) for _ in range(2)
        )
        assert np.array_equal(first.raw_prediction(everything), second.raw_prediction(everything))


class TestRounds:
    @pytest.mark.parametrize("estimator", [fit_lightgbm, fit_catboost])
    @pytest.mark.parametrize("task", ["binary", "multiclass", "regression"])
    def test_give_the_same_model_when_they_are_known_before(
        self, tmp_path: Path, task: str, estimator: Estimator
    ):
        columns = labelled(task)
        path = tmp_path / "table.parquet"
        parquet.write_table(
            pa.table({name: columns[name] for name in ("size", "count", "y")}), path
        )
        training = read_training_data([path], make_plan([path], "", target="y", seconds=10))
        train, valid = np.arange(450), np.arange(450, 600)
        training.fit_encoder(train)
        fold_data, stop = training.fold_data(0, train), Deadline(time.monotonic() + 600)
        found = estimator(FitRequest(fold_data, train, valid, None, stop, {}))
        again = estimator(FitRequest(fold_data, train, None, found.rounds, stop, {}))
        assert 1 < found.rounds < 200
        assert np.abs(again.raw_prediction(valid) - found.raw_prediction(valid)).max() < 1e-9


def boosted(path: Path, columns: dict[str, Any], quick: dict[str, Any]) -> Callable[..., float]:
    """Gives what boosting with more settings loses on the last 1,000 rows of a table."""
    table = pa.table(columns)
    parquet.write_table(table, path)
    found = read_training_data([path], make_plan([path], "", target="y", seconds=10))
    found.fit_encoder(np.arange(len(table)))
    train, valid = np.split(np.arange(len(table)), [-1000])
    fold_data, stop = found.fold_data(0, train), Deadline(time.monotonic() + 600)

    def loss(**settings: Any) -> float:
        fitted = fit_lightgbm(FitRequest(fold_data, train, valid, None, stop, quick | settings))
        return found.goal.loss(fitted.raw_prediction(valid), found.y[valid])

    return loss


class TestRareClasses:
    def test_do_not_run_away(self, tmp_path: Path):
        maker = np.random.default_rng(0)
        rows = 3000
        shares = np.array([0.3, 0.3, 0.2, *np.full(20, 0.01)])
        kind = maker.choice(len(shares), rows, p=shares)
        columns = {f"x{place}": kind % (place + 3) + maker.normal(size=rows) for place in range(4)}
        named = {"y": [f"kind {one}" for one in kind]}
        quick = {"learning_rate": 0.1, "num_leaves": 31}
        loss = boosted(tmp_path / "table.parquet", columns | named, quick)
        assert loss() < 0.97 * loss(lambda_l2=0.0)


class TestFineCuts:
    def test_part_values_that_255_bins_would_mix(self, tmp_path: Path):
        maker = np.random.default_rng(0)
        number = maker.integers(0, 800, 6000)
        target = number // 2 % 2 + maker.normal(scale=0.1, size=6000)
        columns = {"x": number, "z": maker.normal(size=6000), "y": target}
        quick = {"learning_rate": 0.3, "num_leaves": 127}
        loss = boosted(tmp_path / "table.parquet", columns, quick)
        assert loss() < 0.8 * loss(max_bin=255)

    @pytest.mark.parametrize("features", [1, 30, 300, 5000])
    def test_take_no_more_memory_for_more_slots(self, features: int):
        found = bin_settings(Objective("regression"), features)["max_bin"]
        assert found == MIN_BINS or found * features <= MAX_TOTAL_BINS


class TestContributions:
    def test_are_the_shapley_values_of_lightgbm(self, training: TrainingData, tmp_path: Path):
        if training.goal.width > 1:
            pytest.skip("one output is compared")
        import lightgbm as lgb

        maker = np.random.default_rng(0)
        features = maker.normal(size=(400, 4)).astype(np.float32)
        target = features[:, 0] * features[:, 1] + features[:, 2]
        data = lgb.Dataset(features, target)
        model = lgb.train({"verbosity": -1, "num_threads": 1}, data, 20)
        assert _shapley(model, features[:1]) == pytest.approx(
            model.predict(features[:1], pred_contrib=True)[0].tolist(), abs=1e-9
        )


def _shapley(model: Any, row: Any) -> list[float]:
    from modelwright.engines.automl.estimators.lightgbm import _read
    from modelwright_runtime.forest import trees_of_leaves
    from modelwright_runtime.shapley_exact import expected, tree_contributions, unfold

    forest = _read(model, 20, Objective("regression"), [0, 1, 2, 3])
    paths = unfold(forest, [0, 1, 2, 3])
    targets = forest.targets[trees_of_leaves(forest)]
    parts = tree_contributions(forest, paths, targets, row, 4, 1)[:, 0]
    return [*parts.tolist(), float(expected(forest, paths, targets, 1)[0])]


@pytest.mark.parametrize("estimator", [fit_lightgbm, fit_extra_trees])
class TestTraced:
    def test_parts_start_where_shapley_values_do_and_sum_to_the_same(
        self, training: TrainingData, estimator: Estimator
    ):
        rows = np.arange(600)
        fold_data = training.fold_data(0, rows)
        fitted = estimator(
            FitRequest(fold_data, rows, None, 10, Deadline(time.monotonic() + 600), {})
        ).compiled()
        (component,) = fitted.components
        assert isinstance(component, SummedTrees | AveragedTrees)
        forest = component.forest
        owners = fold_data.encoder.owners()
        outputs = component._outputs(training.goal)
        exact, quick = (one.of(forest, owners, outputs) for one in (ExactShapley, PathAttribution))
        assert quick.start == pytest.approx(exact.start)
        features, columns = fold_data.features[:5], len(fold_data.encoder.columns)
        parts = [one.contributions(features, columns) for one in (exact, quick)]
        assert parts[0].sum(axis=1) == pytest.approx(parts[1].sum(axis=1))
        for place, row in enumerate(parts[1]):
            assert not np.allclose(row, 0)
            assert (quick.contributions(features[place : place + 1], columns)[0] == row).all()


class TestStraightLines:
    def test_are_as_good_as_least_squares_where_the_truth_is_one(self, tmp_path: Path):
        maker = np.random.default_rng(5)
        inputs = maker.normal(size=(900, 8))
        truth = inputs @ np.linspace(-2, 2, 8) + maker.normal(size=900)
        path = tmp_path / "table.parquet"
        columns = {f"x{place}": one for place, one in enumerate(inputs.T)}
        parquet.write_table(pa.table({**columns, "y": truth}), path)
        training = read_training_data([path], make_plan([path], "", target="y", seconds=10))
        training.fit_encoder(np.arange(900))
        train, valid, rest = np.arange(150), np.arange(150, 200), np.arange(200, 900)
        stop = Deadline(time.monotonic() + 600)
        fold_data = training.fold_data(0, train)
        bent, straight = (
            training.goal.loss(
                fit_additive(
                    FitRequest(fold_data, train, valid, None, stop, settings)
                ).raw_prediction(rest),
                truth[rest],
            )
            for settings in ({}, {"knots": STRAIGHT_KNOTS})
        )
        design = np.column_stack([inputs, np.ones(900)])
        exact = design[rest] @ np.linalg.lstsq(design[train], truth[train])[0]
        least = float(np.sqrt(np.mean((exact - truth[rest]) ** 2)))
        assert straight < 1.01 * least < bent


class TestCost:
    def test_of_lines_tells_few_slots_and_texts_apart(self, write: Any):
        maker = np.random.default_rng(7)
        numbers = {f"x{at}": maker.normal(size=120) for at in range(40)}
        few = dict(list(numbers.items())[:3])
        words = maker.choice(["good", "bad", "great", "poor", "fine", "dull"], (120, 12))
        text = {"told": [" ".join(one) for one in words.tolist()]}

        def cost(columns: dict[str, Any]) -> float:
            path = write(**columns, y=numbers["x0"])
            training = read_training_data([path], make_plan([path], "", target="y", seconds=10))
            rows = np.arange(120)
            training.fit_encoder(rows)
            stop = Deadline(time.monotonic() + 600)
            return fit_additive(
                FitRequest(training.fold_data(0, rows), rows, None, 1, stop, {})
            ).cost.single_us

        assert cost(few) < cost(few | text) - 5
        assert cost(few) < cost(numbers) - 5


class TestFewWeights:
    @pytest.mark.parametrize("task", ["regression", "binary"])
    def test_are_of_the_slots_that_matter_among_many(self, write: Any, task: str):
        inputs = np.random.default_rng(4).normal(size=(900, 120))
        score = 2 * inputs[:, 3] - 2 * inputs[:, 50] + np.random.default_rng(5).normal(size=900)
        truth = score if task == "regression" else (score > 0).astype(int)
        columns = {f"x{at}": one for at, one in enumerate(inputs.T)}
        path = write(**columns, y=truth)
        plan = make_plan([path], "", target="y", task=task, seconds=10)
        training = read_training_data([path], plan)
        train, valid, rest = np.arange(120), np.arange(120, 180), np.arange(180, 900)
        training.fit_encoder(train)
        fold_data, stop = training.fold_data(0, train), Deadline(time.monotonic() + 600)
        every, few = (
            training.goal.loss(
                fit_additive(
                    FitRequest(fold_data, train, valid, None, stop, settings)
                ).raw_prediction(rest),
                training.y[rest],
            )
            for settings in ({"knots": STRAIGHT_KNOTS}, {"knots": STRAIGHT_KNOTS, "sparse": True})
        )
        assert few < 0.8 * every


class TestTerms:
    def test_that_are_sure_may_weigh_much(self, write: Any, monkeypatch: pytest.MonkeyPatch):
        maker = np.random.default_rng(6)
        words = np.array(["wo" + first + second for first in "abcdefghij" for second in "klmnopqr"])
        truth = maker.integers(0, 2, 900)
        texts = [" ".join([*maker.choice(words, 14), ("evil", "good")[one]]) for one in truth]
        path = write(said=texts, y=truth)
        training = read_training_data([path], make_plan([path], "", target="y", seconds=10))
        train, valid, rest = np.arange(120), np.arange(120, 180), np.arange(180, 900)
        training.fit_encoder(train)
        fold_data, stop = training.fold_data(0, train), Deadline(time.monotonic() + 600)
        losses = []
        for ease in (additive_model.TERM_EASE, 1.0):
            monkeypatch.setattr(additive_model, "TERM_EASE", ease)
            raw_prediction = fit_additive(
                FitRequest(fold_data, train, valid, None, stop, {})
            ).raw_prediction(rest)
            losses.append(training.goal.loss(raw_prediction, training.y[rest]))
        assert losses[0] < 0.7 * losses[1]


class TestPacking:
    def test_of_no_forest_is_empty(self, training: TrainingData):
        train = np.arange(600)
        fold_data = training.fold_data(0, train)
        fitted = fit_additive(
            FitRequest(fold_data, train, None, 3, Deadline(time.monotonic() + 600), {})
        )
        model = compile_model(training.goal, fold_data.encoder, [(1, fitted.compiled())])
        assert store_all(model.components).trees == {}


@pytest.fixture(scope="module")
def kinds(tmp_path_factory: pytest.TempPathFactory) -> TrainingData:
    maker = np.random.default_rng(6)
    kind = maker.integers(0, 36, 900)
    inputs = 3 * maker.normal(size=(36, 5))[kind] + maker.normal(size=(900, 5))
    path = tmp_path_factory.mktemp("kinds") / "table.parquet"
    columns = {f"x{place}": one for place, one in enumerate(inputs.T)}
    parquet.write_table(pa.table(columns | {"y": [f"kind {one}" for one in kind]}), path)
    training = read_training_data([path], make_plan([path], "", target="y", seconds=10))
    training.fit_encoder(np.arange(900))
    return training


class TestManyOutputs:
    def test_are_refitted_as_they_were_judged(self, kinds: TrainingData):
        train, valid = np.arange(700), np.arange(700, 900)
        fold_data, stop = kinds.fold_data(0, train), Deadline(time.monotonic() + 600)
        found = fit_additive(FitRequest(fold_data, train, valid, None, stop, {}))
        again = fit_additive(FitRequest(fold_data, train, None, found.rounds, stop, {}))
        assert np.abs(again.raw_prediction(valid) - found.raw_prediction(valid)).max() < 1e-9

    def test_lose_nothing_by_few_steps(self, kinds: TrainingData, monkeypatch: pytest.MonkeyPatch):
        train, valid = np.arange(700), np.arange(700, 900)
        fold_data, stop = kinds.fold_data(0, train), Deadline(time.monotonic() + 600)

        def loss() -> float:
            raw_prediction = fit_additive(
                FitRequest(fold_data, train, valid, None, stop, {})
            ).raw_prediction(valid)
            return kinds.goal.loss(raw_prediction, kinds.y[valid])

        few = loss()
        monkeypatch.setattr(additive_model, "FEW_SOLVER_STEPS", 500)
        assert few < 1.01 * loss()
