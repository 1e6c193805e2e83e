"""Signed addresses over HTTP."""

import tracemalloc
from collections.abc import AsyncIterator, Callable
from datetime import timedelta
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import anyio
import pytest
from fastapi.testclient import TestClient

from modelwright.core.clock import FrozenClock
from modelwright.core.http import pace
from modelwright.storage.checked import CheckedObjects
from modelwright.storage.disk import DiskObjectStore
from modelwright.storage.object_store import ObjectStore
from modelwright.storage.url_signer import UrlSigner

KEY = "others/upload_1/1"
MB = 1024 * 1024


@pytest.fixture
def put_address(signer: UrlSigner, clock: FrozenClock) -> Callable[..., str]:
    def make(key: str = KEY, max_bytes: int = 1000, seconds: int = 3600) -> str:
        expires = clock.now() + timedelta(seconds=seconds)
        return signer.sign_put(key, max_bytes=max_bytes, expires=expires, base_url="http://x")

    return make


@pytest.fixture
def get_address(signer: UrlSigner, clock: FrozenClock) -> Callable[..., str]:
    def make(key: str = KEY, filename: str = "sales 2024.csv") -> str:
        expires = clock.now() + timedelta(seconds=3600)
        return signer.sign_get(key, filename=filename, expires=expires, base_url="http://x")

    return make


def store(objects: ObjectStore, content: bytes = b"0123456789") -> None:
    with objects.writer(KEY) as writer:
        writer.write(content)
        writer.commit()


def changed(address: str, **members: str) -> str:
    parts = urlsplit(address)
    query = {name: values[0] for name, values in parse_qs(parts.query).items()} | members
    return parts._replace(query=urlencode(query)).geturl()


def drafts(objects: CheckedObjects) -> list[Path]:
    inner = objects._inner
    assert isinstance(inner, DiskObjectStore)
    return list(inner._drafts.iterdir())


class TestPut:
    def test_the_body_is_stored_without_a_key(
        self, anonymous_client: TestClient, objects: ObjectStore, put_address: Callable[..., str]
    ):
        answer = anonymous_client.put(put_address(), content=b"a,b\n1,2\n")
        assert answer.status_code == 200
        assert b"".join(objects.open(KEY)) == b"a,b\n1,2\n"

    def test_it_can_be_repeated_before_the_address_expires(
        self, anonymous_client: TestClient, objects: ObjectStore, put_address: Callable[..., str]
    ):
        address = put_address()
        assert anonymous_client.put(address, content=b"first").status_code == 200
        assert anonymous_client.put(address, content=b"second").status_code == 200
        assert b"".join(objects.open(KEY)) == b"second"

    def test_a_body_of_exactly_the_signed_size_is_taken(
        self, anonymous_client: TestClient, put_address: Callable[..., str]
    ):
        assert anonymous_client.put(put_address(max_bytes=5), content=b"12345").status_code == 200

    def test_a_body_declared_too_large_is_refused(
        self, anonymous_client: TestClient, objects: CheckedObjects, put_address: Callable[..., str]
    ):
        answer = anonymous_client.put(put_address(max_bytes=5), content=b"123456")
        assert answer.status_code == 413
        assert answer.json()["error"]["code"] == "payload_too_large"
        assert objects.size(KEY) is None
        assert drafts(objects) == []

    def test_a_body_that_grows_too_large_is_refused_while_it_streams(
        self, anonymous_client: TestClient, objects: CheckedObjects, put_address: Callable[..., str]
    ):
        sent = []

        def endless() -> Any:
            for _ in range(64):
                sent.append(1)
                yield b"x" * MB

        answer = anonymous_client.put(put_address(max_bytes=2 * MB), content=endless())
        assert answer.status_code == 413
        assert objects.size(KEY) is None
        assert drafts(objects) == []

    @pytest.mark.parametrize(
        "change",
        [
            {"max_bytes": "2000"},
            {"expires": "9999999999"},
            {"method": "GET"},
            {"filename": "x"},
            {"signature": "0" * 64},
            {"signature": ""},
            {"signature": "é"},
            {"expires": ""},
            {"expires": "soon"},
            {"max_bytes": "1e3"},
        ],
    )
    def test_a_changed_address_is_refused(
        self,
        anonymous_client: TestClient,
        objects: ObjectStore,
        put_address: Callable[..., str],
        change: dict[str, str],
    ):
        answer = anonymous_client.put(changed(put_address(), **change), content=b"1")
        assert answer.status_code == 403
        assert answer.json()["error"]["code"] == "insufficient_permissions"
        assert objects.size(KEY) is None

    def test_an_address_without_a_query_is_refused(self, anonymous_client: TestClient):
        assert anonymous_client.put(f"/storage/{KEY}", content=b"1").status_code == 403

    def test_an_address_of_another_key_is_refused(
        self, anonymous_client: TestClient, objects: ObjectStore, put_address: Callable[..., str]
    ):
        other = put_address().replace("upload_1/1", "upload_1/2")
        assert anonymous_client.put(other, content=b"1").status_code == 403
        assert list(objects.keys("others")) == []

    def test_a_key_that_leads_elsewhere_is_refused_even_when_signed(
        self, anonymous_client: TestClient, tmp_path: Path, put_address: Callable[..., str]
    ):
        address = put_address("a/../../../escaped").replace("..", "%2e%2e")
        assert anonymous_client.put(address, content=b"1").status_code == 404
        assert not list(tmp_path.rglob("escaped"))

    def test_an_expired_address_is_refused(
        self, anonymous_client: TestClient, clock: FrozenClock, put_address: Callable[..., str]
    ):
        address = put_address(seconds=60)
        clock.advance(seconds=60)
        answer = anonymous_client.put(address, content=b"1")
        assert answer.status_code == 403
        assert "expired" in answer.json()["error"]["message"]

    def test_an_address_for_reading_takes_nothing(
        self, anonymous_client: TestClient, objects: ObjectStore, get_address: Callable[..., str]
    ):
        assert anonymous_client.put(get_address(), content=b"1").status_code == 403
        assert objects.size(KEY) is None

    def test_a_sealed_object_is_a_conflict(
        self, anonymous_client: TestClient, objects: ObjectStore, put_address: Callable[..., str]
    ):
        store(objects)
        objects.seal(KEY)
        answer = anonymous_client.put(put_address(), content=b"1")
        assert answer.status_code == 409
        assert answer.json()["error"]["code"] == "resource_conflict"

    def test_another_method_is_not_allowed(
        self, anonymous_client: TestClient, put_address: Callable[..., str]
    ):
        answer = anonymous_client.post(put_address(), content=b"1")
        assert answer.status_code == 405
        assert answer.headers["allow"] == "GET, HEAD, OPTIONS, PUT"


class TestGet:
    def test_the_object_is_given_as_an_attachment(
        self, anonymous_client: TestClient, objects: ObjectStore, get_address: Callable[..., str]
    ):
        store(objects)
        answer = anonymous_client.get(get_address(filename='q"uote\r\n/é.csv'))
        assert answer.status_code == 200
        assert answer.content == b"0123456789"
        assert answer.headers["content-length"] == "10"
        assert answer.headers["content-type"] == "application/octet-stream"
        assert answer.headers["accept-ranges"] == "bytes"
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert "sandbox" in answer.headers["content-security-policy"]
        assert (
            answer.headers["content-disposition"]
            == "attachment; filename*=UTF-8''q%22uote%0D%0A%2F%C3%A9.csv"
        )

    @pytest.mark.parametrize(
        ("header", "content", "told"),
        [
            ("bytes=0-3", b"0123", "bytes 0-3/10"),
            ("bytes=4-4", b"4", "bytes 4-4/10"),
            ("bytes=7-", b"789", "bytes 7-9/10"),
            ("bytes=-2", b"89", "bytes 8-9/10"),
            ("bytes=-20", b"0123456789", "bytes 0-9/10"),
            ("bytes=5-99", b"56789", "bytes 5-9/10"),
        ],
    )
    def test_a_range_is_given(
        self,
        anonymous_client: TestClient,
        objects: ObjectStore,
        get_address: Callable[..., str],
        header: str,
        content: bytes,
        told: str,
    ):
        store(objects)
        answer = anonymous_client.get(get_address(), headers={"Range": header})
        assert (answer.status_code, answer.content) == (206, content)
        assert answer.headers["content-range"] == told
        assert answer.headers["content-length"] == str(len(content))

    @pytest.mark.parametrize(
        "header", ["lines=0-3", "bytes=3-1", "bytes=-", "bytes=0-1,3-4", "bytes=a-b", ""]
    )
    def test_what_is_not_one_range_gives_all(
        self,
        anonymous_client: TestClient,
        objects: ObjectStore,
        get_address: Callable[..., str],
        header: str,
    ):
        store(objects)
        answer = anonymous_client.get(get_address(), headers={"Range": header})
        assert (answer.status_code, answer.content) == (200, b"0123456789")

    @pytest.mark.parametrize("header", ["bytes=10-", "bytes=99-100", "bytes=-0"])
    def test_a_range_outside_the_object_is_refused(
        self,
        anonymous_client: TestClient,
        objects: ObjectStore,
        get_address: Callable[..., str],
        header: str,
    ):
        store(objects)
        answer = anonymous_client.get(get_address(), headers={"Range": header})
        assert answer.status_code == 416
        assert answer.headers["content-range"] == "bytes */10"
        assert answer.json()["error"]["status"] == 416

    def test_an_unknown_validator_gives_all(
        self, anonymous_client: TestClient, objects: ObjectStore, get_address: Callable[..., str]
    ):
        store(objects)
        headers = {"Range": "bytes=0-1", "If-Range": '"other"'}
        assert anonymous_client.get(get_address(), headers=headers).status_code == 200

    def test_head_tells_the_size_without_reading(
        self,
        anonymous_client: TestClient,
        objects: ObjectStore,
        get_address: Callable[..., str],
        monkeypatch: pytest.MonkeyPatch,
    ):
        store(objects)
        monkeypatch.setattr(CheckedObjects, "open", None)
        answer = anonymous_client.head(get_address())
        assert (answer.status_code, answer.content) == (200, b"")
        assert answer.headers["content-length"] == "10"

    def test_a_missing_object_is_not_found(
        self, anonymous_client: TestClient, get_address: Callable[..., str]
    ):
        answer = anonymous_client.get(get_address())
        assert answer.status_code == 404
        assert answer.json()["error"]["code"] == "not_found"

    def test_an_address_for_writing_gives_nothing(
        self, anonymous_client: TestClient, objects: ObjectStore, put_address: Callable[..., str]
    ):
        store(objects)
        assert anonymous_client.get(put_address()).status_code == 403

    def test_an_empty_object_is_given(
        self, anonymous_client: TestClient, objects: ObjectStore, get_address: Callable[..., str]
    ):
        store(objects, b"")
        assert (
            anonymous_client.get(get_address()).status_code,
            anonymous_client.get(get_address()).content,
        ) == (200, b"")


class TestStreaming:
    """The application driven by hand, as a server would, chunk by chunk."""

    @staticmethod
    async def drive(
        app: Any,
        address: str,
        chunks: AsyncIterator[dict[str, Any]],
        *headers: tuple[bytes, bytes],
    ) -> int:
        parts = urlsplit(address)
        scope = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": "PUT",
            "scheme": "http",
            "path": parts.path,
            "raw_path": parts.path.encode(),
            "query_string": parts.query.encode(),
            "headers": headers,
            "client": ("127.0.0.1", 1),
            "server": ("x", 80),
            "root_path": "",
            "state": {},
        }
        status = 0

        async def send(message: dict[str, Any]) -> None:
            nonlocal status
            status = message.get("status", status)

        await app(scope, lambda: anext(chunks), send)
        return status

    def test_an_interrupted_body_leaves_nothing_and_can_be_tried_again(
        self, anonymous_client: TestClient, objects: CheckedObjects, put_address: Callable[..., str]
    ):
        async def broken_off() -> AsyncIterator[dict[str, Any]]:
            yield {"type": "http.request", "body": b"x" * 2 * MB, "more_body": True}
            assert len(drafts(objects)) == 1
            yield {"type": "http.disconnect"}

        address = put_address(max_bytes=9 * MB)
        anyio.run(self.drive, anonymous_client.app, address, broken_off())
        assert objects.size(KEY) is None
        assert drafts(objects) == []
        assert anonymous_client.put(address, content=b"whole").status_code == 200

    def test_a_body_that_stands_still_ends_and_leaves_nothing(
        self,
        anonymous_client: TestClient,
        objects: CheckedObjects,
        put_address: Callable[..., str],
        monkeypatch: pytest.MonkeyPatch,
    ):
        monkeypatch.setattr(pace, "GRACE_SECONDS", 0.2)

        async def still() -> AsyncIterator[dict[str, Any]]:
            yield {"type": "http.request", "body": b"x" * 10, "more_body": True}
            await anyio.sleep_forever()

        address = put_address(max_bytes=9 * MB)
        assert anyio.run(self.drive, anonymous_client.app, address, still()) == 400
        assert (objects.size(KEY), drafts(objects)) == (None, [])

    def test_a_second_body_for_the_same_key_is_a_conflict_while_the_first_comes(
        self, anonymous_client: TestClient, objects: CheckedObjects, put_address: Callable[..., str]
    ):
        address = put_address(max_bytes=9 * MB)
        statuses: list[int] = []

        async def second() -> AsyncIterator[dict[str, Any]]:
            yield {"type": "http.request", "body": b"second", "more_body": False}

        async def first() -> AsyncIterator[dict[str, Any]]:
            yield {"type": "http.request", "body": b"fir", "more_body": True}
            statuses.append(await self.drive(anonymous_client.app, address, second()))
            yield {"type": "http.request", "body": b"st", "more_body": False}

        statuses.append(anyio.run(self.drive, anonymous_client.app, address, first()))
        assert statuses == [409, 200]
        assert b"".join(objects.open(KEY)) == b"first"
        assert anonymous_client.put(address, content=b"third").status_code == 200

    def test_a_cancelled_request_leaves_nothing(
        self, anonymous_client: TestClient, objects: CheckedObjects, put_address: Callable[..., str]
    ):
        async def cancelled() -> None:
            with anyio.CancelScope() as scope:

                async def chunks() -> AsyncIterator[dict[str, Any]]:
                    yield {"type": "http.request", "body": b"x" * 2 * MB, "more_body": True}
                    scope.cancel()
                    await anyio.sleep_forever()

                await self.drive(anonymous_client.app, put_address(max_bytes=9 * MB), chunks())

        anyio.run(cancelled)
        assert drafts(objects) == []

    @pytest.mark.parametrize(
        ("key", "length", "status"),
        [(KEY, b"6", 413), ("uploads/upload_gone/1", b"5", 404)],
        ids=["declared too large", "awaited by nobody"],
    )
    def test_what_is_refused_anyway_is_not_read(
        self,
        anonymous_client: TestClient,
        put_address: Callable[..., str],
        key: str,
        length: bytes,
        status: int,
    ):
        read = []

        async def chunks() -> AsyncIterator[dict[str, Any]]:
            read.append(1)
            yield {"type": "http.request", "body": b"12345", "more_body": False}

        address, header = put_address(key, max_bytes=5), (b"content-length", length)
        assert anyio.run(self.drive, anonymous_client.app, address, chunks(), header) == status
        assert read == []

    def test_memory_does_not_grow_with_the_body(
        self, anonymous_client: TestClient, objects: ObjectStore, put_address: Callable[..., str]
    ):
        count = 96

        async def large() -> AsyncIterator[dict[str, Any]]:
            for number in range(count):
                yield {
                    "type": "http.request",
                    "body": bytes([number]) * MB,
                    "more_body": number < count - 1,
                }

        tracemalloc.start()
        try:
            status = anyio.run(
                self.drive, anonymous_client.app, put_address(max_bytes=count * MB), large()
            )
            peak = tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()
        assert status == 200
        assert objects.size(KEY) == count * MB
        assert peak < 12 * MB
