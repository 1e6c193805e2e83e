"""The row by which a database knows its objects."""

from sqlalchemy import String, Text
from sqlalchemy.orm import Mapped, mapped_column

from modelwright.core.db.database import Base


class OwnershipMarkerRecord(Base):
    """The mark that lies among the objects; there is one."""

    __tablename__ = "objects_marks"

    mark: Mapped[str] = mapped_column(String(64), primary_key=True)
    is_placed: Mapped[bool] = mapped_column(default=True)
    """Whether the mark has been stored among the objects."""
    turn: Mapped[str | None] = mapped_column(String(64))
    """What the mark held after this database's last sweep."""
    next_turn: Mapped[str | None] = mapped_column(String(64))
    """What it may hold already, since a sweep has begun."""
    alarm: Mapped[str | None] = mapped_column(Text)
    """Why sweeps have stopped."""
