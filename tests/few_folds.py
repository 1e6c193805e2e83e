"""Builds over the folds of a large table, and of few rounds: a small one has thrice as many."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

LEARNING_RATE = 0.2
"""Some three times that of boosting here, which then takes a third of the rounds."""
MAX_ROUNDS = 300
"""Rounds at most: a table that is learnt wholly takes thousands."""


@contextmanager
def few_folds() -> Iterator[None]:
    """Three of five parts are folds, as of a large table, where there would be eight."""
    with pytest.MonkeyPatch.context() as patch:
        # By its name, as most who import this build nothing.
        patch.setattr("modelwright.engines.automl.search.splits.LARGE_ROWS", 0)
        yield


@contextmanager
def few_rounds() -> Iterator[None]:
    """Boosting takes large steps and few of them: for tests of all but how well it learns."""
    from modelwright.engines.automl.estimators import catboost, lightgbm

    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(lightgbm.BASE_SETTINGS, "learning_rate", LEARNING_RATE)
        for family in (catboost, lightgbm):
            patch.setattr(family, "MAX_ROUNDS", MAX_ROUNDS)
        patch.setattr(catboost, "LEARNING_RATE", LEARNING_RATE)
        patch.setattr(catboost, "FEW_ROWS_LEARNING_RATE", LEARNING_RATE)
        yield
