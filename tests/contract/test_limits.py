"""The limits of the contract and the decisions, each just inside and just outside its edge."""

from collections.abc import Callable, Iterator
from dataclasses import asdict
from typing import Any

import pytest
from fastapi.testclient import TestClient
from tests.api_helpers import error_of
from tests.contract.walking import BODIES, Operation, operations, told_of

from modelwright.core.clock import FrozenClock
from modelwright.core.config.settings import Settings
from modelwright.core.http.context import Level, Tier
from modelwright.core.limits.contract import GB, LIMITS, MB

CONTRACT = {
    "requests_per_minute_basic": 100,
    "requests_per_minute_pro": 500,
    "key_creations_per_hour": 10,
    "failed_authentications": 10,
    "failed_authentication_minutes": 15,
    "file_bytes": 5 * GB,
    "upload_bytes": 20 * GB,
    "files_per_upload": 50,
    "active_sessions": 5,
    "queries_per_minute": 30,
    "query_result_bytes": 100 * MB,
    "export_days": 7,
    "session_hours": 24,
    "session_hours_max": 168,
    "query_rows": 100,
    "query_rows_max": 10_000,
    "preview_rows": 10,
    "preview_rows_max": 100,
    "page": 20,
    "page_max": 100,
    "log_page": 100,
    "query_seconds": 29.0,
}
"""The contract's own table."""
DECISIONS = {
    "account_bytes": 0,
    "log_page_max": 1000,
    "body_bytes": 10 * MB,
    "predictions_body_bytes": 64 * MB,
    "batch_rows": 10_000,
    "key_expiration_days_max": 3650,
    "idempotency_hours": 24,
    "replicas_max": 32,
    "signed_url_seconds": 3600,
    "unconfirmed_upload_hours": 24,
}
EDGES: dict[tuple[str, str], tuple[int, int]] = {
    ("keys.create", "expiration_days"): (1, 3650),
    ("keys.amend", "expiration_days"): (1, 3650),
    ("keys.rotate", "overlap_hours"): (0, 720),
    ("sessions.create", "expiration_hours"): (1, 168),
    ("queries.ask", "max_results"): (1, 10_000),
    ("deployments.deploy", "replicas"): (1, 32),
}
"""Members of bodies with the least and the most they may be."""
MOST = {"builds.logs": 1000, "jobs.logs": 1000}
"""Lists that give more than 100 at once."""


def test_the_numbers_are_those_of_the_contract_and_the_decisions():
    assert asdict(LIMITS) == CONTRACT | DECISIONS


class TestMembers:
    @pytest.mark.parametrize(("place", "edge"), EDGES.items(), ids=str)
    def test_the_edges_are_fine_and_one_beyond_is_422(
        self, api: TestClient, place: tuple[str, str], edge: tuple[int, int]
    ):
        name, member = place
        [one] = [each for each in operations(api.app) if each.name == name]
        least, most = edge
        for value in (least, most):
            answer = api.request(one.verb, one.url, json={**BODIES[name], member: value})
            assert answer.is_success or error_of(answer)["status"] == 404, (value, answer.text)
        for value in (least - 1, most + 1):
            answer = api.request(one.verb, one.url, json={**BODIES[name], member: value})
            assert error_of(answer)["status"] == 422, value
            assert error_of(answer)["details"][0]["field"] == member


class TestPages:
    def lists(self, api: TestClient) -> Iterator[tuple[Operation, dict[str, Any]]]:
        paths = told_of(api.app)["paths"]
        for one in operations(api.app):
            for told in paths[one.path][one.verb].get("parameters", []):
                if told["name"] == "limit":
                    yield one, told["schema"]

    def test_go_from_1_to_the_maximum(
        self, api: TestClient, as_key: Callable[[str], TestClient], make_key: Callable[..., str]
    ):
        admin = as_key(make_key(level=Level.ADMIN))
        for one, _ in self.lists(api):
            most = MOST.get(one.name, 100)
            for limit, fits in ((0, False), (1, True), (most, True), (most + 1, False)):
                answer = admin.get(f"{one.url}?limit={limit}")
                refused = not answer.is_success and error_of(answer)["status"] == 422
                assert refused is not fits, (one.name, limit, answer.text)

    def test_are_as_long_as_the_contract_says_when_nothing_is_asked(self, api: TestClient):
        long = {"builds.logs", "jobs.logs", "models.versions", "datasets.versions"}
        long |= {"deployments.list", "endpoints.history", "queries.list", "connections.tables"}
        for one, schema in self.lists(api):
            usual = 10 if one.name == "datasets.preview" else 100 if one.name in long else 20
            assert schema["default"] == usual, one.name


class TestBodies:
    @pytest.mark.parametrize("path", ["/auth/api-keys/none", "/models/m/plan", "/data/analyze"])
    def test_ten_megabytes_are_read_and_one_byte_more_is_413(self, api: TestClient, path: str):
        headers = {"content-type": "application/json"}
        verb = "patch" if path.startswith("/auth") else "post"
        for size, status in ((10 * MB, 400), (10 * MB + 1, 413)):
            body = b"{" + b" " * (size - 1)
            answer = api.request(verb, path, content=body, headers=headers)
            assert error_of(answer)["status"] == status
            code = {400: "invalid_request", 413: "payload_too_large"}[status]
            assert error_of(answer)["code"] == code

    @pytest.mark.parametrize("path", ["/models/m/v1.0/predictions", "/predict/dep_none"])
    def test_predictions_take_sixty_four(self, api: TestClient, path: str):
        for size, status in ((64 * MB, 404), (64 * MB + 1, 413)):
            content = (b" " * MB for _ in range(1))
            answer = api.post(path, content=content, headers={"content-length": str(size)})
            assert error_of(answer)["status"] == status


class TestRates:
    @pytest.mark.parametrize(("tier", "limit"), [(Tier.BASIC, 100), (Tier.PRO, 500)])
    def test_of_a_tier_are_a_minute_s_that_slides(
        self,
        as_key: Callable[[str], TestClient],
        make_key: Callable[..., str],
        clock: FrozenClock,
        tier: Tier,
        limit: int,
    ):
        client = as_key(make_key("new@example.org", tier=tier))
        other = as_key(make_key("new@example.org", tier=tier))
        for left in range(limit - 1, -1, -1):
            answer = (client if left % 2 else other).get("/auth/user")
            assert answer.headers["x-ratelimit-limit"] == str(limit)
            assert answer.headers["x-ratelimit-remaining"] == str(left)
            if left == limit - 1:
                clock.advance(seconds=30)
        refused = client.get("/models")
        assert (refused.status_code, error_of(refused)["code"]) == (429, "rate_limit_exceeded")
        assert refused.headers["x-ratelimit-remaining"] == "0"
        leaves = clock.now().timestamp() + 30
        assert int(refused.headers["x-ratelimit-reset"]) - leaves in (0, 1)
        assert int(refused.headers["retry-after"]) in (30, 31)
        clock.advance(seconds=int(refused.headers["retry-after"]))
        assert client.get("/auth/user").status_code == 200
        assert client.get("/auth/user").status_code == 429

    def test_reads_alike_on_every_operation_of_an_area_and_is_not_collapsed(
        self, as_key: Callable[[str], TestClient], make_key: Callable[..., str]
    ):
        basic = as_key(make_key("basic@example.org", tier=Tier.BASIC))
        for _ in range(100):
            basic.get("/auth/user")
        for one in operations(basic.app):
            if not one.is_public:
                answer = basic.request(one.verb, one.url, json=BODIES.get(one.name))
                code = one.spelt("rate_limited", "rate_limit_exceeded", "rate_limited")
                assert (answer.status_code, error_of(answer)["code"]) == (429, code), one.name
                assert int(answer.headers["retry-after"]) > 0, one.name
        assert basic.get("/data/health").status_code == 200
        assert basic.options("/models").status_code == 204

    def test_of_one_account_are_not_another_s(
        self, as_key: Callable[[str], TestClient], make_key: Callable[..., str]
    ):
        basic = as_key(make_key("basic@example.org", tier=Tier.BASIC))
        for _ in range(101):
            basic.get("/auth/user")
        other = as_key(make_key("other@example.org", tier=Tier.BASIC))
        assert other.get("/auth/user").headers["x-ratelimit-remaining"] == "99"

    def test_of_an_enterprise_there_are_none_unless_set(self, api: TestClient):
        assert "x-ratelimit-limit" not in api.get("/auth/user").headers


class TestEnterprise:
    @pytest.fixture
    def settings(self, settings: Settings) -> Settings:
        return settings.model_copy(update={"requests_per_minute_enterprise": 3})

    def test_has_the_rate_that_the_operator_sets(self, api: TestClient):
        for left in (2, 1, 0):
            assert api.get("/auth/user").headers["x-ratelimit-remaining"] == str(left)
        assert api.get("/auth/user").status_code == 429


class TestCreatingKeys:
    def test_is_ten_an_hour_for_an_account(
        self, api: TestClient, other_account_client: TestClient, clock: FrozenClock
    ):
        body = {"name": "a", "permission_level": "read_only"}
        for left in range(9, -1, -1):
            answer = api.post("/auth/api-keys", json=body)
            assert answer.status_code == 200
            assert answer.headers["x-ratelimit-limit"] == "10"
            assert answer.headers["x-ratelimit-remaining"] == str(left)
        refused = api.post("/auth/api-keys", json=body)
        assert (refused.status_code, error_of(refused)["code"]) == (429, "rate_limited")
        assert refused.headers["x-ratelimit-remaining"] == "0"
        wait = int(refused.headers["retry-after"])
        assert 3600 <= wait <= 3601
        assert api.get("/auth/api-keys").status_code == 200
        assert other_account_client.post("/auth/api-keys", json=body).status_code == 200
        clock.advance(seconds=wait)
        assert api.post("/auth/api-keys", json=body).status_code == 200
