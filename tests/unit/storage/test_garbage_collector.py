"""Removes what no row names any more, and never what is in use or on its way."""

import os
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from tests.factories import CHURN, ModelSide

from modelwright.bootstrap.container import Container, build_container
from modelwright.cli import backup
from modelwright.cli.doctor import examine, scrub
from modelwright.core.clock import Clock, FrozenClock, SystemClock
from modelwright.core.config.settings import DATABASE, Settings
from modelwright.core.db.database import ALL_ACCOUNTS
from modelwright.core.limits.store import MemoryRateLimitStore
from modelwright.models.domain import ModelVersionInfo
from modelwright.storage import garbage_collector, ownership_marker
from modelwright.storage.garbage_collector import MIN_ORPHAN_AGE, GarbageCollector
from modelwright.storage.object_store import ObjectStore

PREFIXES = ("uploads", "tables", "artifacts", "analyses", "exports", "probe")
ORPHANS = (
    "uploads/upload_gone/1",
    "tables/upload_gone/1.parquet",
    "artifacts/ver_gone/1/artifact.json",
    "analyses/analysis_gone/1/result.json",
    "exports/exp_gone/0",
    "probe/0123",
)


def store(objects: ObjectStore, *keys: str) -> None:
    for key in keys:
        with objects.writer(key) as writer:
            writer.write(b"{}")
            writer.commit()


def stored(objects: ObjectStore) -> set[str]:
    return {key for prefix in PREFIXES for key in objects.keys(prefix)}


def sweep(container: Container, *, however_many: bool = False) -> None:
    with container.database.transaction(ALL_ACCOUNTS) as db:
        container.service(GarbageCollector).sweep(db, however_many=however_many)


def why_stopped(container: Container) -> str:
    with container.database.transaction(ALL_ACCOUNTS, write=False) as db:
        return ownership_marker.alarm(db) or ""


@pytest.fixture(autouse=True)
def _marked(container: Container, objects: ObjectStore) -> None:
    """Marks the objects as the database's own, as the first start does."""
    ownership_marker.ensure(container.database, objects)


@pytest.fixture
def everything(
    container: Container,
    api: TestClient,
    model_side: ModelSide,
    worker: Callable[[], int],
    objects: ObjectStore,
    clock: FrozenClock,
) -> ModelVersionInfo:
    """An upload with an analysis and an export, and a READY version with its artifact."""
    clock.moment = SystemClock().now()
    upload_id = model_side.upload(CHURN)
    for path in ("/data/analyze", "/data/export"):
        assert api.post(path, json={"upload_id": upload_id}).status_code == 200
    worker()
    version = model_side.ready("churn")
    store(objects, f"artifacts/{version.version_id}/1/artifact.json")
    assert {key.split("/")[0] for key in stored(objects)} == set(PREFIXES) - {"probe"}
    return version


class TestOrphans:
    def test_they_go_and_what_rows_name_stays(
        self,
        container: Container,
        objects: ObjectStore,
        everything: ModelVersionInfo,
        clock: FrozenClock,
    ) -> None:
        named = stored(objects)
        second = f"artifacts/{everything.version_id}/2/artifact.json"
        store(objects, *ORPHANS, second)
        clock.moment += MIN_ORPHAN_AGE + timedelta(minutes=1)
        sweep(container)
        assert stored(objects) == named
        discarded = {key for key, _ in objects.discarded()}
        assert discarded == {*ORPHANS, second} - {"probe/0123"}

    def test_those_of_a_deleted_upload_that_arrived_too_late_go(
        self, container: Container, api: TestClient, objects: ObjectStore, clock: FrozenClock
    ) -> None:
        clock.moment = SystemClock().now()
        files = [{"filename": "a.csv", "content_type": "text/csv"}]
        upload = api.post("/data/upload", json={"files": files}).json()
        assert api.delete(f"/uploads/{upload['upload_id']}").status_code == 200
        store(objects, upload["files"][0]["object_key"])
        clock.moment += MIN_ORPHAN_AGE + timedelta(minutes=1)
        sweep(container)
        assert stored(objects) == set()

    def test_young_ones_stay(
        self, container: Container, objects: ObjectStore, clock: FrozenClock
    ) -> None:
        store(objects, *ORPHANS)
        clock.moment = SystemClock().now() + MIN_ORPHAN_AGE - timedelta(minutes=1)
        sweep(container)
        assert stored(objects) == set(ORPHANS)

    def test_an_old_file_that_was_stored_just_now_is_young(
        self, container: Container, objects: ObjectStore, clock: FrozenClock, tmp_path: Path
    ) -> None:
        built = tmp_path / "built"
        built.mkdir()
        (built / "weights").write_bytes(b"old")
        os.utime(built / "weights", (1.0, 1.0))
        objects.put_folder("artifacts/ver_new/1", built)
        objects.put_file("tables/upload_new/1.parquet", built / "weights")
        clock.moment = SystemClock().now() + MIN_ORPHAN_AGE - timedelta(minutes=1)
        sweep(container)
        assert len(stored(objects)) == 2

    def test_what_an_unfinished_build_or_upload_stored_stays_however_old(
        self,
        container: Container,
        api: TestClient,
        anonymous_client: TestClient,
        model_side: ModelSide,
        objects: ObjectStore,
        clock: FrozenClock,
    ) -> None:
        clock.moment = SystemClock().now()
        files = [{"filename": "a.csv", "content_type": "text/csv"}]
        upload = api.post("/data/upload", json={"files": files}).json()
        anonymous_client.put(upload["files"][0]["presigned_url"], content=b"a\n1\n")
        version = model_side.draft("churn")
        model_side.start(version)
        store(objects, f"artifacts/{version.version_id}/1/artifact.json")
        named = stored(objects)
        clock.moment += 10 * MIN_ORPHAN_AGE
        sweep(container)
        assert stored(objects) == named

    def test_those_of_a_build_that_failed_go(
        self, container: Container, model_side: ModelSide, objects: ObjectStore, clock: FrozenClock
    ) -> None:
        version = model_side.draft("churn")
        model_side.start(version)
        store(objects, f"artifacts/{version.version_id}/1/artifact.json")
        model_side.fail(version, "It was stopped.")
        clock.moment = SystemClock().now() + MIN_ORPHAN_AGE + timedelta(minutes=1)
        sweep(container)
        assert not list(objects.keys("artifacts"))


class TestAlarm:
    """More orphans than leftovers: the database may be the wrong one, and nothing goes."""

    MANY = tuple(f"uploads/upload_{number:03}/1" for number in range(200))

    @pytest.fixture
    def old(self, clock: FrozenClock) -> None:
        clock.moment = SystemClock().now() + MIN_ORPHAN_AGE + timedelta(minutes=1)

    @pytest.fixture
    def names(self, container: Container) -> list[str]:
        """What the rows name, in place of uploads' own."""
        named: list[str] = []
        container.service(GarbageCollector).register_references(
            "uploads", lambda _db: named, lambda _db: []
        )
        return named

    @pytest.mark.usefixtures("old")
    @pytest.mark.parametrize(
        ("count", "orphans", "goes"),
        [
            (200, 10, True),
            (200, 11, False),
            (200, 200, False),
            (20, 10, True),
            (20, 11, False),
            (12, 7, False),
            (3, 3, True),
            (4, 4, False),
        ],
    )
    def test_a_small_share_goes_and_a_large_one_stays(
        self,
        container: Container,
        objects: ObjectStore,
        names: list[str],
        count: int,
        orphans: int,
        goes: bool,
    ) -> None:
        store(objects, *self.MANY[:count])
        names += [key.rpartition("/")[0] for key in self.MANY[orphans:count]]
        sweep(container)
        left = count - orphans if goes else count
        assert len(list(objects.keys("uploads"))) == left
        assert bool(why_stopped(container)) is not goes

    @pytest.mark.usefixtures("old")
    def test_it_is_told_until_it_is_over(
        self,
        container: Container,
        objects: ObjectStore,
        anonymous_client: TestClient,
        names: list[str],
    ) -> None:
        store(objects, *self.MANY)
        sweep(container)
        told = anonymous_client.get("/data/health").json()
        assert (told["status"], told["checks"]["cleanup"]["status"]) == ("degraded", "down")
        (found,) = (one for one in examine(container.settings) if one.part == "objects")
        assert found.message.startswith("200 of 200 stored objects are named by no row")
        assert "modelwright cleanup" in found.remedy
        names += [key.rpartition("/")[0] for key in self.MANY]
        sweep(container)
        assert anonymous_client.get("/data/health").json()["status"] == "ok"
        assert len(list(objects.keys("uploads"))) == 200

    @pytest.mark.usefixtures("old")
    def test_where_it_is_meant_all_go_to_the_trash(
        self, container: Container, objects: ObjectStore
    ) -> None:
        store(objects, *self.MANY)
        sweep(container, however_many=True)
        assert list(objects.keys("uploads")) == []
        assert len(list(objects.discarded())) == 200

    @pytest.mark.usefixtures("old")
    @pytest.mark.parametrize("however_many", [False, True])
    def test_without_the_own_mark_nothing_goes(
        self, container: Container, objects: ObjectStore, however_many: bool
    ) -> None:
        (mark,) = objects.keys(ownership_marker.FOLDER)
        store(objects, *ORPHANS[:2])
        objects.delete(mark)
        sweep(container, however_many=however_many)
        assert set(ORPHANS[:2]) <= stored(objects)
        assert "not those of the database" in why_stopped(container)

    @pytest.mark.usefixtures("old")
    def test_beside_the_mark_of_another_database_nothing_goes(
        self, container: Container, objects: ObjectStore
    ) -> None:
        store(objects, *ORPHANS[:2], f"{ownership_marker.FOLDER}/mark_other")
        sweep(container)
        assert set(ORPHANS[:2]) <= stored(objects)
        assert "another database's as well" in why_stopped(container)


class TestTrash:
    def test_it_is_kept_for_its_days(
        self, container: Container, objects: ObjectStore, clock: FrozenClock
    ) -> None:
        store(objects, "uploads/upload_gone/1")
        clock.moment = SystemClock().now() + MIN_ORPHAN_AGE + timedelta(minutes=1)
        sweep(container)
        for days, left in ((container.settings.trash_days, 1), (1, 0)):
            clock.moment += timedelta(days=days)
            sweep(container)
            assert len(list(objects.discarded())) == left


@contextmanager
def sweeping_meanwhile(container: Container) -> Iterator[list[int]]:
    """Sweeps again and again in a thread; tells how often."""
    done, times = threading.Event(), [0]

    def run() -> None:
        while not done.wait(0.01):
            sweep(container, however_many=True)
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
    def container(self, settings: Settings, clock: Clock) -> Iterator[Container]:
        built = build_container(settings, clock=clock, counters=MemoryRateLimitStore(clock))
        yield built
        built.database.close()

    def test_an_upload_and_a_build_under_way_lose_nothing(
        self,
        container: Container,
        api: TestClient,
        anonymous_client: TestClient,
        worker: Callable[[], int],
        objects: ObjectStore,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        monkeypatch.setattr(garbage_collector, "MIN_ORPHAN_AGE", timedelta(milliseconds=50))
        store(objects, *ORPHANS)
        file: dict[str, Any] = {"filename": "churn.csv", "content_type": "text/csv"}
        with sweeping_meanwhile(container) as times:
            upload = api.post("/data/upload", json={"files": [file]}).json()
            (file,) = upload["files"]
            assert (
                anonymous_client.put(file["presigned_url"], content=CHURN.encode()).status_code
                == 200
            )
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


class TestCopies:
    """Two databases with one mark: a copy, or the same one at an earlier moment."""

    @pytest.fixture
    def copy(
        self, container: Container, settings: Settings, clock: FrozenClock, tmp_path: Path
    ) -> Iterator[Container]:
        """A server over a copy of the database, which has swept, and the same objects."""
        if settings.database_url:
            pytest.skip("a file is copied")
        sweep(container)
        folder = tmp_path / "copy"
        folder.mkdir()
        with (
            closing(sqlite3.connect(settings.data_dir / DATABASE)) as source,
            closing(sqlite3.connect(folder / DATABASE)) as target,
        ):
            source.backup(target)
        for name in ("objects", "storage.key", "secret.key"):
            (folder / name).symlink_to(settings.data_dir / name)
        built = build_container(
            Settings.model_validate(settings.model_dump() | {"data_dir": folder}),
            clock=clock,
            counters=MemoryRateLimitStore(clock),
        )
        with closing(built.database):
            ownership_marker.ensure(built.database, built.service(ObjectStore))  # type: ignore[type-abstract]
            yield built

    @pytest.fixture
    def later(self, clock: FrozenClock) -> None:
        """Has what is stored now be old enough to be swept."""
        clock.moment = SystemClock().now() + MIN_ORPHAN_AGE + timedelta(minutes=1)

    @pytest.mark.usefixtures("later")
    def test_what_one_stores_the_other_does_not_sweep(
        self, container: Container, copy: Container, objects: ObjectStore
    ):
        sweep(container)
        store(objects, *ORPHANS[:2])
        sweep(copy)
        assert stored(objects) == set(ORPHANS[:2])
        assert why_stopped(copy).startswith("A copy of this database has swept the objects")
        sweep(container)
        assert (stored(objects), why_stopped(container)) == (set(), "")

    @pytest.mark.usefixtures("later")
    def test_the_operator_says_which_is_the_right_one(
        self, container: Container, copy: Container, objects: ObjectStore
    ):
        sweep(container)
        store(objects, *ORPHANS[:2])
        sweep(copy, however_many=True)
        assert (stored(objects), why_stopped(copy)) == (set(), "")
        store(objects, *ORPHANS[:2])
        sweep(container)
        assert stored(objects) == set(ORPHANS[:2])
        assert why_stopped(container).startswith("A copy of this database")
        sweep(copy)
        assert stored(objects) == set()

    @pytest.mark.usefixtures("later")
    def test_a_sweep_that_was_killed_between_its_steps_is_gone_on_with(
        self, container: Container, objects: ObjectStore, monkeypatch: pytest.MonkeyPatch
    ):
        sweep(container)
        put = ownership_marker._put
        for is_put in (False, True):

            def killed(*given: Any, is_put: bool = is_put) -> None:
                if is_put:
                    put(*given)
                raise KeyboardInterrupt

            with monkeypatch.context() as patch:
                patch.setattr(ownership_marker, "_put", killed)
                with pytest.raises(KeyboardInterrupt):
                    ownership_marker.take_turn(container.database, objects)
            store(objects, *ORPHANS[:2])
            sweep(container)
            assert (stored(objects), why_stopped(container)) == (set(), "")

    @pytest.mark.usefixtures("later")
    def test_a_backup_that_was_made_while_one_swept_sweeps_on(
        self,
        container: Container,
        settings: Settings,
        clock: FrozenClock,
        tmp_path: Path,
        monkeypatch: pytest.MonkeyPatch,
    ):
        if settings.database_url:
            pytest.skip("a database of its own has its own backups")
        sweep(container)
        snapshot = backup._snapshot

        def sweep_before(*given: Any) -> None:
            sweep(container)
            snapshot(*given)

        monkeypatch.setattr(backup, "_snapshot", sweep_before)
        backup.back_up(settings, tmp_path / "backup")
        restored = Settings(data_dir=tmp_path / "restored")
        backup.restore(restored, tmp_path / "backup")
        built = build_container(restored, clock=clock, counters=MemoryRateLimitStore(clock))
        with closing(built.database):
            for _ in range(2):
                sweep(built)
                assert why_stopped(built) == ""
        assert [one for one in scrub(restored) if one.remedy] == []
