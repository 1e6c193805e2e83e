"""A fit that needs too much memory fails, and its process ends; another one is left alone."""

import threading
import time
from collections.abc import Callable

import psutil
import pytest

from modelwright.engines.automl.search import fit_memory
from modelwright.engines.automl.search.executors import RemoteFitError, decoded
from modelwright.engines.automl.search.fit_memory import run_within

MUCH = 256
"""MiB more than this process has: no fit here takes as many."""
LESS_THAN_ANY = 1
"""MiB that any process has."""


def resident_mb() -> int:
    return int(psutil.Process().memory_info().rss >> 20)


@pytest.fixture
def ended(monkeypatch: pytest.MonkeyPatch) -> threading.Event:
    monkeypatch.setattr(fit_memory, "ANSWER_SECONDS", 0.01)
    return threading.Event()


class TestRunWithin:
    def test_ends_a_fit_that_needs_more_and_its_process(self, ended: threading.Event):
        go = threading.Event()

        def fit() -> bytes:
            go.wait(60)  # as a library does that nobody can stop
            return b"late"

        told = run_within(LESS_THAN_ANY, fit, ended.set)
        go.set()
        with pytest.raises(RemoteFitError, match=f"needed more than {LESS_THAN_ANY} MB of memory"):
            decoded(told)
        assert ended.wait(60)

    def test_gives_what_a_fit_within_it_gave(self, ended: threading.Event):
        limit = resident_mb() + MUCH
        assert run_within(limit, lambda: b"the outcome", ended.set) == b"the outcome"
        assert not ended.is_set()

    def test_looks_more_than_once(self, ended: threading.Event):
        slow: Callable[[], bytes] = lambda: time.sleep(5 * fit_memory.LOOK_SECONDS) or b"late"  # noqa: E731 - read once
        assert run_within(resident_mb() + MUCH, slow, ended.set) == b"late"

    def test_passes_a_fault_of_a_fit_on(self, ended: threading.Event):
        def fit() -> bytes:
            raise ValueError("no such column")

        with pytest.raises(ValueError, match="no such column"):
            run_within(resident_mb() + MUCH, fit, ended.set)
