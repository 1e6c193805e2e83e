"""`…/infer`, `…/predictions` and `/predict/…` as plain Starlette routes: every prediction's path.

With a version in the path that version answers, without one the version in service. msgspec
decodes and encodes. Where caller and version are remembered from the last commit and the predictor
is loaded, one row is answered on the event loop, a tenth of a millisecond of computing; everything
else stands in a line for one thread hop. A deployment's replica gets the body as it came.
"""

import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any, Protocol, cast

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from modelwright.core.errors import ValidationFailed
from modelwright.core.http.context import Caller, Scope
from modelwright.core.http.json import decode_json
from modelwright.core.http.json_bodies import check_type
from modelwright.core.http.pipeline import RequestPipeline
from modelwright.core.http.routing import ApiRouter
from modelwright.deployments.domain import DeploymentInfo
from modelwright.deployments.errors import NoReplica
from modelwright.endpoints.domain import EndpointTarget
from modelwright.models.domain import ServedVersion
from modelwright.predictions.domain import Include, UnknownIncludeError, errors_of, includes_of
from modelwright.predictions.service import Predictions

router = ApiRouter("predictions", Scope.PREDICTIONS)
NEEDS = router.reads
AT_ONCE_BYTES = 64 * 1024
"""The largest body that is answered without a thread, some hundred rows."""
PATIENCE_SECONDS = 20.0
"""How long a request waits for a deployment without replicas, which are then being replaced."""


DEFAULT_ENVIRONMENT = "production"
"""The environment of an endpoint where a request names none."""
AT_ENDPOINT = "endpoint"
"""What tells the names of an endpoint from those of a version among what is remembered."""


class Answerer(Protocol):
    """A verb of the service that answers a decoded body."""

    def __call__(
        self,
        caller: Caller,
        version: ServedVersion,
        body: Any,
        request_id: str,
        /,
        *,
        include: frozenset[Include],
    ) -> Any:
        """Answers."""


Known = tuple[Caller, ServedVersion]
AtEndpoint = tuple[Caller, EndpointTarget]


def route(path: str, verb: Callable[[Predictions], Answerer], *, at_once: bool) -> None:
    """Adds a route that answers with a verb of the service.

    What is answered `at_once` needs no thread when nothing has to be read for it.
    """

    async def endpoint(request: Request) -> Response:
        known = _known_at_once(request)
        body = await request.body()
        if at_once and known is not None and _is_quick(request, body, known[1]):
            return _answer(request, body, verb, known)
        queue, pipeline = _predictions(request).queue, request.app.state.pipeline
        account = pipeline.account_hint(request)
        return await queue.run(account, len(body), lambda: _answer(request, body, verb, known))

    router.add_plain("POST", path, endpoint)


def _known_at_once(request: Request) -> Known | None:
    pipeline: RequestPipeline = request.app.state.pipeline
    return pipeline.cached_nowait(request, NEEDS, _asked(request))


def _is_quick(request: Request, body: bytes, version: ServedVersion) -> bool:
    is_short = len(body) <= AT_ONCE_BYTES and not request.scope["query_string"]
    return is_short and _predictions(request).has_loaded(version)


def _answer(
    request: Request, body: bytes, verb: Callable[[Predictions], Answerer], known: Known | None
) -> Response:
    predictions = _predictions(request)
    caller, version = known or _known(request, predictions)
    include = _include(request)
    check_type(request.headers)
    rows = decode_json(body)
    answer = verb(predictions)(caller, version, rows, request.state.request_id, include=include)
    return Response(msgspec.json.encode(answer), media_type="application/json")


def _known(request: Request, predictions: Predictions) -> Known:
    pipeline: RequestPipeline = request.app.state.pipeline
    asked = _asked(request)
    return pipeline.known(request, NEEDS, asked, lambda ctx: predictions.find(ctx.db, *asked))


def _asked(request: Request) -> tuple[str, str]:
    path = request.path_params
    return path["model_name"], path["model_version"]


def _predictions(request: Request) -> Predictions:
    pipeline: RequestPipeline = request.app.state.pipeline
    return pipeline.service(Predictions)


def _include(request: Request) -> frozenset[Include]:
    if not request.scope["query_string"]:
        return frozenset()
    found: frozenset[Include] = frozenset()
    for name, read in (("include", includes_of), ("errors", errors_of)):
        try:
            found |= read(request.query_params.getlist(name))
        except UnknownIncludeError as unknown:
            raise ValidationFailed.of(name, str(unknown)) from None
    return found


async def deployed(request: Request) -> Response:
    """Has a replica of a deployment answer; waits while replicas are being replaced."""
    predictions = _predictions(request)
    body, (caller, deployment) = await _known_deployment(request, predictions)
    check_type(request.headers)
    include, request_id = _include(request), request.state.request_id
    until = time.monotonic() + PATIENCE_SECONDS
    while True:
        try:
            answer = await predictions.deployed(
                caller, deployment, body, request_id, include=include
            )
            return Response(answer, media_type="application/json")
        except NoReplica:
            if time.monotonic() > until:
                raise
        await run_in_threadpool(_find_again, request, caller, deployment)


async def _known_deployment(
    request: Request, predictions: Predictions
) -> tuple[bytes, tuple[Caller, DeploymentInfo]]:
    pipeline: RequestPipeline = request.app.state.pipeline
    deployment_id = request.path_params["deployment_id"]
    known = pipeline.cached_nowait(request, NEEDS, (deployment_id,))
    body = await request.body()
    if known is not None:
        return body, known

    def look() -> tuple[Caller, DeploymentInfo]:
        return pipeline.known(
            request,
            NEEDS,
            (deployment_id,),
            lambda ctx: predictions.find_deployment(ctx.db, deployment_id),
        )

    return body, await run_in_threadpool(look)


def endpoint_route(path: str, verb: Callable[[Predictions], Answerer], *, is_many: bool) -> None:
    """Adds a route that answers with the version in service, by its replicas where it has any."""

    async def endpoint(request: Request) -> Response:
        pipeline: RequestPipeline = request.app.state.pipeline
        known: AtEndpoint | None = pipeline.cached_nowait(request, NEEDS, _asked_endpoint(request))
        body = await request.body()
        if known is None or known[1].deployment is None:
            answered = await _answer_here(request, body, verb, known, is_many=is_many)
            if isinstance(answered, Response):
                return answered
            known = answered
        return await _answer_by_replicas(request, body, verb, known, is_many=is_many)

    router.add_plain("POST", path, endpoint)


async def _answer_here(
    request: Request,
    body: bytes,
    verb: Callable[[Predictions], Answerer],
    known: AtEndpoint | None,
    *,
    is_many: bool,
) -> Response | AtEndpoint:
    """Answers in this process, unless it turns out that replicas are to."""
    if known is not None and not is_many and _is_quick(request, body, known[1].version):
        return _answer(request, body, verb, (known[0], known[1].version))

    def work() -> Response | AtEndpoint:
        found = known or _known_endpoint(request)
        if found[1].deployment is not None:
            return found
        return _answer(request, body, verb, (found[0], found[1].version))

    account = request.app.state.pipeline.account_hint(request)
    return await _predictions(request).queue.run(account, len(body), work)


async def _answer_by_replicas(
    request: Request,
    body: bytes,
    verb: Callable[[Predictions], Answerer],
    known: AtEndpoint,
    *,
    is_many: bool,
) -> Response:
    """Has a replica answer; where none does, as while they are replaced, this process answers."""
    predictions, (caller, target) = _predictions(request), known
    check_type(request.headers)
    include, request_id = _include(request), request.state.request_id
    if target.deployment is not None:
        with suppress(NoReplica):
            answer = await predictions.deployed(
                caller, target.deployment, body, request_id, include=include, is_many=is_many
            )
            return Response(answer, media_type="application/json")
    here = (caller, EndpointTarget(target.version, None))
    return cast("Response", await _answer_here(request, body, verb, here, is_many=is_many))


def _known_endpoint(request: Request) -> AtEndpoint:
    pipeline: RequestPipeline = request.app.state.pipeline
    predictions, asked = _predictions(request), _asked_endpoint(request)
    model_name, _, environment = asked
    return pipeline.known(
        request,
        NEEDS,
        asked,
        lambda ctx: predictions.find_in_service(ctx.db, model_name, environment),
    )


def _asked_endpoint(request: Request) -> tuple[str, str, str]:
    environment = request.query_params.get("environment", DEFAULT_ENVIRONMENT)
    return request.path_params["model_name"], AT_ENDPOINT, environment


def _find_again(request: Request, caller: Caller, deployment: DeploymentInfo) -> None:
    pipeline: RequestPipeline = request.app.state.pipeline
    with pipeline.database.transaction(caller.account_id, write=False) as db:
        _predictions(request).find_deployment(db, deployment.deployment_id)


router.add_plain("POST", "/predict/{deployment_id}", deployed)
route(
    "/models/{model_name}/{model_version}/predictions", lambda service: service.many, at_once=False
)
route("/models/{model_name}/{model_version}/infer", lambda service: service.infer, at_once=True)
endpoint_route(
    "/models/{model_name}/predictions",
    lambda service: partial(service.many, tells_version=True),
    is_many=True,
)
endpoint_route("/models/{model_name}/infer", lambda service: service.infer, is_many=False)
MANY = router.routes[-4]
"""The route of batches; `fast_path` answers its plain requests past the framework."""
INFER = router.routes[-3]
"""The route of single rows; likewise."""
MANY_AT_ENDPOINT = router.routes[-2]
"""The route of batches for the version in service; likewise."""
INFER_AT_ENDPOINT = router.routes[-1]
"""The route of single rows for the version in service; likewise."""
