"""Every query of the room."""

from collections.abc import Sequence

from sqlalchemy import select
from sqlalchemy.orm import Session

from modelwright.core.db.database import ALL_ACCOUNTS, scope_to
from modelwright.core.db.queries import paginate
from modelwright.core.http.paging import Page
from modelwright.deployments.domain import ACTIVE_STATUSES, Status, min_replicas
from modelwright.deployments.orm import DeploymentRecord

_NEWEST = (DeploymentRecord.created_at.desc(), DeploymentRecord.deployment_id.desc())


def find(db: Session, deployment_id: str, *, lock: bool = False) -> DeploymentRecord | None:
    """Finds a deployment of the scope; `lock` makes others who want to change it wait."""
    query = select(DeploymentRecord).where(DeploymentRecord.deployment_id == deployment_id)
    if lock:
        query = query.with_for_update().execution_options(populate_existing=True)
    return db.scalar(query)


def of_model(db: Session, model_id: str, page: Page) -> tuple[Sequence[DeploymentRecord], int]:
    """Lists one page of a model's deployments, newest first, and counts them all."""
    query = select(DeploymentRecord).where(DeploymentRecord.model_id == model_id)
    return paginate(db, query, page, *_NEWEST)


def all_of_model(db: Session, model_id: str) -> Sequence[DeploymentRecord]:
    """Locks and lists all of a model's deployments."""
    query = select(DeploymentRecord).where(DeploymentRecord.model_id == model_id)
    return db.scalars(query.with_for_update()).all()


def everything(db: Session) -> Sequence[DeploymentRecord]:
    """Lists all deployments of the scope, oldest first."""
    return db.scalars(select(DeploymentRecord).order_by(DeploymentRecord.deployment_id)).all()


def statuses_of_version(db: Session, version_id: str) -> set[Status]:
    """Tells where the deployments of a version stand."""
    query = select(DeploymentRecord.status).where(DeploymentRecord.version_id == version_id)
    return {Status(status) for status in db.scalars(query)}


def replicas(db: Session) -> int:
    """Counts the replicas that the deployments of the scope have at least."""
    query = select(DeploymentRecord).where(DeploymentRecord.status.in_(ACTIVE_STATUSES))
    return sum(min_replicas(row.replicas, auto_scale=row.auto_scale) for row in db.scalars(query))


def replicas_of_all(db: Session) -> int:
    """Counts the replicas that the deployments of all accounts have at least."""
    scope = db.info["account"]
    scope_to(db, ALL_ACCOUNTS)
    try:
        return replicas(db)
    finally:
        scope_to(db, scope)
