"""Runs what children would run in this process: a process takes half a second to start."""

import json
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from typing import Any

import pytest
from tests.few_folds import few_folds

from modelwright.builds import plan_slots
from modelwright.connections import connection_tester
from modelwright.jobs import context


@contextmanager
def children_in_process() -> Iterator[None]:
    """Children's targets run here, on the same JSON and with the same reports and refusals.

    Builds have few folds; those in real children have all of them.
    """

    def run(
        target: str, payload: Mapping[str, Any], *, on_report: Callable[[Any], None], **_more: Any
    ) -> Any:
        sys.audit("subprocess.Popen", target, [], None, None)  # which `transactions` heeds
        module, name = target.split(":")
        told = json.loads(json.dumps(dict(payload)))
        return json.loads(json.dumps(getattr(import_module(module), name)(told, on_report)))

    with few_folds(), pytest.MonkeyPatch.context() as patch:
        for starter in (context, connection_tester, plan_slots):
            patch.setattr(starter, "run_child", run)
        yield


@pytest.fixture
def in_process_children() -> Iterator[None]:
    """Children's targets run here."""
    with children_in_process():
        yield
