"""Every link of the document leads from what was made to what it names: create, read, delete."""

import sqlite3
from contextlib import closing
from typing import Any

import pytest
from fastapi.testclient import TestClient
from tests.contract import walking
from tests.factories import CHURN, ModelSide

from modelwright.core.config.settings import Settings

Json = dict[str, Any]
LAST = ("delete", "end", "revoke", "undeploy", "cancel")
"""Verbs that end what was made; they are followed after the others, a model's end at last."""
ELSEWHERE = {"jobs.follow", "builds.plan", "builds.artifact"}
"""Links that wait for a job's end, start a process or need a real build; others follow them."""
SOON = {
    "deployments.deploy",
    "deployments.infer",
    "endpoints.infer",
    "endpoints.many",
    "ingestions.retrigger",
    "models.card",
    "monitoring.feedback",
    "monitoring.read",
    "predictions.infer",
    "predictions.many",
    "scoring.start",
}
"""What is refused as a conflict until the job has done its work."""
BODIES: dict[str, Any] = {
    **walking.BODIES,
    "builds.create_version": {"dataset_id": "customers"},
    "scoring.start": {"upload_id": "customers"},
}


@pytest.fixture
def settings(settings: Settings) -> Settings:
    """SQLite files may be connected, and one is there."""
    folder = settings.data_dir.parent
    with closing(sqlite3.connect(folder / "shop.sqlite")) as shop, shop:
        shop.execute("create table orders (order_id integer)")
        shop.execute("insert into orders values (1)")
    return settings.model_copy(update={"sqlite_folder": folder})


@pytest.fixture
def makers(model_side: ModelSide, api: TestClient) -> dict[str, tuple[str, Json]]:
    """A request that makes something, by operation."""
    upload = model_side.upload(CHURN, name="customers")
    model_side.ready("ready")
    body = {"name": "shop", "type": "sqlite", "database": "shop.sqlite"}
    connection = api.post("/database/connections", json=body).json()["connection_id"]
    return {
        "keys.create": ("/auth/api-keys", {"name": "a", "permission_level": "read_only"}),
        "uploads.create": (
            "/data/upload",
            {"files": [{"filename": "a.csv", "content_type": "text/csv"}]},
        ),
        "sessions.create": ("/data/sessions", {"upload_id": upload}),
        "exports.create": ("/data/export", {"upload_id": upload}),
        "analysis.create": ("/data/analyze", {"upload_id": upload}),
        "connections.create": ("/database/connections", body),
        "ingestions.create": (
            "/database/ingest",
            {"connection_id": connection, "table": "orders", "dataset_name": "orders"},
        ),
        "builds.create": ("/models/new", {"intent": "Predict churn", "dataset_id": "customers"}),
        "builds.retrain": ("/models/ready/retrain", {}),
        "builds.create_version": ("/models/ready/versions", {"dataset_id": "customers"}),
        "deployments.deploy": ("/models/ready/deploy", {}),
    }


MAKERS = (
    "keys.create",
    "uploads.create",
    "sessions.create",
    "exports.create",
    "analysis.create",
    "connections.create",
    "ingestions.create",
    "builds.create",
    "builds.retrain",
    "builds.create_version",
    "deployments.deploy",
)


class TestLinks:
    @pytest.mark.parametrize("maker", MAKERS)
    def test_each_leads_to_what_was_made(
        self, api: TestClient, makers: dict[str, tuple[str, Json]], maker: str
    ):
        operations = {
            operation["operationId"]: (verb, path, operation)
            for path, verbs in walking.told_of(api.app)["paths"].items()
            for verb, operation in verbs.items()
        }
        url, body = makers[maker]
        made = api.post(url, json=body)
        assert made.status_code == 200, made.text
        links = operations[maker][2]["responses"]["200"]["links"]
        users = sorted(set(links) - ELSEWHERE, key=last)
        assert users
        for name in users:
            verb, path, _ = operations[name]
            address = filled(path, links[name], made.json())
            answer = api.request(verb, address, json=BODIES.get(name))
            told = answer.json()["error"]["code"] if answer.is_error else ""
            where = f"{maker} → {name}: {answer.text[:300]}"
            assert answer.status_code == 200 or (name in SOON and "conflict" in told), where
            if name.endswith("delete"):
                assert api.get(address).status_code == 404, where


def last(operation: str) -> tuple[bool, bool, str]:
    """Puts what ends things behind what reads them."""
    return operation == "models.delete", operation.endswith(LAST), operation


def filled(path: str, link: Json, made: Json) -> str:
    """The address that a link leads to."""
    values = {
        name: made[told.removeprefix("$response.body#/")]
        for name, told in link["parameters"].items()
    }
    return path.format(**values)
