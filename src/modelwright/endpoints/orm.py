"""Rows of endpoints, and of what was in service when."""

from datetime import datetime

from sqlalchemy import ForeignKey, Index, String
from sqlalchemy.orm import Mapped, mapped_column

from modelwright.core.db.database import AccountOwned, Base
from modelwright.core.db.queries import to_dataclass
from modelwright.endpoints.domain import EndpointChangeInfo
from modelwright.models.domain import ServedVersion


class EndpointRecord(AccountOwned, Base):
    """The version in service of a model in an environment, with all that answering needs."""

    __tablename__ = "endpoints"

    model_id: Mapped[str] = mapped_column(
        ForeignKey("models.model_id", ondelete="CASCADE"), primary_key=True
    )
    environment: Mapped[str] = mapped_column(String(16), primary_key=True)
    change_id: Mapped[str] = mapped_column(String(64))
    """The change that put it there."""
    version_id: Mapped[str] = mapped_column(String(64))
    model_version: Mapped[str] = mapped_column(String(32))
    artifact: Mapped[str] = mapped_column(String(120))

    def to_served(self, model_name: str) -> ServedVersion:
        """Tells the little that a prediction needs."""
        return ServedVersion(self.version_id, model_name, self.model_version, self.artifact)


class EndpointChangeRecord(AccountOwned, Base):
    """A time that a version was in service."""

    __tablename__ = "endpoint_changes"
    __table_args__ = (Index("ix_endpoint_changes_model_id_environment", "model_id", "environment"),)

    change_id: Mapped[str] = mapped_column(String(64), primary_key=True)
    model_id: Mapped[str] = mapped_column(ForeignKey("models.model_id", ondelete="CASCADE"))
    environment: Mapped[str] = mapped_column(String(16))
    version_id: Mapped[str] = mapped_column(String(64))
    model_version: Mapped[str] = mapped_column(String(32))
    since: Mapped[datetime]
    until: Mapped[datetime | None]
    changed_by: Mapped[str | None] = mapped_column(String(254))
    key_name: Mapped[str | None] = mapped_column(String)
    back_to: Mapped[str | None] = mapped_column(String(64))
    """The change whose version a rollback leads to; None where there is none."""

    def to_info(self) -> EndpointChangeInfo:
        """Tells what was in service from when to when."""
        return to_dataclass(self, EndpointChangeInfo)
