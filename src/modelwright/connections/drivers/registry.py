"""The database types that can be connected: each is one driver file, its entry here, its tests.

Drivers are imported by name, in the child process that uses one: each library is slow to load.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

SSL_OPTIONS = {"sslmode": ("disable", "prefer", "require", "verify-full")}


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

    def load(self) -> Callable[[Mapping[str, Any], list[str]], Any]:
        """Imports the driver; its `connect(payload, addresses)` gives a `DatabaseReader`."""
        connect: Callable[[Mapping[str, Any], list[str]], Any]
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
