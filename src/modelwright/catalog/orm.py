"""Rows of corrections, and of synonyms that verified questions showed."""

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from modelwright.core.db.database import AccountOwned, Base
from modelwright.core.db.queries import to_dataclass
from modelwright.engines.language.catalog.corrections import LearntSynonym


class CatalogRecord(AccountOwned, Base):
    """What people said of one dataset."""

    __tablename__ = "catalogs"

    account_id: Mapped[str] = mapped_column(String(64), primary_key=True)
    dataset: Mapped[str] = mapped_column(String(300), primary_key=True)
    corrections: Mapped[dict[str, Any]] = mapped_column(JSON)
    updated_at: Mapped[datetime]


class SynonymRecord(AccountOwned, Base):
    """Words that a verified question showed to mean a column, a metric or a value."""

    __tablename__ = "catalog_synonyms"

    query_id: Mapped[str] = mapped_column(String(64), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    dataset: Mapped[str] = mapped_column(String(300), index=True)
    table: Mapped[str] = mapped_column("table_name", Text)
    column: Mapped[str] = mapped_column("column_name", Text)
    words: Mapped[str] = mapped_column(Text)
    value: Mapped[Any] = mapped_column(JSON(none_as_null=True), nullable=True)
    """What stands in the data, where they mean a value of the column."""

    def to_info(self) -> LearntSynonym:
        """Tells what was learnt."""
        return to_dataclass(self, LearntSynonym)
