"""Exports of real tables; converted in this process but where a test says otherwise."""

import json
from collections.abc import Callable
from importlib import import_module
from typing import Any

import pytest
from fastapi.testclient import TestClient
from tests.modelling import ModelSide

from modelwright.jobs import children
from modelwright.wiring import House

SALES = 'city,amount,sold_on\nOslo,1.5,2024-01-05\n"Bad, ""Ems""",,2024-02-29\n'


@pytest.fixture
def near(monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs what a child would run here: a process a file takes a second to start."""

    def run(target: str, payload: Any, *, on_report: Callable[[Any], None], **_more: Any) -> Any:
        module, name = target.split(":")
        told = json.loads(json.dumps(dict(payload)))
        return json.loads(json.dumps(getattr(import_module(module), name)(told, on_report)))

    monkeypatch.setattr(children, "run", run)


@pytest.fixture
def upload_id(side: ModelSide) -> str:
    return side.upload(SALES)


@pytest.fixture
def export(
    house: House, api: TestClient, upload_id: str, worker: Callable[[], int]
) -> Callable[..., dict[str, Any]]:
    """Asks for an export of the small table, has it made, and answers how it stands."""

    def make(**members: Any) -> dict[str, Any]:
        answer = api.post("/data/export", json={"upload_id": upload_id, **members})
        assert answer.status_code == 200, answer.text
        worker()
        return dict(api.get(f"/data/export/{answer.json()['export_id']}").json())

    return make
