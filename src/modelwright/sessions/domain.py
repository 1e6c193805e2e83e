"""What a session is, when it is over, and what its tables are called.

Tables' names are what people write in SQL and what verified questions keep: named otherwise by a
later release, these would no longer run.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from modelwright.core.numbered_names import numbered
from modelwright.uploads.domain import stem_of

MAX_NAME_LENGTH = 255
"""Characters of a session's name."""
MAX_DATASETS = 20
"""Datasets whose tables one session may hold."""
UNRECORDED = "look"
"""With what the ids of sessions begin that nobody was told of; they live where they are asked."""
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
    upload_id: str = ""
    dataset: str = ""
    """The dataset that its upload is a version of."""
    dataset_name: str = ""
    own_name: str = ""
    """What the table is called where the tables of no other upload stand beside it."""
    units: Mapping[str, str] = field(default_factory=dict, hash=False)
    """What the numbers of columns were written with: `%` or a currency."""


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

    @property
    def upload_ids(self) -> tuple[str, ...]:
        """The uploads whose tables it holds, the first one first."""
        return tuple(dict.fromkeys([self.upload_id, *(one.upload_id for one in self.tables)]))

    @property
    def data_id(self) -> str:
        """What its tables, as they are called here, are known by."""
        return "+".join(self.upload_ids)

    def over_since(self, now: datetime) -> datetime | None:
        """Tells when it ended or expired; None while it is ready."""
        if self.ended_at is None and now >= self.expires_at:
            return self.expires_at
        return self.ended_at

    def status(self, now: datetime) -> Status:
        """Returns whether it takes queries."""
        return Status.ENDED if self.over_since(now) else Status.READY


def dataset_of(name: str, own: str) -> str:
    """Tells which dataset an upload belongs to: that of its name, or of its first upload."""
    return own or f"{_NAME_PATTERN}{name}"


def name_in(dataset: str) -> str | None:
    """Tells the name of a dataset; None of an upload that is one of its own."""
    return dataset.removeprefix(_NAME_PATTERN) if dataset.startswith(_NAME_PATTERN) else None


@dataclass(frozen=True, slots=True)
class SessionVersion:
    """A version of a dataset that a session holds, and the newest one there is."""

    dataset_name: str
    version: str
    upload_id: str
    newest_version: str
    newest_upload_id: str

    @property
    def is_stale(self) -> bool:
        """Whether there is a newer one."""
        return self.upload_id != self.newest_upload_id


@dataclass(frozen=True, slots=True)
class SessionView:
    """A session with what became of its data since it was opened."""

    info: SessionInfo
    versions: tuple[SessionVersion, ...] = ()

    @property
    def warnings(self) -> tuple[str, ...]:
        """Which versions are not the newest any more, and what to do."""
        newest = {one.upload_id: one.newest_upload_id for one in self.versions}
        wanted = [newest.get(one, one) for one in self.info.upload_ids]
        over = f"upload_id {wanted[0]}" if len(wanted) == 1 else f"dataset_ids {wanted}"
        return tuple(
            f"This session holds {one.dataset_name} {one.version}; there is {one.newest_version}"
            f" now. Open a session over it: POST /data/sessions with {over}."
            for one in self.versions
            if one.is_stale
        )

    @property
    def notices(self) -> tuple[str, ...]:
        """Tells which tables are called otherwise than alone, and why."""
        return tuple(
            f"The table {one.own_name} of {one.dataset_name} is called {one.table} here: another"
            f" upload of this session has a table {one.own_name} too."
            for one in self.info.tables
            if one.own_name != one.table
        )


def qualified_names(uploads: Sequence[tuple[str, Sequence[str]]]) -> list[list[str]]:
    """Names the tables of several uploads; those that would be called alike by their dataset too.

    Takes each upload's dataset name and its tables as they are called alone: `orders` of the
    datasets `shop` and `old shop` are `shop_orders` and `old_shop_orders`.
    """
    counted = Counter(name.lower() for _, names in uploads for name in names)
    wanted = [
        [f"{_plain(dataset)}_{name}" if counted[name.lower()] > 1 else name for name in names]
        for dataset, names in uploads
    ]
    unique = iter(numbered(name for names in wanted for name in names))
    return [[next(unique) for _ in names] for names in wanted]


def table_names(filenames: Iterable[str]) -> list[str]:
    """Names each file's table after it: `sales-2024.csv` is `sales_2024`, a second one `…_2`.

    Names need no quotes in SQL unless they are words of it, and differ in more than their case.
    """
    return numbered(_plain(filename) for filename in filenames)


def _plain(filename: str) -> str:
    name = _OTHER.sub("_", stem_of(filename)).strip("_") or "table"
    return f"_{name}" if name[0].isdigit() else name


@dataclass(frozen=True, slots=True)
class SessionOpened:
    """Announced in the transaction that opens a session."""

    session: SessionInfo
