"""Sessions over HTTP: opening, choosing, ending, expiring, and how many there may be."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from fastapi.testclient import TestClient
from tests.factories import ModelSide

from modelwright.core.clock import FrozenClock
from modelwright.core.http.context import Level

Opened = Callable[..., dict[str, Any]]


class TestCreate:
    def test_answers_the_session_with_its_tables(self, opened: Opened, upload_id: str):
        session = opened(name="Monday")
        assert session.pop("session_id").startswith("sess_")
        assert session == {
            "name": "Monday",
            "upload_id": upload_id,
            "status": "ready",
            "is_default": False,
            "created_at": "2026-03-02T12:00:00Z",
            "expires_at": "2026-03-03T12:00:00Z",
            "ended_at": None,
            "files": ["table0.csv"],
            "tables": [
                {
                    "file": "table0.csv",
                    "table": "table0",
                    "columns": ["region", "amount"],
                    "upload_id": upload_id,
                    "dataset_name": "table0.csv",
                }
            ],
            "datasets": [
                {
                    "dataset_name": "table0.csv",
                    "version": "v1.0",
                    "upload_id": upload_id,
                    "newest_version": "v1.0",
                    "newest_upload_id": upload_id,
                    "is_stale": False,
                }
            ],
            "warnings": [],
            "notices": [],
        }

    def test_takes_its_name_from_the_upload(self, opened: Opened):
        assert opened()["name"] == "table0.csv"

    @pytest.mark.parametrize("hours", [1, 168])
    def test_lives_for_the_hours_asked_for(self, opened: Opened, hours: int):
        expires = opened(expiration_hours=hours)["expires_at"]
        assert expires == ("2026-03-02T13:00:00Z" if hours == 1 else "2026-03-09T12:00:00Z")

    @pytest.mark.parametrize("hours", [0, 169, -1, 1.5, "24", True])
    def test_refuses_hours_outside_1_to_168(self, api: TestClient, upload_id: str, hours: object):
        body = {"upload_id": upload_id, "expiration_hours": hours}
        answer = api.post("/data/sessions", json=body)
        assert answer.status_code == 422
        assert answer.json()["error"]["code"] == "validation_failed"
        assert "expiration_hours" in answer.json()["error"]["message"]

    def test_asks_for_the_upload(self, api: TestClient):
        answer = api.post("/data/sessions", json={})
        assert answer.status_code == 400
        assert "upload_id" in answer.json()["error"]["message"]

    def test_refuses_an_upload_that_is_not_complete(self, api: TestClient):
        files = [{"filename": "a.csv", "content_type": "text/csv"}]
        pending = api.post("/data/upload", json={"files": files}).json()
        answer = api.post("/data/sessions", json={"upload_id": pending["upload_id"]})
        assert answer.status_code == 409
        assert answer.json()["error"]["code"] == "resource_conflict"


class TestHowManyThereMayBe:
    def test_a_sixth_active_session_is_refused(
        self, opened: Opened, api: TestClient, upload_id: str
    ):
        first, *_ = [opened() for _ in range(5)]
        answer = api.post("/data/sessions", json={"upload_id": upload_id})
        assert answer.status_code == 409
        assert answer.json()["error"]["code"] == "resource_conflict"
        api.delete(f"/data/sessions/{first['session_id']}")
        assert opened()["status"] == "ready"

    def test_requests_at_the_same_moment_do_not_get_past_it(self, api: TestClient, upload_id: str):
        def post(_: int) -> int:
            return api.post("/data/sessions", json={"upload_id": upload_id}).status_code

        with ThreadPoolExecutor(10) as threads:
            statuses = sorted(threads.map(post, range(10)))
        assert statuses == [200] * 5 + [409] * 5

    def test_expired_ones_do_not_count(self, opened: Opened, clock: FrozenClock):
        for _ in range(5):
            opened(expiration_hours=1)
        clock.advance(hours=1)
        assert opened()["status"] == "ready"

    def test_another_account_has_its_own_five(
        self, opened: Opened, other_account_client: TestClient, container: Any
    ):
        for _ in range(5):
            opened()
        theirs = ModelSide(
            container, other_account_client.get("/auth/user").json()["user_id"]
        ).upload("a\n1\n")
        assert (
            other_account_client.post("/data/sessions", json={"upload_id": theirs}).status_code
            == 200
        )

    def test_use_upload_is_held_to_it_too(
        self, opened: Opened, api: TestClient, model_side: ModelSide
    ):
        for _ in range(5):
            opened()
        other = model_side.upload("a\n1\n")
        assert api.post("/data/use-upload", json={"upload_id": other}).status_code == 409


class TestRead:
    def test_shows_what_was_opened(self, opened: Opened, read_only_client: TestClient):
        session = opened()
        assert read_only_client.get(f"/data/sessions/{session['session_id']}").json() == session

    def test_an_expired_one_shows_as_ended(
        self, opened: Opened, api: TestClient, clock: FrozenClock
    ):
        session = opened(expiration_hours=2)
        clock.advance(hours=2)
        shown = api.get(f"/data/sessions/{session['session_id']}").json()
        assert shown["status"] == "ended"
        assert shown["ended_at"] == session["expires_at"]


class TestEnd:
    def test_ends_it_for_good(self, opened: Opened, api: TestClient, clock: FrozenClock):
        path = f"/data/sessions/{opened()['session_id']}"
        clock.advance(minutes=5)
        answer = api.delete(path)
        assert answer.json() == {
            "session_id": path.rpartition("/")[2],
            "status": "ended",
            "ended_at": "2026-03-02T12:05:00Z",
        }
        assert api.get(path).json()["status"] == "ended"

    def test_a_second_time_answers_as_the_first(
        self, opened: Opened, api: TestClient, clock: FrozenClock
    ):
        path = f"/data/sessions/{opened()['session_id']}"
        first = api.delete(path).json()
        clock.advance(minutes=5)
        assert api.delete(path).json() == first

    def test_deleting_the_upload_ends_its_sessions(
        self, opened: Opened, api: TestClient, upload_id: str
    ):
        session = opened()
        assert api.delete(f"/uploads/{upload_id}").status_code == 200
        shown = api.get(f"/data/sessions/{session['session_id']}").json()
        assert shown["status"] == "ended"


class TestUseUpload:
    def test_opens_a_session_and_makes_it_the_default(self, api: TestClient, upload_id: str):
        session = api.post("/data/use-upload", json={"upload_id": upload_id}).json()
        assert (session["status"], session["is_default"]) == ("ready", True)

    def test_takes_an_open_session_where_there_is_one(
        self, opened: Opened, api: TestClient, upload_id: str
    ):
        session = opened()
        used = api.post("/data/use-upload", json={"upload_id": upload_id}).json()
        assert used["session_id"] == session["session_id"]

    def test_makes_a_new_one_where_the_old_has_ended(
        self, opened: Opened, api: TestClient, upload_id: str, clock: FrozenClock
    ):
        session = opened(expiration_hours=1)
        clock.advance(hours=1)
        used = api.post("/data/use-upload", json={"upload_id": upload_id}).json()
        assert used["session_id"] != session["session_id"]

    def test_takes_the_session_that_is_named(self, opened: Opened, api: TestClient, upload_id: str):
        first, _second = opened(), opened()
        body = {"upload_id": upload_id, "session_id": first["session_id"]}
        used = api.post("/data/use-upload", json=body).json()
        assert (used["session_id"], used["is_default"]) == (first["session_id"], True)

    def test_there_is_one_default(self, opened: Opened, api: TestClient, upload_id: str):
        for session in (opened(), opened()):
            body = {"upload_id": upload_id, "session_id": session["session_id"]}
            assert api.post("/data/use-upload", json=body).status_code == 200
        listed = api.get("/data/sessions").json()["sessions"]
        assert [one["is_default"] for one in listed] == [True, False]

    def test_refuses_a_session_over_another_upload(
        self, opened: Opened, api: TestClient, model_side: ModelSide
    ):
        body = {"upload_id": model_side.upload("a\n1\n"), "session_id": opened()["session_id"]}
        answer = api.post("/data/use-upload", json=body)
        assert answer.status_code == 422
        assert "session_id" in answer.json()["error"]["message"]

    def test_refuses_a_session_that_has_ended(
        self, opened: Opened, api: TestClient, upload_id: str
    ):
        session = opened()
        api.delete(f"/data/sessions/{session['session_id']}")
        body = {"upload_id": upload_id, "session_id": session["session_id"]}
        assert api.post("/data/use-upload", json=body).status_code == 409

    def test_is_open_to_keys_that_only_read(
        self, as_key: Callable[[str], TestClient], make_key: Callable[..., str], upload_id: str
    ):
        read_only_client = as_key(make_key(level=Level.READ_ONLY))
        assert (
            read_only_client.post("/data/use-upload", json={"upload_id": upload_id}).status_code
            == 200
        )
