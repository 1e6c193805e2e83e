"""Rows of what is scored; the export each belongs to takes it along."""

from typing import Any

from sqlalchemy import JSON, BigInteger, ForeignKey, String
from sqlalchemy.orm import Mapped, mapped_column

from modelwright.core.db.database import AccountOwned, Base
from modelwright.core.db.queries import to_dataclass
from modelwright.scoring.domain import ScoringRequest, ScoringStep


class ScoringRecord(AccountOwned, Base):
    """With what an export's files are to be filled."""

    __tablename__ = "scorings"

    export_id: Mapped[str] = mapped_column(
        ForeignKey("exports.export_id", ondelete="CASCADE"), primary_key=True
    )
    version_id: Mapped[str] = mapped_column(String(64), index=True)
    artifact: Mapped[str] = mapped_column(String(120))
    include: Mapped[list[str]] = mapped_column(JSON)
    rows: Mapped[list[int]] = mapped_column(JSON)

    def order(self) -> ScoringRequest:
        """Tells what is to be done."""
        return to_dataclass(
            self, ScoringRequest, include=tuple(self.include), rows=tuple(self.rows), units=()
        )


class ScoringStepRecord(AccountOwned, Base):
    """One step of a scoring; gone once the export's files are there."""

    __tablename__ = "scoring_steps"

    export_id: Mapped[str] = mapped_column(
        ForeignKey("exports.export_id", ondelete="CASCADE"), primary_key=True
    )
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    file: Mapped[int]
    first_row: Mapped[int] = mapped_column(BigInteger)
    rows: Mapped[int] = mapped_column(BigInteger)
    is_lenient: Mapped[bool]
    tries: Mapped[int]
    holder: Mapped[str | None] = mapped_column(String(100))
    key: Mapped[str | None] = mapped_column(String(200))
    made: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))

    def to_step(self) -> ScoringStep:
        """Tells what is known of the step."""
        return to_dataclass(self, ScoringStep)
