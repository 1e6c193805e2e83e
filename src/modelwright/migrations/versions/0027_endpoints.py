"""Which version of a model is in service in an environment, and what was when.

Models of today get the endpoints that they would have by now: in each environment the version of
the first deployment that is there, and in production else the first READY version.
"""

from typing import Any

import sqlalchemy as sa
from alembic import op

from modelwright.core.db.database import UtcDateTime
from modelwright.core.ids import new_id

revision = "0027"
down_revision = "0026"

DEPLOYED = """
select d.account_id, d.model_id, d.environment, d.version_id, d.model_version, d.artifact,
       d.created_at as since
from deployments d join models m on m.model_id = d.model_id
where d.status in ('DEPLOYING', 'ACTIVE') order by d.deployment_id
"""
READY = """
select v.account_id, v.model_id, 'production' as environment, v.version_id,
       v.label as model_version, v.artifact, v.updated_at as since
from model_versions v join models m on m.model_id = v.model_id
where v.status = 'READY' order by v.model_id, v.version
"""


def upgrade() -> None:
    """Makes the tables and fills them."""
    endpoints = _make_endpoints()
    changes = _make_changes()
    op.add_column("deployments", sa.Column("replaced_by", sa.String(length=64), nullable=True))
    _fill(endpoints, changes)


def _make_endpoints() -> sa.Table:
    table = op.create_table(
        "endpoints",
        sa.Column("model_id", sa.String(length=64), nullable=False),
        sa.Column("environment", sa.String(length=16), nullable=False),
        sa.Column("change_id", sa.String(length=64), nullable=False),
        sa.Column("version_id", sa.String(length=64), nullable=False),
        sa.Column("model_version", sa.String(length=32), nullable=False),
        sa.Column("artifact", sa.String(length=120), nullable=False),
        sa.Column("account_id", sa.String(length=64), nullable=False),
        sa.ForeignKeyConstraint(
            ["model_id"],
            ["models.model_id"],
            name=op.f("fk_endpoints_model_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("model_id", "environment", name=op.f("pk_endpoints")),
    )
    op.create_index(op.f("ix_endpoints_account_id"), "endpoints", ["account_id"], unique=False)
    return table


def _make_changes() -> sa.Table:
    table = op.create_table(
        "endpoint_changes",
        sa.Column("change_id", sa.String(length=64), nullable=False),
        sa.Column("model_id", sa.String(length=64), nullable=False),
        sa.Column("environment", sa.String(length=16), nullable=False),
        sa.Column("version_id", sa.String(length=64), nullable=False),
        sa.Column("model_version", sa.String(length=32), nullable=False),
        sa.Column("since", UtcDateTime(timezone=True), nullable=False),
        sa.Column("until", UtcDateTime(timezone=True), nullable=True),
        sa.Column("changed_by", sa.String(length=254), nullable=True),
        sa.Column("key_name", sa.String(), nullable=True),
        sa.Column("back_to", sa.String(length=64), nullable=True),
        sa.Column("account_id", sa.String(length=64), nullable=False),
        sa.ForeignKeyConstraint(
            ["model_id"],
            ["models.model_id"],
            name=op.f("fk_endpoint_changes_model_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("change_id", name=op.f("pk_endpoint_changes")),
    )
    op.create_index(
        op.f("ix_endpoint_changes_account_id"), "endpoint_changes", ["account_id"], unique=False
    )
    op.create_index(
        "ix_endpoint_changes_model_id_environment",
        "endpoint_changes",
        ["model_id", "environment"],
        unique=False,
    )
    return table


def _fill(endpoints: sa.Table, changes: sa.Table) -> None:
    typed = {"since": UtcDateTime(timezone=True)}
    found: dict[tuple[str, str], dict[str, Any]] = {}
    for query in (DEPLOYED, READY):
        for row in op.get_bind().execute(sa.text(query).columns(**typed)).mappings():
            found.setdefault((row["model_id"], row["environment"]), dict(row))
    rows = [
        row | {"change_id": new_id("chg"), "artifact": row["artifact"] or ""}
        for row in found.values()
    ]
    if rows:
        op.bulk_insert(endpoints, [_without(row, "since") for row in rows])
        op.bulk_insert(changes, [_without(row, "artifact") for row in rows])


def _without(row: dict[str, Any], name: str) -> dict[str, Any]:
    return {key: value for key, value in row.items() if key != name}
