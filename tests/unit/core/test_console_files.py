"""The console's files: types, caching, the policy, and what a server without them says."""

from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from starlette.applications import Starlette
from starlette.routing import Route

from modelwright.server.console_files import Console

PAGE = "<!doctype html><title>Console</title>"


@pytest.fixture
def built(tmp_path: Path) -> Path:
    (tmp_path / "secret.txt").write_text("outside")
    files = tmp_path / "dist"
    (files / "assets").mkdir(parents=True)
    (files / "index.html").write_text(PAGE)
    (files / "mark.svg").write_text("<svg/>")
    (files / "assets" / "index-1a2b.js").write_text("plain")
    (files / "assets" / "index-1a2b.js.gz").write_bytes(b"packed")
    return files


def client_of(routes: list[Route]) -> TestClient:
    return TestClient(Starlette(routes=routes), headers={"accept-encoding": ""})


@pytest.fixture
def client(built: Path) -> TestClient:
    return client_of(Console(files=built).routes())


class TestShow:
    @pytest.mark.parametrize("path", ["", "models", "models/churn", "uploads/upload_1"])
    def test_every_address_of_the_console_is_its_page(self, client: TestClient, path: str):
        answer = client.get(f"/console/{path}")
        assert (answer.status_code, answer.text) == (200, PAGE)
        assert answer.headers["content-type"] == "text/html; charset=utf-8"
        assert answer.headers["cache-control"] == "no-cache"

    def test_hashed_files_are_kept_for_good(self, client: TestClient):
        answer = client.get("/console/assets/index-1a2b.js")
        assert answer.text == "plain"
        assert answer.headers["content-type"] == "text/javascript; charset=utf-8"
        assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
        assert answer.headers["vary"] == "Accept-Encoding"

    def test_packed_files_go_to_those_who_unpack(self, built: Path):
        messages = client_of(Console(files=built).routes())
        with messages.stream(
            "GET", "/console/assets/index-1a2b.js", headers={"accept-encoding": "gzip, br"}
        ) as answer:
            assert answer.headers["content-encoding"] == "gzip"
            assert b"".join(answer.iter_raw()) == b"packed"

    def test_files_outside_are_not_reached(self, client: TestClient, built: Path):
        for path in ("..%2fsecret.txt", "%2e%2e/secret.txt", f"/{built.parent}/secret.txt"):
            assert "outside" not in client.get(f"/console/{path}").text

    def test_only_its_own_scripts_run(self, client: TestClient):
        policy = client.get("/console/").headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "script-src 'self';" in policy
        assert "frame-ancestors 'none'" in policy

    def test_signed_addresses_elsewhere_may_be_called(self, built: Path):
        bucket = "http://s3.example.org:9000/models"
        console = Console("https://ml.example.org/", bucket, files=built)
        policy = client_of(console.routes()).get("/console/").headers["content-security-policy"]
        assert "connect-src 'self' https://ml.example.org http://s3.example.org:9000;" in policy

    def test_a_console_built_later_is_found(self, tmp_path: Path):
        client = client_of(Console(files=tmp_path).routes())
        assert client.get("/console/").status_code == 503
        assert "make console" in client.get("/console/models").text
        (tmp_path / "index.html").write_text(PAGE)
        assert client.get("/console/models").text == PAGE


class TestMounted:
    def test_the_root_leads_there(self, anonymous_client: TestClient):
        assert anonymous_client.get("/").headers["location"] == "/console/"
        assert anonymous_client.get("/console").headers["location"] == "/console/"

    def test_needs_no_key(self, anonymous_client: TestClient):
        assert anonymous_client.get("/console/").status_code in {200, 503}

    def test_an_unknown_asset_is_not_found(self, anonymous_client: TestClient):
        answer = anonymous_client.get("/console/assets/none.js")
        assert answer.status_code in {404, 503}
