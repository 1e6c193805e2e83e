"""Groups of commands, an operation of the API each, made of the client's methods.

A new method of the client becomes a command by a line here, and a test finds the ones that lack it.
"""

from collections.abc import Mapping

import typer

from modelwright_client.analysis import Analysis
from modelwright_client.catalog import Catalog
from modelwright_client.commands.methods import Method, add
from modelwright_client.connections import Connections, Ingestions
from modelwright_client.datasets import Datasets
from modelwright_client.deployments import Deployments
from modelwright_client.endpoints import Endpoints
from modelwright_client.exports import Exports
from modelwright_client.jobs import Jobs
from modelwright_client.models import Models
from modelwright_client.monitoring import Monitoring
from modelwright_client.queries import Queries
from modelwright_client.sessions import Sessions
from modelwright_client.trash import Trash
from modelwright_client.uploads import Uploads
from modelwright_client.users import Audit, Usage, Users

GROUPS: Mapping[str, tuple[Method, ...]] = {
    "account": (
        Method("show", Users.me),
        Method("usage", Usage.read),
        Method("sessions", Users.sessions),
        Method("end-session", Users.end_session),
        Method("security-log", Audit.security, ("at", "operation", "actor", "resource", "address")),
    ),
    "analyses": (
        Method("create", Analysis.create),
        Method("show", Analysis.read),
        Method("pictures", Analysis.visualizations, ("title", "filename", "type", "data_url")),
        Method("picture", Analysis.visualization),
    ),
    "catalog": (
        Method("show", Catalog.read),
        Method("update", Catalog.update),
    ),
    "connections": (
        Method(
            "list",
            Connections.list,
            ("connection_id", "name", "type", "database", "status"),
        ),
        Method("create", Connections.create),
        Method("show", Connections.read),
        Method("tables", Connections.tables),
        Method("delete", Connections.delete),
    ),
    "datasets": (
        Method("versions", Datasets.versions, ("version", "upload_id", "status", "created_at")),
    ),
    "deleted": (
        Method("list", Trash.list, ("item_id", "kind", "name", "deleted_at", "purge_at")),
        Method("restore", Trash.restore),
        Method("purge", Trash.purge),
        Method("empty", Trash.empty),
    ),
    "deployments": (
        Method(
            "list",
            Deployments.list,
            ("deployment_id", "model_version", "status", "environment", "replicas", "error"),
        ),
        Method("create", Deployments.deploy),
        Method("predict", Deployments.infer),
        Method("delete", Deployments.undeploy),
    ),
    "endpoints": (
        Method(
            "list",
            Endpoints.list,
            ("environment", "model_version", "former_version", "since", "changed_by"),
        ),
        Method("show", Endpoints.read),
        Method(
            "history",
            Endpoints.history,
            ("model_version", "since", "until", "changed_by", "key_name"),
        ),
        Method("promote", Endpoints.promote),
        Method("rollback", Endpoints.rollback),
        Method("predict", Endpoints.infer),
    ),
    "exports": (
        Method("create", Exports.create),
        Method("show", Exports.read),
    ),
    "ingestions": (
        Method(
            "list",
            Ingestions.list,
            ("ingestion_id", "dataset_name", "schedule", "status", "next_run_at", "error"),
        ),
        Method("create", Ingestions.create),
        Method("show", Ingestions.read),
        Method("retrigger", Ingestions.retrigger),
        Method("delete", Ingestions.delete),
    ),
    "jobs": (
        Method(
            "list",
            Jobs.list,
            ("job_id", "kind", "status", "progress", "created_at", "error"),
        ),
        Method("show", Jobs.read),
        Method("logs", Jobs.logs, ("timestamp", "level", "message")),
        Method("cancel", Jobs.cancel),
    ),
    "models": (
        Method(
            "list",
            Models.list,
            ("model_name", "model_version", "status", "deployed_versions", "intent", "created_at"),
        ),
        Method("status", Models.status),
        Method("versions", Models.versions, ("model_version", "status", "created_at", "error")),
        Method("card", Models.card),
        Method("plan", Models.plan),
        Method("create-version", Models.create_version),
        Method("retrain", Models.retrain),
        Method("logs", Models.build_logs, ("timestamp", "level", "message")),
        Method("update", Models.amend),
        Method("feedback", Monitoring.feedback),
        Method("delete", Models.delete),
    ),
    "sessions": (
        Method("list", Sessions.list, ("session_id", "name", "upload_id", "status", "expires_at")),
        Method("create", Sessions.create),
        Method("use", Sessions.use),
        Method("show", Sessions.read),
        Method("queries", Sessions.queries, ("executed_at", "query_type", "query", "error")),
        Method("verify", Queries.verify),
        Method("unverify", Queries.unverify),
        Method("verified", Queries.verified),
        Method("end", Sessions.end),
    ),
    "uploads": (
        Method(
            "list", Uploads.list, ("upload_id", "name", "dataset_version", "status", "created_at")
        ),
        Method("preview", Uploads.preview),
        Method("progress", Uploads.progress),
        Method("delete", Uploads.delete),
    ),
}
"""By the name that is typed; words that wait, download or draw are added by their own modules."""


def register(app: typer.Typer, name: str) -> None:
    """Adds a group."""
    add(app, name, *GROUPS[name])
