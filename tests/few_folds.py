"""Builds over the folds of a large table: a small one has nearly three times as many."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest


@contextmanager
def few_folds() -> Iterator[None]:
    """Three of five parts are folds, as of a large table, where there would be eight."""
    with pytest.MonkeyPatch.context() as patch:
        # By its name, as most who import this build nothing.
        patch.setattr("modelwright.engines.automl.search.splits.LARGE_ROWS", 0)
        yield
