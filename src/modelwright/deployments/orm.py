"""Rows of deployments, which outlive their model until their last replica goes, and of replicas."""

from datetime import datetime

from sqlalchemy import Index, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from modelwright.core.db.database import AccountOwned, Base
from modelwright.core.db.queries import to_dataclass
from modelwright.core.stored_values import read_member
from modelwright.deployments.domain import DeploymentInfo, ReplicaInfo, ReplicaStatus, Status


class DeploymentRecord(AccountOwned, Base):
    """One version at work in one environment."""

    __tablename__ = "deployments"
    __table_args__ = (Index("ix_deployments_account_id_model_id", "account_id", "model_id"),)

    deployment_id: Mapped[str] = mapped_column(String(64), primary_key=True)
    model_id: Mapped[str] = mapped_column(String(64))
    model_name: Mapped[str] = mapped_column(String(100))
    model_version: Mapped[str] = mapped_column(String(32))
    version_id: Mapped[str] = mapped_column(String(64), index=True)
    version: Mapped[int]
    artifact: Mapped[str] = mapped_column(String(120))
    environment: Mapped[str] = mapped_column(String(16))
    replicas: Mapped[int]
    auto_scale: Mapped[bool]
    status: Mapped[Status] = mapped_column(String(16))
    error: Mapped[str | None] = mapped_column(Text)
    created_at: Mapped[datetime]
    undeployed_at: Mapped[datetime | None]
    replaced_by: Mapped[str | None] = mapped_column(String(64))
    """The deployment that takes its place, and at whose first answer it is taken down."""

    def to_info(self) -> DeploymentInfo:
        """Tells what is known of the deployment."""
        return to_dataclass(self, DeploymentInfo, status=read_member(Status, self.status))


class ReplicaRecord(Base):
    """One replica: the machine that is to run it, and how it stands there."""

    __tablename__ = "replicas"

    replica_id: Mapped[str] = mapped_column(String(64), primary_key=True)
    deployment_id: Mapped[str] = mapped_column(String(64), index=True)
    pool: Mapped[str] = mapped_column(String(64), index=True)
    machine_id: Mapped[str] = mapped_column(String(64))
    status: Mapped[ReplicaStatus] = mapped_column(String(16))
    socket: Mapped[str] = mapped_column(String(100))
    address: Mapped[str] = mapped_column(String(300))
    load: Mapped[float]
    error: Mapped[str | None] = mapped_column(Text)
    is_final: Mapped[bool]
    created_at: Mapped[datetime]
    lease_until: Mapped[datetime | None]

    def to_info(self) -> ReplicaInfo:
        """Tells what is known of the replica."""
        return to_dataclass(self, ReplicaInfo, status=read_member(ReplicaStatus, self.status))
