"""What only the disk can show: full file systems, dead writers, processes side by side."""

import os
import subprocess
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import anyio
import pytest
from fastapi.testclient import TestClient
from tests.unit.storage.disks import DISK_BYTES, small_file_system

from modelwright.bootstrap.container import Container
from modelwright.core.clock import FrozenClock
from modelwright.core.events import Events
from modelwright.storage import disk
from modelwright.storage.disk import DiskObjectStore
from modelwright.storage.disk_writing import SYNC_BYTES, OpenFile
from modelwright.storage.domain import PIECE_BYTES
from modelwright.storage.errors import StorageFull
from modelwright.storage.service import WRITERS, Storage
from modelwright.storage.url_signer import Grant, UrlSigner


@pytest.fixture
def signer() -> UrlSigner:
    return UrlSigner(b"secret")


@pytest.fixture
def objects(tmp_path: Path, signer: UrlSigner) -> DiskObjectStore:
    return DiskObjectStore(tmp_path / "objects", signer)


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    with small_file_system(tmp_path / "small") as folder:
        yield folder


class TestFullDisk:
    def test_a_write_is_refused_and_leaves_nothing(self, small_disk: Path, signer: UrlSigner):
        objects = DiskObjectStore(small_disk, signer)
        with objects.writer("uploads/u/1") as writer, pytest.raises(StorageFull):
            writer.write(b"x" * 2 * DISK_BYTES)
        assert list(objects.keys("uploads")) == []
        assert list((small_disk / ".drafts").iterdir()) == []

    def test_it_works_again_when_there_is_space(self, small_disk: Path, signer: UrlSigner):
        objects = DiskObjectStore(small_disk, signer)
        filler = small_disk / "filler"
        filler.write_bytes(b"x" * (DISK_BYTES // 2))
        with objects.writer("uploads/u/1") as writer, pytest.raises(StorageFull):
            writer.write(b"x" * (DISK_BYTES * 3 // 4))
        filler.unlink()
        with objects.writer("uploads/u/1") as writer:
            writer.write(b"x" * (DISK_BYTES * 3 // 4))
            writer.commit()
        assert objects.size("uploads/u/1") == DISK_BYTES * 3 // 4

    def test_files_and_folders_are_refused_too(
        self, small_disk: Path, signer: UrlSigner, tmp_path: Path
    ):
        objects = DiskObjectStore(small_disk, signer)
        source = tmp_path / "source"
        source.mkdir()
        (source / "large").write_bytes(b"x" * 2 * DISK_BYTES)
        with pytest.raises(StorageFull):
            objects.put_file("tables/u/1", source / "large")
        with pytest.raises(StorageFull):
            objects.put_folder("artifacts/v", source)
        assert list(objects.keys("tables")) == list(objects.keys("artifacts")) == []
        assert list((small_disk / ".drafts").iterdir()) == []

    def test_one_that_became_read_only_is_as_good_as_full(
        self, small_disk: Path, signer: UrlSigner
    ):
        objects = DiskObjectStore(small_disk, signer)
        subprocess.run(["mount", "-o", "remount,ro", str(small_disk)], check=True)
        with pytest.raises(StorageFull, match="read-only"):
            objects.writer("uploads/u/1")

    def test_the_probe_tells(self, small_disk: Path, signer: UrlSigner):
        objects = DiskObjectStore(small_disk, signer)
        with pytest.raises(OSError, match="No space"):
            (small_disk / "filler").write_bytes(b"x" * 2 * DISK_BYTES)
        with pytest.raises(StorageFull):
            objects.probe()


class TestFullDiskOverHttp:
    def test_a_body_is_refused_until_there_is_space(
        self,
        container: Container,
        anonymous_client: TestClient,
        clock: FrozenClock,
        small_disk: Path,
        signer: UrlSigner,
    ):
        objects = DiskObjectStore(small_disk, signer)
        container.services[Storage] = Storage(objects, signer, clock, container.database, Events())
        address = signer.sign_put(
            "others/u/1",
            max_bytes=2 * DISK_BYTES,
            expires=clock.now() + timedelta(hours=1),
            base_url="http://x",
        )
        filler = small_disk / "filler"
        filler.write_bytes(b"x" * (DISK_BYTES // 2))
        body = b"x" * (DISK_BYTES * 3 // 4)
        answer = anonymous_client.put(address, content=body)
        assert answer.status_code == 503
        assert answer.json()["error"]["code"] == "service_unavailable"
        assert int(answer.headers["retry-after"]) > 0
        assert list((small_disk / ".drafts").iterdir()) == []
        filler.unlink()
        assert anonymous_client.put(address, content=body).status_code == 200


class TestDeleting:
    @pytest.mark.parametrize("delete", [DiskObjectStore.delete, DiskObjectStore.delete_all])
    def test_leaves_neither_bytes_nor_empty_folders(
        self,
        objects: DiskObjectStore,
        tmp_path: Path,
        delete: Callable[[DiskObjectStore, str], None],
    ):
        with objects.writer("uploads/u/1") as writer:
            writer.write(b"x")
            writer.commit()
        delete(objects, "uploads/u/1")
        left = {path.name for path in (tmp_path / "objects").rglob("*")}
        assert left == {".drafts", ".lock"}


class TestDropAbandoned:
    def test_only_drafts_that_nobody_touched_since_are_dropped(self, objects: DiskObjectStore):
        dead, alive = objects.writer("a/dead"), objects.writer("a/alive")
        dead.write(b"half")
        old, draft = datetime(2026, 1, 1, tzinfo=UTC), objects.draft()
        draft.mkdir()
        (draft / "inner").write_bytes(b"1")
        for path in (dead._draft, draft / "inner", draft):
            os.utime(path, (old.timestamp(), old.timestamp()))
        objects.drop_abandoned(old + timedelta(seconds=1))
        assert not dead._draft.exists()
        assert not draft.exists()
        alive.write(b"whole")
        alive.commit()
        assert objects.size("a/alive") == 5
        dead.close()
        alive.close()


class TestSideBySide:
    def test_writers_and_deleters_of_one_folder_never_trip_over_each_other(
        self, objects: DiskObjectStore, signer: UrlSigner, tmp_path: Path
    ):
        faults: list[BaseException] = []

        def churn(number: int) -> None:
            mine = DiskObjectStore(tmp_path / "objects", signer)
            try:
                for _ in range(25):
                    with mine.writer(f"a/b/{number}") as writer:
                        writer.write(b"1")
                        writer.commit()
                    mine.delete(f"a/b/{number}")
            except BaseException as fault:  # noqa: BLE001 - told to the test's own thread
                faults.append(fault)

        threads = [threading.Thread(target=churn, args=(number,)) for number in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert faults == []
        assert list(objects.keys("a")) == []


class TestTurns:
    def test_large_bodies_write_by_turns(
        self, objects: DiskObjectStore, container: Container, monkeypatch: pytest.MonkeyPatch
    ):
        at_once, most, lock = 0, 0, threading.Lock()

        def counted(writer: OpenFile, piece: bytes) -> None:
            nonlocal at_once, most
            with lock:
                at_once += 1
                most = max(most, at_once)
            time.sleep(0.005)  # as a disk takes, so that others come meanwhile
            write(writer, piece)
            with lock:
                at_once -= 1

        write = OpenFile.write
        monkeypatch.setattr(OpenFile, "write", counted)
        storage = container.service(Storage)
        monkeypatch.setattr(storage, "_announce", lambda _event: None)

        async def body() -> AsyncIterator[bytes]:
            for _ in range(4):
                yield b"x" * PIECE_BYTES

        async def send_all() -> None:
            async with anyio.create_task_group() as tasks:
                for number in range(12):
                    grant = Grant("PUT", f"uploads/u/{number}", 0, max_bytes=8 * PIECE_BYTES)
                    tasks.start_soon(storage.receive, grant, body(), 4 * PIECE_BYTES)

        anyio.run(send_all)
        assert 1 <= most <= WRITERS

    def test_a_large_file_is_brought_to_the_disk_as_it_comes(
        self, objects: DiskObjectStore, monkeypatch: pytest.MonkeyPatch
    ):
        synced: list[Any] = []
        monkeypatch.setattr(os, "fdatasync", synced.append)
        with objects.writer("uploads/u/1") as writer:
            for _ in range(5):
                writer.write(b"x" * (SYNC_BYTES // 2))
        assert len(synced) == 2

    def test_every_folder_on_the_way_is_synced_before_an_object_counts_as_stored(
        self, objects: DiskObjectStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ):
        synced: list[Any] = []
        monkeypatch.setattr(disk, "sync", synced.append)
        with objects.writer("uploads/u/1") as writer:
            writer.commit()
        root = tmp_path / "objects"
        assert set(synced) >= {root, root / "uploads", root / "uploads" / "u"}

    def test_nobody_waits_for_the_lock_while_folders_are_synced(
        self, objects: DiskObjectStore, monkeypatch: pytest.MonkeyPatch
    ):
        def one_more(_path: Path) -> None:
            monkeypatch.setattr(disk, "sync", lambda _path: None)
            objects.delete("uploads/u/other")

        monkeypatch.setattr(disk, "sync", one_more)
        with objects.writer("uploads/u/1") as writer:
            writer.commit()
        assert objects.size("uploads/u/1") == 0
