"""Trees as tables: the same sums as by walking them."""

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from modelwright.engines.automl.estimators.forest_builder import ForestBuilder
from modelwright_runtime.bitsliced_forest import CHUNK_ROWS as ROWS_AT_ONCE
from modelwright_runtime.bitsliced_forest import FEW_TESTS, MAX_BITS, FeatureTests
from modelwright_runtime.bitslices import MAX_LEAVES, MAX_TREES_PER_GROUP, build_bitslices
from modelwright_runtime.columns import NumberColumn
from modelwright_runtime.components.trees import SummedTrees
from modelwright_runtime.encoder import Encoder
from modelwright_runtime.forest import Forest, check, owners
from modelwright_runtime.model import Model
from modelwright_runtime.objective import Objective

SLOTS = 4
ROWS = 700
CLASSES = 3


def _grow(
    grower: ForestBuilder,
    maker: np.random.Generator,
    tests: list[tuple[int, float, bool]],
    *,
    chain: bool = False,
) -> int:
    """Grows a tree that asks these tests, each of them on one way down at least.

    A `chain` has no other way.
    """
    if not tests:
        return grower.leaf([float(maker.normal())], 1.0)
    (feature, at_most, gaps), rest = tests[0], tests[1:]
    place = grower.node(feature, at_most, gaps, 2.0)
    short = grower.leaf([float(maker.normal())], 1.0) if chain or maker.random() < 0.3 else None
    yes = _grow(grower, maker, rest, chain=chain)
    no = _grow(grower, maker, rest) if short is None else short
    grower.children[place] = [yes, no] if maker.random() < 0.5 else [no, yes]
    return place


def _forest(maker: np.random.Generator, sizes: list[int], outputs: int) -> Forest:
    """Grows trees of so many tests, chains where that is below zero."""
    grower = ForestBuilder(1)
    for tree, size in enumerate(sizes):
        tests = [
            (int(maker.integers(SLOTS)), float(maker.normal()), bool(maker.random() < 0.5))
            for _ in range(abs(size))
        ]
        grower.tree(_grow(grower, maker, tests, chain=size < 0), tree % outputs)
    return grower.forest()


def _walked(forest: Forest, rows: NDArray[np.float64], width: int) -> NDArray[np.float64]:
    raw_prediction = np.zeros((len(rows), width))
    for row, told in zip(rows, raw_prediction, strict=True):
        for root, target in zip(forest.roots, forest.targets, strict=True):
            at = root
            while at >= 0:
                value = row[forest.feature[at]]
                gap = bool(np.isnan(value))
                yes = forest.missing[at] if gap else value <= forest.threshold[at]
                at = forest.yes[at] if yes else forest.no[at]
            told[target] += forest.values[~at, 0]
    return raw_prediction


def _rows(maker: np.random.Generator) -> NDArray[np.float64]:
    rows = maker.normal(size=(ROWS, SLOTS)).astype(np.float32).astype(np.float64)
    rows[maker.random(rows.shape) < 0.1] = np.nan
    return rows


@pytest.mark.parametrize("width", [1, CLASSES])
@pytest.mark.parametrize(
    "sizes",
    [
        [1, 2, 6, 6, 8, 10, 9, 3],
        [5, 6, 7],
        [11, 12],
        [-9, -20, -127],
        [-9, 3, 11, -60, -128],
        [-12] * (MAX_TREES_PER_GROUP + 2) + [4] * (MAX_TREES_PER_GROUP + 2),
    ],
)
class TestModelForBatches:
    def test_gives_what_walking_the_trees_gives(self, width: int, sizes: list[int]):
        maker = np.random.default_rng(len(sizes) + width)
        forest, rows = _forest(maker, sizes, width), _rows(maker)
        encoder = Encoder(tuple(NumberColumn(f"x{at}", "float", True) for at in range(SLOTS)))
        goal = Objective("multiclass", CLASSES) if width > 1 else Objective("regression")
        model: Any = Model.of(goal, encoder, np.zeros(width), [SummedTrees(forest)]).opened()
        many = model.for_batches()
        few = [_is_few(forest, tree) for tree in range(len(sizes))]
        assert many.evaluators is not None
        assert many.evaluators[0].is_compared == (not all(few))
        assert (many.order is None) == all(few)
        wanted = _walked(forest, rows, width)
        for told in (model, many):
            assert np.allclose(told.raw_prediction(rows), wanted, rtol=0, atol=1e-12)


def _is_few(forest: Forest, tree: int) -> bool:
    nodes, leaves = owners(forest)
    own = nodes == tree
    tests = {*zip(forest.feature[own], forest.threshold[own], forest.missing[own], strict=True)}
    return len(tests) <= MAX_BITS or (leaves == tree).sum() <= MAX_LEAVES


def test_splits_a_forest_into_tables_and_the_other_trees():
    forest = _forest(np.random.default_rng(0), [3, 12, 8, 11, -40], 1)
    tables, others = build_bitslices(forest)
    assert tables is not None
    assert sorted(len(group.values) for group in tables.groups) == [1, 1, 1]
    assert others is not None
    check(others, SLOTS, 1, 1)
    assert len(others.roots) == 2


@pytest.mark.parametrize("count", [1, 63, 64, 65, ROWS_AT_ONCE, ROWS_AT_ONCE + 1])
def test_any_number_of_rows_is_answered(count: int):
    maker = np.random.default_rng(count)
    forest = _forest(maker, [-30, 5], 1)
    tables, _ = build_bitslices(forest)
    assert tables is not None
    rows = np.resize(_rows(maker), (count, SLOTS))
    raw_prediction = np.ones((count, 1))
    tables.add(rows, raw_prediction)
    assert np.allclose(raw_prediction, 1 + _walked(forest, rows, 1), rtol=0, atol=1e-12)


@pytest.mark.parametrize("tests", [FEW_TESTS, FEW_TESTS + 1])
@pytest.mark.parametrize("gaps", [False, True])
def test_values_at_a_threshold_pass_and_gaps_go_their_own_way(tests: int, gaps: bool):
    at = np.arange(float(tests))
    found = np.zeros((tests, 1), dtype=np.uint64)
    values = np.array([0.0, tests - 1, 2.5, -np.inf, np.inf, np.nan, -0.0])
    FeatureTests(0, gaps, at, 0).make(values, found)
    passed = np.unpackbits(found.view(np.uint8), axis=1, bitorder="little")[:, : len(values)]
    wanted = (values <= at[:, None]) | (gaps & np.isnan(values))
    assert (passed == wanted).all()
