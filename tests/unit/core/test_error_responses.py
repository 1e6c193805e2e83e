"""What refusals look like."""

import pytest
from fastapi.testclient import TestClient


class TestRefusals:
    def test_an_unknown_path_is_404_with_or_without_a_key(
        self, api: TestClient, anonymous_client: TestClient
    ):
        for client in (api, anonymous_client):
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

    @pytest.mark.parametrize(
        ("name", "says"),
        [
            ("a" * 201, "name: must have at most 200 characters."),
        ],
    )
    def test_a_text_of_a_wrong_length_is_told_in_characters(
        self, api: TestClient, name: str, says: str
    ):
        body = {"name": name, "permission_level": "read_only"}
        assert api.post("/auth/api-keys", json=body).json()["error"]["message"] == says

    def test_a_list_of_a_wrong_length_is_told_in_items(self, api: TestClient):
        answer = api.post("/data/upload", json={"files": []})
        assert answer.json()["error"]["message"] == "files: must have at least 1 item."

    def test_a_body_over_10_mb_is_413_collapsed_on_mapped_paths(self, api: TestClient):
        answer = api.post("/auth/api-keys", content=b" " * (10 * 1024**2 + 1))
        assert (answer.status_code, answer.json()["error"]["status"]) == (400, 413)
        assert answer.json()["error"]["code"] == "payload_too_large"


class TestHealth:
    def test_needs_no_key_and_names_its_parts(self, anonymous_client: TestClient):
        report = anonymous_client.get("/data/health").json()
        assert report["status"] in {"ok", "degraded"}
        assert report["checks"]["database"]["status"] == "ok"
        assert isinstance(report["checks"]["database"]["latency_ms"], float)
