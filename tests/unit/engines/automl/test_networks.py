"""Networks: what they read, how they explain themselves, and how they are kept."""

import io
import json
import time
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet
from tests.unit.engines.automl.conftest import labelled, rows_of
from tests.unit.engines.automl.test_artifact import put, refused, sealed, with_array, with_json

from modelwright.engines.automl.artifact import Artifact, packed, save
from modelwright.engines.automl.estimators import network as learning
from modelwright.engines.automl.estimators.compilation import compile_model
from modelwright.engines.automl.estimators.estimator import Deadline, FitRequest
from modelwright.engines.automl.estimators.fold_data import FoldData
from modelwright.engines.automl.estimators.lightgbm import fit_lightgbm
from modelwright.engines.automl.estimators.network import Training, _loss, fit_network
from modelwright.engines.automl.estimators.network_inputs import MAX_INPUTS, fit_inputs
from modelwright.engines.automl.planning.build_plan import make_plan
from modelwright.engines.automl.search.training_data import TrainingData, read_training_data
from modelwright_runtime import OLDEST_FORMAT, WITH_NETWORKS
from modelwright_runtime.artifact import load_artifact
from modelwright_runtime.components.neural_network import NeuralNetwork
from modelwright_runtime.explainer import Explainer
from modelwright_runtime.model import Model
from modelwright_runtime.network import DEEPER, Inputs, Network

TRAIN = np.arange(450)
VALID = np.arange(450, 600)


def fitted(fold_data: FoldData, **settings: Any) -> Network:
    stop = Deadline(time.monotonic() + 600)
    compiled = fit_network(FitRequest(fold_data, TRAIN, VALID, None, stop, settings)).compiled()
    (found,) = compiled.components
    assert isinstance(found, NeuralNetwork)
    return found.network


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("lesson") / "table.parquet"
    columns = labelled("multiclass")
    columns.pop("said")
    parquet.write_table(pa.table(columns), path)
    return path


@pytest.fixture(scope="module")
def training(path: Path) -> TrainingData:
    found = read_training_data([path], make_plan([path], "", target="y", seconds=10))
    found.fit_encoder(np.arange(600))
    return found


@pytest.fixture(scope="module")
def fold_data(training: TrainingData) -> FoldData:
    return training.fold_data(0, TRAIN)


@pytest.fixture(scope="module", params=[False, True], ids=["one layer", "two layers"])
def network(fold_data: FoldData, request: pytest.FixtureRequest) -> Network:
    return fitted(fold_data, stepped=True, deep=request.param)


class TestTraining:
    @pytest.mark.parametrize("deep", [False, True])
    def test_follows_the_slope_of_the_loss(
        self, fold_data: FoldData, monkeypatch: pytest.MonkeyPatch, deep: bool
    ):
        monkeypatch.setattr(learning, "N_NETWORKS", 1)
        settings = {"deep": deep, "drop": 0.0}
        inputs = fit_inputs(fold_data, TRAIN, stepped=False)
        training: Any = Training(fold_data, inputs, TRAIN, settings)
        base = training.weights.astype(np.float64)
        training.weights, training.slopes = base, np.zeros_like(base)
        training._slope(training.seen.astype(np.float64), training.target)
        way = np.random.default_rng(0).normal(size=len(base))

        def loss(step: float) -> float:
            training.averaged = base + step * way
            return _loss(training.network(), fold_data, TRAIN)

        risen = (loss(1e-5) - loss(-1e-5)) / 2e-5
        assert risen == pytest.approx(training.slopes @ way, rel=1e-4)

    def test_ends_when_the_best_pass_is_long_past(
        self, fold_data: FoldData, monkeypatch: pytest.MonkeyPatch
    ):
        losses = iter([0.99, 0.98, 0.97, 0.96, *[1.0] * 200])
        monkeypatch.setattr(learning, "_loss", lambda *_: next(losses))
        visits: list[int] = []
        visit = Training.visit_all

        def counted(training: Training, passes: int, stop: Deadline) -> None:
            visits.append(passes)
            visit(training, passes, stop)

        monkeypatch.setattr(Training, "visit_all", counted)
        found = fit_network(
            FitRequest(fold_data, TRAIN, VALID, None, Deadline(time.monotonic() + 600), {})
        )
        assert found.rounds == 4
        assert 22 <= len(visits) <= 27 < visits[0]

    def test_takes_as_many_passes_as_it_is_told(
        self, fold_data: FoldData, monkeypatch: pytest.MonkeyPatch
    ):
        monkeypatch.setattr(learning, "PATIENCE_PASSES", 0)
        monkeypatch.setattr(learning, "PATIENCE_FACTOR", 1)
        found = fit_network(
            FitRequest(fold_data, TRAIN, None, 9, Deadline(time.monotonic() + 600), {})
        )
        assert found.rounds == 9

    def test_is_dearer_with_more_weights_and_with_numbers_by_value(
        self, fold_data: FoldData, monkeypatch: pytest.MonkeyPatch
    ):
        def cost(**settings: Any) -> float:
            stop = Deadline(time.monotonic() + 600)
            return fit_network(FitRequest(fold_data, TRAIN, None, 1, stop, settings)).cost.single_us

        plain, deep = cost(), cost(deep=True)
        monkeypatch.setattr(learning, "HIDDEN_UNITS", 16)
        monkeypatch.setattr(learning, "DEEP_UNITS", 16)
        assert plain > cost()
        assert deep > cost(deep=True) > cost()
        assert cost(stepped=True) > cost() + 1


class TestLink:
    def test_of_a_row_is_that_of_a_batch(self, network: Network, fold_data: FoldData):
        features = fold_data.features.astype(np.float64)
        many = network.raw_prediction(np.tile(features, (3, 1)))
        ones = [
            network.raw_prediction(features[place : place + 1])[0] for place in range(0, 600, 50)
        ]
        assert np.allclose(many[:600:50], ones, rtol=0, atol=1e-12)
        assert np.allclose(many[1200:], many[:600], rtol=0, atol=1e-12)

    def test_of_no_row_is_empty(self, network: Network, fold_data: FoldData):
        found = network.raw_prediction(fold_data.features[:0].astype(np.float64))
        assert found.shape == (0, fold_data.goal.width)

    def test_stays_finite_for_any_row(self, network: Network, fold_data: FoldData):
        features = fold_data.features.astype(np.float64)
        for extreme in (3e38, -3e38, np.nan):
            odd = features[:3].copy()
            odd[:, network.inputs.smooth] = extreme
            assert np.isfinite(network.raw_prediction(odd)).all()


class TestStepped:
    def test_learns_from_values_that_have_no_order(self, tmp_path: Path):
        maker = np.random.default_rng(0)
        code, worth = maker.integers(0, 20, 600), maker.normal(size=20)
        table = pa.table({"code": code, "y": worth[code] + maker.normal(size=600) / 10})
        parquet.write_table(table, tmp_path / "codes.parquet")
        path = [tmp_path / "codes.parquet"]
        training = read_training_data(path, make_plan(path, "", target="y", seconds=10))
        training.fit_encoder(TRAIN)
        fold_data = training.fold_data(0, TRAIN)
        features = fold_data.features[VALID].astype(np.float64)
        losses = [
            fold_data.goal.loss(
                fitted(fold_data, stepped=stepped).raw_prediction(features), training.y[VALID]
            )
            for stepped in (False, True)
        ]
        assert losses[1] < 0.5 * losses[0]


class TestInputs:
    def test_are_bounded_and_the_smallest_categories_come_first(self, tmp_path: Path):
        maker = np.random.default_rng(0)
        columns: dict[str, Any] = {
            f"c{levels}": [f"v{one}" for one in maker.integers(0, levels, 3000)]
            for levels in (700, 40, 300)
        }
        columns |= {f"n{place}": maker.integers(0, 60, 3000) for place in range(20)}
        parquet.write_table(
            pa.table(columns | {"y": maker.normal(size=3000)}), tmp_path / "wide.parquet"
        )
        path = [tmp_path / "wide.parquet"]
        training = read_training_data(path, make_plan(path, "", target="y", seconds=10))
        training.fit_encoder(np.arange(3000))
        fold_data = training.fold_data(0, np.arange(3000))
        for stepped in (False, True):
            inputs = fit_inputs(fold_data, np.arange(3000), stepped=stepped)
            assert inputs.sizes.tolist() == [42, 302]
            assert (len(inputs.stepped) > 0) == stepped
            assert inputs.width <= MAX_INPUTS

    def test_of_one_row_are_the_numbers_of_many(self, network: Network, fold_data: FoldData):
        inputs, features = network.inputs, fold_data.features[:40].astype(np.float64)
        assert len(inputs.segments) == len(inputs.smooth) > 1
        knots = np.where(np.isfinite(inputs.knots), inputs.knots, 0.0)
        features[: knots.shape[1], inputs.smooth] = knots.T[:40]
        for place, odd in enumerate((3e38, -3e38, np.nan)):
            features[-place - 1, inputs.smooth] = odd
        features[-4, inputs.smooth[0]] = np.nan
        for row in features:
            told = inputs.numbers(row[None])
            many = inputs.numbers(np.stack([row, row]))
            assert told.shape == many[:1].shape
            assert (told == many[:1]).all()

    def test_of_one_row_are_the_values_nearest_as_of_many(self):
        none = np.empty(0)
        steps = np.full((3, 4), np.inf)
        steps[0], steps[1, :2], steps[2, :1] = [-1.5, 0.0, 1.0, 4.0], [0.0, 1.0], [2.0]
        code, sizes = np.array([3]), np.array([5])
        flat = np.empty((0, 3))
        inputs = Inputs(
            np.empty(0, dtype=np.int64), none, none, flat, flat, code, sizes, np.arange(3), steps
        )
        maker = np.random.default_rng(0)
        features = maker.integers(-9, 18, size=(400, 4)) / 4
        features[maker.random(features.shape) < 0.1] = np.nan
        features[:, 3] = maker.integers(0, 5, 400)
        many = inputs.ones(features)
        assert many.max() == inputs.width
        assert [inputs.ones(row[None])[0].tolist() for row in features] == many.tolist()


class TestContributions:
    def test_sum_to_the_link(self, network: Network, training: TrainingData, fold_data: FoldData):
        columns = np.array(fold_data.encoder.owners())
        features = fold_data.features[:20]
        parts = network.contributions(features, columns, len(training.frame))
        wanted = network.raw_prediction(features.astype(np.float64))
        assert np.abs(network.base() + parts.sum(axis=1) - wanted).max() < 1e-9

    def test_of_two_columns_are_their_shapley_values(self, network: Network, fold_data: FoldData):
        """Both orders of two columns are looked at, so that nothing is left to chance."""
        halves = np.arange(fold_data.features.shape[1]) % 2
        features = fold_data.features[:5]
        parts = network.contributions(features, halves, 2)
        inputs = network.inputs
        found = inputs.of(features.astype(np.float64))
        mine = halves[inputs.owners()] == 0
        alone = [np.where(mine == first, found, network.means) for first in (True, False)]
        raw_predictions = [_raw_prediction(network, rows) for rows in (*alone, found)]
        base = network.base()
        wanted = (raw_predictions[0] - base + raw_predictions[2] - raw_predictions[1]) / 2
        assert np.allclose(parts[:, 0], wanted, rtol=0, atol=1e-9)

    def test_count_in_a_blend_with_trees(
        self, network: Network, training: TrainingData, fold_data: FoldData, path: Path
    ):
        rows, stop = rows_of(path, 20), Deadline(time.monotonic() + 600)
        trees = fit_lightgbm(FitRequest(fold_data, TRAIN, None, 5, stop, {})).compiled()
        members = [(0.5, trees), (0.5, replace(trees, components=(NeuralNetwork(network),)))]
        model = compile_model(training.goal, fold_data.encoder, members).opened()
        found = Explainer(model).explain(rows)
        wanted = model.raw_prediction(model.encoder.many(rows))
        assert np.abs(found.base + found.parts.sum(axis=1) - wanted).max() < 1e-9


def _raw_prediction(network: Network, inputs: Any) -> Any:
    return np.array([replace(network, means=row).base() for row in inputs])


@pytest.fixture(scope="module")
def kept(
    training: TrainingData,
    fold_data: FoldData,
    network: Network,
    tmp_path_factory: pytest.TempPathFactory,
) -> Path:
    """An artifact of one network."""
    return _kept(training, fold_data, network, tmp_path_factory.mktemp("kept"))


def _kept(
    training: TrainingData, fold_data: FoldData, network: Network | None, folder: Path
) -> Path:
    compiled = fit_network(
        FitRequest(fold_data, TRAIN, None, 1, Deadline(time.monotonic() + 600), {})
    ).compiled()
    components = (NeuralNetwork(network),) if network else ()
    members = [(1.0, replace(compiled, components=components))]
    model = compile_model(training.goal, fold_data.encoder, members)
    answers = {
        "target": "y", "type": "string", "classes": training.classes,
        "offset": [0.0] * training.goal.classes, "interval": None,
    }  # fmt: skip
    save(folder, Artifact(model, answers, {}, {}))
    return folder / "model.zip"


def _network_of(model: Model) -> Network:
    (found,) = model.components
    assert isinstance(found, NeuralNetwork)
    return found.network


class TestKept:
    def test_reads_as_it_was_written(self, kept: Path, network: Network, fold_data: FoldData):
        model = load_artifact(kept).model.opened()
        features = fold_data.features.astype(np.float64)
        assert np.array_equal(
            _network_of(model).raw_prediction(features), network.raw_prediction(features)
        )
        assert np.allclose(
            model.raw_prediction(fold_data.features),
            network.raw_prediction(features),
            rtol=0,
            atol=1e-12,
        )

    def test_has_a_format_that_older_clients_refuse(self, kept: Path):
        assert load_artifact(kept).manifest["format"] == WITH_NETWORKS

    def test_of_one_layer_is_read_in_the_format_before_there_were_two(
        self, training: TrainingData, fold_data: FoldData, tmp_path: Path
    ):
        network = fitted(fold_data)
        members = _members(_kept(training, fold_data, network, tmp_path / "plain"))
        with np.load(io.BytesIO(members["arrays.npz"]), allow_pickle=False) as held:
            arrays = {name: held[name] for name in held.files if name.split(".")[-1] not in DEEPER}
        manifest = json.loads(members["manifest.json"]) | {"format": 3}
        members |= {"manifest.json": json.dumps(manifest).encode(), "arrays.npz": packed(arrays)}
        (tmp_path / "model.zip").write_bytes(sealed(members))
        features = fold_data.features.astype(np.float64)
        model = load_artifact(tmp_path / "model.zip").model
        assert np.array_equal(
            _network_of(model).raw_prediction(features), network.raw_prediction(features)
        )

    def test_without_a_network_has_the_format_of_before(
        self, training: TrainingData, fold_data: FoldData, tmp_path: Path
    ):
        path = _kept(training, fold_data, None, tmp_path / "plain")
        assert load_artifact(path).manifest["format"] == OLDEST_FORMAT

    @pytest.mark.parametrize(
        ("name", "change"),
        [
            ("smooth", put(0, 10**6)), ("smooth", put(0, -1)), ("level", put(0, 10**6)),
            ("sizes", put(0, 10**9)), ("sizes", put(0, 1)), ("stepped", put(0, 10**6)),
            ("spread", put(0, 0.0)), ("spread", put(0, np.inf)), ("knots", put((0, 0), np.inf)),
            ("knots", lambda array: array[:, :1]), ("scores", lambda array: array[:-1]),
            ("steps", put((0, 0), np.inf)), ("steps", lambda array: array[:, :0]),
            ("inner", put((0, 0), np.inf)), ("inner", lambda array: array[:-1]),
            ("outer", lambda array: array[:, :-1]), ("start", lambda array: array[:-1]),
            ("bias", lambda array: array.astype(np.float32)), ("means", lambda array: array[1:]),
            ("smooth", lambda array: array.astype(np.int32)), ("level", lambda array: array[None]),
            ("middle", lambda array: np.ones((3, 7, 5))), ("middle", lambda array: array.ravel()),
            ("middle", lambda array: np.float64(1)), ("begin", lambda array: np.ones((1, 1, 7))),
            ("middle", lambda array: np.full((1, *array.shape[1:]), np.inf)),
            ("middle", lambda array: np.ones((10**4, 1, 1))),
        ],
    )  # fmt: skip
    def test_is_refused_when_it_leads_outside_or_does_not_fit(
        self, kept: Path, tmp_path: Path, name: str, change: Callable[[Any], Any]
    ):
        content = with_array(_members(kept), "arrays.npz", f"network.0.{name}", change)
        refused(tmp_path, content, "network|not as large|packed")

    @pytest.mark.parametrize("count", [2, 10**9, "1", 1.5])
    def test_is_refused_when_there_are_not_so_many(self, kept: Path, tmp_path: Path, count: Any):
        content = with_json(_members(kept), lambda told: told.update(networks=count))
        refused(tmp_path, content, "network|cannot be interpreted")


def _members(path: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(path) as held:
        return {name: held.read(name) for name in held.namelist()}
