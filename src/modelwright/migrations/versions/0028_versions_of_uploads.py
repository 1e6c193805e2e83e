"""Uploads tell their version, and what is said of an unnamed dataset is said of all its versions.

An upload without a name that is read again is the next version of its dataset, which is known by
its first upload from here on. What was said of a later version goes over what was said before.
"""

from collections.abc import Mapping
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0028"
down_revision = "0027"

VERSIONS = sa.table("dataset_versions", *map(sa.column, ("upload_id", "own", "major", "minor")))
UPLOADS = sa.table("uploads", *map(sa.column, ("upload_id", "dataset_version")))
CATALOGS = sa.table("catalogs", sa.column("dataset"), sa.column("corrections", sa.JSON()))
SYNONYMS = sa.table("catalog_synonyms", sa.column("dataset"), sa.column("query_id"))
VERIFIED = sa.table("verified_queries", *map(sa.column, ("dataset", "query_id", "fingerprint")))
QUERIES = sa.table("queries", sa.column("dataset"))
SESSIONS = sa.table(
    "data_sessions",
    sa.column("session_id"),
    sa.column("dataset"),
    sa.column("tables", sa.JSON()),
)


def upgrade() -> None:
    """Adds the column, fills it, and moves what was said of later versions."""
    op.add_column("uploads", sa.Column("dataset_version", sa.String(length=32), nullable=True))
    connection = op.get_bind()
    order = VERSIONS.c.major, VERSIONS.c.minor
    for upload_id, own, major, minor in connection.execute(
        sa.select(VERSIONS).order_by(*order)
    ).all():
        connection.execute(
            sa.update(UPLOADS)
            .where(UPLOADS.c.upload_id == upload_id)
            .values(dataset_version=f"v{major}.{minor}")
        )
        if own not in {"", upload_id}:
            _move_corrections(connection, upload_id, own)
            _move_questions(connection, upload_id, own)
            _move_sessions(connection, upload_id, own)


def _move_corrections(connection: sa.Connection, upload_id: str, own: str) -> None:
    said = {
        one.dataset: one.corrections
        for one in connection.execute(
            sa.select(CATALOGS).where(CATALOGS.c.dataset.in_([upload_id, own]))
        )
    }
    if upload_id not in said:
        return
    whole = _merged(said.get(own, {}), said[upload_id])
    connection.execute(sa.delete(CATALOGS).where(CATALOGS.c.dataset == own))
    connection.execute(
        sa.update(CATALOGS)
        .where(CATALOGS.c.dataset == upload_id)
        .values(dataset=own, corrections=whole)
    )


def _merged(before: Any, after: Any) -> Any:
    if not (isinstance(before, Mapping) and isinstance(after, Mapping)):
        return after
    return {**before, **{name: _merged(before.get(name), one) for name, one in after.items()}}


def _move_questions(connection: sa.Connection, upload_id: str, own: str) -> None:
    again = sa.select(VERIFIED.c.fingerprint).where(VERIFIED.c.dataset == upload_id)
    old = connection.scalars(
        sa.select(VERIFIED.c.query_id).where(
            VERIFIED.c.dataset == own, VERIFIED.c.fingerprint.in_(again)
        )
    ).all()
    for table in (SYNONYMS, VERIFIED):
        connection.execute(sa.delete(table).where(table.c.query_id.in_(old)))
    for table in (SYNONYMS, VERIFIED, QUERIES):
        connection.execute(sa.update(table).where(table.c.dataset == upload_id).values(dataset=own))


def _move_sessions(connection: sa.Connection, upload_id: str, own: str) -> None:
    """Moves sessions over the upload alone; one that holds others too is open for a day at most."""
    for row in connection.execute(sa.select(SESSIONS).where(SESSIONS.c.dataset == upload_id)).all():
        tables = [
            one | {"dataset": own} if one.get("dataset") == upload_id else one for one in row.tables
        ]
        connection.execute(
            sa.update(SESSIONS)
            .where(SESSIONS.c.session_id == row.session_id)
            .values(dataset=own, tables=tables)
        )
