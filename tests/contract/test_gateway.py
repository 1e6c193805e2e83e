"""Where a gateway stands in front: only the status line is collapsed, on just the mapped paths."""

from collections.abc import Callable
from typing import Any

import pytest
from fastapi.testclient import TestClient
from sqlalchemy.exc import OperationalError
from tests.contract.walking import operations

from modelwright.bootstrap.container import Container
from modelwright.core.errors import ErrorType
from modelwright.core.http.exception_handlers import status_line

MAPPED = {
    "keys.create",
    "keys.list",
    "keys.read",
    "keys.amend",
    "keys.revoke",
    "health.read",
    "uploads.create",
}
"""`/auth/api-keys`, `/auth/api-keys/{keyId}`, `/data/health`, `POST /data/upload`."""
THE_GATEWAY_S = {
    ErrorType.UNAUTHORIZED,
    ErrorType.INVALID_KEY,
    ErrorType.EXPIRED_KEY,
    ErrorType.REVOKED_KEY,
    ErrorType.INSUFFICIENT_PERMISSIONS,
    ErrorType.METHOD_NOT_ALLOWED,
    ErrorType.RATE_LIMITED,
    ErrorType.LOCKED_OUT,
}
"""What the gateway itself answers."""


def line(kind: ErrorType, *, mapped: bool) -> int:
    status = int(kind.value[0])
    if not mapped or kind in THE_GATEWAY_S:
        return status
    return 400 if status < 500 else 500


def test_every_refusal_of_every_operation_has_the_line_it_should(anonymous_client: TestClient):
    for one in operations(anonymous_client.app):
        for kind in ErrorType:
            seen = status_line(one.verb.upper(), one.url, kind)
            assert seen == line(kind, mapped=one.name in MAPPED), (one.name, kind)


@pytest.mark.parametrize(
    "path",
    [
        "/auth/api-keys/",
        "/auth/api-keys/a/b",
        "/auth/user",
        "/data/health/x",
        "/auth",
        "/data/uploads",
    ],
)
def test_neighbours_of_mapped_paths_are_not_collapsed(anonymous_client: TestClient, path: str):
    assert anonymous_client.get(path, headers={"x-api-key": "x"}).status_code in {401, 404}
    for kind in ErrorType:
        assert status_line("GET", path, kind) == kind.value[0]


class TestMapped:
    def told(self, answer: Any) -> tuple[int, int, str]:
        assert answer.headers["content-type"] == "application/json"
        error = answer.json()["error"]
        return answer.status_code, error["status"], error["code"]

    def test_what_the_backend_refuses_is_400_with_its_own_status_and_code(self, api: TestClient):
        key = {"name": "a", "permission_level": "read_only"}
        made = api.post("/auth/api-keys", json=key).json()["key_id"]
        api.delete(f"/auth/api-keys/{made}")
        file = {"filename": "a.csv", "content_type": "text/csv", "size_bytes": 6 * 1024**3}
        again = {"Idempotency-Key": "k"}
        api.post("/auth/api-keys", json=key, headers=again)
        refused = {
            (400, "invalid_request"): api.post("/auth/api-keys", json={}),
            (404, "not_found"): api.get("/auth/api-keys/none"),
            (409, "resource_exists"): api.patch(f"/auth/api-keys/{made}", json={"name": "b"}),
            (413, "payload_too_large"): api.post("/data/upload", json={"files": [file]}),
            (422, "validation_failed"): api.get("/auth/api-keys?limit=101"),
        }
        for (status, code), answer in refused.items():
            assert self.told(answer) == (400, status, code)
        renamed = api.post("/auth/api-keys", json={**key, "name": "b"}, headers=again)
        assert self.told(renamed) == (400, 409, "resource_exists")

    def test_what_the_gateway_refuses_keeps_its_line(
        self, api: TestClient, anonymous_client: TestClient, read_only_client: TestClient
    ):
        key = {"name": "a", "permission_level": "read_only"}
        refused = {
            (401, "unauthorized"): anonymous_client.get("/auth/api-keys"),
            (401, "invalid_key"): anonymous_client.get(
                "/auth/api-keys", headers={"x-api-key": "x"}
            ),
            (403, "insufficient_permissions"): read_only_client.post(
                "/data/upload", json={"files": []}
            ),
            (405, "method_not_allowed"): api.put("/auth/api-keys"),
        }
        for (status, code), answer in refused.items():
            assert self.told(answer) == (status, status, code)
        for _ in range(10):
            api.post("/auth/api-keys", json=key)
        flood = api.post("/auth/api-keys", json=key)
        assert self.told(flood) == (429, 429, "rate_limited")
        assert int(flood.headers["retry-after"]) > 0

    def test_a_list_of_uploads_beside_the_mapped_post_is_not(self, api: TestClient):
        assert self.told(api.get("/data/upload?limit=101")) == (422, 422, "validation_failed")
        assert self.told(api.get("/data/upload?upload_id=none")) == (404, 404, "not_found")

    def test_success_is_200(self, api: TestClient):
        body = {"files": [{"filename": "a.csv", "content_type": "text/csv"}]}
        assert api.post("/data/upload", json=body).status_code == 200
        assert api.get("/data/health").status_code == 200


class TestHealth:
    def test_is_500_when_a_needed_part_is_down_and_names_it(
        self, anonymous_client: TestClient, container: Container, monkeypatch: pytest.MonkeyPatch
    ):
        def away(*_: object, **__: object) -> None:
            raise OperationalError("select 1", {}, OSError("away"))

        monkeypatch.setattr(container.database, "transaction", away)
        answer = anonymous_client.get("/data/health")
        report = answer.json()
        assert (answer.status_code, report["status"]) == (500, "degraded")
        assert report["checks"]["database"]["status"] == "down"
        assert report["checks"]["storage"]["status"] == "ok"
        assert "away" not in answer.text

    def test_is_the_same_with_any_key_and_counts_for_no_rate(
        self, anonymous_client: TestClient, as_key: Callable[[str], TestClient]
    ):
        for client in (anonymous_client, as_key("nonsense")):
            answer = client.get("/data/health")
            assert (answer.status_code, answer.json()["status"]) == (200, "ok")
            assert "x-ratelimit-limit" not in answer.headers
