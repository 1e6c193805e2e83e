"""Traces and metrics reach a collector by OTLP over HTTP, and tell of nobody."""

import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from fastapi.testclient import TestClient
from tests.factories import CHURN
from tests.otlp_collector import Collector, attributes, collecting

from modelwright.bootstrap.container import Container
from modelwright.bootstrap.startup import StartupError, start_telemetry
from modelwright.core import telemetry
from modelwright.core.config.settings import Settings
from modelwright.core.telemetry import Telemetry
from modelwright.machines.domain import MachinePart
from modelwright.processes.worker import Worker
from modelwright.server.app import create_app

TRACE = "0af7651916cd43dd8448eb211c80319c"
EMAIL = "ana@example.org"
SOON_SECONDS = 60.0


@pytest.fixture
def collector() -> Iterator[Collector]:
    with collecting() as made:
        yield made


@pytest.fixture
def telling(settings: Settings, collector: Collector) -> Settings:
    told = {"otlp_endpoint": collector.url, "otlp_headers": "Authorization=Bearer of-the-collector"}
    return Settings.model_validate(settings.model_dump() | told)


@pytest.fixture
def exported(telling: Settings) -> Telemetry:
    made = start_telemetry(telling, MachinePart.API)
    assert made is not None
    return made


class TestRequests:
    def test_are_told_by_their_route_and_of_nobody(
        self,
        container: Container,
        exported: Telemetry,
        collector: Collector,
        make_key: Callable[..., str],
    ):
        key = make_key(EMAIL)
        headers = {"x-api-key": key, "traceparent": f"00-{TRACE}-b7ad6b7169203331-01"}
        with TestClient(create_app(container, exported)) as client:
            client.get("/models/a-secret-name?limit=7&note=private", headers=headers)
            client.get("/no/such/path-of-mine", headers=headers)
            client.get("/auth/user", headers={"x-api-key": key})
        model, unknown, user = sorted(collector.spans(), key=lambda one: one.start_time_unix_nano)
        assert model.name == "GET /models/{model_name}"
        assert model.trace_id.hex() == TRACE
        assert attributes(model) == {
            "http.request.method": "GET",
            "http.route": "/models/{model_name}",
            "http.response.status_code": 404,
            "modelwright.operation": "models.read",
        }
        assert (unknown.name, attributes(user)["http.response.status_code"]) == ("GET", 200)
        assert collector.histograms() == {"http.server.request.duration": 3}
        sent = b"".join(body for bodies in collector.bodies.values() for body in bodies)
        for secret in (key, EMAIL, "a-secret-name", "private", "path-of-mine", "of-the-collector"):
            assert secret.encode() not in sent
        assert {one["authorization"] for one in collector.headers} == {"Bearer of-the-collector"}

    def test_of_the_fast_path_are_told_too(
        self, container: Container, exported: Telemetry, collector: Collector
    ):
        with TestClient(create_app(container, exported)) as client:
            client.post("/models/m/v1.0/infer", json={}, headers={"x-api-key": "wrong"})
        [span] = collector.spans()
        assert span.name == "POST /models/{model_name}/{model_version}/infer"


class TestJobs:
    def test_are_told_by_their_kind_and_how_they_ended(
        self,
        container: Container,
        settings: Settings,
        exported: Telemetry,
        collector: Collector,
        api: TestClient,
    ):
        declared = {"filename": "churn.csv", "content_type": "text/csv"}
        upload = api.post("/data/upload", json={"files": [declared]}).json()
        [file] = upload["files"]
        api.put(file["presigned_url"], content=CHURN.encode())
        done = {"filename": "churn.csv", "object_key": file["object_key"]}
        told = {"upload_id": upload["upload_id"], "status": "complete", "files": [done]}
        assert api.post("/uploads/status", json=told).status_code == 200
        worker = Worker(
            container.database,
            container.handlers,
            container.clock,
            settings,
            telemetry=exported,
        )
        assert worker.drain() == 1
        exported.stop()
        [span] = collector.spans()
        assert attributes(span) == {
            "modelwright.job.kind": "processing",
            "modelwright.job.outcome": "COMPLETED",
        }
        assert collector.histograms() == {"modelwright.job.duration": 1}


class TestSettings:
    def test_nothing_is_exported_unless_a_collector_is_named(self, settings: Settings):
        assert start_telemetry(settings, MachinePart.API) is None

    def test_what_is_not_installed_is_named(
        self, telling: Settings, monkeypatch: pytest.MonkeyPatch
    ):
        monkeypatch.setattr(telemetry, "find_spec", lambda _name: None)
        with pytest.raises(StartupError, match=r"server,telemetry"):
            start_telemetry(telling, MachinePart.API)

    def test_a_collector_that_is_away_costs_no_request(
        self, container: Container, settings: Settings, monkeypatch: pytest.MonkeyPatch
    ):
        monkeypatch.setattr(telemetry, "FLUSH_SECONDS", 0.1)
        told = settings.model_dump() | {"otlp_endpoint": "http://127.0.0.1:9"}
        away = start_telemetry(Settings.model_validate(told), MachinePart.API)
        with TestClient(create_app(container, away)) as client:
            assert client.get("/auth/user").status_code == 401
            answered = time.monotonic()
        assert time.monotonic() - answered < telemetry.EXPORT_SECONDS / 2


class TestStop:
    """A collector that takes what it is sent and never answers."""

    def test_metrics_do_not_wait_for_traces(
        self, exported: Telemetry, collector: Collector, monkeypatch: pytest.MonkeyPatch
    ):
        monkeypatch.setattr(telemetry, "FLUSH_SECONDS", SOON_SECONDS)
        collector.answers["/v1/traces"].clear()
        exported.job("build").end(is_error=False)
        stopping = threading.Thread(target=exported.stop)
        stopping.start()
        until = time.monotonic() + SOON_SECONDS / 2
        while not (collector.spans() and collector.histograms()):
            assert time.monotonic() < until
            time.sleep(0.01)
        assert stopping.is_alive()
        assert collector.histograms() == {"modelwright.job.duration": 1}
        collector.answers["/v1/traces"].set()
        stopping.join(SOON_SECONDS)
        assert not stopping.is_alive()

    def test_does_not_wait_for_the_answer(
        self, telling: Settings, collector: Collector, monkeypatch: pytest.MonkeyPatch
    ):
        monkeypatch.setattr(telemetry, "FLUSH_SECONDS", 0.5)
        monkeypatch.setattr(telemetry, "EXPORT_SECONDS", 10 * SOON_SECONDS)
        for answered in collector.answers.values():
            answered.clear()
        exported = start_telemetry(telling, MachinePart.API)
        assert exported is not None
        traces, _ = exported._exporters
        monkeypatch.setattr(traces, "shutdown", fail)
        exported.job("build").end(is_error=False)
        with ThreadPoolExecutor(1) as pool:
            pool.submit(exported.stop).result(SOON_SECONDS)


def fail() -> None:
    raise RuntimeError
