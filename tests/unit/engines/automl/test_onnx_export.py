"""Graphs that are run: several operators give what the one of an artifact gives."""

from dataclasses import replace

import numpy as np
import onnx
import pytest

from modelwright.engines.automl.estimators.forest_builder import ForestBuilder
from modelwright_runtime import onnx_export
from modelwright_runtime.forest import Forest, check, owners, split
from modelwright_runtime.onnx_export import (
    Outputs,
    compared,
    onnx_graph,
    places,
    run_graph,
    sums,
)
from modelwright_runtime.onnx_session import open_graph

SLOTS = 3
TREES = 12
CLASSES = 3


def _grow(grower: ForestBuilder, maker: np.random.Generator, levels: int) -> int:
    if not levels or maker.random() < 0.2:
        return grower.leaf(maker.normal(size=CLASSES).tolist(), maker.random())
    at_most, gaps = float(maker.integers(-2, 3)) / 2, bool(maker.random() < 0.5)
    place = grower.node(int(maker.integers(SLOTS)), at_most, gaps, maker.random())
    grower.children[place] = [_grow(grower, maker, levels - 1) for _ in "yn"]
    return place


def _forest(seed: int) -> Forest:
    grower, maker = ForestBuilder(CLASSES), np.random.default_rng(seed)
    for tree in range(TREES):
        grower.tree(_grow(grower, maker, 5), tree % CLASSES)
    return grower.forest()


def _mixed_up(forest: Forest, seed: int) -> Forest:
    """Numbers nodes and leaves anew, so that those of a tree lie anywhere."""
    maker = np.random.default_rng(seed)
    nodes, leaves = maker.permutation(len(forest.feature)), maker.permutation(len(forest.values))
    node_at, leaf_at = nodes.argsort(), leaves.argsort()

    def moved(raw_predictions: np.ndarray[tuple[int], np.dtype[np.int64]]) -> list[int]:
        return [
            int(node_at[raw_prediction] if raw_prediction >= 0 else ~leaf_at[~raw_prediction])
            for raw_prediction in raw_predictions
        ]

    return Forest(
        forest.feature[nodes], forest.threshold[nodes],
        np.array(moved(forest.yes[nodes])), np.array(moved(forest.no[nodes])),
        forest.missing[nodes], forest.cover[nodes],
        forest.values[leaves], forest.leaf_cover[leaves],
        np.array(moved(forest.roots)), forest.targets,
    )  # fmt: skip


def _rows() -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    maker = np.random.default_rng(9)
    rows = maker.integers(-3, 4, size=(300, SLOTS)) / 2
    rows[maker.random(rows.shape) < 0.1] = np.nan
    return rows


@pytest.fixture(params=[False, True], ids=["in turn", "mixed up"])
def forest(request: pytest.FixtureRequest) -> Forest:
    return _mixed_up(_forest(1), 2) if request.param else _forest(1)


@pytest.mark.parametrize("most", [1, 40, 10_000])
class TestRunGraph:
    @pytest.mark.parametrize("apart", [False, True])
    @pytest.mark.parametrize("trees", [TREES // CLASSES, TREES])
    def test_gives_what_one_operator_gives(
        self, forest: Forest, most: int, apart: bool, trees: int, monkeypatch: pytest.MonkeyPatch
    ):
        monkeypatch.setattr(onnx_export, "MIN_NODES", most)
        monkeypatch.setattr(onnx_export, "MAX_OPERATORS", 100)
        monkeypatch.setattr(onnx_export, "MIN_TREES_PER_TARGET", trees)
        outputs: Outputs = places(forest) if apart else sums(forest, CLASSES)
        one, several = (make(forest, outputs, SLOTS) for make in (onnx_graph, run_graph))
        onnx.checker.check_model(several, full_check=True)
        wanted = open_graph(one)(["y"], {"x": _rows()}, None)[0]
        told = open_graph(several)(["y"], {"x": compared(_rows())}, None)[0]
        assert told.shape == (300, TREES if apart else CLASSES)
        assert np.allclose(told, wanted, rtol=0, atol=0 if apart else 1e-12)

    def test_comes_of_whole_forests(self, forest: Forest, most: int):
        parts = split(forest, most)
        for part, leaves in parts:
            check(part, SLOTS, CLASSES, CLASSES)
            assert np.array_equal(part.values, forest.values[leaves])
        assert np.concatenate([part.targets for part, _ in parts]).tolist() == list(forest.targets)
        assert len(parts) == (TREES if most == 1 else 1 if most > 40 else len(parts))
        assert 1 < len(parts) < TREES or most != 40


@pytest.mark.parametrize("gaps", [False, True])
@pytest.mark.parametrize("often", [0, 1], ids=["yes", "no"])
def test_the_likelier_child_is_where_a_test_fails(often: int, gaps: bool):
    grower = ForestBuilder(1)
    leaves = [grower.leaf([float(way)], 3.0 if way == often else 1.0) for way in (0, 1)]
    root = grower.node(0, 0.5, gaps, 4.0)
    grower.children[root] = leaves
    grower.tree(root)
    forest = grower.forest()
    made = onnx.load_model_from_string(run_graph(forest, sums(forest, 1), 1))
    told = {one.name: one for one in made.graph.node[0].attribute}
    assert told["nodes_falseleafs"].ints == [1]
    weights = onnx.numpy_helper.to_array(told["leaf_weights"].t)
    assert weights[told["nodes_falsenodeids"].ints[0]] == often
    assert told["nodes_missing_value_tracks_true"].ints == [0]


@pytest.mark.parametrize(("trees", "operators"), [(4, CLASSES), (5, 1)])
def test_targets_of_many_trees_have_operators_of_their_own(
    trees: int, operators: int, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(onnx_export, "MIN_TREES_PER_TARGET", trees)
    forest = _forest(1)
    made = onnx.load_model_from_string(run_graph(forest, sums(forest, CLASSES), SLOTS))
    assert [one.op_type for one in made.graph.node].count("TreeEnsemble") == operators


def test_owners_are_the_same_however_trees_lie():
    forest, nodes = _forest(3), []
    for tree, root in enumerate(forest.roots):
        level = [int(root)]
        while level:
            inner = [raw_prediction for raw_prediction in level if raw_prediction >= 0]
            nodes += [(raw_prediction, tree) for raw_prediction in inner]
            level = [
                int(raw_prediction)
                for at in inner
                for raw_prediction in (forest.yes[at], forest.no[at])
            ]
    wanted = dict(nodes)
    assert owners(forest)[0].tolist() == [wanted[node] for node in range(len(forest.feature))]
    # A root that is not the first node of its tree.
    turned = replace(forest, roots=forest.roots[::-1], targets=forest.targets[::-1])
    assert owners(turned)[0].tolist() == [TREES - 1 - tree for tree in owners(forest)[0]]
    assert owners(turned)[1].tolist() == [TREES - 1 - tree for tree in owners(forest)[1]]
