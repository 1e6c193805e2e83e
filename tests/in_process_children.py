"""Runs what children would run in this process: a process takes half a second to start."""

import json
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

import pytest

from modelwright.connections import connection_tester
from modelwright.jobs import context


@pytest.fixture
def in_process_children(monkeypatch: pytest.MonkeyPatch) -> None:
    """Children's targets run here, on the same JSON and with the same reports and refusals."""

    def run(
        target: str, payload: Mapping[str, Any], *, on_report: Callable[[Any], None], **_more: Any
    ) -> Any:
        module, name = target.split(":")
        told = json.loads(json.dumps(dict(payload)))
        return json.loads(json.dumps(getattr(import_module(module), name)(told, on_report)))

    monkeypatch.setattr(context, "run_child", run)
    monkeypatch.setattr(connection_tester, "run_child", run)
