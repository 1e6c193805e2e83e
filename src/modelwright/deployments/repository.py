"""Every query of the feature.

Which rows are locked, and in which order, is decided here for all: hosts on several machines write
to the same replicas.
"""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Select, delete, or_, select, update
from sqlalchemy.orm import Session

from modelwright.core.db.database import ALL_ACCOUNTS, scope_to
from modelwright.core.db.queries import changed_rows, find_one, lock_one, paginate
from modelwright.core.http.paging import Page
from modelwright.core.stored_values import read_member
from modelwright.deployments.domain import ACTIVE_STATUSES, ReplicaStatus, Status, min_replicas
from modelwright.deployments.orm import DeploymentRecord, ReplicaRecord

_NEWEST = (DeploymentRecord.created_at.desc(), DeploymentRecord.deployment_id.desc())


def find(db: Session, deployment_id: str, *, lock: bool = False) -> DeploymentRecord | None:
    """Finds a deployment of the scope; `lock` makes others who want to change it wait."""
    find_row = lock_one if lock else find_one
    return find_row(db, DeploymentRecord, DeploymentRecord.deployment_id == deployment_id)


def of_model(db: Session, model_id: str, page: Page) -> tuple[Sequence[DeploymentRecord], int]:
    """Lists one page of a model's deployments, newest first, and counts them all."""
    query = select(DeploymentRecord).where(DeploymentRecord.model_id == model_id)
    return paginate(db, query, page, *_NEWEST)


def all_of_model(db: Session, model_id: str) -> Sequence[DeploymentRecord]:
    """Locks and lists all of a model's deployments."""
    query = select(DeploymentRecord).where(DeploymentRecord.model_id == model_id)
    return db.scalars(query.with_for_update()).all()


def at_work(db: Session, model_id: str, environment: str) -> Sequence[DeploymentRecord]:
    """Locks and lists a model's deployments in an environment that have replicas, newest first."""
    query = _in_environment(model_id, environment).where(
        DeploymentRecord.status.in_(ACTIVE_STATUSES)
    )
    return db.scalars(query.with_for_update().execution_options(populate_existing=True)).all()


def answering(
    db: Session, model_id: str, environment: str, version_id: str
) -> DeploymentRecord | None:
    """Finds the newest ACTIVE deployment of a version in an environment."""
    query = _in_environment(model_id, environment).where(
        DeploymentRecord.version_id == version_id, DeploymentRecord.status == Status.ACTIVE
    )
    return db.scalars(query.limit(1)).one_or_none()


def replaced_by(db: Session, heir: DeploymentRecord) -> Sequence[DeploymentRecord]:
    """Locks and lists the deployments whose place one takes, or one of its kind that failed."""
    failed = select(DeploymentRecord.deployment_id).where(
        DeploymentRecord.model_id == heir.model_id,
        DeploymentRecord.environment == heir.environment,
        DeploymentRecord.version_id == heir.version_id,
        DeploymentRecord.status == Status.FAILED,
    )
    query = select(DeploymentRecord).where(
        or_(
            DeploymentRecord.replaced_by == heir.deployment_id,
            DeploymentRecord.replaced_by.in_(failed),
        ),
        DeploymentRecord.status.in_(ACTIVE_STATUSES),
    )
    return db.scalars(query.with_for_update()).all()


def _in_environment(model_id: str, environment: str) -> Select[DeploymentRecord]:
    query = select(DeploymentRecord).where(
        DeploymentRecord.model_id == model_id, DeploymentRecord.environment == environment
    )
    return query.order_by(*_NEWEST)


def everything(db: Session) -> Sequence[DeploymentRecord]:
    """Lists all deployments of the scope, oldest first."""
    return db.scalars(select(DeploymentRecord).order_by(DeploymentRecord.deployment_id)).all()


def statuses_of_version(db: Session, version_id: str) -> set[Status]:
    """Tells where the deployments of a version stand."""
    query = select(DeploymentRecord.status).where(DeploymentRecord.version_id == version_id)
    return {read_member(Status, status) for status in db.scalars(query)}


def min_replicas_of(db: Session) -> int:
    """Counts the replicas that the deployments of the scope have at least."""
    query = select(DeploymentRecord).where(DeploymentRecord.status.in_(ACTIVE_STATUSES))
    return sum(min_replicas(row.replicas, auto_scale=row.auto_scale) for row in db.scalars(query))


def min_replicas_of_all(db: Session) -> int:
    """Counts the replicas that the deployments of all accounts have at least."""
    scope = db.info["account"]
    scope_to(db, ALL_ACCOUNTS)
    try:
        return min_replicas_of(db)
    finally:
        scope_to(db, scope)


def replicas_of_pool(db: Session, pool: str) -> Sequence[ReplicaRecord]:
    """Lists the replicas of a pool, oldest first."""
    query = select(ReplicaRecord).where(ReplicaRecord.pool == pool)
    ordered = query.order_by(ReplicaRecord.replica_id)
    return db.scalars(ordered.execution_options(populate_existing=True)).all()


def replica(db: Session, replica_id: str) -> ReplicaRecord | None:
    """Finds a replica and keeps others from changing it."""
    return lock_one(db, ReplicaRecord, ReplicaRecord.replica_id == replica_id)


def answering_elsewhere(
    db: Session, pool: str, machine_id: str, now: datetime
) -> Sequence[ReplicaRecord]:
    """Lists the replicas that answer on other machines of a pool."""
    query = select(ReplicaRecord).where(
        ReplicaRecord.pool == pool,
        ReplicaRecord.machine_id != machine_id,
        ReplicaRecord.status == ReplicaStatus.READY,
        ReplicaRecord.lease_until > now,
    )
    return db.scalars(query.order_by(ReplicaRecord.replica_id)).all()


def change_replica(db: Session, replica_id: str, **values: Any) -> None:
    """Writes down how a replica stands."""
    db.execute(update(ReplicaRecord).where(ReplicaRecord.replica_id == replica_id).values(**values))


def renew_replicas(db: Session, machine_id: str, until: datetime) -> None:
    """Keeps all replicas of a machine for longer."""
    theirs = update(ReplicaRecord).where(ReplicaRecord.machine_id == machine_id)
    changed_rows(db, theirs.values(lease_until=until))


def delete_replicas(db: Session, ids: Collection[str]) -> None:
    """Removes replicas that are gone."""
    db.execute(delete(ReplicaRecord).where(ReplicaRecord.replica_id.in_(ids)))


def delete_replicas_of(
    db: Session, *, deployment_id: str = "", machine_id: str = "", but_of_pool: str = ""
) -> None:
    """Removes the replicas of a deployment, or those a machine had, all or but those of a pool."""
    of_either = or_(
        ReplicaRecord.deployment_id == deployment_id, ReplicaRecord.machine_id == machine_id
    )
    db.execute(delete(ReplicaRecord).where(of_either, ReplicaRecord.pool != but_of_pool))
