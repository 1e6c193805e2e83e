"""Functions of numbers and levels: one row gives the number that it gives among many."""

import numpy as np
import pytest

from modelwright_runtime.additive import MAX_FEATURES_SINGLE, Additive, CompiledAdditive
from modelwright_runtime.objective import Floats
from modelwright_runtime.piecewise_linear import PiecewiseLinear

LEVELS = 3
"""Codes of a categorical slot."""
KNOTS = 6
"""Knots of a slot at most."""


def additive(smooth: int, level: int, width: int) -> Additive:
    """Makes a model of slots that have one knot more each, up to `KNOTS`, and then of codes."""
    maker = np.random.default_rng(0)
    counts = 1 + np.arange(smooth) % KNOTS
    knots = np.sort(maker.integers(-9, 10, size=(smooth, KNOTS)) / 2, axis=1)
    knots[np.arange(KNOTS) >= counts[:, None]] = np.inf
    starts = np.concatenate([[0], (counts + 1).cumsum()])
    level_at = starts[-1] + LEVELS * np.arange(level)
    weights = maker.normal(size=(starts[-1] + LEVELS * level, width))
    features = np.arange(smooth), smooth + np.arange(level)
    return Additive(
        weights, maker.normal(size=width), features[0], knots, counts, starts[:-1],
        features[1], level_at, len(weights),
    )  # fmt: skip


def rows(model: Additive) -> Floats:
    """Makes rows of numbers, many of them on a knot, of gaps and very large ones, and of codes."""
    maker = np.random.default_rng(1)
    numbers = maker.integers(-12, 13, size=(300, len(model.smooth))) / 2
    numbers[maker.random(numbers.shape) < 0.1] = np.nan
    numbers[:2] = np.array([[3e38], [-3e38]])
    return np.concatenate([numbers, maker.integers(0, LEVELS, (300, len(model.level)))], axis=1)


class TestLink:
    @pytest.mark.parametrize("width", [1, 3])
    @pytest.mark.parametrize(
        ("smooth", "level"), [(7, 4), (7, 0), (0, 4), (20, 4), (MAX_FEATURES_SINGLE, 1)]
    )
    def test_of_one_row_is_that_of_many(self, smooth: int, level: int, width: int):
        model = additive(smooth, level, width)
        lines, features = CompiledAdditive.of(model), rows(model)
        many = lines.raw_prediction(features)
        assert np.array_equal(
            np.concatenate([lines.raw_prediction(row[None]) for row in features]), many
        )
        assert model.is_small() == (width == 1 and smooth + level <= MAX_FEATURES_SINGLE)
        parts = model.parts(features.astype(np.float32)).sum(axis=1)
        assert many == pytest.approx(model.bias + parts)


class TestStretches:
    @pytest.mark.parametrize("features", [1, 40])
    def test_are_straight_between_knots_and_flat_beyond(self, features: int):
        maker = np.random.default_rng(2)
        knots = np.sort(maker.normal(size=(features, KNOTS)), axis=1)
        scores = np.sort(maker.normal(size=(features, KNOTS)), axis=1)
        values = np.concatenate(
            [maker.normal(size=(200, features)) * 2, knots.T, [[9e37] * features]]
        )
        found = PiecewiseLinear.of(knots, scores)
        wanted = [np.interp(*told) for told in zip(values.T, knots, scores, strict=True)]
        assert found.at(values) == pytest.approx(np.array(wanted).T)
        assert np.array_equal(
            np.concatenate([found.at(row[None]) for row in values]), found.at(values)
        )
