"""What a session is, when it is over, and what its tables are called."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from modelwright.uploads.domain import stem_of

MAX_NAME_LENGTH = 255
_NAME_PATTERN = "named "
_OTHER = re.compile(r"\W+")


class Status(StrEnum):
    """The contract's words."""

    READY = "ready"
    ENDED = "ended"


@dataclass(frozen=True, slots=True)
class SessionTable:
    """A file as queries see it; `key` is where its table is stored."""

    file: str
    table: str
    key: str
    columns: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SessionInfo:
    """What is known of a session."""

    session_id: str
    account_id: str
    name: str
    upload_id: str
    dataset: str
    """The dataset the upload is a version of: what is right for one version is for the next."""
    is_default: bool
    created_at: datetime
    expires_at: datetime
    ended_at: datetime | None
    tables: tuple[SessionTable, ...]

    def over_since(self, now: datetime) -> datetime | None:
        """Tells when it ended or expired; None while it is ready."""
        if self.ended_at is None and now >= self.expires_at:
            return self.expires_at
        return self.ended_at

    def status(self, now: datetime) -> Status:
        """Tells whether it takes queries."""
        return Status.ENDED if self.over_since(now) else Status.READY


def dataset_of(upload_id: str, name: str, *, is_named: bool) -> str:
    """Tells which dataset an upload belongs to: that of its name, or one of its own."""
    return f"{_NAME_PATTERN}{name}" if is_named else upload_id


def name_in(dataset: str) -> str | None:
    """Tells the name of a dataset; None of an upload that is one of its own."""
    return dataset.removeprefix(_NAME_PATTERN) if dataset.startswith(_NAME_PATTERN) else None


def table_names(filenames: Iterable[str]) -> list[str]:
    """Names each file's table after it: `sales-2024.csv` is `sales_2024`, a second one `…_2`.

    Names need no quotes in SQL unless they are words of it, and differ in more than their case.
    """
    names: list[str] = []
    taken: set[str] = set()
    for filename in filenames:
        first = name = _plain(filename)
        number = 1
        while name.lower() in taken:
            number += 1
            name = f"{first}_{number}"
        taken.add(name.lower())
        names.append(name)
    return names


def _plain(filename: str) -> str:
    name = _OTHER.sub("_", stem_of(filename)).strip("_") or "table"
    return f"_{name}" if name[0].isdigit() else name


@dataclass(frozen=True, slots=True)
class SessionOpened:
    """Announced in the transaction that opens a session."""

    session: SessionInfo
