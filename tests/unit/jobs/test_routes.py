"""`/jobs` over HTTP."""

import json
import threading
from typing import Any

import pytest
from fastapi.testclient import TestClient
from tests.unit.jobs.conftest import ANA, BEN, Queue

from modelwright.core.db.database import ALL_ACCOUNTS
from modelwright.core.ids import AccountId
from modelwright.jobs.context import JobContext
from modelwright.jobs.domain import JobInfo
from modelwright.jobs.errors import TooManyStreams
from modelwright.jobs.event_stream import JobEventStream, StreamSlots
from modelwright.users.service import Users


@pytest.fixture
def ana(queue: Queue, container: Any, api: TestClient) -> AccountId:
    with container.database.transaction(ALL_ACCOUNTS) as db:
        return AccountId(container.service(Users).find(db, "ana@example.org").user_id)


def talk(step: JobContext) -> None:
    for number in range(3):
        step.log(f"line {number}")
    step.progress(50, "talking")


class TestRead:
    def test_a_job_shows_how_it_stands_and_what_it_works_on(
        self, queue: Queue, api: TestClient, ana: AccountId
    ):
        job_id = queue.ask("upload_1", account=ana)
        assert api.get(f"/jobs/{job_id}").json() == {
            "job_id": job_id,
            "kind": "processing",
            "status": "PENDING",
            "progress": 0,
            "stage": "",
            "upload_id": "upload_1",
            "cancel_requested": False,
            "created_at": "2026-03-02T12:00:00Z",
            "started_at": None,
            "completed_at": None,
            "error": None,
        }


class TestLogs:
    def test_lines_come_oldest_first(self, queue: Queue, api: TestClient, ana: AccountId):
        queue.short.script = talk
        job_id = queue.ask(account=ana)
        queue.worker().drain()
        answer = api.get(f"/jobs/{job_id}/logs", params={"limit": 2, "offset": 1}).json()
        assert [(line["message"], line["level"]) for line in answer["logs"]] == [
            ("line 1", "INFO"),
            ("line 2", "INFO"),
        ]
        assert answer["pagination"]["total"] == 3


class TestCancel:
    def test_a_job_is_asked_to_stop(self, queue: Queue, api: TestClient, ana: AccountId):
        job_id = queue.ask(account=ana)
        answer = api.post(f"/jobs/{job_id}/cancel")
        assert (answer.status_code, answer.json()["cancel_requested"]) == (200, True)
        queue.worker().drain()
        assert api.get(f"/jobs/{job_id}").json()["status"] == "CANCELLED"

    def test_a_finished_one_is_a_conflict(self, queue: Queue, api: TestClient, ana: AccountId):
        job_id = queue.ask(account=ana)
        queue.worker().drain()
        answer = api.post(f"/jobs/{job_id}/cancel")
        assert (answer.status_code, answer.json()["error"]["code"]) == (409, "conflict")


def events_of(text: str) -> list[tuple[str, str, dict[str, Any]]]:
    parts = [part.split("\n") for part in text.strip().split("\n\n") if not part.startswith(":")]
    return [
        (event.removeprefix("event: "), place.removeprefix("id: "), json.loads(data[6:]))
        for event, place, data in parts
    ]


class TestFollow:
    @pytest.fixture
    def done(self, queue: Queue, ana: AccountId) -> str:
        queue.short.script = talk
        job_id = queue.ask(account=ana)
        queue.worker().drain()
        return job_id

    def test_the_whole_story_ends_with_the_job(self, api: TestClient, done: str):
        answer = api.get(f"/jobs/{done}/events")
        assert answer.headers["content-type"].startswith("text/event-stream")
        names, places, data = zip(*events_of(answer.text), strict=True)
        assert names == ("log", "log", "log", "end")
        assert [item["message"] for item in data[:3]] == ["line 0", "line 1", "line 2"]
        assert data[3]["status"] == "COMPLETED"
        assert places[3] == f"{places[2]}.end"

    def test_it_resumes_after_the_last_event_seen(self, api: TestClient, done: str):
        first = events_of(api.get(f"/jobs/{done}/events").text)[0][1]
        again = api.get(f"/jobs/{done}/events", headers={"Last-Event-ID": first})
        assert [name for name, _, _ in events_of(again.text)] == ["log", "log", "end"]

    def test_who_saw_the_end_is_told_that_nothing_more_comes(self, api: TestClient, done: str):
        last = events_of(api.get(f"/jobs/{done}/events").text)[-1][1]
        again = api.get(f"/jobs/{done}/events", headers={"Last-Event-ID": last})
        assert (again.status_code, again.text) == (204, "")

    def test_an_id_it_never_sent_is_refused(self, api: TestClient, done: str):
        answer = api.get(f"/jobs/{done}/events", headers={"Last-Event-ID": "yesterday"})
        assert answer.status_code == 422
        assert "Last-Event-ID" in answer.json()["error"]["message"]

    def test_progress_is_told_as_it_happens(
        self, queue: Queue, api: TestClient, ana: AccountId, monkeypatch: pytest.MonkeyPatch
    ):
        told, go_on = threading.Event(), threading.Event()
        standing = JobEventStream._standing

        def seen_by_the_listener(following: JobEventStream, facts: JobInfo) -> str:
            if facts.progress == 50:
                go_on.set()
            return standing(following, facts)

        monkeypatch.setattr(JobEventStream, "_standing", seen_by_the_listener)

        def run(step: JobContext) -> None:
            step.progress(50, "half-way")
            told.set()
            go_on.wait(60)

        queue.short.script = run
        job_id = queue.ask(account=ana)
        worker = queue.worker()
        thread = threading.Thread(target=worker.run)
        thread.start()
        told.wait(60)
        answer = api.get(f"/jobs/{job_id}/events")
        worker.stop()
        thread.join(60)
        seen = [(name, data["progress"]) for name, _, data in events_of(answer.text)]
        assert seen[-2:] == [("progress", 50), ("end", 100)]

    def test_a_closing_server_ends_the_stream(self, queue: Queue, api: TestClient, ana: AccountId):
        job_id = queue.ask(account=ana)
        api.app.state.closing = True  # type: ignore[attr-defined]
        assert [event[0] for event in events_of(api.get(f"/jobs/{job_id}/events").text)] == [
            "progress"
        ]

    def test_a_revoked_key_ends_the_stream(
        self, queue: Queue, api: TestClient, ana: AccountId, monkeypatch: pytest.MonkeyPatch
    ):
        job_id = queue.ask(account=ana)
        [own] = api.get("/auth/api-keys").json()["keys"]
        looks = []

        def seen_by_the_listener(following: JobEventStream, _facts: JobInfo) -> str:
            looks.append(following)
            if len(looks) == 1:
                api.delete(f"/auth/api-keys/{own['key_id']}")
            following._is_over = len(looks) > 3
            return f": look {len(looks)}\n\n"

        monkeypatch.setattr(JobEventStream, "_standing", seen_by_the_listener)
        assert api.get(f"/jobs/{job_id}/events").text == ": look 1\n\n"

    def test_an_account_has_only_so_many_streams(
        self, api: TestClient, done: str, monkeypatch: pytest.MonkeyPatch
    ):
        monkeypatch.setattr("modelwright.jobs.event_stream.MAX_STREAMS_PER_ACCOUNT", 0)
        answer = api.get(f"/jobs/{done}/events")
        error = answer.json()["error"]
        assert (answer.status_code, error["code"]) == (429, "rate_limit_exceeded")
        assert int(answer.headers["Retry-After"]) > 0
        monkeypatch.setattr("modelwright.jobs.event_stream.MAX_STREAMS_PER_ACCOUNT", 1)
        ends = [events_of(api.get(f"/jobs/{done}/events").text)[-1][0] for _ in range(3)]
        assert ends == ["end"] * 3

    def test_the_streams_of_others_do_not_count(self, monkeypatch: pytest.MonkeyPatch):
        monkeypatch.setattr("modelwright.jobs.event_stream.MAX_STREAMS_PER_ACCOUNT", 1)
        streams = StreamSlots()
        with (
            streams.one(ANA),
            streams.one(BEN),
            pytest.raises(TooManyStreams),
            streams.one(ANA),
        ):
            pass
        with streams.one(ANA):
            pass
