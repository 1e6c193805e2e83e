"""What sessions are asked and what they answer.

What was read or named otherwise than a user expects is told when a session opens, before a question
is answered by it.
"""

from datetime import datetime
from typing import Annotated

from pydantic import Field

from modelwright.core.http.paging import Pagination
from modelwright.core.http.schemas import Name, RequestBody, ResponseBody, Text, Timestamp
from modelwright.core.limits.contract import LIMITS
from modelwright.sessions.domain import MAX_DATASETS, MAX_NAME_LENGTH, SessionView


class CreateSession(RequestBody):
    """Opens a session over a complete upload."""

    upload_id: Text | None = None
    """Required unless `dataset_ids` says what the session is over."""
    dataset_ids: Annotated[list[Text], Field(max_length=MAX_DATASETS)] | None = None
    """Datasets whose tables the session holds: names (`orders`, the newest version; `orders@v1.0`)
    or ids of uploads, of ingestions too."""
    name: Annotated[Name, Field(max_length=MAX_NAME_LENGTH)] | None = None
    """Defaults to the upload's."""
    expiration_hours: Annotated[int, Field(ge=1, le=LIMITS.session_hours_max)] = (
        LIMITS.session_hours
    )


class UseUpload(RequestBody):
    """Chooses the session that queries without a `session_id` go to."""

    upload_id: Text
    session_id: Text | None = None
    """A session on this upload; by default an open one, else a new one."""


class SessionTable(ResponseBody):
    """A file and the table it is in SQL."""

    file: str
    table: str
    columns: list[str]
    upload_id: str
    dataset_name: str


class SessionDataset(ResponseBody):
    """A version of a dataset that a session holds."""

    dataset_name: str
    version: str
    upload_id: str
    newest_version: str
    newest_upload_id: str
    is_stale: bool
    """Whether there is a newer version than the one that the session holds."""


class SessionAnswer(ResponseBody):
    """A data session."""

    session_id: str
    name: str
    upload_id: str
    status: str
    """`ready` or `ended`."""
    is_default: bool
    """Whether queries without a `session_id` go to it."""
    created_at: Timestamp
    expires_at: Timestamp
    ended_at: Timestamp | None
    files: list[str]
    tables: list[SessionTable]
    datasets: list[SessionDataset]
    """The versions that it holds; empty once it has ended."""
    warnings: list[str]
    """That a version is not the newest any more, and what to do."""
    notices: list[str]
    """Tables that have another name here, because two uploads have tables of one name."""

    @classmethod
    def of(cls, view: SessionView, now: datetime) -> "SessionAnswer":
        """Shows a session as it is at a moment."""
        session = view.info
        over_since = session.over_since(now)
        return cls.showing(
            session,
            status=session.status(now),
            is_default=session.is_default and over_since is None,
            ended_at=over_since,
            files=[table.file for table in session.tables],
            datasets=[SessionDataset.model_validate(one) for one in view.versions],
            warnings=list(view.warnings),
            notices=list(view.notices),
        )


class SessionList(ResponseBody):
    """A page of sessions."""

    sessions: list[SessionAnswer]
    pagination: Pagination


class SessionEnded(ResponseBody):
    """A session that has ended."""

    session_id: str
    status: str
    ended_at: Timestamp
