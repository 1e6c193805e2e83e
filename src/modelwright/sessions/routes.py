"""`/data/sessions` and `/data/use-upload`."""

from modelwright.core.http.context import ReadContext, Scope
from modelwright.core.http.paging import Paged, Pagination
from modelwright.core.http.routing import ApiRouter, Service
from modelwright.sessions.domain import Status
from modelwright.sessions.schemas import (
    CreateSession,
    SessionAnswer,
    SessionEnded,
    SessionList,
    UseUpload,
)
from modelwright.sessions.service import Sessions

router = ApiRouter("sessions", Scope.DATASETS)


@router.post_("/data/sessions")
def create(ctx: ReadContext, sessions: Service[Sessions], body: CreateSession) -> SessionAnswer:
    """Opens a session over an upload, or over the tables of several."""
    session = sessions.create(
        ctx.db, body.upload_id, body.name, body.expiration_hours, body.dataset_ids or ()
    )
    return SessionAnswer.of(sessions.view(ctx.db, session), session.created_at)


@router.post_("/data/use-upload")
def use(ctx: ReadContext, sessions: Service[Sessions], body: UseUpload) -> SessionAnswer:
    """Makes a session on an upload, an open one or a new one, the account's default."""
    session = sessions.use(ctx.db, body.upload_id, body.session_id)
    return SessionAnswer.of(sessions.view(ctx.db, session), sessions.now())


@router.get_("/data/sessions")
def list_(ctx: ReadContext, sessions: Service[Sessions], page: Paged) -> SessionList:
    """Lists the account's sessions, newest first."""
    found, total = sessions.list_(ctx.db, page)
    return SessionList(
        sessions=[SessionAnswer.of(sessions.view(ctx.db, one), sessions.now()) for one in found],
        pagination=Pagination.of(page, total),
    )


@router.get_("/data/sessions/{session_id}")
def read(ctx: ReadContext, sessions: Service[Sessions], session_id: str) -> SessionAnswer:
    """Reads a session with its tables."""
    session = sessions.read(ctx.db, session_id)
    return SessionAnswer.of(sessions.view(ctx.db, session), sessions.now())


@router.delete_("/data/sessions/{session_id}")
def end(ctx: ReadContext, sessions: Service[Sessions], session_id: str) -> SessionEnded:
    """Ends a session and frees its resources."""
    session = sessions.end(ctx.db, session_id)
    return SessionEnded(
        session_id=session_id,
        status=Status.ENDED.value,
        ended_at=session.ended_at or session.expires_at,
    )
