"""Exports of real tables; converted in this process but where a test says otherwise."""

from collections.abc import Callable
from typing import Any

import pytest
from fastapi.testclient import TestClient
from tests.factories import ModelSide

from modelwright.bootstrap.container import Container

SALES = 'city,amount,sold_on\nOslo,1.5,2024-01-05\n"Bad, ""Ems""",,2024-02-29\n'


@pytest.fixture
def upload_id(model_side: ModelSide) -> str:
    return model_side.upload(SALES)


@pytest.fixture
def export(
    container: Container, api: TestClient, upload_id: str, worker: Callable[[], int]
) -> Callable[..., dict[str, Any]]:
    """Asks for an export of the small table, has it made, and answers how it stands."""

    def make(**members: Any) -> dict[str, Any]:
        answer = api.post("/data/export", json={"upload_id": upload_id, **members})
        assert answer.status_code == 200, answer.text
        worker()
        return dict(api.get(f"/data/export/{answer.json()['export_id']}").json())

    return make
