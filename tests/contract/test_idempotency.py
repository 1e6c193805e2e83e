"""`Idempotency-Key` on every POST: sent twice, done once and answered alike."""

from collections.abc import Callable
from typing import Any

import pytest
from fastapi.testclient import TestClient
from tests.contract.walking import operations
from tests.contract.world import make_shop
from tests.factories import CHURN, ModelSide

from modelwright.core.clock import FrozenClock
from modelwright.core.config.settings import Settings

WISH = {"intent": "Predict churn", "dataset_id": "churn"}
SHOP = {"name": "shop", "type": "sqlite", "database": "shop.db"}
CASES: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "keys.create": ({"name": "a", "permission_level": "read_only"}, {"name": "b"}),
    "keys.rotate": ({}, {"overlap_hours": 1}),
    "uploads.create": (
        {"files": [{"filename": "a.csv", "content_type": "text/csv"}]},
        {"name": "other"},
    ),
    "uploads.confirm": ({"upload_id": "{waiting}", "status": "failed", "files": []}, {"more": 1}),
    "uploads.reparse": ({}, {"decimal": ","}),
    "trash.restore": ({}, {"model_name": "other"}),
    "builds.create": (WISH, {"intent": "Predict plan"}),
    "builds.retrain": ({}, {"max_iterations": 3}),
    "builds.create_version": ({"dataset_id": "churn"}, {"intent": "Predict plan"}),
    "deployments.deploy": ({}, {"environment": "staging"}),
    "sessions.create": ({"upload_id": "{upload_id}"}, {"name": "other"}),
    "sessions.use": ({"upload_id": "{upload_id}"}, {"more": 1}),
    "analysis.create": ({"upload_id": "{upload_id}"}, {"analysis_type": "comprehensive"}),
    "exports.create": ({"upload_id": "{upload_id}"}, {"format": "json"}),
    "connections.create": (SHOP, {"name": "other"}),
    "ingestions.create": (
        {"connection_id": "{connection_id}", "table": "orders", "dataset_name": "orders"},
        {"dataset_name": "other"},
    ),
    "scoring.start": ({"upload_id": "{upload_id}"}, {"format": "json"}),
    "jobs.cancel": ({}, {"more": 1}),
}
"""A body of every POST that creates or moves something, and what makes it another one."""
ALIKE_ANYWAY = {
    "builds.plan": "stores nothing",
    "uploads.missing_parts": "tells what is missing by now",
    "uploads.complete_file": "is the same the second time",
    "predictions.infer": "stores nothing",
    "predictions.many": "stores nothing",
    "deployments.infer": "stores nothing",
    "endpoints.infer": "stores nothing",
    "endpoints.many": "stores nothing",
    "endpoints.rollback": "needs real versions; tests/unit/endpoints sends it twice",
    "queries.ask": "asks, and notes that it asked",
    "queries.verify": "is the same the second time",
    "monitoring.feedback": "is the same the second time",
    "ingestions.retrigger": "is refused while the first is under way",
    "users.sign_in": "needs no key",
    "users.begin_second_factor": "answers with a secret",
    "users.confirm_second_factor": "answers with secrets",
    "users.disable_second_factor": "is refused the second time",
}
SIGNED = {"key", "presigned_url", "expires_at"}
"""Members that a replay goes without, or has anew."""


@pytest.fixture
def settings(settings: Settings) -> Settings:
    folder = settings.data_dir / "files"
    make_shop(folder)
    return settings.model_copy(update={"sqlite_folder": folder})


@pytest.fixture
def known(api: TestClient, model_side: ModelSide) -> dict[str, str]:
    """What bodies and paths may name."""
    upload_id = model_side.upload(CHURN, name="churn")
    model_side.ready("m")
    deleted = model_side.upload(CHURN, name="deleted")
    api.delete(f"/uploads/{deleted}")
    declared = api.post("/data/upload", json=CASES["uploads.create"][0]).json()
    key = {"name": "a", "permission_level": "read_only"}
    return {
        "keyId": api.post("/auth/api-keys", json=key).json()["key_id"],
        "upload_id": upload_id,
        "filename": "table0.csv",
        "item_id": deleted,
        "waiting": declared["upload_id"],
        "model_name": "m",
        "model_version": "v1.0",
        "job_id": api.post("/data/analyze", json={"upload_id": upload_id}).json()["job_id"],
    }


Send = Callable[..., Any]


@pytest.fixture
def send(api: TestClient, known: dict[str, str]) -> Send:
    """Sends an operation's case, perhaps changed, under a key."""
    paths = {one.name: one for one in operations(api.app)}

    def carry_out(name: str, key: str, more: dict[str, Any] | None = None) -> Any:
        if name == "ingestions.create" and "connection_id" not in known:
            made = api.post("/database/connections", json=SHOP).json()
            known["connection_id"] = made["connection_id"]
        names = known | ({"model_name": "new"} if name == "builds.create" else {})
        body = {
            member: value.format(**known) if isinstance(value, str) else value
            for member, value in CASES[name][0].items()
        }
        url = paths[name].path.format(**names)
        return api.post(url, json=body | (more or {}), headers={"Idempotency-Key": key})

    return carry_out


def lasting(answer: Any) -> Any:
    """An answer without what is not stored."""
    if isinstance(answer, dict):
        return {key: lasting(value) for key, value in answer.items() if key not in SIGNED}
    return [lasting(one) for one in answer] if isinstance(answer, list) else answer


def test_every_post_has_a_case(anonymous_client: TestClient):
    posts = {one.name for one in operations(anonymous_client.app) if one.verb == "post"}
    assert posts == set(CASES) | set(ALIKE_ANYWAY)


@pytest.mark.parametrize("name", CASES)
class TestEveryPost:
    def test_is_carried_out_once_and_answered_alike(
        self, send: Send, clock: FrozenClock, api: TestClient, name: str
    ):
        first = send(name, "once")
        assert first.status_code == 200, first.text
        before = [api.get(path).json() for path in ("/jobs", "/data/sessions", "/models")]
        clock.advance(minutes=1)
        again = send(name, "once")
        assert again.status_code == 200, again.text
        assert lasting(again.json()) == lasting(first.json())
        assert "key" not in again.json()
        after = [api.get(path).json() for path in ("/jobs", "/data/sessions", "/models")]
        assert after == before

    def test_is_refused_with_another_body(self, send: Send, name: str):
        send(name, "once")
        refused = send(name, "once", CASES[name][1]).json()["error"]
        area = name.split(".", maxsplit=1)[0]
        models = {"builds", "deployments", "jobs", "scoring"}
        code = "resource_exists" if area == "keys" else "conflict" if area in models else None
        assert (refused["status"], refused["code"]) == (409, code or "resource_conflict")


def test_a_key_is_of_one_operation(send: Send):
    send("sessions.create", "once")
    assert send("analysis.create", "once").status_code == 409


def test_a_key_is_of_the_account_not_of_who_sent_it(
    send: Send, api: TestClient, read_only_client: TestClient, known: dict[str, str]
):
    first = send("sessions.create", "once").json()
    body = {"upload_id": known["upload_id"]}
    again = read_only_client.post("/data/sessions", json=body, headers={"Idempotency-Key": "once"})
    assert again.json() == first
    send("exports.create", "twice")
    refused = read_only_client.post("/data/export", json=body, headers={"Idempotency-Key": "twice"})
    assert refused.status_code == 403
