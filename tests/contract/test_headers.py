"""What every answer carries: the request's id, the version, CORS; preflights and HEAD."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from fastapi.testclient import TestClient
from structlog.testing import capture_logs
from tests.contract.formats import FORMATS
from tests.contract.walking import Operation, operations
from tests.factories import CHURN, ModelSide

PUBLIC = ("/", "/docs", "/openapi.json", "/console/", "/data/health", "/storage/x", "/nowhere")
METHODS = "OPTIONS, GET, PUT, POST, DELETE, PATCH, HEAD"
ALLOWED = {
    *("Content-Type", "X-Api-Key", "x-api-key", "Authorization", "authorization", "auth", "Origin"),
    *("Accept", "X-Requested-With", "Idempotency-Key", "API-Version", "Last-Event-ID"),
    "X-CSRF-Token",
}
EXPOSED = "x-api-key,X-Api-Key,authorization,Authorization,content-type,Content-Type"


@pytest.fixture
def every(anonymous_client: TestClient) -> list[Operation]:
    return list(operations(anonymous_client.app))


def carried(answer: Any, where: str) -> str:
    """Checks what every answer carries, and returns the request's id."""
    headers = answer.headers
    assert FORMATS["req_"](headers["x-request-id"]), where
    assert headers["api-version"] == "v1", where
    assert headers["access-control-allow-origin"] == "*", where
    assert headers["x-content-type-options"] == "nosniff", where
    if answer.status_code >= 400 and answer.headers["content-type"] == "application/json":
        assert answer.json()["error"]["request_id"] == headers["x-request-id"], where
    return str(headers["x-request-id"])


class TestEveryAnswer:
    def test_names_its_own_request_and_the_version(self, api: TestClient, every: list[Operation]):
        seen = [carried(api.request(one.verb, one.url), one.name) for one in every]
        seen += [carried(api.get(path), path) for path in PUBLIC]
        assert len(set(seen)) == len(seen)

    def test_also_of_a_body_that_is_too_large(self, api: TestClient):
        answer = api.post("/uploads/status", content=b" " * (10 * 1024**2 + 1))
        assert answer.status_code == 413
        carried(answer, "413")

    def test_no_id_of_the_client_s_is_taken_for_the_server_s(self, api: TestClient):
        answer = api.get("/auth/user", headers={"X-Request-Id": "req_mine"})
        assert answer.headers["x-request-id"] != "req_mine"


class TestFault:
    """An exception nobody expected, on a path of each kind."""

    @pytest.fixture(autouse=True)
    def said(self, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Any]]:
        """Breaks a service of each feature, and gathers the log."""

        def fail(*_: object, **__: object) -> None:
            message = "secret detail"
            raise RuntimeError(message)

        for verb in (
            "users.service.Users.find",
            "api_keys.service.Keys.list_",
            "models.service.Models.list_",
            "uploads.service.Uploads.list_",
            "predictions.service.Predictions.find",
            "storage.service.Storage.admit",
        ):
            monkeypatch.setattr(f"modelwright.{verb}", fail)
        with capture_logs() as lines:
            yield lines

    @pytest.mark.parametrize(
        ("verb", "path", "code"),
        [
            ("get", "/auth/user", "server_error"),
            ("get", "/auth/api-keys", "server_error"),
            ("get", "/models", "internal_error"),
            ("get", "/uploads", "server_error"),
            ("post", "/models/m/v1.0/infer", "internal_error"),
            ("get", "/storage/x", "server_error"),
        ],
    )
    def test_is_a_500_in_the_contract_s_form(
        self, api: TestClient, said: list[Any], verb: str, path: str, code: str
    ):
        answer = api.request(verb, path)
        error = answer.json()["error"]
        assert (answer.status_code, error["code"], error["status"]) == (500, code, 500)
        assert "secret detail" not in answer.text
        carried(answer, path)
        [failed] = [line for line in said if line["event"] == "http.failed"]
        assert str(failed["exc_info"]) == "secret detail"

    def test_of_a_head_has_no_body(self, api: TestClient):
        answer = api.head("/auth/user")
        assert (answer.status_code, answer.content) == (500, b"")


class TestVersion:
    @pytest.mark.parametrize("asked", ["v2", "v0", "1", "V1"])
    def test_one_that_does_not_exist_is_400_everywhere(
        self, api: TestClient, every: list[Operation], asked: str
    ):
        for one in every:
            answer = api.request(one.verb, one.url, headers={"API-Version": asked})
            assert answer.json()["error"]["code"] == "invalid_request", one.name
            assert answer.status_code == 400, one.name
            carried(answer, one.name)

    def test_the_present_one_may_be_asked_for(self, api: TestClient):
        assert api.get("/auth/user", headers={"API-Version": "v1"}).status_code == 200


class TestPreflight:
    def test_answers_on_every_path_without_a_key(
        self, anonymous_client: TestClient, every: list[Operation]
    ):
        for path in {one.url for one in every} | set(PUBLIC):
            answer = anonymous_client.options(path)
            shown = re.fullmatch("/data/visualization/[^/]+", path)
            assert (answer.status_code, answer.content) == (200 if shown else 204, b""), path
            headers = answer.headers
            carried(answer, path)
            assert headers["access-control-allow-credentials"] == "true", path
            assert headers["access-control-max-age"] == "86400", path
            is_database = path == "/database" or path.startswith("/database/")
            methods = "OPTIONS, GET" if is_database else METHODS
            assert headers["access-control-allow-methods"] == methods, path
            assert set(headers["access-control-allow-headers"].split(", ")) >= ALLOWED, path
            assert headers["access-control-expose-headers"] == EXPOSED, path

    @pytest.mark.parametrize("path", ["/databases", "/data/visualization/a/b", "/nowhere/at/all"])
    def test_unknown_paths_are_answered_like_the_others(
        self, anonymous_client: TestClient, path: str
    ):
        answer = anonymous_client.options(path)
        assert answer.status_code == 204
        assert answer.headers["access-control-allow-methods"] == METHODS

    def test_asks_for_no_version_and_no_key(self, anonymous_client: TestClient):
        headers = {"API-Version": "v2", "x-api-key": "wrong"}
        assert anonymous_client.options("/models", headers=headers).status_code == 204


class TestHead:
    def test_answers_as_get_without_the_body(self, api: TestClient, every: list[Operation]):
        for one in every:
            if one.verb == "get" and "{" not in one.path:
                got, answer = api.get(one.url), api.head(one.url)
                assert answer.content == b"", one.name
                assert answer.status_code == got.status_code, one.name
                assert answer.headers.get("content-type") == got.headers["content-type"], one.name

    @pytest.mark.parametrize("path", ["/", "/docs", "/openapi.json", "/console/", "/data/health"])
    def test_works_on_the_public_paths(self, anonymous_client: TestClient, path: str):
        got, answer = anonymous_client.get(path), anonymous_client.head(path)
        assert (answer.status_code, answer.content) == (got.status_code, b"")

    def test_of_events_does_not_wait_for_the_job(self, api: TestClient, model_side: ModelSide):
        upload = {"upload_id": model_side.upload(CHURN)}
        job_id = api.post("/data/analyze", json=upload).json()["job_id"]
        answer = api.head(f"/jobs/{job_id}/events")
        assert (answer.status_code, answer.content) == (200, b"")
        assert answer.headers["content-type"].startswith("text/event-stream")

    def test_is_405_where_there_is_no_get(self, api: TestClient):
        answer = api.head("/data/analyze")
        assert (answer.status_code, answer.content) == (405, b"")
        assert set(answer.headers["allow"].split(", ")) == {"OPTIONS", "POST"}
