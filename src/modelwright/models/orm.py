"""Rows of models and versions."""

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, ForeignKey, String, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from modelwright.core.db.database import AccountOwned, Base, Trashable
from modelwright.models.domain import Status


class ModelRecord(AccountOwned, Trashable, Base):
    """A model; in the trash its name is free, and `trashed_name` tells what it was called."""

    __tablename__ = "models"
    __table_args__ = (UniqueConstraint("account_id", "model_name"),)

    model_id: Mapped[str] = mapped_column(String(64), primary_key=True)
    model_name: Mapped[str] = mapped_column(String(100))
    name: Mapped[str] = mapped_column(Text)
    description: Mapped[str] = mapped_column(Text)
    tags: Mapped[list[str]] = mapped_column(JSON)
    trashed_name: Mapped[str | None] = mapped_column(String(100))
    created_by: Mapped[str] = mapped_column(String(64))
    created_at: Mapped[datetime] = mapped_column(index=True)
    updated_at: Mapped[datetime]


class ModelVersionRecord(AccountOwned, Trashable, Base):
    """A version: what was asked of it, what became of it."""

    __tablename__ = "model_versions"
    __table_args__ = (
        UniqueConstraint("model_id", "version"),
        UniqueConstraint("model_id", "label"),
    )

    version_id: Mapped[str] = mapped_column(String(64), primary_key=True)
    model_id: Mapped[str] = mapped_column(ForeignKey("models.model_id", ondelete="CASCADE"))
    version: Mapped[int]
    label: Mapped[str] = mapped_column(String(32))
    status: Mapped[Status] = mapped_column(String(16))
    wish: Mapped[dict[str, Any]] = mapped_column(JSON)
    input_schema: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    output_schema: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    metrics: Mapped[dict[str, Any]] = mapped_column(JSON)
    plan: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    training: Mapped[dict[str, Any]] = mapped_column(JSON)
    artifact: Mapped[str | None] = mapped_column(String(120))
    error: Mapped[str | None] = mapped_column(Text)
    deployment_status: Mapped[str | None] = mapped_column(String(16))
    created_at: Mapped[datetime]
    updated_at: Mapped[datetime]
