"""The numbers for Prometheus: on a port of their own, by feature and verb."""

import re
import urllib.request
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from tests.ports import free_port

from modelwright.bootstrap.container import build_container
from modelwright.core.config.settings import Settings
from modelwright.core.db.errors import DatabaseUnavailable
from modelwright.jobs.service import Jobs
from modelwright.server.app import create_app

ROOT = Path(__file__).parents[3]


def scraped(port: int) -> str:
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=10) as answer:
        return answer.read().decode()


class TestMetrics:
    def test_counts_and_times_requests_and_jobs(self, settings: Settings):
        port = free_port()
        container = build_container(settings.model_copy(update={"metrics_port": port}))
        with TestClient(create_app(container)) as anonymous_client:
            anonymous_client.get("/auth/user")
            told = scraped(port)
            assert anonymous_client.get("/metrics").status_code == 404
        assert 'modelwright_requests_total{operation="users.me",status="401"} 1.0' in told
        assert 'modelwright_request_seconds_count{operation="users.me"} 1.0' in told
        assert "# TYPE modelwright_jobs gauge" in told

    def test_requests_are_told_while_the_database_is_away(
        self, settings: Settings, monkeypatch: pytest.MonkeyPatch
    ):
        def away(*_: object) -> None:
            raise DatabaseUnavailable

        port = free_port()
        monkeypatch.setattr(Jobs, "counts", away)
        container = build_container(settings.model_copy(update={"metrics_port": port}))
        with TestClient(create_app(container)) as anonymous_client:
            anonymous_client.get("/auth/user")
            told = scraped(port)
        assert 'modelwright_requests_total{operation="users.me",status="401"} 1.0' in told
        assert "modelwright_jobs{" not in told

    def test_every_number_is_documented(self, settings: Settings):
        port = free_port()
        container = build_container(settings.model_copy(update={"metrics_port": port}))
        with TestClient(create_app(container)):
            told = set(re.findall(r"^# TYPE (\w+?)(?:_created)? ", scraped(port), re.MULTILINE))
        page = (ROOT / "docs" / "how-to" / "observe.md").read_text()
        assert set(re.findall(r"^\| `(modelwright_\w+)` \|", page, re.MULTILINE)) == told
