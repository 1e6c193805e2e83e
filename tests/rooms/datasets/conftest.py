"""The same house and the same steps as the uploads', but files are converted in this process."""

import json
from collections.abc import Callable
from importlib import import_module
from typing import Any

import pytest
from tests.rooms.uploads.conftest import (
    complete,
    confirm,
    declare,
    objects,
    place,
    sweep,
    work,
)

from modelwright.jobs import children
from modelwright.jobs.errors import ChildRefused, Refused

__all__ = ["complete", "confirm", "declare", "objects", "place", "sweep", "work"]


@pytest.fixture(autouse=True)
def no_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs what a child would run here: a process a file takes a second to start."""

    def run(target: str, payload: Any, *, on_report: Callable[[Any], None], **_more: Any) -> Any:
        module, name = target.split(":")
        try:
            answer = getattr(import_module(module), name)(payload, on_report)
        except Refused as refused:
            raise ChildRefused(refused.reason) from None
        return json.loads(json.dumps(answer))

    monkeypatch.setattr(children, "run", run)
