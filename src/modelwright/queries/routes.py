"""`/data/query`, as a plain Starlette route, the history and verified questions.

A query runs for seconds: it is admitted in one transaction and run in none, in threads of its own,
and is stopped when the client goes away.
"""

from threading import Event

import msgspec
from anyio import CapacityLimiter
from anyio.to_thread import run_sync
from fastapi import Depends
from fastapi.exceptions import RequestValidationError
from pydantic import ValidationError
from starlette.requests import Request
from starlette.responses import Response

from modelwright.core.http.context import ReadContext, RequestContext, Scope, WriteContext
from modelwright.core.http.disconnects import watching
from modelwright.core.http.exception_handlers import from_validation_error
from modelwright.core.http.json import decode_json
from modelwright.core.http.json_bodies import check_type
from modelwright.core.http.paging import LongPaged, Paged, Pagination
from modelwright.core.http.pipeline import RequestPipeline
from modelwright.core.http.routing import ApiRouter, Service
from modelwright.core.http.schemas import Json
from modelwright.queries.domain import QueryInfo, QueryRequest, QueryType, ResultType
from modelwright.queries.errors import TooManyQueries
from modelwright.queries.learning import Learning
from modelwright.queries.query_runner import QueryAnswer
from modelwright.queries.schemas import (
    AskQuery,
    History,
    QueryEntry,
    Unverified,
    VerifiedList,
    VerifiedQuery,
    Verify,
)
from modelwright.queries.service import Context, Queries

router = ApiRouter("queries", Scope.DATASETS)
QUERY_THREADS = CapacityLimiter(200)
"""Threads that wait for query processes; other requests have their own."""
EARLIER_QUERY_MEMBERS = (b'"choice_id"', b'"follows"')
"""Members that speak of an earlier query, which must be written down first."""


async def ask(request: Request) -> Response:
    """Answers a query with a table or a chart."""
    body = await request.body()
    async with watching(request) as cancelled:
        return await run_sync(_answer, request, body, cancelled, limiter=QUERY_THREADS)


router.add_plain("POST", "/data/query", ask, body=AskQuery)


def _answer(request: Request, body: bytes, cancelled: Event) -> Response:
    pipeline: RequestPipeline = request.app.state.pipeline
    queries = pipeline.service(Queries)

    def find(ctx: RequestContext) -> tuple[QueryRequest, Context]:
        command = _read(request, body)
        return command.ask(), queries.find(ctx.db, command.ask(), command.session_id)

    if any(member in body for member in EARLIER_QUERY_MEMBERS):
        queries.flush()
    asked, context = pipeline.run(request, router.reads, find, writes=False)
    standing = request.state.standing = queries.count(context.session)
    if not standing.allowed:
        raise TooManyQueries(standing.limit, standing.retry_after)
    entry, found = queries.ask(asked, context, cancelled)
    return Response(msgspec.json.encode(_told(entry, found)), media_type="application/json")


def _read(request: Request, body: bytes) -> AskQuery:
    check_type(request.headers)
    try:
        return AskQuery.model_validate(decode_json(body) if body else {})
    except ValidationError as fault:
        found = [{**one, "loc": ("body", *one["loc"])} for one in fault.errors()]
        raise from_validation_error(request, RequestValidationError(found)) from None


def _told(entry: QueryInfo, found: QueryAnswer) -> Json:
    """Writes the answer to a query; its rows are passed on as the child encoded them."""
    rows, reading = found.rows, found.reading
    answer: Json = {
        "query_id": entry.query_id,
        "session_id": entry.session_id,
        "result_type": ResultType.TABLE.value,
        "columns": rows.columns,
        "rows": msgspec.Raw(rows.encoded),
        "row_count": rows.row_count,
        "truncated": rows.truncated,
        "execution_time_ms": entry.execution_time_ms,
        "generated_sql": reading.sql,
        "warnings": list(reading.warnings),
    }
    if entry.query_type is QueryType.NATURAL_LANGUAGE:
        answer |= {
            "interpretation": reading.interpretation,
            "verified": reading.verified,
            "question": entry.question,
            "confidence": reading.confidence,
            "read_by": list(reading.read_by),
            "units": found.units,
        }
    if found.chart is not None:
        answer |= {"result_type": ResultType.VISUALIZATION.value, **found.chart.as_json()}
        answer["truncated"] = rows.truncated or found.chart.is_cut
    return answer


def _written_down(request: Request) -> None:
    """Brings the history up to date before the request's transaction begins."""
    request.app.state.pipeline.services[Queries].flush()


UP_TO_DATE = [Depends(_written_down)]


@router.get_("/data/sessions/{session_id}/queries", dependencies=UP_TO_DATE)
def list_(ctx: ReadContext, queries: Service[Queries], session_id: str, page: LongPaged) -> History:
    """Lists the queries of a session, newest first, failed ones included."""
    found, total = queries.list_(ctx.db, session_id, page)
    return History(
        queries=[QueryEntry.of(query) for query in found],
        pagination=Pagination.of(page, total),
    )


def _learnt(
    found: VerifiedQuery | Response,
    queries: Service[Queries],  # noqa: ARG001 - it is given what the handler is
    learning: Service[Learning],
) -> VerifiedQuery:
    """Learns what the question shows of words; an answer that is repeated taught it before."""
    if isinstance(found, VerifiedQuery):
        learning.learn(found.query_id)
    return found  # type: ignore[return-value]


@router.post_("/data/queries/{query_id}/verify", dependencies=UP_TO_DATE, then=_learnt)
def verify(
    ctx: WriteContext,
    queries: Service[Queries],
    learning: Service[Learning],  # noqa: ARG001 - it learns when the transaction is over
    query_id: str,
    body: Verify | None = None,
) -> VerifiedQuery:
    """Verifies SQL for a question: the query's own, a choice, or a corrected one."""
    given = body or Verify()
    return VerifiedQuery.of(queries.verify(ctx.db, query_id, given.sql, given.choice_id))


@router.delete_("/data/queries/{query_id}/verify", dependencies=UP_TO_DATE)
def unverify(ctx: WriteContext, queries: Service[Queries], query_id: str) -> Unverified:
    """Withdraws the verification of a question."""
    queries.unverify(ctx.db, query_id)
    return Unverified(query_id=query_id)


@router.get_("/data/verified-queries")
def verified(ctx: ReadContext, queries: Service[Queries], page: Paged) -> VerifiedList:
    """Lists verified questions, newest first."""
    found, total = queries.verified(ctx.db, page)
    return VerifiedList(
        verified_queries=[VerifiedQuery.of(one) for one in found],
        pagination=Pagination.of(page, total),
    )
