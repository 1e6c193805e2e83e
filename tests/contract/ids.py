"""Ids and names of what the tour left, by the name of the path's parameter."""

from typing import Any

import pytest
from tests.contract.world import World

Ids = dict[str, str]


@pytest.fixture(scope="session")
def mine(world: World) -> Ids:
    """Ids and names of the tour, by the name of the path's parameter."""

    def last(operation: str) -> Any:
        return world.answers[operation][-1].json()

    export = last("exports.read")
    picture = last("analysis.visualizations")["visualizations"][0]["data_url"]
    return {
        "keyId": last("keys.create")["key_id"],
        "upload_id": last("sessions.create")["upload_id"],
        "dataset_name": "churn",
        "connection_id": last("connections.read")["connection_id"],
        "ingestion_id": last("ingestions.create")["ingestion_id"],
        "build_id": last("builds.logs")["logs"][0]["job_id"],
        "job_id": last("analysis.create")["job_id"],
        "session_id": last("sessions.create")["session_id"],
        "console_session_id": last("users.end_session")["console_session_id"],
        "query_id": world.answers["queries.ask"][-1].json()["query_id"],
        "export_id": export["export_id"],
        "model_name": "churn",
        "model_version": "v1.0",
        "environment": "production",
        "deployment_id": last("deployments.deploy")["deployment_id"],
        "filename": "churn.csv",
        "item_id": last("trash.list")["items"][0]["item_id"],
        "picture": picture.rpartition("/")[2],
    }


def url_of(path: str, ids: Ids) -> str:
    if path.startswith("/data/visualization/"):
        path = path.replace("{filename}", "{picture}")
    return path.format(**ids)
