"""Replicas under requests: answers, deaths, load, leaving."""

import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import psutil
import pytest
from fastapi.testclient import TestClient
from tests.api_helpers import used
from tests.built_models import GENTOO
from tests.properties import given, st
from tests.unit.deployments.conftest import SOON, replicas

from modelwright.deployments.framing import FrameDecoder, FramingError, pack, split
from modelwright.deployments.replica_host import ReplicaHost
from modelwright.usage.domain import Kind

Turn = Callable[[Callable[[], bool]], None]
BAD_INPUT = (
    (b"{", 400, "JSON"),
    (b"", 400, "JSON"),
    (b"5", 422, "body"),
    (b"{}", 400, "island"),
    (b'[{"island": 5}]', 422, "row 0"),
    (b"[" + b"{}," * 10_000 + b"{}]", 422, "10001"),
    (b" " * (64 * 1024**2 + 1), 413, "64 MB"),
)
"""Bodies that no model answers, the status and a word of each refusal."""


def deploy(api: TestClient, turn_until: Turn, **body: Any) -> dict[str, Any]:
    """Deploys the penguins and turns the host until they answer."""
    made = api.post("/models/penguins/deploy", json=body).json()
    turn_until(lambda: status_of(api, made["deployment_id"]) == "ACTIVE")
    return dict(made)


def status_of(api: TestClient, deployment_id: str) -> str | None:
    listed = api.get("/models/penguins/deployments").json()["deployments"]
    found = (one["status"] for one in listed if one["deployment_id"] == deployment_id)
    return next(found, None)


@contextmanager
def turning(host: ReplicaHost) -> Iterator[None]:
    """Turns the host in another thread for a while; replicas it starts are gone afterwards."""
    stopping = threading.Event()

    def turn() -> None:
        while not stopping.wait(0.02):
            host.turn()

    thread = threading.Thread(target=turn)
    thread.start()
    try:
        yield
    finally:
        stopping.set()
        thread.join()


@pytest.fixture
def path(api: TestClient, turn_until: Turn, penguins: str) -> str:
    """Where a deployment with one replica answers."""
    return "/predict/" + deploy(api, turn_until, auto_scale=False)["deployment_id"]


class TestPredict:
    def test_answers_an_object_as_infer_does(self, api: TestClient, path: str) -> None:
        answer = api.post(path, json=GENTOO)
        assert answer.status_code == 200, answer.text
        body = answer.json()
        assert body["request_id"] == answer.headers["x-request-id"]
        body["request_id"] = "same"
        infer = api.post("/models/penguins/v1.0/infer", json=GENTOO).json()
        assert body == infer | {"request_id": "same"}

    def test_answers_an_array_as_predictions_does(self, api: TestClient, path: str) -> None:
        rows = [GENTOO, GENTOO | {"island": "Dream", "bill_length_mm": 38.0}]
        answers = api.post(path, json=rows).json()
        assert [one["prediction"] for one in answers] == [
            one["prediction"]
            for one in api.post("/models/penguins/v1.0/predictions", json=rows).json()
        ]
        assert api.post(path, json=[]).json() == []

    def test_includes_what_is_asked_for(self, api: TestClient, path: str) -> None:
        query = "?include=probabilities,explanation"
        infer = api.post(f"/models/penguins/v1.0/infer{query}", json=GENTOO).json()
        answer = api.post(path + query, json=GENTOO).json()
        assert answer["probabilities"] == pytest.approx(infer["probabilities"])
        assert answer["explanation"]["contributions"].keys() == GENTOO.keys()
        assert api.post(path + "?include=lies", json=GENTOO).status_code == 422

    def test_refuses_bad_input_as_infer_does(self, api: TestClient, path: str) -> None:
        headers = {"content-type": "application/json"}
        for body, status, word in BAD_INPUT:
            answer = api.post(path, content=body, headers=headers)
            assert answer.status_code == status, (body[:20], answer.text)
            assert word in answer.json()["error"]["message"], body[:20]

    def test_refuses_another_content_type(self, api: TestClient, path: str) -> None:
        answer = api.post(path, content=b"{}", headers={"content-type": "text/csv"})
        assert answer.status_code == 400

    def test_counts_rows_and_requests_as_usage(self, api: TestClient, path: str) -> None:
        before = used(api, Kind.PREDICTIONS)
        api.post(path, json=[GENTOO] * 3)
        api.post(path, json=GENTOO)
        assert used(api, Kind.PREDICTIONS) - before == 4

    def test_keeps_secrets_out_of_the_replica(self, path: str, host: ReplicaHost) -> None:
        assert path
        [replica] = replicas(host)
        assert not [name for name in replica.environ() if name.startswith("MODELWRIGHT")]


class TestDying:
    def test_a_replica_that_dies_is_replaced_and_no_caller_sees_it(
        self, api: TestClient, host: ReplicaHost, path: str
    ) -> None:
        answers: list[int] = []
        done = threading.Event()

        def call() -> None:
            while not done.is_set():
                answers.append(api.post(path, json=[GENTOO] * 200).status_code)

        callers = [threading.Thread(target=call) for _ in range(4)]
        for caller in callers:
            caller.start()
        with turning(host):
            for _ in range(2):
                [victim] = replicas(host)
                os.kill(victim.pid, signal.SIGKILL)
                before = len(answers)
                while len(answers) < before + 12 or [victim] == replicas(host):
                    done.wait(0.01)
            done.set()
            for caller in callers:
                caller.join()
        assert set(answers) == {200}

    def test_no_replica_outlives_its_host(
        self, api: TestClient, host: ReplicaHost, path: str
    ) -> None:
        assert api.post(path, json=GENTOO).status_code == 200
        running = replicas(host)
        host.close()
        assert not any(one.is_running() for one in running)


class TestLoad:
    def test_the_replicas_follow_the_load(
        self, api: TestClient, host: ReplicaHost, turn_until: Turn, penguins: str
    ) -> None:
        made = deploy(api, turn_until, replicas=2)
        path = "/predict/" + made["deployment_id"] + "?include=explanation"
        assert len(replicas(host)) == 1
        done = threading.Event()
        answers: list[int] = []

        def call() -> None:
            while not done.is_set():
                answers.append(api.post(path, json=[GENTOO] * 300).status_code)

        callers = [threading.Thread(target=call) for _ in range(3)]
        for caller in callers:
            caller.start()
        turn_until(lambda: len(replicas(host)) == 2)
        done.set()
        for caller in callers:
            caller.join()
        assert set(answers) == {200}


class TestWaiting:
    def test_too_many_that_wait_are_told_to_try_again(
        self, api: TestClient, host: ReplicaHost, path: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("modelwright.deployments.replica_client.MAX_WAITING_REQUESTS", 1)
        [replica] = replicas(host)
        replica.suspend()
        answers: list[int] = []
        caller = threading.Thread(
            target=lambda: answers.append(api.post(path, json=GENTOO).status_code)
        )
        caller.start()
        while not waiting(host, api, path):
            caller.join(0.01)
        refused = api.post(path, json=GENTOO)
        replica.resume()
        caller.join()
        assert (answers, refused.status_code) == ([200], 503)
        assert refused.json()["error"]["code"] == "service_unavailable"
        assert refused.headers["retry-after"] == "1"

    def test_what_replicas_die_of_is_not_tried_for_ever(
        self, api: TestClient, host: ReplicaHost, path: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("modelwright.deployments.replica_client.MAX_ATTEMPTS", 1)
        [replica] = replicas(host)
        replica.suspend()
        answers: list[Any] = []
        caller = threading.Thread(target=lambda: answers.append(api.post(path, json=GENTOO)))
        caller.start()
        while not waiting(host, api, path):
            caller.join(0.01)
        replica.kill()
        caller.join()
        assert answers[0].status_code == 503
        assert "died" in answers[0].json()["error"]["message"]

    def test_without_any_replica_a_caller_waits_for_one_but_not_for_ever(
        self, api: TestClient, host: ReplicaHost, path: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("modelwright.predictions.routes.PATIENCE_SECONDS", 0.1)
        host.close()
        assert api.post(path, json=GENTOO).status_code == 503


class TestFrames:
    @given(st.lists(st.tuples(st.integers(0, 2**32 - 1), st.binary())), st.integers(1, 50))
    def test_come_out_as_they_went_in_however_they_are_cut(
        self, sent: list[tuple[int, bytes]], size: int
    ) -> None:
        wire = b"".join(pack(number, {"n": number}, body) for number, body in sent)
        frames = FrameDecoder(1 << 20)
        parts = [wire[at : at + size] for at in range(0, len(wire), size)]
        got = [(number, split(content)) for part in parts for number, content in frames.feed(part)]
        assert got == [(number, ({"n": number}, body)) for number, body in sent]

    def test_one_that_is_too_long_is_refused(self) -> None:
        with pytest.raises(FramingError):
            list(FrameDecoder(10).feed(pack(1, {}, b"x" * 20)))


class TestLeaving:
    def test_what_is_being_answered_is_answered_to_the_end(
        self, api: TestClient, host: ReplicaHost, turn_until: Turn, path: str
    ) -> None:
        deployment_id = path.rpartition("/")[2]
        [replica] = replicas(host)
        os.kill(replica.pid, signal.SIGSTOP)
        answers: list[Any] = []
        caller = threading.Thread(target=lambda: answers.append(api.post(path, json=GENTOO)))
        caller.start()
        turn_until(lambda: waiting(host, api, path))
        gone = api.delete(f"/models/penguins/deployments/{deployment_id}")
        assert gone.json()["status"] == "UNDEPLOYING"
        host.turn()
        assert api.post(path, json=GENTOO).status_code == 409
        os.kill(replica.pid, signal.SIGCONT)
        caller.join()
        assert answers[0].json()["result"] == {"species": "Gentoo"}
        turn_until(lambda: status_of(api, deployment_id) is None)
        assert api.post(path, json=GENTOO).status_code == 404
        assert not psutil.pid_exists(replica.pid)
        assert host.replica_sets == {}


def waiting(host: ReplicaHost, api: TestClient, path: str) -> bool:
    """Whether a request is on its way to a replica."""
    from modelwright.deployments.service import Deployments

    calls = api.app.state.container.service(Deployments).calls  # type: ignore[attr-defined]
    return bool(calls._waiting) and any(
        line._pending for board in calls._boards.values() for line in board._lines.values()
    )


class TestHealth:
    def test_is_degraded_while_an_active_deployment_lacks_replicas(
        self,
        api: TestClient,
        anonymous_client: TestClient,
        host: ReplicaHost,
        turn_until: Turn,
        penguins: str,
    ) -> None:
        def health() -> tuple[int, str, str]:
            answer = anonymous_client.get("/data/health")
            body = answer.json()
            return answer.status_code, body["status"], body["checks"]["deployments"]["status"]

        assert health() == (200, "ok", "ok")
        deployment = deploy(api, turn_until, replicas=2, auto_scale=False)
        assert health() == (200, "ok", "ok")
        replicas(host)[0].kill()
        end = time.monotonic() + SOON
        while health() != (200, "degraded", "down"):
            assert time.monotonic() < end
        turn_until(lambda: health() == (200, "ok", "ok"))
        where = f"/models/penguins/deployments/{deployment['deployment_id']}"
        assert api.delete(where).status_code == 200
        turn_until(lambda: not host.replica_sets)
        assert health() == (200, "ok", "ok")
