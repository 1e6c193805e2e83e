"""One contract for every object store: what holds on disk holds in memory and in S3."""

import hashlib
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import httpx
import pytest

from modelwright.core.clock import SystemClock
from modelwright.storage.disk import DiskObjectStore
from modelwright.storage.domain import PART_BYTES, PIECE_BYTES, ByteRange
from modelwright.storage.errors import (
    DigestWrong,
    ObjectMissing,
    ObjectSealed,
    PartMisplaced,
    PartsMissing,
)
from modelwright.storage.local_cache import LocalCache
from modelwright.storage.memory import MemoryObjectStore
from modelwright.storage.object_store import ObjectStore
from modelwright.storage.s3 import S3ObjectStore
from modelwright.storage.url_signer import UrlSigner

STORES = ("disk", "memory", "s3")
HOSTILE = [
    "",
    "/",
    "..",
    "../up",
    "a/../../up",
    "/etc/passwd",
    "a//b",
    "a/",
    "a/./b",
    ".hidden",
    "a/.drafts/b",
    "a\\b",
    "a\0b",
    "a b",
    "é",
    "a" * 513,
]


@pytest.fixture(params=STORES)
def objects(request: pytest.FixtureRequest, tmp_path: Path) -> ObjectStore:
    if request.param == "disk":
        return DiskObjectStore(tmp_path / "objects", UrlSigner(b"secret"))
    if request.param == "memory":
        return MemoryObjectStore(UrlSigner(b"secret"))
    bucket = request.getfixturevalue("bucket")
    return S3ObjectStore(bucket, LocalCache(tmp_path / "copies", 1 << 20), SystemClock())


def store(objects: ObjectStore, key: str, content: bytes = b"content") -> None:
    with objects.writer(key) as writer:
        writer.write(content)
        writer.commit()


def content(objects: ObjectStore, key: str) -> bytes:
    return b"".join(objects.open(key))


class TestWrite:
    def test_what_is_committed_is_read_back(self, objects: ObjectStore):
        with objects.writer("uploads/u/1") as writer:
            writer.write(b"one ")
            writer.write(b"two")
            writer.commit()
        assert content(objects, "uploads/u/1") == b"one two"
        assert objects.size("uploads/u/1") == 7

    def test_nothing_is_seen_before_the_commit(self, objects: ObjectStore):
        with objects.writer("uploads/u/1") as writer:
            writer.write(b"half")
            assert objects.size("uploads/u/1") is None
            assert list(objects.keys("uploads")) == []

    def test_nothing_is_left_without_a_commit(self, objects: ObjectStore, tmp_path: Path):
        with objects.writer("uploads/u/1") as writer:
            writer.write(b"half")
        assert objects.size("uploads/u/1") is None
        assert [path for path in tmp_path.rglob("*") if path.is_file()] == []

    def test_a_second_write_replaces_the_first(self, objects: ObjectStore):
        store(objects, "uploads/u/1", b"first")
        store(objects, "uploads/u/1", b"second")
        assert content(objects, "uploads/u/1") == b"second"

    def test_an_uncommitted_write_leaves_the_earlier_object(self, objects: ObjectStore):
        store(objects, "uploads/u/1", b"first")
        with objects.writer("uploads/u/1") as writer:
            writer.write(b"second")
        assert content(objects, "uploads/u/1") == b"first"

    def test_an_empty_object_is_an_object(self, objects: ObjectStore):
        store(objects, "uploads/u/1", b"")
        assert objects.size("uploads/u/1") == 0
        assert content(objects, "uploads/u/1") == b""

    @pytest.mark.parametrize("key", HOSTILE)
    def test_a_hostile_key_is_refused_everywhere(
        self, objects: ObjectStore, key: str, tmp_path: Path
    ):
        source = tmp_path / "source"
        source.mkdir()
        (source / "file").write_bytes(b"1")
        for attempt in (
            lambda: objects.writer(key),
            lambda: objects.put_file(key, source / "file"),
            lambda: objects.put_folder(key, source),
            lambda: objects.open(key),
            lambda: objects.size(key),
            lambda: objects.local(key).__enter__(),
            lambda: list(objects.keys(key)),
            lambda: objects.seal(key),
            lambda: objects.delete(key),
            lambda: objects.delete_all(key),
        ):
            with pytest.raises(ValueError, match="not a key"):
                attempt()


class TestPut:
    def test_a_file_is_stored(self, objects: ObjectStore, tmp_path: Path):
        source = tmp_path / "source"
        source.write_bytes(b"table")
        objects.put_file("tables/u/1.parquet", source)
        source.unlink()
        assert content(objects, "tables/u/1.parquet") == b"table"

    def test_a_folder_replaces_what_was_there(self, objects: ObjectStore, tmp_path: Path):
        store(objects, "artifacts/v/old", b"old")
        source = tmp_path / "source"
        (source / "inner").mkdir(parents=True)
        (source / "model.onnx").write_bytes(b"model")
        (source / "inner" / "words.json").write_bytes(b"words")
        objects.put_folder("artifacts/v", source)
        assert list(objects.keys("artifacts/v")) == [
            "artifacts/v/inner/words.json",
            "artifacts/v/model.onnx",
        ]
        assert content(objects, "artifacts/v/inner/words.json") == b"words"


class TestRead:
    def test_a_stretch_ends_before_its_end(self, objects: ObjectStore):
        store(objects, "a/b", b"0123456789")
        assert b"".join(objects.open("a/b", 2, 5)) == b"234"
        assert b"".join(objects.open("a/b", 8)) == b"89"

    def test_a_large_object_comes_in_pieces(self, objects: ObjectStore):
        large = bytes(range(256)) * (PIECE_BYTES // 100)
        store(objects, "a/b", large)
        pieces = list(objects.open("a/b"))
        assert max(map(len, pieces)) <= PIECE_BYTES
        assert b"".join(pieces) == large

    def test_a_missing_object_is_refused_at_once(self, objects: ObjectStore):
        with pytest.raises(ObjectMissing):
            objects.open("a/b")
        with pytest.raises(ObjectMissing), objects.local("a/b"):
            pass
        assert objects.size("a/b") is None

    def test_an_object_is_lent_as_a_path(self, objects: ObjectStore):
        store(objects, "a/b", b"content")
        with objects.local("a/b") as path:
            assert path.read_bytes() == b"content"

    def test_a_folder_is_lent_as_a_path(self, objects: ObjectStore):
        store(objects, "a/b/c.txt", b"content")
        store(objects, "a/d.txt", b"more")
        with objects.local("a") as path:
            assert (path / "b" / "c.txt").read_bytes() == b"content"
            assert (path / "d.txt").read_bytes() == b"more"

    def test_keys_are_listed_below_a_whole_part_only(self, objects: ObjectStore):
        store(objects, "uploads/u1/2")
        store(objects, "uploads/u1/1")
        store(objects, "uploads/u10/1")
        assert list(objects.keys("uploads/u1")) == ["uploads/u1/1", "uploads/u1/2"]
        assert list(objects.keys("nothing")) == []


class TestSeal:
    def test_a_sealed_object_takes_no_more_bytes(self, objects: ObjectStore):
        store(objects, "uploads/u/1", b"confirmed")
        late = objects.writer("uploads/u/1")
        late.write(b"late")
        assert objects.seal("uploads/u/1") == 9
        with late, pytest.raises(ObjectSealed):
            late.commit()
        with pytest.raises(ObjectSealed):
            objects.writer("uploads/u/1")
        assert content(objects, "uploads/u/1") == b"confirmed"

    def test_a_missing_object_cannot_be_sealed(self, objects: ObjectStore):
        with pytest.raises(ObjectMissing):
            objects.seal("uploads/u/1")

    def test_a_sealed_object_can_be_deleted(self, objects: ObjectStore):
        store(objects, "uploads/u/1")
        objects.seal("uploads/u/1")
        objects.delete("uploads/u/1")
        store(objects, "uploads/u/1", b"new")
        assert content(objects, "uploads/u/1") == b"new"


class TestDelete:
    def test_a_deleted_object_is_gone(self, objects: ObjectStore):
        store(objects, "uploads/u/1")
        objects.delete("uploads/u/1")
        objects.delete("uploads/u/1")
        assert objects.size("uploads/u/1") is None

    def test_a_deleted_prefix_takes_its_objects_and_no_others(self, objects: ObjectStore):
        store(objects, "uploads/u1/1")
        store(objects, "uploads/u1/deep/2")
        store(objects, "uploads/u10/1")
        objects.delete_all("uploads/u1")
        objects.delete_all("uploads/u1")
        assert list(objects.keys("uploads")) == ["uploads/u10/1"]


class TestProbe:
    def test_a_working_store_leaves_no_trace_of_its_probe(self, objects: ObjectStore):
        objects.probe()
        assert list(objects.keys("probe")) == []


NOON = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)
DAY = NOON.date()


class TestTrash:
    def test_what_is_discarded_no_key_leads_to(self, objects: ObjectStore):
        store(objects, "uploads/u/1")
        store(objects, "uploads/u/2")
        objects.discard("uploads/u/1", NOON)
        assert list(objects.keys("uploads")) == ["uploads/u/2"]
        assert objects.size("uploads/u/1") is None
        assert list(objects.discarded()) == [("uploads/u/1", DAY)]

    def test_it_comes_back_as_it_was(self, objects: ObjectStore):
        store(objects, "uploads/u/1", b"first")
        objects.discard("uploads/u/1", NOON)
        assert objects.recover("uploads/u/1", DAY)
        assert content(objects, "uploads/u/1") == b"first"
        assert list(objects.discarded()) == []

    def test_it_does_not_come_back_where_something_is_or_nothing_was(self, objects: ObjectStore):
        store(objects, "uploads/u/1", b"first")
        objects.discard("uploads/u/1", NOON)
        store(objects, "uploads/u/1", b"second")
        assert not objects.recover("uploads/u/1", DAY)
        assert content(objects, "uploads/u/1") == b"second"
        assert not objects.recover("uploads/none", DAY)

    def test_what_is_missing_is_no_fault(self, objects: ObjectStore):
        objects.discard("uploads/none", NOON)
        assert list(objects.discarded()) == []

    def test_it_is_emptied_by_the_day(self, objects: ObjectStore):
        for number in (1, 2, 3):
            store(objects, f"uploads/u/{number}")
            objects.discard(f"uploads/u/{number}", NOON + timedelta(days=number))
        assert objects.empty_trash(DAY + timedelta(days=3)) == 2
        assert [key for key, _ in objects.discarded()] == ["uploads/u/3"]

    def test_a_hostile_key_is_refused(self, objects: ObjectStore):
        with pytest.raises(ValueError, match="not a key"):
            objects.discard("../up", NOON)


class TestEmpty:
    def test_it_is_until_something_is_stored(self, objects: ObjectStore):
        assert objects.is_empty()
        objects.probe()
        assert objects.is_empty()
        store(objects, "uploads/u/1")
        assert not objects.is_empty()


SOON = SystemClock().now() + timedelta(minutes=5)
LARGE = bytes(range(256)) * (PART_BYTES // 256) + b"the last part"


def send_part(objects: ObjectStore, part: ByteRange, content: bytes = LARGE) -> None:
    """Sends one part as a client does: to the bucket itself, or as the server takes it."""
    stretch = content[part.start : part.end]
    if isinstance(objects, S3ObjectStore):
        [address] = objects.sign_parts("uploads/u/1", [part], expires=SOON, base_url="")
        httpx.put(address, content=stretch).raise_for_status()
        return
    with objects.part_writer("uploads/u/1", part.start) as writer:
        writer.write(stretch)
        writer.commit()


class TestParts:
    def test_what_is_missing_is_told_until_all_has_come(self, objects: ObjectStore):
        parts = [ByteRange(0, PART_BYTES), ByteRange(PART_BYTES, len(LARGE))]
        assert objects.missing("uploads/u/1", len(LARGE)) == parts
        send_part(objects, parts[0])
        assert objects.missing("uploads/u/1", len(LARGE)) == parts[1:]
        assert objects.size("uploads/u/1") is None
        send_part(objects, parts[1])
        assert objects.missing("uploads/u/1", len(LARGE)) == []

    def test_joined_parts_are_the_object(self, objects: ObjectStore):
        for part in objects.missing("uploads/u/1", len(LARGE)):
            send_part(objects, part)
        digest = hashlib.sha256(LARGE).hexdigest()
        assert objects.join_parts("uploads/u/1", len(LARGE), digest) == digest
        assert objects.seal("uploads/u/1") == len(LARGE)
        assert content(objects, "uploads/u/1") == LARGE
        assert objects.missing("uploads/u/1", len(LARGE)) == []

    def test_one_of_which_bytes_are_missing_is_not_joined(self, objects: ObjectStore):
        send_part(objects, ByteRange(0, PART_BYTES))
        with pytest.raises(PartsMissing, match=f"13 bytes .* the first of them byte {PART_BYTES}"):
            objects.join_parts("uploads/u/1", len(LARGE), None)
        assert objects.size("uploads/u/1") is None

    def test_another_digest_is_refused_and_the_bytes_are_dropped(self, objects: ObjectStore):
        for part in objects.missing("uploads/u/1", len(LARGE)):
            send_part(objects, part)
        with pytest.raises(DigestWrong, match="sha256: "):
            objects.join_parts("uploads/u/1", len(LARGE), "0" * 64)
        assert objects.size("uploads/u/1") is None
        assert objects.missing("uploads/u/1", len(LARGE))[0].start == 0

    def test_what_never_came_whole_is_dropped_with_its_prefix(self, objects: ObjectStore):
        send_part(objects, ByteRange(0, PART_BYTES))
        objects.drop_parts("uploads/other")
        assert objects.missing("uploads/u/1", len(LARGE))[0].start == PART_BYTES
        objects.drop_parts("uploads/u")
        assert objects.missing("uploads/u/1", len(LARGE))[0].start == 0

    def test_parts_are_no_objects(self, objects: ObjectStore):
        send_part(objects, ByteRange(0, PART_BYTES))
        assert list(objects.keys("uploads")) == []
        assert objects.is_empty()


class TestPartsOnDisk:
    """What only holds where the server itself takes the bytes."""

    @pytest.fixture
    def disk(self, tmp_path: Path) -> DiskObjectStore:
        return DiskObjectStore(tmp_path / "objects", UrlSigner(b"secret"))

    def test_a_part_that_broke_off_goes_on_at_its_byte(self, disk: DiskObjectStore):
        with disk.part_writer("uploads/u/1", 0) as writer:
            writer.write(LARGE[:1000])
        assert disk.missing("uploads/u/1", len(LARGE)) == [
            ByteRange(1000, PART_BYTES),
            ByteRange(PART_BYTES, len(LARGE)),
        ]

    @pytest.mark.parametrize("start", [0, 999, 1001], ids=["again", "overlapping", "with a gap"])
    def test_a_part_at_another_place_is_refused(self, disk: DiskObjectStore, start: int):
        send_part(disk, ByteRange(0, 1000))
        with pytest.raises(PartMisplaced, match="1000 bytes of the file have come"):
            disk.part_writer("uploads/u/1", start)
        assert disk.missing("uploads/u/1", 1001) == [ByteRange(1000, 1001)]

    def test_a_key_is_held_against_other_processes_too(self, disk: DiskObjectStore, tmp_path: Path):
        other = (
            "import sys; from pathlib import Path\n"
            "from modelwright.storage.disk_parts import DiskParts\n"
            "with DiskParts(Path(sys.argv[1])).lock('uploads/u/1'): print('held')"
        )
        words = [sys.executable, "-c", other, str(tmp_path / "objects")]
        with disk.lock("uploads/u/1"):
            refused = subprocess.run(words, capture_output=True, text=True, check=False)
        assert "AlreadyArriving" in refused.stderr
        held = subprocess.run(words, capture_output=True, text=True, check=True)
        assert held.stdout == "held\n"

    def test_a_lock_whose_holder_was_killed_holds_nobody(
        self, disk: DiskObjectStore, tmp_path: Path
    ):
        killed = (
            "import os, sys; from pathlib import Path\n"
            "from modelwright.storage.disk_parts import DiskParts\n"
            "with DiskParts(Path(sys.argv[1])).lock('uploads/u/1'): os.kill(os.getpid(), 9)"
        )
        words = [sys.executable, "-c", killed, str(tmp_path / "objects")]
        assert subprocess.run(words, check=False).returncode == -9
        assert disk.is_empty()
        with disk.lock("uploads/u/1"):
            pass
        subprocess.run(words, check=False)
        disk.drop_abandoned(SystemClock().now() + timedelta(seconds=1))
        assert list((tmp_path / "objects" / ".locks").iterdir()) == []
