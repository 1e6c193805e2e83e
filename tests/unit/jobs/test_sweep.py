"""Jobs that ended long ago are forgotten with their logs, and no others."""

from collections.abc import Callable

from fastapi.testclient import TestClient
from tests.factories import CHURN, ModelSide

from modelwright.bootstrap.container import Container
from modelwright.core.clock import FrozenClock
from modelwright.core.db.database import ALL_ACCOUNTS
from modelwright.jobs.service import Jobs


def sweep(container: Container) -> None:
    with container.database.transaction(ALL_ACCOUNTS) as db:
        container.service(Jobs).sweep(db, container.settings.job_retention_days)


class TestSweep:
    def test_only_what_ended_before_the_days_kept_is_forgotten(
        self,
        container: Container,
        api: TestClient,
        model_side: ModelSide,
        worker: Callable[[], int],
        clock: FrozenClock,
    ) -> None:
        upload_id = model_side.upload(CHURN)
        worker()
        old = api.post("/data/analyze", json={"upload_id": upload_id}).json()["job_id"]
        worker()
        clock.advance(days=container.settings.job_retention_days - 1)
        young = api.post("/data/analyze", json={"upload_id": upload_id}).json()["job_id"]
        worker()
        model_side.draft("waiting", upload_id)
        sweep(container)
        assert api.get(f"/jobs/{old}/logs").json()["logs"]
        clock.advance(days=1, seconds=1)
        sweep(container)
        assert api.get(f"/jobs/{old}").status_code == 404
        assert api.get(f"/jobs/{young}/logs").json()["logs"]
        left = {job["job_id"]: job["status"] for job in api.get("/jobs").json()["jobs"]}
        assert sorted(left.values()) == ["COMPLETED", "PENDING"]
        assert api.get(f"/data/analysis/{old}").json()["status"] == "completed"
        clock.advance(days=10 * container.settings.job_retention_days)
        sweep(container)
        assert [job["status"] for job in api.get("/jobs").json()["jobs"]] == ["PENDING"]
        assert api.get(f"/jobs/{young}").status_code == 404
