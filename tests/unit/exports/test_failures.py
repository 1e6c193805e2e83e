"""Exports whose files cannot be made, by real children."""

from typing import Any

import pytest
from fastapi.testclient import TestClient

from modelwright.core.config.settings import Settings


@pytest.fixture
def settings(settings: Settings) -> Settings:
    return settings.model_copy(update={"export_seconds": 0.01})


def test_a_killed_child_fails_the_export_and_its_job(api: TestClient, upload_id: str, worker: Any):
    asked = {"upload_id": upload_id, "format": "csv"}
    export = api.post("/data/export", json=asked).json()
    worker()
    why = "It took longer than 0.01 seconds."
    made = api.get(f"/data/export/{export['export_id']}").json()
    assert (made["status"], made["error"]) == ("failed", f"It could not be made: {why}")
    job = api.get(f"/jobs/{export['job_id']}").json()
    assert (job["status"], job["error"]) == ("FAILED", why)
