"""Analyses over real tables on disk, carried out by real children."""

from collections.abc import Callable
from typing import Any

import pytest
from fastapi.testclient import TestClient
from tests.factories import ModelSide

SALES = "day,region,amount,rate,code\n" + "".join(
    f"2024-01-{1 + n % 28:02d},{('north', 'south', '')[n % 3]},{n * 7 % 50},{n * 14 % 100},c{n}\n"
    for n in range(120)
)
STOCK = "item,left\npen,3\nink,\n"


@pytest.fixture
def upload_id(model_side: ModelSide, worker: Callable[[], int]) -> str:
    """A complete upload of two small tables."""
    upload_id = model_side.upload(SALES, STOCK)
    worker()
    return upload_id


@pytest.fixture
def analysed(
    api: TestClient, upload_id: str, worker: Callable[[], int]
) -> Callable[..., dict[str, Any]]:
    """Has the smaller file analysed, or those named; answers what was found."""

    def carry_out(**members: Any) -> dict[str, Any]:
        body = {"upload_id": upload_id, "files": ["table1.csv"], **members}
        asked = api.post("/data/analyze", json=body)
        assert asked.status_code == 200, asked.text
        assert worker() == 1
        return dict(api.get(f"/data/analysis/{asked.json()['job_id']}").json())

    return carry_out
