"""Turns a feature's plain functions into routes: one thread hop, one transaction, caller admitted.

A handler says in its signature who may call it (`ctx: Reading`) and which services it uses
(`uploads: Service[Uploads]`); both are filled in here, the rest is FastAPI's.
"""

import inspect
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Annotated, Any, TypeVar, get_args, get_origin, get_type_hints

from fastapi import APIRouter, Request
from starlette.responses import JSONResponse

from modelwright.core.http.context import Level, RequestContext, RequiredPermission
from modelwright.core.http.disconnects import watching
from modelwright.core.http.idempotency import HEADER, fingerprint
from modelwright.core.http.json_bodies import JsonRoute
from modelwright.core.http.pipeline import RequestPipeline

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Inject:
    """Marks a parameter that is a service of the container."""


Service = Annotated[T, Inject()]


@dataclass(frozen=True, slots=True)
class HandlerSignature:
    """What the pipeline fills in for a handler."""

    ctx: str
    needs: RequiredPermission
    services: dict[str, type]


@dataclass(frozen=True, slots=True)
class RouteOptions:
    """How a route's transaction and repetition are handled."""

    writes: bool
    """Whether the transaction writes."""
    remembers: bool
    """Whether an `Idempotency-Key` makes it answer once."""
    stops: bool
    """Whether the handler is told when the client goes away (`ctx.is_gone`)."""
    again: Callable[..., Any] | None
    """Renews a replayed answer (`ctx`, services, `answer`), for secrets that are not stored."""
    then: Callable[..., Any] | None
    """Makes the answer (services, `found`) of what the handler found, outside its transaction."""


class ApiRouter(APIRouter):
    """A feature's router; an operation's id is its name and a verb, such as `uploads.confirm`."""

    def __init__(self, feature: str, scope: str | None = None) -> None:
        super().__init__(tags=[feature], route_class=JsonRoute, strict_content_type=False)
        self.feature = feature
        self.scope = scope
        """What a narrowed key must be for, unless a route says otherwise."""

    def add(
        self,
        method: str,
        path: str,
        *,
        writes: bool | None = None,
        remembers: bool | None = None,
        stops: bool = False,
        again: Callable[..., Any] | None = None,
        then: Callable[..., Any] | None = None,
        scope: str | None = None,
        **more: Any,
    ) -> Callable[[Callable[..., T]], Callable[..., T]]:
        """Adds a route; by default all but GET write, and POST honours `Idempotency-Key`."""
        manner = RouteOptions(
            writes=method != "GET" if writes is None else writes,
            remembers=method == "POST" if remembers is None else remembers,
            stops=stops,
            again=again,
            then=then,
        )

        def register(handler: Callable[..., T]) -> Callable[..., T]:
            self.add_api_route(
                path,
                _endpoint(handler, manner, scope or self.scope),
                methods=[method],
                operation_id=f"{self.feature}.{handler.__name__.rstrip('_')}",
                summary=(handler.__doc__ or "").split("\n", 1)[0],
                **more,
            )
            return handler

        return register

    def get_(self, path: str, **more: Any) -> Callable[[Callable[..., T]], Callable[..., T]]:
        """Adds a GET."""
        return self.add("GET", path, **more)

    def post_(self, path: str, **more: Any) -> Callable[[Callable[..., T]], Callable[..., T]]:
        """Adds a POST."""
        return self.add("POST", path, **more)

    def patch_(self, path: str, **more: Any) -> Callable[[Callable[..., T]], Callable[..., T]]:
        """Adds a PATCH."""
        return self.add("PATCH", path, **more)

    def delete_(self, path: str, **more: Any) -> Callable[[Callable[..., T]], Callable[..., T]]:
        """Adds a DELETE."""
        return self.add("DELETE", path, **more)


def signature_of(handler: Callable[..., Any]) -> HandlerSignature:
    """Reads from a handler's annotations what the pipeline must fill in.

    A handler without a permission is a mistake of ours and raises TypeError.
    """
    ctx, needs, services = "", None, {}
    for name, hint in get_type_hints(handler, include_extras=True).items():
        if get_origin(hint) is not Annotated:
            continue
        kind, *marks = get_args(hint)
        if kind is RequestContext:
            ctx, needs = name, next(mark for mark in marks if isinstance(mark, RequiredPermission))
        elif any(isinstance(mark, Inject) for mark in marks):
            services[name] = kind
    if needs is None:
        message = f"{handler.__module__}.{handler.__name__} declares no permission"
        raise TypeError(message)
    return HandlerSignature(ctx, needs, services)


def _endpoint(
    handler: Callable[..., T], manner: RouteOptions, scope: str | None
) -> Callable[..., Any]:
    known = signature_of(handler)
    known = replace(known, needs=replace(known.needs, scope=scope))
    filled = {known.ctx, *known.services}

    async def endpoint(request: Request, **given: Any) -> Any:
        pipeline: RequestPipeline = request.app.state.pipeline
        services = {name: pipeline.services[kind] for name, kind in known.services.items()}

        def carry_out(ctx: RequestContext) -> Any:
            answer = handler(**given, **services, **{known.ctx: ctx})
            if manner.writes and known.needs.level > Level.READ_ONLY:
                pipeline.record(ctx, request, answer)
            return answer

        def renew(ctx: RequestContext, answer: Any) -> Any:
            if manner.again is None:
                return JSONResponse(answer)
            return manner.again(answer=answer, **services, **{known.ctx: ctx})

        job: Callable[[RequestContext], Any] = carry_out
        key = request.headers.get(HEADER)
        if manner.remembers and key is not None:
            body = await request.body()
            seen = fingerprint(pipeline.secret, request.method, request.url.path, body)
            job = pipeline.execute_idempotent(key, seen, carry_out, renew)

        def work() -> Any:
            found = pipeline.run(request, known.needs, job, writes=manner.writes)
            return found if manner.then is None else manner.then(found=found, **services)

        if not manner.stops:
            return await pipeline.run_in_account_thread(request, work)
        async with watching(request) as gone:
            request.state.is_gone = gone.is_set
            return await pipeline.run_in_account_thread(request, work)

    _describe(endpoint, handler, known, filled, manner.then or handler)
    endpoint.remembers = manner.remembers  # type: ignore[attr-defined]
    return endpoint


def _describe(
    endpoint: Any,
    handler: Callable[..., Any],
    known: HandlerSignature,
    filled: set[str],
    answering: Callable[..., Any],
) -> None:
    """Gives an endpoint the signature FastAPI reads: the handler's, less what is filled in."""
    hints = get_type_hints(handler, include_extras=True)
    kept = [
        parameter.replace(annotation=hints[parameter.name])
        for parameter in inspect.signature(handler).parameters.values()
        if parameter.name not in filled
    ]
    first = inspect.Parameter(
        "request", inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=Request
    )
    keywords = [item.replace(kind=inspect.Parameter.KEYWORD_ONLY) for item in kept]
    endpoint.__signature__ = inspect.Signature(
        [first, *keywords], return_annotation=get_type_hints(answering).get("return")
    )
    endpoint.__name__ = handler.__name__
    endpoint.__doc__ = handler.__doc__
    endpoint.needs = known.needs
    endpoint.body = hints.get("body")
