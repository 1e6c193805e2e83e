"""Rows of counts, of kept predictions and of truths; they go with their version."""

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, BigInteger, ForeignKey, Index, LargeBinary, String
from sqlalchemy.orm import Mapped, mapped_column

from modelwright.core.db.database import AccountOwned, Base

VERSION = "model_versions.version_id"


class OnlineCountRecord(AccountOwned, Base):
    """What was asked of a version within one hour, as counts."""

    __tablename__ = "prediction_counts"

    version_id: Mapped[str] = mapped_column(
        ForeignKey(VERSION, ondelete="CASCADE"), primary_key=True
    )
    hour: Mapped[datetime] = mapped_column(primary_key=True)
    rows: Mapped[int] = mapped_column(BigInteger)
    counts: Mapped[dict[str, Any]] = mapped_column(JSON)


class StoredPredictionRecord(AccountOwned, Base):
    """Predictions of a version within about a second, packed."""

    __tablename__ = "kept_predictions"
    __table_args__ = (Index("ix_kept_predictions_version_id_last_ms", "version_id", "last_ms"),)

    kept_id: Mapped[int] = mapped_column(primary_key=True, autoincrement=True)
    version_id: Mapped[str] = mapped_column(ForeignKey(VERSION, ondelete="CASCADE"))
    first_ms: Mapped[int] = mapped_column(BigInteger)
    last_ms: Mapped[int] = mapped_column(BigInteger)
    rows: Mapped[int] = mapped_column(BigInteger)
    content: Mapped[bytes] = mapped_column(LargeBinary)


class FeedbackRecord(AccountOwned, Base):
    """What turned out to be so for one prediction, beside the prediction."""

    __tablename__ = "truths"
    __table_args__ = (Index("ix_truths_version_id_asked_at", "version_id", "asked_at"),)

    version_id: Mapped[str] = mapped_column(
        ForeignKey(VERSION, ondelete="CASCADE"), primary_key=True
    )
    request_id: Mapped[str] = mapped_column(String(64), primary_key=True)
    predicted: Mapped[float]
    """The class's number, or the value."""
    link: Mapped[bytes] = mapped_column(LargeBinary)
    """float32, little-endian."""
    actual: Mapped[float]
    """The class's number, -1 for one the model does not know; or the value."""
    asked_at: Mapped[datetime]
    told_at: Mapped[datetime]
