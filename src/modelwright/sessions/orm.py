"""Rows of sessions."""

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, Index, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from modelwright.core.db.database import AccountOwned, Base
from modelwright.core.db.queries import to_dataclass
from modelwright.core.stored_values import read_members
from modelwright.sessions.domain import SessionInfo, SessionTable


class SessionRecord(AccountOwned, Base):
    """One session; an active one holds a `slot` of its account, so that they stay few."""

    __tablename__ = "data_sessions"
    __table_args__ = (
        UniqueConstraint("account_id", "slot", name="uq_data_sessions_slot"),
        Index("ix_data_sessions_account_id_created_at", "account_id", "created_at"),
    )

    session_id: Mapped[str] = mapped_column(String(64), primary_key=True)
    name: Mapped[str] = mapped_column(String(255))
    upload_id: Mapped[str] = mapped_column(String(64), index=True)
    dataset: Mapped[str] = mapped_column(String(300))
    slot: Mapped[int | None]
    is_default: Mapped[bool] = mapped_column(default=False)
    created_at: Mapped[datetime]
    expires_at: Mapped[datetime]
    ended_at: Mapped[datetime | None]
    tables: Mapped[list[dict[str, Any]]] = mapped_column(JSON)
    machine_id: Mapped[str | None] = mapped_column(String(64))

    def to_info(self) -> SessionInfo:
        """Tells what is known of the session."""
        alone = {"upload_id": self.upload_id, "dataset": self.dataset}
        tables = tuple(
            read_members(
                SessionTable,
                alone | {"own_name": one["table"]} | one | {"columns": (*one["columns"],)},
            )
            for one in self.tables
        )
        return to_dataclass(self, SessionInfo, tables=tables)
