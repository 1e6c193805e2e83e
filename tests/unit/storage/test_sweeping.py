"""The sweeper removes what no row names any more, and never what is in use or on its way."""

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from tests.factories import CHURN, ModelSide

from modelwright.bootstrap.container import House, build
from modelwright.core.clock import Clock, FrozenClock, SystemClock
from modelwright.core.config.settings import Settings
from modelwright.core.db.database import EVERYONE
from modelwright.core.limits.store import MemoryCounters
from modelwright.models.domain import VersionFacts
from modelwright.storage import garbage_collector
from modelwright.storage.garbage_collector import YOUNG, Sweeper
from modelwright.storage.object_store import Objects

PREFIXES = ("uploads", "tables", "artifacts", "analyses", "exports", "probe")
ORPHANS = (
    "uploads/upload_gone/1",
    "tables/upload_gone/1.parquet",
    "artifacts/ver_gone/1/artifact.json",
    "analyses/analysis_gone/1/result.json",
    "exports/exp_gone/0",
    "probe/0123",
)


def store(objects: Objects, *keys: str) -> None:
    for key in keys:
        with objects.writer(key) as writer:
            writer.write(b"{}")
            writer.commit()


def stored(objects: Objects) -> set[str]:
    return {key for prefix in PREFIXES for key in objects.keys(prefix)}


def sweep(house: House) -> None:
    with house.database.transaction(EVERYONE) as db:
        house.service(Sweeper).sweep(db)


@pytest.fixture
def everything(
    house: House,
    api: TestClient,
    side: ModelSide,
    worker: Callable[[], int],
    objects: Objects,
    clock: FrozenClock,
) -> VersionFacts:
    """An upload with an analysis and an export, and a READY version with its artifact."""
    clock.moment = SystemClock().now()
    upload_id = side.upload(CHURN)
    for path in ("/data/analyze", "/data/export"):
        assert api.post(path, json={"upload_id": upload_id}).status_code == 200
    worker()
    version = side.ready("churn")
    store(objects, f"artifacts/{version.version_id}/1/artifact.json")
    assert {key.split("/")[0] for key in stored(objects)} == set(PREFIXES) - {"probe"}
    return version


class TestOrphans:
    def test_they_go_and_what_rows_name_stays(
        self, house: House, objects: Objects, everything: VersionFacts, clock: FrozenClock
    ) -> None:
        named = stored(objects)
        second = f"artifacts/{everything.version_id}/2/artifact.json"
        store(objects, *ORPHANS, second)
        clock.moment += YOUNG + timedelta(minutes=1)
        sweep(house)
        assert stored(objects) == named

    def test_those_of_a_deleted_upload_that_arrived_too_late_go(
        self, house: House, api: TestClient, objects: Objects, clock: FrozenClock
    ) -> None:
        clock.moment = SystemClock().now()
        files = [{"filename": "a.csv", "content_type": "text/csv"}]
        upload = api.post("/data/upload", json={"files": files}).json()
        assert api.delete(f"/uploads/{upload['upload_id']}").status_code == 200
        store(objects, upload["files"][0]["object_key"])
        clock.moment += YOUNG + timedelta(minutes=1)
        sweep(house)
        assert stored(objects) == set()

    def test_young_ones_stay(self, house: House, objects: Objects, clock: FrozenClock) -> None:
        store(objects, *ORPHANS)
        clock.moment = SystemClock().now() + YOUNG - timedelta(minutes=1)
        sweep(house)
        assert stored(objects) == set(ORPHANS)

    def test_an_old_file_that_was_stored_just_now_is_young(
        self, house: House, objects: Objects, clock: FrozenClock, tmp_path: Path
    ) -> None:
        built = tmp_path / "built"
        built.mkdir()
        (built / "weights").write_bytes(b"old")
        os.utime(built / "weights", (1.0, 1.0))
        objects.put_folder("artifacts/ver_new/1", built)
        objects.put_file("tables/upload_new/1.parquet", built / "weights")
        clock.moment = SystemClock().now() + YOUNG - timedelta(minutes=1)
        sweep(house)
        assert len(stored(objects)) == 2

    def test_what_an_unfinished_build_or_upload_stored_stays_however_old(
        self,
        house: House,
        api: TestClient,
        web: TestClient,
        side: ModelSide,
        objects: Objects,
        clock: FrozenClock,
    ) -> None:
        clock.moment = SystemClock().now()
        files = [{"filename": "a.csv", "content_type": "text/csv"}]
        upload = api.post("/data/upload", json={"files": files}).json()
        web.put(upload["files"][0]["presigned_url"], content=b"a\n1\n")
        version = side.draft("churn")
        side.start(version)
        store(objects, f"artifacts/{version.version_id}/1/artifact.json")
        named = stored(objects)
        clock.moment += 10 * YOUNG
        sweep(house)
        assert stored(objects) == named

    def test_those_of_a_build_that_failed_go(
        self, house: House, side: ModelSide, objects: Objects, clock: FrozenClock
    ) -> None:
        version = side.draft("churn")
        side.start(version)
        store(objects, f"artifacts/{version.version_id}/1/artifact.json")
        side.fail(version, "It was stopped.")
        clock.moment = SystemClock().now() + YOUNG + timedelta(minutes=1)
        sweep(house)
        assert not list(objects.keys("artifacts"))


@contextmanager
def sweeping_meanwhile(house: House) -> Iterator[list[int]]:
    """Sweeps again and again in a thread; tells how often."""
    done, times = threading.Event(), [0]

    def run() -> None:
        while not done.wait(0.01):
            sweep(house)
            times[0] += 1

    thread = threading.Thread(target=run)
    thread.start()
    try:
        yield times
    finally:
        done.set()
        thread.join()


class TestBesideWork:
    @pytest.fixture
    def clock(self) -> Clock:
        return SystemClock()

    @pytest.fixture
    def house(self, settings: Settings, clock: Clock) -> Iterator[House]:
        built = build(settings, clock=clock, counters=MemoryCounters(clock))
        yield built
        built.database.close()

    def test_an_upload_and_a_build_under_way_lose_nothing(
        self,
        house: House,
        api: TestClient,
        web: TestClient,
        worker: Callable[[], int],
        objects: Objects,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        monkeypatch.setattr(garbage_collector, "YOUNG", timedelta(milliseconds=50))
        store(objects, *ORPHANS)
        file: dict[str, Any] = {"filename": "churn.csv", "content_type": "text/csv"}
        with sweeping_meanwhile(house) as times:
            upload = api.post("/data/upload", json={"files": [file]}).json()
            (file,) = upload["files"]
            assert web.put(file["presigned_url"], content=CHURN.encode()).status_code == 200
            listed = {name: file[name] for name in ("filename", "object_key")}
            body = {"upload_id": upload["upload_id"], "status": "complete", "files": [listed]}
            assert api.post("/uploads/status", json=body).status_code == 200
            worker()
            body = {"dataset_id": upload["upload_id"], "intent": "Predict churn"} | {
                "max_iterations": 1
            }
            assert api.post("/models/churn", json=body).status_code == 200
            worker()
        assert times[0] > 1
        assert stored(objects).isdisjoint(ORPHANS)
        row = {"plan": "pro", "age": 41}
        answer = api.post("/models/churn/v1.0/infer", json=row)
        assert answer.status_code == 200, answer.text
        where = f"/data/uploads/{upload['upload_id']}/files/churn.csv/preview"
        assert api.get(where).status_code == 200
