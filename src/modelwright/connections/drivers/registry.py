"""The database types that can be connected: each is one driver file, its entry here, its tests.

Drivers are imported by name, in the child process that uses one: each library is slow to load.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from modelwright.connections.domain import FoundTable
    from modelwright.connections.parquet_writer import RowBatch

SSL_OPTIONS = {"sslmode": ("disable", "prefer", "require", "verify-full")}


class OpenDatabase(Protocol):
    """A database that a driver has opened for reading; faults are `JobRefused`, with the field."""

    def tables(self) -> "list[FoundTable]":
        """Lists the tables and views that can be read."""

    def table(self, name: str) -> "RowBatch":
        """Reads a table or view as a stream."""

    def query(self, query: str) -> "RowBatch":
        """Reads the result of a query as a stream."""

    def close(self) -> None:
        """Gives the connection back."""


@dataclass(frozen=True, slots=True)
class Driver:
    """A type of database."""

    name: str
    """Its name in the API; the module beside this one that reads it is named alike."""
    port: int | None
    """The usual port; None where a database is a file."""
    options: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Every option there is, with its values; libraries know more, some of which open files."""

    @property
    def is_file(self) -> bool:
        """Whether a database is a file, without host and user."""
        return self.port is None

    def load(self) -> Callable[[Mapping[str, Any], list[str]], OpenDatabase]:
        """Imports the driver and returns its `connect(payload, addresses)`."""
        connect: Callable[[Mapping[str, Any], list[str]], OpenDatabase]
        connect = import_module(f"{__package__}.{self.name}").connect
        return connect


DRIVERS = {
    driver.name: driver
    for driver in (
        Driver("postgresql", 5432, SSL_OPTIONS),
        Driver("mysql", 3306, SSL_OPTIONS),
        Driver("sqlite", None),
    )
}
