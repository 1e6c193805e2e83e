"""Rows of what is scored; the export each belongs to takes it along."""

from sqlalchemy import JSON, ForeignKey, String
from sqlalchemy.orm import Mapped, mapped_column

from modelwright.core.db.database import AccountOwned, Base
from modelwright.core.db.queries import to_dataclass
from modelwright.scoring.domain import ScoringRequest


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
            self, ScoringRequest, include=tuple(self.include), rows=tuple(self.rows)
        )
