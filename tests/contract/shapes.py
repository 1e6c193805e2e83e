"""The contract's answers as data: the fields of every operation, and what a value looks like.

A shape is a dict from field to format, a list of one shape, or a format: a key of `FORMATS`, or
words with `|` between them; `?` behind it allows null. `MORE` holds the fields that the decisions
add; `?` behind such a field's name says that it may be absent.
"""

from typing import Any

Shape = Any

PAGINATION = {"total": "integer", "limit": "integer", "offset": "integer", "has_more": "boolean"}
KEY = {
    "key_id": "key_",
    "name": "string",
    "key_prefix": "string",
    "key_suffix": "string",
    "permission_level": "read_only|read_write|admin",
    "created_at": "moment",
    "expires_at": "moment?",
    "last_used_at": "moment?",
    "status": "active|revoked",
    "created_by": "e-mail",
    "scopes": "strings?",
    "allowed_networks": "strings?",
    "former_until": "moment?",
}
USAGE_STATS = dict.fromkeys(
    ("requests_last_24h", "requests_last_7d", "requests_last_30d"), "integer"
)
AUDIT_ENTRY = {
    "entry_id": "aud_",
    "at": "moment",
    "account_id": "user_",
    "actor": "string",
    "key_id": "key_?",
    "operation": "string",
    "resource": "string",
    "path": "string",
    "address": "string",
    "request_id": "req_",
}
SECOND_FACTOR = {
    "user_id": "user_",
    "is_on": "boolean",
    "confirmed_at": "moment?",
    "recovery_codes_left": "integer",
}
MODEL_STATUS = "DRAFT|BUILDING|READY|ERROR"
DEPLOYMENT_STATUS = "DEPLOYED|DEPLOYING|UNDEPLOYED?"
VERSION = {"model_name": "string", "model_version": "label"}
STARTED = {"job_id": "job_", "status": "PENDING", "model_name": "string", "created_at": "moment"}
MODEL = {
    **VERSION,
    "name": "string",
    "intent": "string",
    "status": MODEL_STATUS,
    "deployment_status": DEPLOYMENT_STATUS,
    "deployed_versions": ["label"],
    "created_at": "moment",
    "updated_at": "moment",
}
ENVIRONMENT = "production|staging|development"
DEPLOYMENT = {
    **VERSION,
    "deployment_id": "dep_",
    "version_id": "ver_",
    "version": "integer",
    "status": "DEPLOYING|ACTIVE|UNDEPLOYING|FAILED",
    "endpoint": "address",
    "environment": ENVIRONMENT,
    "replicas": "integer",
    "auto_scale": "boolean",
    "created_at": "moment",
    "error": "string?",
}
ENDPOINT = {
    **VERSION,
    "environment": ENVIRONMENT,
    "former_version": "label?",
    "endpoint": "address",
    "deployment_id": "dep_?",
    "since": "moment",
    "changed_by": "e-mail?",
    "key_name": "string?",
}
UPLOAD_STATUS = "pending|processing|complete|failed"
FILE = {
    "filename": "string",
    "size_bytes": "integer?",
    "rows": "integer?",
    "columns": "integer?",
    "content_type": "string",
    "created_at": "moment",
    "preview_url": "address?",
    "object_key": "string",
    "error": "object?",
    "notices": ["string"],
    "options": "object?",
    "read_as": "object?",
}
PROGRESS = {
    "upload_id": "upload_",
    "filename": "string",
    "object_key": "string",
    "size_bytes": "integer?",
    "received_bytes": "integer",
    "is_complete": "boolean",
}
ITEM = {"item_id": "string", "kind": "model|upload", "name": "string"}
UPLOAD = {
    "upload_id": "upload_",
    "name": "string",
    "description": "string?",
    "status": UPLOAD_STATUS,
    "created_at": "moment",
    "created_by": "user_",
    "expires_at": "moment",
    "completed_at": "moment?",
    "error": "string?",
    "dataset_version": "label?",
}
COLUMN = {
    "name": "string",
    "type": "string|integer|float|boolean|date",
    "nullable": "boolean",
    "unique": "boolean",
    "unit": "string",
}
USER_OF_UPLOAD = {"model_id": "model_", "model_name": "string", "version": "label"}
PREVIEW = {"filename": "string", "total_rows": "integer", "returned_rows": "integer"}
CONNECTION = {
    "connection_id": "conn_",
    "name": "string",
    "type": "postgresql|mysql|sqlite",
    "host": "string?",
    "port": "integer?",
    "database": "string",
    "username": "string?",
    "options": "object",
    "status": "connected|failed",
    "error": "string?",
    "created_at": "moment",
    "last_used_at": "moment?",
}
INGESTION = {
    "ingestion_id": "ing_",
    "connection_id": "conn_",
    "table": "string?",
    "query": "string?",
    "dataset_name": "string",
    "schedule": "string?",
    "status": "pending|running|completed|failed",
    "error": "string?",
    "job_id": "job_",
    "upload_id": "upload_?",
    "rows": "integer?",
    "created_at": "moment",
    "completed_at": "moment?",
    "next_run_at": "moment?",
}
JOB = {
    "job_id": "job_",
    "kind": "processing|analysis|export|build|deployment|ingestion|scoring",
    "status": "PENDING|RUNNING|COMPLETED|FAILED|CANCELLED",
    "progress": "percent",
    "stage": "string",
    "cancel_requested": "boolean",
    "created_at": "moment",
    "started_at": "moment?",
    "completed_at": "moment?",
    "error": "string?",
    "model_name?": "string",
    "model_version?": "label",
    "upload_id?": "upload_",
    "export_id?": "exp_",
    "deployment_id?": "dep_",
    "ingestion_id?": "ing_",
    "connection_id?": "conn_",
}
LINE = {"job_id": "job_", "timestamp": "moment", "level": "string", "message": "string"}
PREDICTED = {**VERSION, "request_id": "req_", "result": "object", "created_at": "moment"}
MANY = [{"prediction": "object", "request_id": "string"}]
SIGNED_IN = {
    "user_id": "user_",
    "email": "e-mail",
    "name": "string",
    "level": "read_only|read_write|admin",
    "csrf_token": "string",
    "expires_at": "moment",
}


def many(name: str, shape: Shape, **beside: Shape) -> Shape:
    """The answer of a list."""
    return {name: [shape], "pagination": PAGINATION, **beside}


def without(shape: dict[str, Shape], *names: str) -> dict[str, Shape]:
    """A shape less some fields."""
    return {name: kind for name, kind in shape.items() if name not in names}


ANSWERS: dict[str, list[Shape]] = {
    "keys.create": [{**without(KEY, "last_used_at"), "key": "string"}],
    "keys.list": [many("keys", KEY)],
    "keys.read": [{**KEY, "usage_stats": USAGE_STATS}],
    "keys.amend": [KEY],
    "keys.rotate": [{**without(KEY, "last_used_at"), "key": "string"}],
    "keys.revoke": [{"key_id": "key_", "status": "revoked", "revoked_at": "moment"}],
    "users.me": [
        {
            "user_id": "user_",
            "email": "e-mail",
            "name": "string",
            "user_name": "string",
            "credits": "integer",
            "consumption": "integer",
            "is_active": "boolean",
            "has_api_key": "boolean",
            "permission_level": "read_only|read_write|admin",
        }
    ],
    "users.ways": [{"single_sign_on": "string?"}],
    "users.sign_in": [SIGNED_IN],
    "users.session": [SIGNED_IN],
    "users.change_password": [SIGNED_IN],
    "users.sign_out": [{"signed_out": "boolean"}],
    "usage.read": [
        {
            "start": "day",
            "end": "day",
            "consumption": "integer",
            "entries": [{"day": "day", "kind": "string", "key_id": "key_?", "quantity": "number"}],
        }
    ],
    "users.sessions": [
        {
            "sessions": [
                {
                    "console_session_id": "csess_",
                    "created_at": "moment",
                    "last_seen_at": "moment",
                    "expires_at": "moment",
                    "address": "string?",
                    "user_agent": "string?",
                    "is_current": "boolean",
                }
            ]
        }
    ],
    "users.list": [
        many(
            "users",
            {
                "user_id": "user_",
                "email": "e-mail",
                "tier": "basic|pro|enterprise",
                "credits": "integer",
                "consumption": "integer",
                "is_active": "boolean",
                "is_operator": "boolean",
                "created_at": "moment",
            },
        )
    ],
    "machines.list": [
        many(
            "machines",
            {
                "machine_id": "machine_",
                "name": "string",
                "address": "string",
                "version": "string",
                "room": "integer",
                "is_draining": "boolean",
                "seen_at": "moment",
                "parts": ["api|worker|replicas"],
                "silent": ["api|worker|replicas"],
            },
        )
    ],
    "users.second_factor": [SECOND_FACTOR],
    "users.begin_second_factor": [{"user_id": "user_", "secret": "string", "uri": "string"}],
    "users.confirm_second_factor": [{"user_id": "user_", "recovery_codes": ["string"]}],
    "users.disable_second_factor": [SECOND_FACTOR],
    "users.end_session": [{"console_session_id": "csess_", "ended_at": "moment"}],
    "audit.list": [many("entries", AUDIT_ENTRY)],
    "signing.keys": [
        {
            "keys": [
                {
                    "fingerprint": "string",
                    "algorithm": "ed25519",
                    "public_key": "string",
                    "created_at": "moment",
                    "is_current": "boolean",
                }
            ]
        }
    ],
    "audit.security": [many("entries", AUDIT_ENTRY)],
    "health.read": [{"status": "ok|degraded", "version": "string", "checks": "object"}],
    "models.list": [many("models", MODEL)],
    "models.read": [
        {
            **MODEL,
            "description": "string",
            "endpoint": "address",
            "metrics": "metrics",
            "dataset_id": "upload_",
            "input_schema": "schema?",
            "output_schema": "schema?",
            "tags": ["string"],
            "created_by": "user_",
            "error": "string?",
        }
    ],
    "builds.create": [{**STARTED, "model_version": "label"}],
    "builds.retrain": [{**STARTED, "new_version": "label"}],
    "builds.create_version": [
        {**STARTED, "model_version": "label", "version_id": "ver_", "version": "integer"}
    ],
    "builds.plan": ["object"],
    "builds.logs": [many("logs", {**LINE, "model_name": "string"})],
    "models.amend": [
        {
            **VERSION,
            "name": "string",
            "description": "string",
            "tags": ["string"],
            "updated_at": "moment",
        }
    ],
    "models.delete": [{**VERSION, "status": "DELETED", "deleted_at": "moment"}],
    "models.status": [
        {
            **VERSION,
            "status": MODEL_STATUS,
            "deployment_status": DEPLOYMENT_STATUS,
            "last_updated": "moment",
            "build_progress": "percent",
            "error": "string?",
        }
    ],
    "models.describe": [
        {
            **VERSION,
            "description": "string",
            "input_schema": "schema?",
            "output_schema": "schema?",
            "performance_metrics": "metrics",
            "training_info": {
                "dataset_size": "integer?",
                "training_time_minutes": "number?",
                "algorithm": "string?",
                "feature_importance": "numbers",
            },
            "plan": "object?",
            "warnings": ["string"],
            "inputs": "object",
            "error": "string?",
        }
    ],
    "models.card": ["object"],
    "models.versions": [
        many(
            "versions",
            {
                "version_id": "ver_",
                "version": "integer",
                "model_version": "label",
                "status": MODEL_STATUS,
                "deployment_status": DEPLOYMENT_STATUS,
                "metrics": "metrics",
                "error": "string?",
                "created_at": "moment",
            },
            **VERSION,
        )
    ],
    "predictions.infer": [PREDICTED],
    "predictions.many": [MANY],
    "deployments.deploy": [DEPLOYMENT],
    "deployments.list": [many("deployments", DEPLOYMENT, **VERSION)],
    "deployments.infer": [PREDICTED, MANY],
    "deployments.undeploy": [
        {**VERSION, "deployment_id": "dep_", "status": "UNDEPLOYING", "undeployed_at": "moment"}
    ],
    "endpoints.list": [many("endpoints", ENDPOINT, model_name="string")],
    "endpoints.read": [ENDPOINT],
    "endpoints.history": [
        many(
            "changes",
            {
                "model_version": "label",
                "since": "moment",
                "until": "moment?",
                "changed_by": "e-mail?",
                "key_name": "string?",
            },
            model_name="string",
            environment=ENVIRONMENT,
        )
    ],
    "endpoints.promote": [ENDPOINT],
    "endpoints.rollback": [ENDPOINT],
    "endpoints.infer": [PREDICTED],
    "endpoints.many": [
        [{"prediction": "object", "request_id": "string", "model_version": "label"}]
    ],
    "uploads.create": [
        {
            "upload_id": "upload_",
            "name": "string",
            "description": "string?",
            "status": "pending",
            "created_at": "moment",
            "expires_at": "moment",
            "files": [
                {
                    "filename": "string",
                    "presigned_url": "address",
                    "object_key": "string",
                    "content_type": "string",
                }
            ],
        }
    ],
    "uploads.resume": [
        many("uploads", {**UPLOAD, "files": [{**FILE, "presigned_url": "address?"}]})
    ],
    "uploads.confirm": [
        {
            "upload_id": "upload_",
            "status": UPLOAD_STATUS,
            "message": "string",
            "estimated_completion": "moment?",
        }
    ],
    "uploads.progress": [PROGRESS],
    "uploads.missing_parts": [
        {
            **PROGRESS,
            "parts": [{"start": "integer", "end": "integer", "presigned_url": "address"}],
            "expires_at": "moment",
        }
    ],
    "uploads.complete_file": [
        {
            "upload_id": "upload_",
            "filename": "string",
            "object_key": "string",
            "size_bytes": "integer",
            "sha256": "string?",
        }
    ],
    "trash.list": [
        many(
            "items",
            {**ITEM, "deleted_at": "moment", "purge_at": "moment", "size_bytes": "integer?"},
        )
    ],
    "trash.restore": [{**ITEM, "status": "restored"}],
    "trash.purge": [{**ITEM, "status": "purged"}],
    "trash.empty": [{"status": "purged", "items_purged": "integer"}],
    "uploads.reparse": [
        {
            "upload_id": "upload_",
            "status": UPLOAD_STATUS,
            "message": "string",
            "estimated_completion": "moment?",
        }
    ],
    "uploads.list": [many("uploads", {**UPLOAD, "files": [FILE]})],
    "uploads.read": [
        {
            **UPLOAD,
            "files": [{**FILE, "column_info": "columns?"}],
            "models_using_this": [USER_OF_UPLOAD],
        }
    ],
    "uploads.delete": [{"upload_id": "upload_", "status": "deleted", "deleted_at": "moment"}],
    "datasets.preview": [
        {**PREVIEW, "columns": ["string"], "data": [["string"]]},
        {**PREVIEW, "data": ["object"]},
    ],
    "datasets.versions": [
        many(
            "versions",
            {
                "version": "label",
                "upload_id": "upload_",
                "created_at": "moment",
                "status": "complete",
                "file_count": "integer",
                "total_size_bytes": "integer",
            },
            dataset_name="string",
        )
    ],
    "connections.create": [CONNECTION],
    "connections.list": [many("connections", CONNECTION)],
    "connections.read": [CONNECTION],
    "connections.tables": [
        many(
            "tables",
            {"name": "string", "schema": "string?", "kind": "table|view", "rows": "integer?"},
        )
    ],
    "connections.delete": [{"connection_id": "conn_", "status": "deleted", "deleted_at": "moment"}],
    "ingestions.create": [INGESTION],
    "ingestions.list": [many("ingestions", INGESTION)],
    "ingestions.read": [INGESTION],
    "ingestions.retrigger": [INGESTION],
    "ingestions.delete": [{"ingestion_id": "ing_", "status": "deleted", "deleted_at": "moment"}],
    "jobs.list": [many("jobs", JOB)],
    "jobs.read": [{**JOB, "plan?": "object"}],
    "jobs.cancel": [JOB],
    "jobs.logs": [many("logs", {**LINE, "sequence": "integer"})],
}
"""Every field of every JSON answer, in each form that it may have."""

NO_JSON = {
    "storage.put",
    "storage.get",
    "jobs.follow",
    "exports.download",
    "builds.artifact",
    "users.leave",
    "users.arrive",
}
"""What answers bytes or events, or leads on."""

ELSEWHERE = (
    "analysis.",
    "catalog.",
    "sessions.",
    "queries.",
    "exports.",
    "scoring.",
    "monitoring.",
)
"""Features whose fields are checked with their own semantics."""
