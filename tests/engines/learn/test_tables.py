"""Trees as tables: the same sums as by walking them."""

import numpy as np
import pytest
from numpy.typing import NDArray

from modelwright.engines.learn.members.growing import Grower
from modelwright_client.predictor.columns import NumberColumn
from modelwright_client.predictor.encoder import Encoder
from modelwright_client.predictor.forest import Forest, check
from modelwright_client.predictor.goals import Goal
from modelwright_client.predictor.model import Model
from modelwright_client.predictor.tables import MOST, tabled

SLOTS, ROWS, CLASSES = 4, 700, 3


def _grow(grower: Grower, maker: np.random.Generator, tests: list[tuple[int, float, bool]]) -> int:
    """Grows a tree that asks these tests, each of them on one way down at least."""
    if not tests:
        return grower.leaf([float(maker.normal())], 1.0)
    (slot, at_most, gaps), rest = tests[0], tests[1:]
    place = grower.node(slot, at_most, gaps, 2.0)
    short = grower.leaf([float(maker.normal())], 1.0) if maker.random() < 0.3 else None
    yes = _grow(grower, maker, rest)
    grower.links[place] = [yes, _grow(grower, maker, rest) if short is None else short]
    return place


def _forest(maker: np.random.Generator, sizes: list[int], outputs: int) -> Forest:
    grower = Grower(1)
    for tree, size in enumerate(sizes):
        tests = [
            (int(maker.integers(SLOTS)), float(maker.normal()), bool(maker.random() < 0.5))
            for _ in range(size)
        ]
        grower.tree(_grow(grower, maker, tests), tree % outputs)
    return grower.forest()


def _walked(forest: Forest, rows: NDArray[np.float64], width: int) -> NDArray[np.float64]:
    link = np.zeros((len(rows), width))
    for row, told in zip(rows, link, strict=True):
        for root, target in zip(forest.roots, forest.targets, strict=True):
            at = root
            while at >= 0:
                value = row[forest.feature[at]]
                gap = bool(np.isnan(value))
                yes = forest.missing[at] if gap else value <= forest.threshold[at]
                at = forest.yes[at] if yes else forest.no[at]
            told[target] += forest.values[~at, 0]
    return link


def _rows(maker: np.random.Generator) -> NDArray[np.float64]:
    rows = maker.normal(size=(ROWS, SLOTS)).astype(np.float32).astype(np.float64)
    rows[maker.random(rows.shape) < 0.1] = np.nan
    return rows


@pytest.mark.parametrize("width", [1, CLASSES])
@pytest.mark.parametrize("sizes", [[1, 2, 6, 6, 8, 10, 9, 3], [5, 6, 7], [9, 10]])
class TestModelForBatches:
    def test_gives_what_walking_the_trees_gives(self, width: int, sizes: list[int]):
        maker = np.random.default_rng(len(sizes) + width)
        forest, rows = _forest(maker, sizes, width), _rows(maker)
        encoder = Encoder(tuple(NumberColumn(f"x{at}", "float", True) for at in range(SLOTS)))
        goal = Goal("multiclass", CLASSES) if width > 1 else Goal("regression")
        model = Model.of(goal, encoder, np.zeros(width), (forest, ()))
        model.warm()
        many = model.for_batches(forest, [])
        assert (many.tables is None) == (min(sizes) > MOST)
        assert (many.order is None) == (max(sizes) <= MOST)
        wanted = _walked(forest, rows, width)
        for told in (model, many):
            assert np.allclose(told.link(rows), wanted, rtol=0, atol=1e-12)


def test_splits_a_forest_into_tables_and_the_other_trees():
    forest = _forest(np.random.default_rng(0), [3, 12, 8, 11], 1)
    tables, others = tabled(forest)
    assert sum(len(group.tests) for group in tables.groups) == 2
    assert others is not None
    check(others, SLOTS, 1, 1)
    assert len(others.roots) == 2
