"""The first tables."""

import sqlalchemy as sa
from alembic import op

from modelwright.core.db.database import UtcDateTime

revision = "0001"
down_revision = None

APPEND_ONLY = {
    "sqlite": [
        f"create trigger audit_{verb} before {verb} on audit "
        "begin select raise(abort, 'the audit log is only added to'); end"
        for verb in ("update", "delete")
    ],
    "postgresql": [
        (
            "create function audit_refuse() returns trigger language plpgsql as "
            "$$ begin raise exception 'the audit log is only added to'; end $$"
        ),
        (
            "create trigger audit_refuse before update or delete on audit "
            "for each row execute function audit_refuse()"
        ),
    ],
}


def upgrade() -> None:
    """Makes the step."""
    op.create_table(
        "audit",
        sa.Column("entry_id", sa.String(length=64), nullable=False),
        sa.Column("at", UtcDateTime(timezone=True), nullable=False),
        sa.Column("account_id", sa.String(length=64), nullable=False),
        sa.Column("actor", sa.String(), nullable=False),
        sa.Column("key_id", sa.String(), nullable=True),
        sa.Column("operation", sa.String(), nullable=False),
        sa.Column("resource", sa.String(), nullable=False),
        sa.Column("path", sa.String(), nullable=False),
        sa.Column("address", sa.String(), nullable=False),
        sa.Column("request_id", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("entry_id", name=op.f("pk_audit")),
    )
    op.create_index(op.f("ix_audit_account_id"), "audit", ["account_id"], unique=False)
    for statement in APPEND_ONLY[op.get_bind().dialect.name]:
        op.execute(statement)
    op.create_table(
        "api_keys",
        sa.Column("key_id", sa.String(length=64), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("hash", sa.String(length=64), nullable=False),
        sa.Column("prefix", sa.String(), nullable=False),
        sa.Column("suffix", sa.String(), nullable=False),
        sa.Column("level", sa.String(), nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("created_by", sa.String(), nullable=False),
        sa.Column("created_at", UtcDateTime(timezone=True), nullable=False),
        sa.Column("expires_at", UtcDateTime(timezone=True), nullable=True),
        sa.Column("revoked_at", UtcDateTime(timezone=True), nullable=True),
        sa.Column("account_id", sa.String(length=64), nullable=False),
        sa.PrimaryKeyConstraint("key_id", name=op.f("pk_api_keys")),
        sa.UniqueConstraint("hash", name=op.f("uq_api_keys_hash")),
    )
    op.create_index(op.f("ix_api_keys_account_id"), "api_keys", ["account_id"], unique=False)
    op.create_table(
        "dataset_versions",
        sa.Column("upload_id", sa.String(length=64), nullable=False),
        sa.Column("name", sa.String(length=255), nullable=False),
        sa.Column("own", sa.String(length=64), nullable=False),
        sa.Column("major", sa.Integer(), nullable=False),
        sa.Column("minor", sa.Integer(), nullable=False),
        sa.Column("shape", sa.JSON(), nullable=False),
        sa.Column("created_at", UtcDateTime(timezone=True), nullable=False),
        sa.Column("file_count", sa.Integer(), nullable=False),
        sa.Column("total_size_bytes", sa.BigInteger(), nullable=False),
        sa.Column("deleted_at", UtcDateTime(timezone=True), nullable=True),
        sa.Column("account_id", sa.String(length=64), nullable=False),
        sa.PrimaryKeyConstraint("upload_id", name=op.f("pk_dataset_versions")),
        sa.UniqueConstraint(
            "account_id", "name", "own", "major", "minor", name="uq_dataset_versions_label"
        ),
    )
    op.create_index(
        op.f("ix_dataset_versions_account_id"), "dataset_versions", ["account_id"], unique=False
    )
    op.create_index(
        "ix_dataset_versions_account_id_name",
        "dataset_versions",
        ["account_id", "name"],
        unique=False,
    )
    op.create_table(
        "duties",
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("due_at", UtcDateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_duties")),
    )
    op.create_table(
        "idempotent_answers",
        sa.Column("answer_id", sa.String(length=64), nullable=False),
        sa.Column("fingerprint", sa.String(length=64), nullable=False),
        sa.Column("answer", sa.JSON(), nullable=False),
        sa.Column("created_at", UtcDateTime(timezone=True), nullable=False),
        sa.Column("account_id", sa.String(length=64), nullable=False),
        sa.PrimaryKeyConstraint("answer_id", name=op.f("pk_idempotent_answers")),
    )
    op.create_index(
        op.f("ix_idempotent_answers_account_id"), "idempotent_answers", ["account_id"], unique=False
    )
    op.create_index(
        op.f("ix_idempotent_answers_created_at"), "idempotent_answers", ["created_at"], unique=False
    )
    op.create_table(
        "job_logs",
        sa.Column(
            "sequence",
            sa.BigInteger().with_variant(sa.Integer(), "sqlite"),
            autoincrement=True,
            nullable=False,
        ),
        sa.Column("job_id", sa.String(), nullable=False),
        sa.Column("timestamp", UtcDateTime(timezone=True), nullable=False),
        sa.Column("level", sa.String(), nullable=False),
        sa.Column("message", sa.Text(), nullable=False),
        sa.Column("account_id", sa.String(length=64), nullable=False),
        sa.PrimaryKeyConstraint("sequence", name=op.f("pk_job_logs")),
    )
    op.create_index(op.f("ix_job_logs_account_id"), "job_logs", ["account_id"], unique=False)
    op.create_index(op.f("ix_job_logs_job_id"), "job_logs", ["job_id"], unique=False)
    op.create_table(
        "jobs",
        sa.Column("job_id", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("lane", sa.String(), nullable=False),
        sa.Column("subject", sa.String(), nullable=False),
        sa.Column("resource", sa.JSON(), nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("progress", sa.Integer(), nullable=False),
        sa.Column("stage", sa.String(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("failures", sa.Integer(), nullable=False),
        sa.Column("crashes", sa.Integer(), nullable=False),
        sa.Column("run_after", UtcDateTime(timezone=True), nullable=False),
        sa.Column("lease_owner", sa.String(), nullable=True),
        sa.Column("lease_until", UtcDateTime(timezone=True), nullable=True),
        sa.Column("cancel_requested", sa.Boolean(), nullable=False),
        sa.Column("error", sa.Text(), nullable=True),
        sa.Column("created_at", UtcDateTime(timezone=True), nullable=False),
        sa.Column("started_at", UtcDateTime(timezone=True), nullable=True),
        sa.Column("completed_at", UtcDateTime(timezone=True), nullable=True),
        sa.Column("account_id", sa.String(length=64), nullable=False),
        sa.PrimaryKeyConstraint("job_id", name=op.f("pk_jobs")),
    )
    op.create_index(op.f("ix_jobs_account_id"), "jobs", ["account_id"], unique=False)
    op.create_index("ix_jobs_kind_subject", "jobs", ["kind", "subject"], unique=False)
    op.create_index(op.f("ix_jobs_lease_owner"), "jobs", ["lease_owner"], unique=False)
    op.create_index(
        "ix_jobs_status_lane_run_after", "jobs", ["status", "lane", "run_after"], unique=False
    )
    op.create_table(
        "models",
        sa.Column("model_id", sa.String(length=64), nullable=False),
        sa.Column("model_name", sa.String(length=100), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("description", sa.Text(), nullable=False),
        sa.Column("tags", sa.JSON(), nullable=False),
        sa.Column("created_by", sa.String(length=64), nullable=False),
        sa.Column("created_at", UtcDateTime(timezone=True), nullable=False),
        sa.Column("updated_at", UtcDateTime(timezone=True), nullable=False),
        sa.Column("account_id", sa.String(length=64), nullable=False),
        sa.PrimaryKeyConstraint("model_id", name=op.f("pk_models")),
        sa.UniqueConstraint(
            "account_id", "model_name", name=op.f("uq_models_account_id_model_name")
        ),
    )
    op.create_index(op.f("ix_models_account_id"), "models", ["account_id"], unique=False)
    op.create_index(op.f("ix_models_created_at"), "models", ["created_at"], unique=False)
    op.create_table(
        "upload_remains",
        sa.Column("upload_id", sa.String(length=64), nullable=False),
        sa.Column("until", UtcDateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("upload_id", name=op.f("pk_upload_remains")),
    )
    op.create_table(
        "uploads",
        sa.Column("upload_id", sa.String(length=64), nullable=False),
        sa.Column("name", sa.String(length=255), nullable=False),
        sa.Column("is_named", sa.Boolean(), nullable=False),
        sa.Column("description", sa.Text(), nullable=True),
        sa.Column("status", sa.String(length=16), nullable=False),
        sa.Column("created_by", sa.String(length=64), nullable=False),
        sa.Column("created_at", UtcDateTime(timezone=True), nullable=False),
        sa.Column("expires_at", UtcDateTime(timezone=True), nullable=False),
        sa.Column("completed_at", UtcDateTime(timezone=True), nullable=True),
        sa.Column("estimated_completion", UtcDateTime(timezone=True), nullable=True),
        sa.Column("error", sa.Text(), nullable=True),
        sa.Column("account_id", sa.String(length=64), nullable=False),
        sa.PrimaryKeyConstraint("upload_id", name=op.f("pk_uploads")),
    )
    op.create_index(op.f("ix_uploads_account_id"), "uploads", ["account_id"], unique=False)
    op.create_index(
        "ix_uploads_account_id_created_at", "uploads", ["account_id", "created_at"], unique=False
    )
    op.create_index("ix_uploads_account_id_name", "uploads", ["account_id", "name"], unique=False)
    op.create_index(
        "ix_uploads_status_expires_at", "uploads", ["status", "expires_at"], unique=False
    )
    op.create_table(
        "usage",
        sa.Column("usage_id", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("hour", UtcDateTime(timezone=True), nullable=False),
        sa.Column("kind", sa.String(length=40), nullable=False),
        sa.Column("key_id", sa.String(length=64), nullable=False),
        sa.Column("quantity", sa.Double(), nullable=False),
        sa.Column("last_at", UtcDateTime(timezone=True), nullable=False),
        sa.Column("account_id", sa.String(length=64), nullable=False),
        sa.PrimaryKeyConstraint("usage_id", name=op.f("pk_usage")),
        sa.UniqueConstraint(
            "account_id",
            "hour",
            "kind",
            "key_id",
            name=op.f("uq_usage_account_id_hour_kind_key_id"),
        ),
    )
    op.create_index(op.f("ix_usage_account_id"), "usage", ["account_id"], unique=False)
    op.create_index("ix_usage_key_id_hour", "usage", ["key_id", "hour"], unique=False)
    op.create_table(
        "users",
        sa.Column("user_id", sa.String(length=64), nullable=False),
        sa.Column("email", sa.String(length=254), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("user_name", sa.String(), nullable=False),
        sa.Column("tier", sa.String(), nullable=False),
        sa.Column("is_operator", sa.Boolean(), nullable=False),
        sa.Column("is_active", sa.Boolean(), nullable=False),
        sa.Column("credits", sa.Integer(), nullable=False),
        sa.Column("created_at", UtcDateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("user_id", name=op.f("pk_users")),
        sa.UniqueConstraint("email", name=op.f("uq_users_email")),
    )
    op.create_table(
        "model_versions",
        sa.Column("version_id", sa.String(length=64), nullable=False),
        sa.Column("model_id", sa.String(length=64), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("label", sa.String(length=32), nullable=False),
        sa.Column("status", sa.String(length=16), nullable=False),
        sa.Column("wish", sa.JSON(), nullable=False),
        sa.Column("input_schema", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("output_schema", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("metrics", sa.JSON(), nullable=False),
        sa.Column("plan", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("training", sa.JSON(), nullable=False),
        sa.Column("artifact", sa.String(length=120), nullable=True),
        sa.Column("error", sa.Text(), nullable=True),
        sa.Column("deployment_status", sa.String(length=16), nullable=True),
        sa.Column("created_at", UtcDateTime(timezone=True), nullable=False),
        sa.Column("updated_at", UtcDateTime(timezone=True), nullable=False),
        sa.Column("account_id", sa.String(length=64), nullable=False),
        sa.ForeignKeyConstraint(
            ["model_id"],
            ["models.model_id"],
            name=op.f("fk_model_versions_model_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("version_id", name=op.f("pk_model_versions")),
        sa.UniqueConstraint("model_id", "label", name=op.f("uq_model_versions_model_id_label")),
        sa.UniqueConstraint("model_id", "version", name=op.f("uq_model_versions_model_id_version")),
    )
    op.create_index(
        op.f("ix_model_versions_account_id"), "model_versions", ["account_id"], unique=False
    )
    op.create_table(
        "upload_claims",
        sa.Column("upload_id", sa.String(length=64), nullable=False),
        sa.Column("claimed_by", sa.String(length=64), nullable=False),
        sa.Column("model_id", sa.String(length=64), nullable=False),
        sa.Column("model_name", sa.Text(), nullable=False),
        sa.Column("version", sa.String(length=32), nullable=False),
        sa.Column("account_id", sa.String(length=64), nullable=False),
        sa.ForeignKeyConstraint(
            ["upload_id"], ["uploads.upload_id"], name=op.f("fk_upload_claims_upload_id")
        ),
        sa.PrimaryKeyConstraint("upload_id", "claimed_by", name=op.f("pk_upload_claims")),
    )
    op.create_index(
        op.f("ix_upload_claims_account_id"), "upload_claims", ["account_id"], unique=False
    )
    op.create_index(
        op.f("ix_upload_claims_claimed_by"), "upload_claims", ["claimed_by"], unique=False
    )
    op.create_table(
        "upload_files",
        sa.Column("upload_id", sa.String(length=64), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("filename", sa.String(length=255), nullable=False),
        sa.Column("content_type", sa.Text(), nullable=False),
        sa.Column("declared_bytes", sa.BigInteger(), nullable=True),
        sa.Column("size_bytes", sa.BigInteger(), nullable=True),
        sa.Column("object_key", sa.Text(), nullable=False),
        sa.Column("created_at", UtcDateTime(timezone=True), nullable=False),
        sa.Column("table_key", sa.Text(), nullable=True),
        sa.Column("format", sa.String(length=16), nullable=True),
        sa.Column("rows", sa.BigInteger(), nullable=True),
        sa.Column("columns", sa.Integer(), nullable=True),
        sa.Column("column_info", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("error", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("account_id", sa.String(length=64), nullable=False),
        sa.ForeignKeyConstraint(
            ["upload_id"],
            ["uploads.upload_id"],
            name=op.f("fk_upload_files_upload_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("upload_id", "number", name=op.f("pk_upload_files")),
    )
    op.create_index(
        op.f("ix_upload_files_account_id"), "upload_files", ["account_id"], unique=False
    )
