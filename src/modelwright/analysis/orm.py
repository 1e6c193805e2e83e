"""Rows of analyses and of their pictures; results and pictures themselves lie in storage."""

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, Index, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from modelwright.analysis.domain import (
    AnalysisInfo,
    AnalysisType,
    Status,
    Subject,
    VisualizationInfo,
)
from modelwright.core.db.database import AccountOwned, Base
from modelwright.core.db.queries import to_dataclass
from modelwright.core.stored_values import read_member, read_members


class AnalysisRecord(AccountOwned, Base):
    """One analysis."""

    __tablename__ = "analyses"

    analysis_id: Mapped[str] = mapped_column(String(64), primary_key=True)
    job_id: Mapped[str] = mapped_column(String(64), unique=True)
    upload_id: Mapped[str] = mapped_column(String(64), index=True)
    status: Mapped[str] = mapped_column(String(16))
    type: Mapped[str] = mapped_column(String(16))
    subjects: Mapped[list[dict[str, Any]]] = mapped_column(JSON)
    key: Mapped[str | None] = mapped_column(String(255))
    created_at: Mapped[datetime]
    estimated_completion: Mapped[datetime]
    completed_at: Mapped[datetime | None]
    error: Mapped[str | None] = mapped_column(Text)

    def to_info(self) -> AnalysisInfo:
        """Tells what is known of the analysis."""
        return to_dataclass(
            self,
            AnalysisInfo,
            status=read_member(Status, self.status),
            type=read_member(AnalysisType, self.type),
            subjects=tuple(read_members(Subject, one) for one in self.subjects),
        )


class VisualizationRecord(AccountOwned, Base):
    """One picture of an analysis."""

    __tablename__ = "visualizations"
    __table_args__ = (
        Index("ix_visualizations_account_id_visualization_id", "account_id", "visualization_id"),
    )

    visualization_id: Mapped[str] = mapped_column(String(64), primary_key=True)
    analysis_id: Mapped[str] = mapped_column(String(64), index=True)
    job_id: Mapped[str] = mapped_column(String(64))
    upload_id: Mapped[str] = mapped_column(String(64))
    filename: Mapped[str] = mapped_column(String(255))
    type: Mapped[str] = mapped_column(String(32))
    title: Mapped[str] = mapped_column(Text)
    key: Mapped[str] = mapped_column(String(255))
    created_at: Mapped[datetime]

    def to_info(self) -> VisualizationInfo:
        """Tells what is known of the picture."""
        return to_dataclass(self, VisualizationInfo)
