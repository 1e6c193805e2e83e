"""One contract for every object store: what holds on disk holds in memory and in S3."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from modelwright.core.clock import SystemClock
from modelwright.storage.disk import DiskObjectStore
from modelwright.storage.domain import PIECE_BYTES
from modelwright.storage.errors import ObjectMissing, ObjectSealed
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
