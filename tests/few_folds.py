"""Builds over the folds of a large table: a small one has nearly three times as many."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from modelwright.engines.automl.search import splits


@contextmanager
def few_folds() -> Iterator[None]:
    """Three of five parts are folds, as of a large table, where there would be eight."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(splits, "LARGE_ROWS", 0)
        yield
