"""What a driver cannot do with a database, told as the refusal of a job."""

import unicodedata

from modelwright.connections.domain import FoundTable
from modelwright.jobs.errors import JobRefused


def unreachable(message: str, field: str = "host") -> JobRefused:
    """Makes the refusal of a database that cannot be opened."""
    return JobRefused({"message": message, "field": field, "stage": "connect"})


def unreadable(message: str, field: str = "query") -> JobRefused:
    """Makes the refusal of rows that cannot be read."""
    return JobRefused({"message": message, "field": field, "stage": "read"})


def pick(tables: list[FoundTable], asked: str) -> FoundTable:
    """Finds a table by its name, with or without its schema; refuses one that is not there."""
    wanted = _composed(asked)
    for table in tables:
        if wanted in {_composed(table.name), _composed(f"{table.schema}.{table.table}")}:
            return table
    raise unreadable(
        f"There is no table {asked!r} that may be read; the connection's /tables lists them.",
        "table",
    )


def _composed(name: str) -> str:
    """Writes letters with their marks as one character each; names are compared so."""
    return unicodedata.normalize("NFC", name)


def sentence(words: str) -> str:
    """Makes one line of what a driver says."""
    return " ".join(words.split())[:1000] or "The driver gave no reason."
