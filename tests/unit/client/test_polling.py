"""Work on the server that is waited for: builds, jobs, their events."""

from typing import Any

import pytest
from tests.unit.client.scripted import Answer, Scripted, client_of

from modelwright_client import polling
from modelwright_client.errors import JobFailedError, JobTimeoutError
from modelwright_client.jobs import parse_events

STARTED = Answer({"job_id": "job_1", "model_name": "m", "model_version": "v1.0"})


def job(status: str, **more: Any) -> Answer:
    about = {"job_id": "job_1", "kind": "build", "status": status, "error": None}
    return Answer({**about, **more})


@pytest.fixture(autouse=True)
def _short_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(polling, "FIRST_PAUSE", 0.001)
    monkeypatch.setattr(polling, "LONGEST_PAUSE", 0.001)


class TestBuild:
    def test_reports_progress_until_the_model_is_ready(self):
        app = Scripted(
            STARTED,
            job("PENDING", progress=0, stage="waiting"),
            job("RUNNING", progress=40, stage="fitting"),
            job("COMPLETED", progress=100, stage="done"),
            Answer({"model_name": "m", "status": "READY"}),
        )
        told: list[tuple[int, str]] = []
        with client_of(app) as client:
            model = client.models.build(
                "m",
                "Predict x",
                "upload_1",
                target="x",
                progress=lambda job: told.append((job["progress"], job["stage"])),
            )
        assert model["status"] == "READY"
        assert told == [(0, "waiting"), (40, "fitting"), (100, "done")]
        assert app.asked[0].json == {
            "intent": "Predict x",
            "dataset_id": "upload_1",
            "target": "x",
        }

    def test_raises_the_reason_when_it_fails(self):
        app = Scripted(STARTED, job("FAILED", error="Name one of: price, rooms."))
        with client_of(app) as client, pytest.raises(JobFailedError, match=r"price, rooms"):
            client.models.build("m", "Predict x", "upload_1")

    def test_stops_waiting_when_the_callers_time_is_up(self):
        app = Scripted(STARTED, job("RUNNING"))
        with client_of(app) as client, pytest.raises(JobTimeoutError, match="it goes on"):
            client.models.build("m", "Predict x", "upload_1", timeout=0.02)

    def test_without_waiting_returns_the_draft(self):
        app = Scripted(STARTED, Answer({"status": "DRAFT"}))
        with client_of(app) as client:
            model = client.models.build("m", "Predict x", "upload_1", wait=False)
        assert model["status"] == "DRAFT"
        assert app.seen == ["POST /models/m", "GET /models/m"]


class TestJob:
    def test_waits_until_it_is_completed(self):
        with client_of(Scripted(job("PENDING"), job("RUNNING"), job("COMPLETED"))) as client:
            assert client.jobs.wait("job_1")["status"] == "COMPLETED"

    @pytest.mark.parametrize("status", ["FAILED", "CANCELLED"])
    def test_raises_the_reason_when_it_ends_otherwise(self, status: str):
        app = Scripted(job(status, error="The disk is full."))
        with client_of(app) as client, pytest.raises(JobFailedError, match=f"{status}: The disk"):
            client.jobs.wait("job_1")


class TestMaking:
    def test_waits_until_an_export_and_an_analysis_are_there(self):
        app = Scripted(*(Answer({"status": told}) for told in ("processing", "completed")))
        with client_of(app) as client:
            assert client.exports.wait("exp_1")["status"] == "completed"
        app = Scripted(*(Answer({"status": told}) for told in ("pending", "completed")))
        with client_of(app) as client:
            assert client.analysis.wait("job_1")["status"] == "completed"

    def test_raises_the_reason_when_it_fails(self):
        app = Scripted(Answer({"status": "failed", "error": "The file is gone."}))
        with client_of(app) as client:
            with pytest.raises(JobFailedError, match=r"Export exp_1 failed: The file is gone\."):
                client.exports.wait("exp_1")
            with pytest.raises(JobFailedError, match=r"Analysis job_1 failed: The file is gone\."):
                client.analysis.wait("job_1")


class TestFollow:
    def test_goes_on_after_the_last_event_when_the_stream_breaks(self):
        stream = {"Content-Type": "text/event-stream"}
        app = Scripted(
            Answer('event: progress\nid: 1\ndata: {"progress": 10}\n\n', headers=stream),
            job("RUNNING"),
            Answer('event: end\nid: 2.end\ndata: {"progress": 100}\n\n', headers=stream),
        )
        with client_of(app) as client:
            events = list(client.jobs.follow("job_1"))
        assert [event["data"]["progress"] for event in events] == [10, 100]
        assert "last-event-id" not in app.asked[0].headers
        assert app.asked[2].headers["last-event-id"] == "1"
        assert len(app.asked) == 3

    def test_ends_with_the_job_when_there_is_nothing_more_to_hear(self):
        app = Scripted(Answer("", 204), job("COMPLETED"))
        with client_of(app) as client:
            assert list(client.jobs.follow("job_1", last_event_id="2.end")) == []

    def test_are_read_as_the_standard_writes_them(self):
        lines = [
            ": keep-alive",
            "",
            'data: {"a":',
            "data:  1}",
            "id: 7",
            "",
            "event: log",
            'data:"text"',
            "",
            'data: {"cut": "off"',
        ]
        assert list(parse_events(lines)) == [
            {"id": "7", "event": "message", "data": {"a": 1}},
            {"id": "", "event": "log", "data": {"value": "text"}},
        ]
