"""What only S3 can show, asked of a real one: addresses it checks itself, late bytes, refusals."""

import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import httpx
import pytest
from pydantic import SecretStr
from tests import s3_server
from tests.ports import free_port
from tests.s3_server import S3Server

from modelwright.cli.doctor import Finding, examine
from modelwright.core.clock import FrozenClock, SystemClock
from modelwright.core.config.settings import Settings
from modelwright.storage import s3_bucket, s3_multipart
from modelwright.storage.errors import ObjectMissing, ObjectSealed, StorageUnavailable
from modelwright.storage.local_cache import LocalCache
from modelwright.storage.s3 import S3ObjectStore
from modelwright.storage.s3_bucket import S3Bucket
from modelwright.storage.s3_signing import LONGEST_SECONDS, PUT_BYTES, Bucket, S3Signer

KEY = "uploads/upload_1/1"
NOW = SystemClock()
LENT_AND_KILLED = """
import os, pathlib, sys
from modelwright.storage.local_cache import LocalCache
with LocalCache(pathlib.Path(sys.argv[1]), 1).lent() as path:
    path.write_bytes(b"1")
    os.kill(os.getpid(), 9)
"""
BODY = b"a,b\n1,2\n"


@pytest.fixture
def objects(bucket: Bucket, tmp_path: Path) -> S3ObjectStore:
    return S3ObjectStore(bucket, LocalCache(tmp_path / "copies", 1 << 20), NOW)


def there(bucket: Bucket) -> list[str]:
    """Names everything in the bucket, as it is there."""
    return sorted(meta["path"] for meta in S3Bucket(bucket).list(""))


def put_address(objects: S3ObjectStore, max_bytes: int = len(BODY), seconds: int = 60) -> str:
    expires = NOW.now() + timedelta(seconds=seconds)
    return objects.sign_put(KEY, max_bytes=max_bytes, expires=expires, base_url="http://unused")


def get_address(objects: S3ObjectStore, filename: str = "a.csv") -> str:
    expires = NOW.now() + timedelta(seconds=60)
    return objects.sign_get(KEY, filename=filename, expires=expires, base_url="http://unused")


def store(objects: S3ObjectStore, content: bytes = BODY, key: str = KEY) -> None:
    with objects.writer(key) as writer:
        writer.write(content)
        writer.commit()


def content(objects: S3ObjectStore) -> bytes:
    return b"".join(objects.open(KEY))


def changed(address: str, **members: str) -> str:
    parts = urlsplit(address)
    query = {name: values[0] for name, values in parse_qs(parts.query).items()} | members
    return parts._replace(query=urlencode(query)).geturl()


class TestSignedPut:
    def test_it_takes_the_declared_bytes(self, objects: S3ObjectStore):
        assert httpx.put(put_address(objects), content=BODY).status_code == 200
        assert objects.size(KEY) == len(BODY)
        assert list(objects.keys("uploads/upload_1")) == [KEY]
        assert objects.seal(KEY) == len(BODY)
        assert content(objects) == BODY

    @pytest.mark.parametrize("body", [BODY + b"3", BODY[:-1], b""])
    def test_it_takes_no_other_number_of_bytes(self, objects: S3ObjectStore, body: bytes):
        assert httpx.put(put_address(objects), content=body).status_code == 403
        assert objects.size(KEY) is None

    def test_without_a_declared_size_it_takes_any(self, objects: S3ObjectStore):
        assert httpx.put(put_address(objects, PUT_BYTES), content=b"12").status_code == 200
        assert objects.size(KEY) == 2

    def test_an_empty_file_is_taken(self, objects: S3ObjectStore):
        assert httpx.put(put_address(objects, 0), content=b"").status_code == 200
        assert objects.seal(KEY) == 0
        assert content(objects) == b""

    @pytest.mark.parametrize(
        "change",
        [
            {"X-Amz-Expires": "600000"},
            {"X-Amz-Signature": "0" * 64},
            {"X-Amz-SignedHeaders": "host"},
            {"x-id": "other"},
        ],
    )
    def test_a_changed_address_is_refused(self, objects: S3ObjectStore, change: dict[str, str]):
        answer = httpx.put(changed(put_address(objects), **change), content=BODY)
        assert answer.status_code == 403
        assert objects.size(KEY) is None

    def test_an_address_of_another_key_or_method_is_refused(self, objects: S3ObjectStore):
        address = put_address(objects)
        assert httpx.put(address.replace("upload_1", "upload_2"), content=BODY).status_code == 403
        assert httpx.delete(address).status_code == 403
        store(objects)
        assert httpx.put(get_address(objects), content=b"other").status_code == 403
        assert content(objects) == BODY

    def test_an_expired_address_is_refused(self, bucket: Bucket):
        before = FrozenClock(NOW.now() - timedelta(minutes=5))
        expires = before.now() + timedelta(minutes=1)
        address = S3Signer(bucket, before).address("PUT", KEY, expires)
        answer = httpx.put(address, content=BODY)
        assert (answer.status_code, there(bucket)) == (403, [])
        assert "expired" in answer.text.lower()

    def test_no_address_outlives_what_s3_allows(self, objects: S3ObjectStore):
        address = put_address(objects, seconds=2 * LONGEST_SECONDS)
        assert parse_qs(urlsplit(address).query)["X-Amz-Expires"] == [str(LONGEST_SECONDS)]
        assert httpx.put(address, content=BODY).status_code == 200

    def test_the_bucket_may_be_named_in_the_host(self, s3: S3Server, bucket: Bucket):
        settings = settings_of(
            bucket, s3_endpoint=f"http://s3.test:{s3.port}/", s3_virtual_host=True
        )
        named = replace(bucket, url=settings.bucket_url)
        assert named.url == f"http://tests.s3.test:{s3.port}"
        signed = S3Signer(named, NOW).address("PUT", KEY, NOW.now() + timedelta(minutes=1))
        parts = urlsplit(signed)
        address = parts._replace(netloc=f"127.0.0.1:{s3.port}").geturl()
        answer = httpx.put(address, content=BODY, headers={"Host": parts.netloc})
        assert (answer.status_code, there(bucket)) == (200, [KEY])


class TestSignedGet:
    def test_it_gives_the_file_under_its_name(self, objects: S3ObjectStore):
        store(objects)
        answer = httpx.get(get_address(objects, 'q"uote & é.csv'))
        assert (answer.status_code, answer.content) == (200, BODY)
        named = answer.headers["content-disposition"]
        assert named == "attachment; filename*=UTF-8''q%22uote%20%26%20%C3%A9.csv"
        assert answer.headers["content-type"] == "application/octet-stream"

    def test_it_gives_a_range(self, objects: S3ObjectStore):
        store(objects)
        answer = httpx.get(get_address(objects), headers={"Range": "bytes=2-3"})
        assert (answer.status_code, answer.content) == (206, BODY[2:4])

    def test_another_name_is_refused(self, objects: S3ObjectStore):
        store(objects)
        address = changed(get_address(objects), **{"response-content-disposition": "inline"})
        assert httpx.get(address).status_code == 403

    def test_what_is_gone_is_not_found(self, objects: S3ObjectStore):
        assert httpx.get(get_address(objects)).status_code == 404


class TestSeal:
    def test_what_comes_late_is_in_nobodys_way(self, objects: S3ObjectStore, bucket: Bucket):
        address = put_address(objects)
        httpx.put(address, content=BODY).raise_for_status()
        objects.seal(KEY)
        httpx.put(address, content=BODY[::-1]).raise_for_status()
        assert content(objects) == BODY
        assert list(objects.keys("uploads")) == [KEY]
        objects.delete_all("uploads/upload_1")
        assert there(bucket) == []

    def test_an_unfinished_confirmation_takes_the_bytes_that_are_there_the_next_time(
        self, objects: S3ObjectStore
    ):
        address = put_address(objects, PUT_BYTES)
        httpx.put(address, content=b"first").raise_for_status()
        assert objects.seal(KEY) == 5
        assert objects.seal(KEY) == 5
        httpx.put(address, content=b"second").raise_for_status()
        assert objects.seal(KEY) == 6
        assert content(objects) == b"second"

    def test_a_deleted_object_leaves_nothing_beside_it(
        self, objects: S3ObjectStore, bucket: Bucket
    ):
        httpx.put(put_address(objects), content=BODY).raise_for_status()
        objects.seal(KEY)
        objects.delete(KEY)
        assert there(bucket) == []


class TestChanged:
    def test_what_was_stored_sealed_or_has_arrived_has_its_moment(self, objects: S3ObjectStore):
        httpx.put(put_address(objects), content=BODY).raise_for_status()
        store(objects, key="uploads/upload_2/1")
        objects.seal("uploads/upload_2/1")
        found = dict(objects.changed("uploads"))
        assert sorted(found) == [KEY, "uploads/upload_2/1"]
        assert all(abs(NOW.now() - moment) < timedelta(minutes=1) for moment in found.values())


class TestTrash:
    def test_what_lies_beside_an_object_goes_and_comes_back_with_it(
        self, objects: S3ObjectStore, bucket: Bucket
    ):
        httpx.put(put_address(objects), content=BODY).raise_for_status()
        objects.seal(KEY)
        before = there(bucket)
        objects.discard(KEY, NOW.now())
        assert list(objects.keys("uploads")) == []
        assert list(objects.discarded()) == [(KEY, NOW.now().date())]
        assert objects.recover(KEY, NOW.now().date())
        assert there(bucket) == before
        with pytest.raises(ObjectSealed):
            store(objects)


class TestPut:
    def test_a_folder_that_cannot_be_read_whole_leaves_nothing(
        self, objects: S3ObjectStore, bucket: Bucket, tmp_path: Path
    ):
        source = tmp_path / "source"
        source.mkdir()
        (source / "a").write_bytes(b"1")
        (source / "b").symlink_to("/proc/self/mem")  # nothing lies at its beginning
        with pytest.raises(OSError, match="Invalid argument"):
            objects.put_folder("artifacts/v", source)
        assert there(bucket) == []

    def test_a_large_file_goes_and_comes_in_parts(
        self, objects: S3ObjectStore, bucket: Bucket, tmp_path: Path
    ):
        source = tmp_path / "large"
        source.write_bytes(bytes(range(256)) * (40 * 4096))
        objects.put_file("tables/u/1.parquet", source)
        with objects.local("tables/u/1.parquet") as path:
            assert path.read_bytes() == source.read_bytes()
        tag = S3Bucket(bucket).list("")[0]["e_tag"]
        assert tag is not None
        assert tag.endswith('-3"')


class TestCopies:
    def test_a_second_reader_gets_the_same_copy(self, objects: S3ObjectStore):
        store(objects)
        with objects.local(KEY) as first, objects.local(KEY) as second:
            assert first.samefile(second)
            assert first != second

    def test_a_replaced_object_is_read_anew(self, objects: S3ObjectStore):
        for body in (b"first", b"other"):
            store(objects, body)
            with objects.local(KEY) as path:
                assert path.read_bytes() == body

    def test_only_so_much_is_kept_but_what_is_lent_stays(self, bucket: Bucket, tmp_path: Path):
        objects = S3ObjectStore(bucket, LocalCache(tmp_path / "copies", 250), NOW)
        for number in range(4):
            store(objects, b"x" * 100, f"a/{number}")
        with objects.local("a/0") as lent:
            for number in (1, 2, 3):
                with objects.local(f"a/{number}"):
                    pass
            kept = list((tmp_path / "copies" / "kept").iterdir())
            assert sum(path.stat().st_size for path in kept) == 200
            assert not any(path.samefile(lent) for path in kept)
            assert lent.read_bytes() == b"x" * 100
        assert list((tmp_path / "copies" / "lent").glob("*/*")) == []

    def test_the_loans_of_a_killed_process_are_returned_and_no_others(
        self, bucket: Bucket, tmp_path: Path
    ):
        folder = tmp_path / "copies"
        subprocess.run([sys.executable, "-c", LENT_AND_KILLED, folder], check=False)
        (killed,) = (folder / "lent").glob("*/*")
        objects = S3ObjectStore(bucket, LocalCache(folder, 1), NOW)
        store(objects)
        with objects.local(KEY) as path:
            LocalCache(folder, 1)
            assert not killed.exists()
            assert list((folder / "lent").glob("*/*")) == [path]


class TestRefusals:
    def test_a_wrong_secret_is_told_to_the_log_and_not_to_the_caller(
        self, bucket: Bucket, tmp_path: Path, capfd: pytest.CaptureFixture[str]
    ):
        wrong = replace(bucket, secret_key="not-the-secret")
        objects = S3ObjectStore(wrong, LocalCache(tmp_path / "copies", 1), NOW)
        with pytest.raises(StorageUnavailable) as refused:
            store(objects)
        assert refused.value.status == 503
        assert "storage.away" in (told := "".join(capfd.readouterr()))
        assert "not-the-secret" not in told + repr(wrong) + str(refused.value)

    def test_an_object_that_vanishes_while_it_is_asked_for_is_missing(self, objects: S3ObjectStore):
        with pytest.raises(ObjectMissing):
            objects._bucket.get("a/b")

    def test_the_environment_of_other_clients_changes_nothing(
        self, bucket: Bucket, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ):
        monkeypatch.setenv("AWS_ENDPOINT_URL_S3", f"http://127.0.0.1:{free_port()}")
        monkeypatch.setenv("AWS_SESSION_TOKEN", "of-somebody-else")
        monkeypatch.setenv("AWS_SKIP_SIGNATURE", "true")
        S3ObjectStore(bucket, LocalCache(tmp_path / "copies", 1), NOW).probe()


class TestSilence:
    """Somebody takes connections in the bucket's place, and never answers."""

    @pytest.fixture
    def silent(self) -> Iterator[Bucket]:
        with socket.create_server(("127.0.0.1", 0), backlog=64) as listener:
            url = f"http://127.0.0.1:{listener.getsockname()[1]}/b"
            yield Bucket("b", url, "us-east-1", "access", "secret")

    @pytest.mark.parametrize("ask", ["size", "seal", "keys", "missing"])
    def test_is_refused_within_seconds_and_the_next_ones_at_once(
        self, silent: Bucket, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ask: str
    ):
        monkeypatch.setattr(s3_bucket, "AWAY_SECONDS", 600.0)
        quick = s3_bucket.SHORT | {"timeout": timedelta(seconds=0.5)}
        monkeypatch.setattr(s3_bucket, "SHORT", quick)
        monkeypatch.setattr(s3_multipart, "QUICK", 0.5)
        objects = S3ObjectStore(silent, LocalCache(tmp_path / "copies", 1), NOW)
        asked = {
            "size": lambda: objects.size(KEY),
            "seal": lambda: objects.seal(KEY),
            "keys": lambda: list(objects.keys("uploads")),
            "missing": lambda: objects.missing(KEY, 8),
        }[ask]
        started = time.monotonic()
        with pytest.raises(StorageUnavailable):
            asked()
        first = time.monotonic() - started
        assert first < 30  # half a second, tried a few times
        started = time.monotonic()
        for _ in range(20):
            with pytest.raises(StorageUnavailable):
                asked()
        assert time.monotonic() - started < first

    def test_is_over_as_soon_as_it_answers(
        self, bucket: Bucket, objects: S3ObjectStore, monkeypatch: pytest.MonkeyPatch
    ):
        monkeypatch.setattr(s3_bucket, "AWAY_SECONDS", 0.0)
        store(objects)
        with socket.create_server(("127.0.0.1", 0)) as listener:
            nobody = replace(bucket, url=f"http://127.0.0.1:{listener.getsockname()[1]}/b")
            away = S3Bucket(nobody)
        with pytest.raises(StorageUnavailable):
            away.head(KEY)
        monkeypatch.setattr(away, "_quick", objects._bucket._quick)
        assert away.head(KEY) is not None

    def test_what_the_bucket_itself_refuses_keeps_nobody_from_it(
        self, bucket: Bucket, objects: S3ObjectStore
    ):
        wrong = S3Bucket(replace(bucket, secret_key="not-the-secret"))
        for _ in range(2):
            with pytest.raises(StorageUnavailable) as refused:
                wrong.head(KEY)
            assert "moment ago" not in refused.value.why


class TestSettings:
    @pytest.mark.parametrize(
        ("wrong", "named"),
        [
            ({"s3_secret_key": SecretStr("")}, "needs MODELWRIGHT_S3_ACCESS_KEY and"),
            ({"s3_endpoint": "s3.example.org"}, "must be an address"),
        ],
    )
    def test_half_a_set_up_is_refused(self, bucket: Bucket, wrong: dict[str, Any], named: str):
        with pytest.raises(ValueError, match=named):
            settings_of(bucket, **wrong)

    def test_without_an_endpoint_it_is_amazon_s(self, bucket: Bucket):
        settings = settings_of(bucket, s3_endpoint="", s3_region="eu-central-1")
        assert settings.bucket_url == "https://s3.eu-central-1.amazonaws.com/tests"


class TestDoctor:
    def test_a_bucket_that_can_be_used_is_well(self, bucket: Bucket, tmp_path: Path):
        settings = settings_of(bucket, data_dir=tmp_path / "none")
        assert objects_of(settings).remedy == ""
        assert not settings.data_dir.exists()
        assert there(bucket) == []

    @pytest.mark.parametrize(
        ("wrong", "told", "remedy"),
        [
            ({"s3_secret_key": SecretStr("x")}, "SignatureDoesNotMatch", "S3_SECRET_KEY"),
            ({"s3_access_key": SecretStr("x")}, "SignatureDoesNotMatch", "S3_ACCESS_KEY"),
            ({"s3_bucket": "none"}, "NoSuchBucket", "S3_BUCKET"),
            ({"s3_endpoint": "http://127.0.0.1:9"}, "error", "S3_ENDPOINT"),
            ({"s3_region": "mars"}, "AuthorizationHeaderMalformed", "S3_REGION"),
        ],
    )
    def test_what_is_wrong_is_named_with_its_remedy(
        self, bucket: Bucket, wrong: dict[str, Any], told: str, remedy: str
    ):
        finding = objects_of(settings_of(bucket, **wrong))
        assert told in finding.message
        assert remedy in finding.remedy


def settings_of(bucket: Bucket, **members: Any) -> Settings:
    given: dict[str, Any] = s3_server.settings_of(bucket) | members
    return Settings(**given)


def objects_of(settings: Settings) -> Finding:
    return next(finding for finding in examine(settings) if finding.part == "objects")
