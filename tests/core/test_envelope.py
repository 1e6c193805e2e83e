"""What every answer carries, and what every refusal looks like."""

import pytest
from fastapi.testclient import TestClient


class TestHeaders:
    def test_every_answer_names_its_request_and_the_version(self, web: TestClient):
        answer = web.get("/data/health")
        assert answer.headers["x-request-id"].startswith("req_")
        assert answer.headers["api-version"] == "v1"
        assert answer.headers["access-control-allow-origin"] == "*"

    def test_an_unknown_version_is_refused(self, web: TestClient):
        answer = web.get("/data/health", headers={"API-Version": "v2"})
        assert answer.json()["error"]["code"] == "invalid_request"
        assert answer.status_code == 400

    @pytest.mark.parametrize("path", ["/models", "/nowhere/at/all", "/auth/api-keys/x", "/"])
    def test_options_answers_everywhere_without_a_key(self, web: TestClient, path: str):
        answer = web.options(path)
        assert (answer.status_code, answer.content) == (204, b"")
        headers = answer.headers
        assert headers["access-control-allow-origin"] == "*"
        assert headers["access-control-allow-credentials"] == "true"
        assert headers["access-control-max-age"] == "86400"
        for method in ("OPTIONS", "GET", "PUT", "POST", "DELETE", "PATCH", "HEAD"):
            assert method in headers["access-control-allow-methods"]
        for name in ("Content-Type", "x-api-key", "authorization", "auth", "Idempotency-Key"):
            assert name in headers["access-control-allow-headers"]
        assert (
            headers["access-control-expose-headers"]
            == "x-api-key,X-Api-Key,authorization,Authorization,content-type,Content-Type"
        )

    def test_options_on_a_visualization_is_200(self, web: TestClient):
        assert web.options("/data/visualization/a.png").status_code == 200

    def test_options_on_connections_allows_reading_only(self, web: TestClient):
        allowed = web.options("/database/connections").headers["access-control-allow-methods"]
        assert allowed == "OPTIONS, GET"

    def test_head_works_where_get_does(self, api: TestClient):
        answer = api.head("/auth/user")
        assert (answer.status_code, answer.content) == (200, b"")


class TestRefusals:
    def test_an_unknown_path_is_404_with_or_without_a_key(self, api: TestClient, web: TestClient):
        for client in (api, web):
            answer = client.get("/nowhere")
            error = answer.json()["error"]
            assert (answer.status_code, error["code"], error["status"]) == (404, "not_found", 404)
            assert error["request_id"] == answer.headers["x-request-id"]

    def test_a_wrong_method_names_the_right_ones(self, api: TestClient):
        answer = api.put("/auth/api-keys")
        assert answer.status_code == 405
        assert answer.json()["error"]["code"] == "method_not_allowed"
        assert {"GET", "POST", "HEAD", "OPTIONS"} == set(answer.headers["allow"].split(", "))

    def test_malformed_json_is_400(self, api: TestClient):
        answer = api.post(
            "/auth/api-keys", content=b"{", headers={"content-type": "application/json"}
        )
        assert (answer.status_code, answer.json()["error"]["code"]) == (400, "invalid_request")

    def test_a_wrong_content_type_is_400(self, api: TestClient):
        answer = api.post("/auth/api-keys", content=b"a=b", headers={"content-type": "text/plain"})
        assert answer.status_code == 400
        assert "application/json" in answer.json()["error"]["message"]

    def test_an_absent_body_names_the_required_fields(self, api: TestClient):
        answer = api.post("/auth/api-keys")
        assert answer.status_code == 400
        assert "name" in answer.json()["error"]["message"]

    def test_a_body_over_10_mb_is_413_collapsed_on_mapped_paths(self, api: TestClient):
        answer = api.post("/auth/api-keys", content=b" " * (10 * 1024**2 + 1))
        assert (answer.status_code, answer.json()["error"]["status"]) == (400, 413)
        assert answer.json()["error"]["code"] == "payload_too_large"

    def test_a_fault_of_ours_shows_no_trace(self, api: TestClient, monkeypatch: pytest.MonkeyPatch):
        def fail(*_: object) -> None:
            message = "secret detail"
            raise RuntimeError(message)

        monkeypatch.setattr("modelwright.users.service.Users.find", fail)
        answer = api.get("/auth/user")
        assert (answer.status_code, answer.json()["error"]["code"]) == (500, "server_error")
        assert "secret detail" not in answer.text


class TestHealth:
    def test_needs_no_key_and_names_its_parts(self, web: TestClient):
        report = web.get("/data/health").json()
        assert report["status"] in {"ok", "degraded"}
        assert report["checks"]["database"]["status"] == "ok"
        assert isinstance(report["checks"]["database"]["latency_ms"], float)
