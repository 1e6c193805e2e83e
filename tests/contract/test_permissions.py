"""Decision 17 as a table: which key may call what, on every operation there is."""

from collections.abc import Callable

import pytest
from fastapi.testclient import TestClient
from tests.contract.walking import BODIES, Operation, operations
from tests.factories import CHURN, ModelSide

from modelwright.core.http.context import Level

READERS_MAY = {
    "predictions.infer",
    "predictions.many",
    "deployments.infer",
    "endpoints.infer",
    "endpoints.many",
    "queries.ask",
    "sessions.use",
    "sessions.create",
    "sessions.end",
    "builds.plan",
}
"""What `read_only` may call besides every GET."""
ADMINS_ALONE = {"audit.list", "machines.list", "users.list"}


def needed(one: Operation) -> Level:
    if one.name in ADMINS_ALONE:
        return Level.ADMIN
    return Level.READ_ONLY if one.verb == "get" or one.name in READERS_MAY else Level.READ_WRITE


@pytest.fixture
def keyed(anonymous_client: TestClient) -> list[Operation]:
    return [one for one in operations(anonymous_client.app) if not one.is_public]


class TestEveryOperation:
    def test_the_words_of_the_table_are_operations(self, keyed: list[Operation]):
        assert {one.name for one in keyed} >= READERS_MAY | ADMINS_ALONE

    @pytest.mark.parametrize("level", Level)
    def test_admits_the_level_it_needs_and_no_lower_one(
        self,
        as_key: Callable[[str], TestClient],
        make_key: Callable[..., str],
        keyed: list[Operation],
        level: Level,
    ):
        client = as_key(make_key(level=level))
        for one in keyed:
            body = BODIES.get(one.name) if one.takes_body else None
            answer = client.request(one.verb, one.url, json=body)
            refused = answer.status_code == 403
            assert refused == (level < needed(one)), f"{one.name}: {answer.text[:200]}"
            if refused:
                assert answer.json()["error"]["code"] == "insufficient_permissions", one.name

    def test_a_reader_is_told_nothing_else_first(
        self, read_only_client: TestClient, keyed: list[Operation]
    ):
        """Neither that a body is wrong nor that an id is unknown."""
        for one in keyed:
            if needed(one) > Level.READ_ONLY and one.takes_body:
                answer = read_only_client.request(one.verb, one.url, json=[1])
                assert answer.json()["error"]["code"] == "insufficient_permissions", one.name


class TestWhatReadersSee:
    def test_addresses_to_upload_to_are_for_those_who_write(
        self, api: TestClient, read_only_client: TestClient
    ):
        declared = {"files": [{"filename": "a.csv", "content_type": "text/csv"}]}
        api.post("/data/upload", json=declared)
        for client, sees in ((api, True), (read_only_client, False)):
            [upload] = client.get("/data/upload").json()["uploads"]
            assert (upload["files"][0]["presigned_url"] is not None) is sees
        assert "signature" not in read_only_client.get("/data/upload").text

    def test_a_reader_opens_a_session_plans_and_ends_it(
        self, read_only_client: TestClient, model_side: ModelSide
    ):
        upload_id = model_side.upload(CHURN)
        session = read_only_client.post("/data/sessions", json={"upload_id": upload_id})
        assert session.status_code == 200
        wish = {"intent": "Predict churn", "dataset_id": upload_id}
        assert read_only_client.post("/models/m/plan", json=wish).status_code == 200
        ended = read_only_client.delete(f"/data/sessions/{session.json()['session_id']}")
        assert ended.json()["status"] == "ended"


class TestKeysOfALevel:
    @pytest.mark.parametrize("level", [Level.READ_WRITE, Level.ADMIN])
    @pytest.mark.parametrize("wished", ["read_only", "read_write"])
    def test_may_make_one_of_no_higher_level(
        self,
        as_key: Callable[[str], TestClient],
        make_key: Callable[..., str],
        level: Level,
        wished: str,
    ):
        body = {"name": "a", "permission_level": wished}
        made = as_key(make_key(level=level)).post("/auth/api-keys", json=body)
        assert made.json()["permission_level"] == wished

    def test_none_is_made_an_admin_s_over_http(
        self, as_key: Callable[[str], TestClient], make_key: Callable[..., str]
    ):
        body = {"name": "a", "permission_level": "admin"}
        answer = as_key(make_key(level=Level.ADMIN)).post("/auth/api-keys", json=body)
        assert answer.json()["error"]["status"] == 422

    def test_the_level_of_a_key_never_changes(self, api: TestClient):
        key = api.post("/auth/api-keys", json={"name": "a", "permission_level": "read_only"}).json()
        where = f"/auth/api-keys/{key['key_id']}"
        changed = api.patch(where, json={"permission_level": "read_write", "name": "b"}).json()
        assert (changed["name"], changed["permission_level"]) == ("b", "read_only")
