"""The row by which a database knows its objects."""

from sqlalchemy import String
from sqlalchemy.orm import Mapped, mapped_column

from modelwright.core.db.database import Row


class MarkRow(Row):
    """The mark that lies among the objects; there is one."""

    __tablename__ = "objects_marks"

    mark: Mapped[str] = mapped_column(String(64), primary_key=True)
