"""What every driver gives: an open database of which tables and queries are read."""

from abc import ABC, abstractmethod

from modelwright.connections.domain import FoundTable
from modelwright.connections.parquet_writer import RowBatch


class DatabaseReader(ABC):
    """An open database."""

    @abstractmethod
    def tables(self) -> list[FoundTable]:
        """Lists what can be read."""

    @abstractmethod
    def close(self) -> None:
        """Ends the connection."""

    def table(self, name: str) -> RowBatch:
        """Reads a table; refuses one that is not there."""
        return self._rows(f"select * from {self._quoted(name)}", "table")  # noqa: S608 - a quoted name

    def query(self, query: str) -> RowBatch:
        """Reads a query's result; refuses what the database refuses."""
        return self._rows(query, "query")

    @abstractmethod
    def _quoted(self, name: str) -> str:
        """Returns a listed table's name as SQL writes it; refuses one that is not there."""

    @abstractmethod
    def _rows(self, query: str, field: str) -> RowBatch:
        """Reads a query's result; what is refused names the field."""
