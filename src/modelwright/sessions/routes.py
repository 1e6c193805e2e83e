"""`/data/sessions` and `/data/use-upload`."""

from modelwright.core.http.context import Reading
from modelwright.core.http.paging import Paged, Pagination
from modelwright.core.http.routing import Routes, Service
from modelwright.sessions.domain import Status
from modelwright.sessions.schemas import (
    CreateSession,
    SessionAnswer,
    SessionEnded,
    SessionList,
    UseUpload,
)
from modelwright.sessions.service import Sessions

router = Routes("sessions")


@router.post_("/data/sessions")
def create(act: Reading, sessions: Service[Sessions], body: CreateSession) -> SessionAnswer:
    """Opens a session over an upload."""
    session = sessions.create(act.db, body.upload_id, body.name, body.expiration_hours)
    return SessionAnswer.of(session, session.created_at)


@router.post_("/data/use-upload")
def use(act: Reading, sessions: Service[Sessions], body: UseUpload) -> SessionAnswer:
    """Makes a session on an upload, an open one or a new one, the account's default."""
    session = sessions.use(act.db, body.upload_id, body.session_id)
    return SessionAnswer.of(session, sessions.now())


@router.get_("/data/sessions")
def list_(act: Reading, sessions: Service[Sessions], page: Paged) -> SessionList:
    """Lists the account's sessions, newest first."""
    found, total = sessions.list_(act.db, page)
    return SessionList(
        sessions=[SessionAnswer.of(session, sessions.now()) for session in found],
        pagination=Pagination.of(page, total),
    )


@router.get_("/data/sessions/{session_id}")
def read(act: Reading, sessions: Service[Sessions], session_id: str) -> SessionAnswer:
    """Reads a session with its tables."""
    return SessionAnswer.of(sessions.read(act.db, session_id), sessions.now())


@router.delete_("/data/sessions/{session_id}")
def end(act: Reading, sessions: Service[Sessions], session_id: str) -> SessionEnded:
    """Ends a session and gives its resources back."""
    session = sessions.end(act.db, session_id)
    return SessionEnded(
        session_id=session_id,
        status=Status.ENDED.value,
        ended_at=session.ended_at or session.expires_at,
    )
