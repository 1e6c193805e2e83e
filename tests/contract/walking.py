"""Every operation of the running application, with what a request to it needs."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from modelwright.core.errors import area_of
from modelwright.core.http.context import Level
from modelwright.server.openapi.document import document

UNKNOWN = "nothing-of-mine"
BUILDABLE = {"intent": "Predict x", "dataset_id": "upload_unknown"}
BODIES: dict[str, Any] = {
    "keys.create": {"name": "a", "permission_level": "read_only"},
    "keys.amend": {"name": "a"},
    "keys.rotate": {},
    "users.begin_second_factor": {"password": "no password of hers"},
    "users.confirm_second_factor": {"code": "000000"},
    "users.disable_second_factor": {"code": "000000"},
    "uploads.create": {"files": [{"filename": "a.csv", "content_type": "text/csv"}]},
    "uploads.confirm": {"upload_id": UNKNOWN, "status": "complete", "files": []},
    "uploads.complete_file": {},
    "uploads.missing_parts": {},
    "uploads.reparse": {},
    "builds.create": BUILDABLE,
    "builds.plan": BUILDABLE,
    "builds.retrain": {},
    "builds.create_version": {"dataset_id": UNKNOWN},
    "models.amend": {"description": "a"},
    "catalog.update": {"time_zone": "Europe/Berlin"},
    "sessions.create": {"upload_id": UNKNOWN},
    "sessions.use": {"upload_id": UNKNOWN},
    "exports.create": {"upload_id": UNKNOWN},
    "queries.ask": {"query_type": "sql", "query": "select 1", "session_id": UNKNOWN},
    "queries.verify": {},
    "analysis.create": {"upload_id": UNKNOWN},
    "deployments.deploy": {},
    "deployments.infer": {},
    "users.sign_in": {"email": "ana@example.org", "password": "no password of hers"},
    "users.change_password": {
        "current_password": "her old password",
        "password": "her new password",
    },
    "connections.create": {
        "name": "shop",
        "type": "postgresql",
        "host": "127.0.0.1",
        "database": "shop",
        "username": "reader",
        "password": "wrong",
    },
    "ingestions.create": {
        "connection_id": UNKNOWN,
        "table": "orders",
        "dataset_name": "orders",
    },
    "endpoints.infer": {},
    "endpoints.many": [],
    "endpoints.promote": {"model_version": "v1.0"},
    "predictions.infer": {},
    "trash.restore": {},
    "scoring.start": {"upload_id": UNKNOWN},
    "monitoring.feedback": {"request_id": UNKNOWN, "actual": "yes"},
    "predictions.many": [],
}
"""A valid body for every operation that takes one; a new operation must be added here."""


@dataclass(frozen=True, slots=True)
class Operation:
    """One verb on one path."""

    name: str
    verb: str
    path: str
    takes_body: bool
    is_public: bool
    needs: Level

    @property
    def url(self) -> str:
        """The path with ids and names that are nobody's."""
        parts = [UNKNOWN if part.startswith("{") else part for part in self.path.split("/")]
        return "/".join(parts)

    @property
    def is_mapped(self) -> bool:
        """Whether the gateway collapses its statuses."""
        return self.path in {"/auth/api-keys", "/auth/api-keys/{keyId}", "/data/health"} or (
            (self.verb, self.path) == ("post", "/data/upload")
        )

    def spelt(self, auth: str, models: str, data: str) -> str:
        """Picks the word of the operation's area."""
        return {"auth": auth, "models": models, "data": data}[area_of(self.path).value]


_MADE: dict[tuple[str, ...], dict[str, Any]] = {}


def told_of(app: Any) -> dict[str, Any]:
    """The application's OpenAPI document, made once for all applications with its routes.

    `app` is what a test client has, which its types take for any ASGI application.
    """
    if app.openapi_schema is None:
        paths = tuple(str(getattr(route, "path", "")) for route in app.routes)
        if paths not in _MADE:
            _MADE[paths] = document(app)
        app.openapi_schema = _MADE[paths]
    return app.openapi_schema


def operations(app: Any) -> Iterator[Operation]:
    """Walks the OpenAPI document beside the routes that serve it."""
    levels = {
        (method.lower(), route.path_format): route.endpoint.needs.level
        for route in app.routes
        if hasattr(getattr(route, "endpoint", None), "needs")
        for method in route.methods or ()
    }
    for path, verbs in told_of(app)["paths"].items():
        for verb, told in verbs.items():
            yield Operation(
                told["operationId"],
                verb,
                path,
                "requestBody" in told,
                told.get("security") == [],
                levels.get((verb, path), Level.READ_ONLY),
            )
