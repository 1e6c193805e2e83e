"""Turns a feature's plain functions into routes: one thread hop, one transaction, caller admitted.

A handler says in its signature who may call it (`ctx: ReadContext`) and which services it uses
(`uploads: Service[Uploads]`); both are filled in here, the rest is FastAPI's.
"""

import inspect
from collections.abc import Callable
from dataclasses import dataclass, field, replace
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
class Beforehand:
    """Marks a parameter that holds what the route's `first` came to."""


Prepared = Annotated[T, Beforehand()]


@dataclass(frozen=True, slots=True)
class HandlerSignature:
    """What the pipeline fills in for a handler."""

    ctx: str
    needs: RequiredPermission
    services: dict[str, type]
    prepared: str | None = None


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
    first: Callable[..., Callable[[], Any]] | None
    """Looks (what the handler gets) in a transaction that only reads, and returns what is done
    before the handler's own one begins, so that nobody waits for a file or the network there."""


class ApiRouter(APIRouter):
    """A feature's router; an operation's id is its name and a verb, such as `uploads.confirm`."""

    def __init__(self, feature: str, scope: str | None = None) -> None:
        super().__init__(tags=[feature], route_class=JsonRoute, strict_content_type=False)
        self.feature = feature
        self.scope = scope
        """What a narrowed key must be for, unless a route says otherwise."""
        self.reads = RequiredPermission(Level.READ_ONLY, scope)
        """What its routes need that only read."""

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
        first: Callable[..., Callable[[], Any]] | None = None,
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
            first=first,
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

    def add_plain(self, method: str, path: str, endpoint: Any, body: type | None = None) -> None:
        """Adds a route that only reads, for which FastAPI neither reads bodies nor writes answers.

        The feature's `openapi` module describes it.
        """
        endpoint.needs, endpoint.body = self.reads, body
        self.add_route(path, endpoint, methods=[method], include_in_schema=False)

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


def _signature_of(handler: Callable[..., Any]) -> HandlerSignature:
    """Reads from a handler's annotations what the pipeline must fill in.

    A handler without a permission is a mistake of ours and raises TypeError.
    """
    ctx, needs, services, prepared = "", None, {}, None
    for name, hint in get_type_hints(handler, include_extras=True).items():
        if get_origin(hint) is not Annotated:
            continue
        kind, *marks = get_args(hint)
        if kind is RequestContext:
            ctx, needs = name, next(mark for mark in marks if isinstance(mark, RequiredPermission))
        elif any(isinstance(mark, Inject) for mark in marks):
            services[name] = kind
        elif any(isinstance(mark, Beforehand) for mark in marks):
            prepared = name
    if needs is None:
        message = f"{handler.__module__}.{handler.__name__} declares no permission"
        raise TypeError(message)
    return HandlerSignature(ctx, needs, services, prepared)


@dataclass(slots=True)
class _Handling:
    """One request on its way through its handler."""

    handler: Callable[..., Any]
    manner: RouteOptions
    known: HandlerSignature
    request: Request
    given: dict[str, Any]
    prepared: dict[str, Any] = field(default_factory=dict)

    @property
    def pipeline(self) -> RequestPipeline:
        """What every request passes."""
        pipeline: RequestPipeline = self.request.app.state.pipeline
        return pipeline

    @property
    def services(self) -> dict[str, Any]:
        """The services that the handler asks for, by parameter."""
        return {name: self.pipeline.services[kind] for name, kind in self.known.services.items()}

    def prepare(self, first: Callable[..., Callable[[], Any]]) -> None:
        """Does what the route's `first` finds to do; nothing for what was answered before."""

        def look(ctx: RequestContext) -> Callable[[], Any]:
            if self.manner.remembers and self.pipeline.is_answered(ctx, self.request):
                return lambda: None
            return first(**self.given, **self.services, **{self.known.ctx: ctx})

        act = self.pipeline.run(self.request, self.known.needs, look, writes=False)
        self.prepared[self.known.prepared or ""] = act()

    def carry_out(self, ctx: RequestContext) -> Any:
        """Does what is asked and records it."""
        filled = self.services | self.prepared | {self.known.ctx: ctx}
        answer = self.handler(**self.given, **filled)
        if self.manner.writes and self.known.needs.level > Level.READ_ONLY:
            self.pipeline.record(ctx, self.request, answer)
        return answer

    def renew(self, ctx: RequestContext, answer: Any) -> Any:
        """Answers what was answered before."""
        if self.manner.again is None:
            return JSONResponse(answer)
        return self.manner.again(answer=answer, **self.services, **{self.known.ctx: ctx})

    def work(self, job: Callable[[RequestContext], Any]) -> Any:
        """Does all that the request asks for; for a thread."""
        if self.manner.first is not None:
            self.prepare(self.manner.first)
        found = self.pipeline.run(self.request, self.known.needs, job, writes=self.manner.writes)
        then = self.manner.then
        return found if then is None else then(found=found, **self.services)


def _endpoint(
    handler: Callable[..., T], manner: RouteOptions, scope: str | None
) -> Callable[..., Any]:
    """Makes a handler an endpoint: its arguments are filled, and it runs within the pipeline."""
    known = _signature_of(handler)
    known = replace(known, needs=replace(known.needs, scope=scope))
    filled = {known.ctx, *known.services, known.prepared}

    async def endpoint(request: Request, **given: Any) -> Any:
        handling = _Handling(handler, manner, known, request, given)
        pipeline = handling.pipeline
        job: Callable[[RequestContext], Any] = handling.carry_out
        key = request.headers.get(HEADER)
        if manner.remembers and key is not None:
            body = await request.body()
            seen = fingerprint(pipeline.secret, request.method, request.url.path, body)
            job = pipeline.execute_idempotent(key, seen, job, handling.renew)

        def work() -> Any:
            return handling.work(job)

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
    filled: set[str | None],
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
