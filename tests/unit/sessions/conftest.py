"""Sessions over real tables on disk."""

from collections.abc import Callable
from typing import Any

import pytest
from fastapi.testclient import TestClient
from tests.factories import ModelSide

SALES = "region,amount\nnorth,10\nsouth,20\nnorth,5\n"


@pytest.fixture
def upload_id(model_side: ModelSide) -> str:
    """A complete upload of one small table, `table0`."""
    return model_side.upload(SALES)


@pytest.fixture
def opened(api: TestClient, upload_id: str) -> Callable[..., dict[str, Any]]:
    """Opens a session, over the small table unless told otherwise; answers it."""

    def make(**members: Any) -> dict[str, Any]:
        answer = api.post("/data/sessions", json={"upload_id": upload_id, **members})
        assert answer.status_code == 200, answer.text
        return dict(answer.json())

    return make
