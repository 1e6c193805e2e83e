"""Networks laid out for batches: the same links, whatever the rows hold."""

import time
import tracemalloc
from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

from modelwright.engines.automl.estimators.estimator import Deadline, FitRequest
from modelwright.engines.automl.estimators.network import fit_network
from modelwright.engines.automl.planning.build_plan import make_plan
from modelwright.engines.automl.search.training_data import read_training_data
from modelwright_runtime.batch_network import MAX_TABLE_ROWS, FoldedNetwork
from modelwright_runtime.columns import CategoryColumn
from modelwright_runtime.components.neural_network import NeuralNetwork
from modelwright_runtime.encoder import Encoder
from modelwright_runtime.lookup_network import LookupNetwork
from modelwright_runtime.model import Model
from modelwright_runtime.network import Inputs, Network, only
from modelwright_runtime.objective import Objective

LEVELS = {"two": 2, "three": 3, "five": 5, "seven": 7, "many": 300}
ROWS = 2400
FittedModel = tuple[Network, Encoder]


def columns() -> dict[str, Any]:
    maker = np.random.default_rng(0)
    found: dict[str, Any] = {
        name: pa.array([f"v{one}" if one else None for one in maker.integers(0, levels + 1, ROWS)])
        for name, levels in LEVELS.items()
    }
    size = maker.normal(size=ROWS)
    size[::9] = np.nan
    whole = maker.integers(0, 20, ROWS)
    mood = np.array([hash_of(one) for one in found["seven"].to_pylist()])
    return found | {
        "size": pa.array(size, from_pandas=True),
        "whole": whole,
        "y": np.nan_to_num(size) + whole / 9 + mood + maker.normal(size=ROWS) / 3,
    }


def hash_of(level: str | None) -> float:
    return 0.0 if level is None else int(level[1:]) % 3


@pytest.fixture(scope="module", params=[False, True], ids=["one layer", "two layers"])
def fitted(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> FittedModel:
    path = tmp_path_factory.mktemp("lesson") / "table.parquet"
    parquet.write_table(pa.table(columns()), path)
    training = read_training_data([path], make_plan([path], "", target="y", seconds=10))
    every = np.arange(ROWS)
    training.fit_encoder(every)
    fold_data, stop = training.fold_data(0, every), Deadline(time.monotonic() + 600)
    found = fit_network(
        FitRequest(fold_data, every, None, 3, stop, {"stepped": True, "deep": request.param})
    )
    (component,) = found.compiled().components
    assert isinstance(component, NeuralNetwork)
    return component.network, fold_data.encoder


def rows() -> list[dict[str, Any]]:
    """Every level, gaps and levels never seen among them."""
    maker = np.random.default_rng(1)
    return [
        {
            **{
                name: [None, "never seen", f"v{maker.integers(1, levels + 1)}"][min(draw, 2)]
                for (name, levels), draw in zip(
                    LEVELS.items(), maker.integers(0, 9, 5), strict=True
                )
            },
            "size": None if place % 7 == 0 else float(maker.normal()),
            "whole": int(maker.integers(-3, 25)),
        }
        for place in range(700)
    ]


def test_links_are_the_same(fitted: FittedModel):
    network, encoder = fitted
    folded, features = FoldedNetwork.of(network, encoder), encoder.many(rows()).astype(np.float64)
    assert np.abs(folded.raw_prediction(features) - network.raw_prediction(features)).max() < 1e-12


def test_small_categories_share_tables_and_only_numbers_are_left(fitted: FittedModel):
    network, encoder = fitted
    folded = FoldedNetwork.of(network, encoder)
    sizes = sorted(len(table) for table in folded.tables)
    assert len(sizes) == 3
    assert sizes[1] <= MAX_TABLE_ROWS < sizes[2]
    assert len(folded.codes) == len(LEVELS)
    assert len(folded.rest.inputs.smooth) == 2
    assert not len(folded.rest.inputs.level)


def test_a_table_whose_first_slot_is_not_its_row_stays_as_it_is(fitted: FittedModel):
    network, encoder = fitted
    changed = [
        one.with_table(one.table[::-1].copy())
        if isinstance(one, CategoryColumn) and one.name == "many"
        else one
        for one in encoder.columns
        if hasattr(one, "with_table") or one.name in ("size", "whole")
    ]
    other = replace(encoder, columns=tuple(changed))
    folded, features = FoldedNetwork.of(network, other), other.many(rows()).astype(np.float64)
    assert len(folded.codes) == len(LEVELS) - 1
    assert np.abs(folded.raw_prediction(features) - network.raw_prediction(features)).max() < 1e-12


class TestKnown:
    def test_values_gaps_and_values_never_seen_have_the_same_links_row_by_row(
        self, fitted: FittedModel
    ):
        network, encoder = fitted
        features = encoder.many(rows()).astype(np.float64)
        features[::5, network.inputs.stepped] = np.nan
        known = LookupNetwork.of(network)
        raw_predictions = np.concatenate([known.raw_prediction(row[None]) for row in features])
        assert np.abs(raw_predictions - network.raw_prediction(features)).max() < 1e-12
        assert np.array_equal(known.raw_prediction(features), network.raw_prediction(features))

    def test_values_are_looked_up(self, fitted: FittedModel):
        network, encoder = fitted
        known = LookupNetwork.of(network)
        assert isinstance(known, LookupNetwork)
        assert not len(known.rest.inputs.stepped)
        assert len(known.rest.inputs.smooth) < len(network.inputs.smooth)
        other = replace(known, network=network.scaled(0.0))
        row = encoder.one(rows()[0]).astype(np.float64)
        first = network.inputs.steps[:, 0]
        for value, is_known in ((first, True), (np.nan, True), (first + 0.01, False)):
            row[0, network.inputs.stepped] = value
            assert bool(other.raw_prediction(row).any()) == is_known
            assert bool(known.raw_prediction(row).any())

    def test_values_are_looked_up_by_the_model(self, fitted: FittedModel):
        network, encoder = fitted
        component, goal = NeuralNetwork(network), Objective("regression")
        model = Model.of(goal, encoder, np.zeros(1), [component]).opened()
        row = encoder.many(rows()[:1])
        known = LookupNetwork.of(network).raw_prediction(row.astype(np.float64))
        assert isinstance(LookupNetwork.of(network), LookupNetwork)
        assert np.array_equal(model.raw_prediction(row), known)

    def test_networks_that_know_none_stay_as_they_are(self, fitted: FittedModel):
        network = fitted[0]
        stepped = np.isin(network.inputs.owners(), network.inputs.stepped)
        plain = only(network, ~stepped)
        assert LookupNetwork.of(plain) is plain

    def test_of_too_many_values_stay_as_they_are_and_take_no_memory(self):
        none, flat, many = np.empty(0), np.empty((0, 3)), 20_000
        whole, feature = np.empty(0, dtype=np.int64), np.zeros(1, dtype=np.int64)
        steps = np.arange(float(many))[None]
        inputs = Inputs(whole, none, none, flat, flat, whole, whole, feature, steps)
        weights, one = np.zeros((many, 1)), np.zeros(1)
        layers = np.zeros((0, 0, 0))
        network = Network(
            inputs, weights, one, np.zeros((1, 1)), weights, one, weights[:, 0], layers, layers
        )
        tracemalloc.start()
        assert LookupNetwork.of(network) is network
        assert tracemalloc.get_traced_memory()[1] < 1 << 20
        tracemalloc.stop()
