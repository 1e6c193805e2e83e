"""`/jobs`."""

from typing import Annotated

from fastapi import Header, Request, Response
from starlette.concurrency import run_in_threadpool
from starlette.responses import StreamingResponse

from modelwright.core.errors import InsufficientPermissions, not_found
from modelwright.core.http.context import ReadContext, RequestContext, Scope, WriteContext
from modelwright.core.http.paging import LogPaged, Paged, Pagination
from modelwright.core.http.pipeline import RequestPipeline
from modelwright.core.http.routing import ApiRouter, Service
from modelwright.jobs.domain import JobInfo, Kind, Status
from modelwright.jobs.event_stream import (
    EVENT_ID,
    EVENTS,
    EventStreamResponse,
    JobEventStream,
    StreamSlots,
    parse_event_id,
)
from modelwright.jobs.schemas import JobDetail, JobList, JobLogEntry, JobLogs
from modelwright.jobs.service import Jobs

router = ApiRouter("jobs")
SCOPES = {Kind.BUILD: Scope.MODELS, Kind.DEPLOYMENT: Scope.MODELS, Kind.SCORING: Scope.PREDICTIONS}
"""Which keys the jobs of a kind are for; of all other kinds, those of datasets."""


def _scope_of(kind: str) -> Scope:
    return SCOPES.get(Kind(kind), Scope.DATASETS)


def _check_scope(ctx: RequestContext, facts: JobInfo) -> JobInfo:
    """Refuses a job that clients do not see, and a key narrowed to other parts of the account."""
    if facts.kind not in set(Kind):
        raise not_found("job_id", facts.job_id)
    scope = _scope_of(facts.kind)
    if not ctx.caller.has_scope(scope):
        raise InsufficientPermissions(f"This job needs a key with the scope {scope}.")
    return facts


@router.get_("/jobs")
def list_(
    ctx: ReadContext,
    jobs: Service[Jobs],
    page: Paged,
    status: Status | None = None,
    kind: Kind | None = None,
) -> JobList:
    """Lists the account's jobs, newest first."""
    kinds = [one for one in Kind if ctx.caller.has_scope(_scope_of(one))]
    if kind is not None:
        kinds = [one for one in kinds if one is kind]
    found, total = jobs.list_(ctx.db, page, status=status, kinds=kinds)
    return JobList(
        jobs=[JobDetail.of(facts) for facts in found], pagination=Pagination.of(page, total)
    )


@router.get_("/jobs/{job_id}")
def read(ctx: ReadContext, jobs: Service[Jobs], job_id: str) -> JobDetail:
    """Reads the state of a job."""
    return JobDetail.of(_check_scope(ctx, jobs.read(ctx.db, job_id)), whole=True)


@router.get_("/jobs/{job_id}/logs")
def logs(ctx: ReadContext, jobs: Service[Jobs], job_id: str, page: LogPaged) -> JobLogs:
    """Lists the log lines of a job, oldest first."""
    _check_scope(ctx, jobs.read(ctx.db, job_id))
    lines, total = jobs.logs(ctx.db, page, job_id=job_id)
    return JobLogs(
        logs=[JobLogEntry.model_validate(line) for line in lines],
        pagination=Pagination.of(page, total),
    )


@router.post_("/jobs/{job_id}/cancel")
def cancel(ctx: WriteContext, jobs: Service[Jobs], job_id: str) -> JobDetail:
    """Stops a job; what it was making ends as failed. A finished job is a conflict."""
    _check_scope(ctx, jobs.read(ctx.db, job_id))
    return JobDetail.of(jobs.cancel(ctx.db, job_id))


async def follow(
    request: Request,
    job_id: str,
    last_event_id: Annotated[str, Header(json_schema_extra={"pattern": EVENT_ID})] = "0",
) -> Response:
    """Streams a job's progress and log lines as server-sent events; resumes by `Last-Event-ID`."""
    pipeline: RequestPipeline = request.app.state.pipeline
    jobs = pipeline.service(Jobs)

    def look(ctx: RequestContext) -> JobEventStream | None:
        facts = _check_scope(ctx, jobs.read(ctx.db, job_id))
        after = parse_event_id(last_event_id)
        if after is None and facts.is_over:
            return None
        return JobEventStream(
            pipeline.database,
            jobs,
            facts.account_id,
            facts.job_id,
            after or 0,
            lambda db: pipeline.caller(db, request),
        )

    following = await run_in_threadpool(pipeline.run, request, router.reads, look, writes=False)
    if following is None:
        return Response(status_code=204)
    if request.state.asked == "HEAD":
        return Response(media_type=EVENTS)
    streams = pipeline.service(StreamSlots)
    return EventStreamResponse(
        following, streams, lambda: getattr(request.app.state, "closing", False)
    )


follow.needs = router.reads  # type: ignore[attr-defined]
router.add_api_route(
    "/jobs/{job_id}/events",
    follow,
    methods=["GET"],
    operation_id="jobs.follow",
    summary="Streams a job's progress and log lines as server-sent events.",
    response_class=StreamingResponse,
    responses={
        200: {"content": {EVENTS: {}}, "description": "Events log, progress, end."},
        204: {"description": "All of the job's events were already received."},
    },
)
