"""Files that come in parts: gone on with where they stopped, checked when they are whole."""

import hashlib
from collections.abc import Callable
from typing import Any

import pytest
from fastapi.testclient import TestClient

from modelwright.core.clock import FrozenClock
from modelwright.core.config.settings import Settings
from modelwright.core.limits.contract import GB
from modelwright.storage.domain import PART_BYTES
from modelwright.storage.object_store import ObjectStore

LINE = b"1,Berlin,9.5\n"
LARGE = b"id,city,price\n" + LINE * (PART_BYTES // len(LINE) + 1000)


@pytest.fixture
def begun(api: TestClient) -> dict[str, Any]:
    """A declared upload of one large file, of which nothing has come."""
    file = {"filename": "a b.csv", "content_type": "text/csv", "size_bytes": len(LARGE)}
    return dict(api.post("/data/upload", json={"files": [file]}).json())


def place(upload: dict[str, Any], verb: str) -> str:
    return f"/uploads/{upload['upload_id']}/files/a%20b.csv/{verb}"


def missing(api: TestClient, upload: dict[str, Any]) -> list[dict[str, Any]]:
    answer = api.post(place(upload, "parts"))
    assert answer.status_code == 200, answer.text
    return list(answer.json()["parts"])


def send(client: TestClient, part: dict[str, Any], content: bytes = LARGE) -> int:
    body = content[part["start"] : part["end"]]
    return client.put(part["presigned_url"], content=body).status_code


class TestParts:
    def test_what_has_come_is_told_and_the_rest_has_addresses(
        self, api: TestClient, anonymous_client: TestClient, begun: dict[str, Any]
    ):
        first, last = missing(api, begun)
        assert (first["start"], first["end"]) == (0, PART_BYTES)
        assert (last["start"], last["end"]) == (PART_BYTES, len(LARGE))
        assert send(anonymous_client, first) == 200
        told = api.get(place(begun, "parts")).json()
        assert told == {
            "upload_id": begun["upload_id"],
            "filename": "a b.csv",
            "object_key": begun["files"][0]["object_key"],
            "size_bytes": len(LARGE),
            "received_bytes": PART_BYTES,
            "is_complete": False,
        }
        assert [part["start"] for part in missing(api, begun)] == [PART_BYTES]

    def test_a_completed_file_is_processed_like_any_other(
        self,
        api: TestClient,
        anonymous_client: TestClient,
        begun: dict[str, Any],
        confirm: Callable[..., Any],
        work: Callable[[], int],
    ):
        for part in missing(api, begun):
            send(anonymous_client, part)
        digest = hashlib.sha256(LARGE).hexdigest()
        done = api.post(place(begun, "complete"), json={"sha256": digest})
        assert (done.json()["size_bytes"], done.json()["sha256"]) == (len(LARGE), digest)
        assert api.post(place(begun, "complete"), json={"sha256": digest}).json() == done.json()
        assert missing(api, begun) == []
        assert confirm(begun).status_code == 200
        work()
        upload = api.get(f"/uploads/{begun['upload_id']}").json()
        assert (upload["status"], upload["files"][0]["rows"]) == ("complete", LARGE.count(LINE))
        assert api.post(place(begun, "parts")).status_code == 409

    def test_it_is_not_complete_while_bytes_are_missing(
        self, api: TestClient, begun: dict[str, Any], confirm: Callable[..., Any]
    ):
        answer = api.post(place(begun, "complete"), json={})
        assert answer.status_code == 409
        assert f"{len(LARGE)} bytes of the file have not come" in answer.json()["error"]["message"]
        assert confirm(begun).status_code == 422

    def test_other_bytes_than_those_told_of_are_refused_and_can_be_sent_again(
        self, api: TestClient, anonymous_client: TestClient, begun: dict[str, Any]
    ):
        for part in missing(api, begun):
            send(anonymous_client, part, LARGE.replace(b"9.5", b"9.6"))
        digest = hashlib.sha256(LARGE).hexdigest()
        answer = api.post(place(begun, "complete"), json={"sha256": digest})
        assert answer.status_code == 422
        assert [one["field"] for one in answer.json()["error"]["details"]] == ["sha256"]
        assert missing(api, begun)[0]["start"] == 0

    def test_a_part_that_was_sent_before_is_refused_with_what_to_do(
        self, api: TestClient, anonymous_client: TestClient, begun: dict[str, Any]
    ):
        first, last = missing(api, begun)
        assert send(anonymous_client, last) == 409
        assert send(anonymous_client, first) == 200
        again = anonymous_client.put(first["presigned_url"], content=b"x")
        assert again.status_code == 409
        assert f"{PART_BYTES} bytes of the file have come" in again.json()["error"]["message"]

    def test_a_part_takes_no_more_than_its_bytes(
        self, api: TestClient, anonymous_client: TestClient, begun: dict[str, Any]
    ):
        first, last = missing(api, begun)
        send(anonymous_client, first)
        body = LARGE[last["start"] :] + b"more"
        assert anonymous_client.put(last["presigned_url"], content=body).status_code == 413

    def test_an_address_of_a_part_is_good_for_that_part_alone(
        self, api: TestClient, anonymous_client: TestClient, begun: dict[str, Any]
    ):
        first, _ = missing(api, begun)
        moved = first["presigned_url"].replace("start=0", "start=1")
        whole = first["presigned_url"].replace("start=0&", "")
        for address in (moved, whole):
            assert address != first["presigned_url"]
            assert anonymous_client.put(address, content=b"x").status_code == 403

    def test_a_file_of_unknown_size_comes_whole(
        self, api: TestClient, declare: Callable[..., dict[str, Any]]
    ):
        upload = declare("a b.csv")
        answer = api.post(place(upload, "parts"))
        assert answer.status_code == 409
        assert "size_bytes" in answer.json()["error"]["message"]

    def test_nobody_else_learns_of_it(
        self,
        read_only_client: TestClient,
        other_account_client: TestClient,
        begun: dict[str, Any],
    ):
        assert read_only_client.get(place(begun, "parts")).status_code == 200
        for verb in ("parts", "complete"):
            assert read_only_client.post(place(begun, verb), json={}).status_code == 403
            assert other_account_client.post(place(begun, verb), json={}).status_code == 404
        assert other_account_client.get(place(begun, "parts")).status_code == 404


class TestRoomOfAnAccount:
    @pytest.fixture
    def settings(self, settings: Settings) -> Settings:
        return settings.model_copy(update={"account_storage_gb": 1})

    def test_a_file_counts_once_before_while_and_after_its_parts_come(
        self, api: TestClient, anonymous_client: TestClient, begun: dict[str, Any]
    ):
        def declared(size: int) -> tuple[int, str]:
            file = {"filename": "b.csv", "content_type": "text/csv", "size_bytes": size}
            answer = api.post("/data/upload", json={"files": [file]})
            told = answer.json()
            return told["error"]["status"] if "error" in told else 200, told.get("upload_id", "")

        status, other = declared(GB - len(LARGE))
        assert status == 200
        assert declared(1)[0] == 413
        for part in missing(api, begun):
            assert send(anonymous_client, part) == 200
            assert declared(1)[0] == 413
        assert api.post(place(begun, "complete"), json={}).status_code == 200
        assert declared(1)[0] == 413
        assert api.delete(f"/uploads/{other}").status_code == 200
        assert declared(GB - len(LARGE) + 1)[0] == 413
        assert declared(GB - len(LARGE))[0] == 200


class TestAbandoned:
    @pytest.fixture
    def left(
        self, api: TestClient, anonymous_client: TestClient, begun: dict[str, Any]
    ) -> dict[str, Any]:
        """An upload of which one part has come."""
        assert send(anonymous_client, missing(api, begun)[0]) == 200
        return begun

    def test_parts_go_once_nobody_confirmed_in_time(
        self,
        left: dict[str, Any],
        objects: ObjectStore,
        clock: FrozenClock,
        sweep: Callable[[], None],
    ):
        key = left["files"][0]["object_key"]
        clock.advance(hours=24)
        sweep()
        assert objects.missing(key, len(LARGE))[0].start == PART_BYTES
        clock.advance(hours=2)
        sweep()
        assert objects.missing(key, len(LARGE))[0].start == 0

    @pytest.mark.parametrize("way", ["deleted", "given up"])
    def test_parts_go_with_their_upload(
        self,
        api: TestClient,
        anonymous_client: TestClient,
        left: dict[str, Any],
        objects: ObjectStore,
        confirm: Callable[..., Any],
        way: str,
    ):
        part = missing(api, left)[0]
        if way == "deleted":
            assert api.delete(f"/uploads/{left['upload_id']}").status_code == 200
        else:
            assert confirm(left, status="failed").status_code == 200
        key = left["files"][0]["object_key"]
        assert objects.missing(key, len(LARGE))[0].start == 0
        assert send(anonymous_client, part) in {404, 409}
