"""The HTTP application over all features: errors in the contract's words, health."""

import asyncio
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from prometheus_client import CollectorRegistry
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException  # noqa: TID251 - caught here, raised nowhere
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse
from starlette.routing import Match
from starlette.types import ASGIApp, Receive, Scope, Send

from modelwright import __version__
from modelwright.bootstrap.container import Container, build_container
from modelwright.core.config.load import read_settings
from modelwright.core.config.settings import listed
from modelwright.core.errors import ApiError, Detail, InvalidRequest, MethodNotAllowed
from modelwright.core.http.allowed_hosts import AllowedHosts
from modelwright.core.http.exception_handlers import (
    from_validation_error,
    handle_api_error,
    unknown_path_error,
)
from modelwright.core.http.middleware import CONTENT_SECURITY_POLICY, RequestMiddleware
from modelwright.core.logging import logger, set_up
from modelwright.core.telemetry import Telemetry, TelemetryMiddleware
from modelwright.datasets.service import Datasets
from modelwright.monitoring.service import Monitoring
from modelwright.predictions.fast_path import ENDS, PredictFastPath
from modelwright.queries.service import Queries
from modelwright.server import health
from modelwright.server.console_files import Console
from modelwright.server.metrics import MetricsMiddleware, expose
from modelwright.server.openapi.document import document
from modelwright.server.openapi.html import page
from modelwright.server.routers import ROUTERS
from modelwright.sessions.service import Sessions
from modelwright.usage.service import Usage


class Application(FastAPI):
    """FastAPI within the envelope, so that what is answered directly passes none of it."""

    outermost: ASGIApp

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handles one connection's event."""
        await self.outermost(scope, receive, send)

    def enclose(self, container: Container, telemetry: Telemetry | None) -> None:
        """Puts the envelope around the framework, metrics and traces around both where wanted."""
        direct = PredictFastPath(container.pipeline)
        settings = container.settings
        hosts = AllowedHosts(
            listed(settings.allowed_hosts), has_public_url=bool(settings.public_url)
        )
        self.outermost = RequestMiddleware(
            super().__call__, direct=direct, direct_ends=ENDS, hosts=hosts
        )
        if container.settings.metrics_port:
            self.state.registry = CollectorRegistry()
            self.outermost = MetricsMiddleware(self.outermost, registry=self.state.registry)
        self.state.telemetry = telemetry
        if telemetry is not None:
            self.outermost = TelemetryMiddleware(self.outermost, telemetry)


def create_app(
    container: Container | None = None, telemetry: Telemetry | None = None
) -> Application:
    """Builds the application over a container, or over the settings of the environment."""
    container = container or _container_of_the_environment()
    app = Application(
        title="Modelwright",
        version=__version__,
        docs_url=None,
        redoc_url=None,
        openapi_url=None,
        lifespan=_lifespan,
        redirect_slashes=False,
    )
    app.state.container = container
    app.state.pipeline = container.pipeline
    app.state.made = {}
    app.state.examining = None
    app.state.joins = None
    for router in ROUTERS:
        app.router.routes.extend(router.routes)
    app.add_api_route(
        "/data/health",
        _health,
        methods=["GET"],
        operation_id="health.read",
        response_model=health.Health,
        responses={500: {"model": health.Health, "description": "A needed part is down."}},
    )
    app.add_route("/", _home, include_in_schema=False)
    app.add_route("/openapi.json", _openapi, include_in_schema=False)
    app.add_route("/docs", _docs, include_in_schema=False)
    settings = container.settings
    app.router.routes.extend(Console(settings.public_url, settings.bucket_url).routes())
    app.add_exception_handler(ApiError, _refusal)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _unrouted)
    app.add_exception_handler(Exception, _fault)
    app.enclose(container, telemetry)
    return app


def _container_of_the_environment() -> Container:
    settings = read_settings()
    set_up(settings.log_level)
    return build_container(settings)


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    """Runs what belongs to a process: flushes while it serves, and an end in order."""
    container: Container = app.state.container
    usage = container.service(Usage)
    thread = threading.Thread(target=usage.flush_regularly, name="usage", daemon=True)
    thread.start()
    monitoring = container.service(Monitoring)
    threading.Thread(target=monitoring.flush_regularly, name="monitoring", daemon=True).start()
    stop = expose(container, app.state.registry) if container.settings.metrics_port else None
    async with AsyncExitStack() as stack:
        if app.state.joins is not None:
            await stack.enter_async_context(app.state.joins())
        yield
    if stop is not None:
        await run_in_threadpool(stop)
    for end in (monitoring.stop, usage.stop, container.service(Queries).flush):
        await run_in_threadpool(_end, end)
    await run_in_threadpool(container.service(Sessions).close)
    await run_in_threadpool(container.service(Datasets).close)
    if app.state.telemetry is not None:
        await run_in_threadpool(app.state.telemetry.stop)
    container.database.close()


def _end(end: Callable[[], None]) -> None:
    """Has a part write down what is left; where it cannot, the others end all the same."""
    try:
        end()
    except Exception:  # noqa: BLE001 - whatever it is, the server is to end
        logger().warning("app.not_written", part=end.__qualname__, exc_info=True)


async def _health(request: Request) -> JSONResponse:
    """Returns whether the service and its parts work; needs no key."""
    state = request.app.state
    if state.examining is None or state.examining.done():
        # Strangers ask too: however many there are, one look at the parts is going on.
        looking = run_in_threadpool(health.examine, state.container)
        state.examining = asyncio.ensure_future(looking)
    report = await asyncio.shield(state.examining)
    if report["status"] == "down":
        return JSONResponse({**report, "status": "degraded"}, 500)
    return JSONResponse(report)


async def _openapi(request: Request) -> Response:
    return await _made_once(request, lambda: JSONResponse(_document(request.app)))


async def _docs(request: Request) -> Response:
    headers = {"Content-Security-Policy": CONTENT_SECURITY_POLICY}
    return await _made_once(
        request, lambda: HTMLResponse(page(_document(request.app)), headers=headers)
    )


async def _made_once(request: Request, make: Callable[[], Response]) -> Response:
    """Keeps an answer that is the same for everybody: what strangers ask for must cost little."""
    made: dict[str, Response] = request.app.state.made
    path = request.url.path
    if path not in made:
        made[path] = await run_in_threadpool(make)
    return made[path]


def _document(app: FastAPI) -> dict[str, Any]:
    app.openapi_schema = app.openapi_schema or document(app)
    return app.openapi_schema


async def _home(_request: Request) -> RedirectResponse:
    return RedirectResponse("/console/")


async def _fault(_request: Request, fault: Exception) -> Response:
    """Leaves what nobody foresaw to the envelope, which logs it and answers."""
    raise fault


async def _refusal(request: Request, refusal: Exception) -> Response:
    if not isinstance(refusal, ApiError):
        raise refusal
    return handle_api_error(request, refusal)


async def _invalid(request: Request, error: Exception) -> Response:
    """Tells what is wrong with a request, but only to a caller who may make it."""
    if not isinstance(error, RequestValidationError):
        raise error
    needs = getattr(request.scope.get("endpoint"), "needs", None)
    if needs is not None:
        try:
            await run_in_threadpool(request.app.state.pipeline.check, request, needs)
        except ApiError as refusal:
            return handle_api_error(request, refusal)
    return handle_api_error(request, from_validation_error(request, error))


async def _unrouted(request: Request, error: Exception) -> Response:
    allowed = _allowed(request)
    if isinstance(error, HTTPException) and error.status_code == 405 and allowed:  # noqa: PLR2004
        message = f"{request.method} is not for this path; it takes {', '.join(allowed)}."
        details = tuple(Detail("method", method) for method in allowed)
        return handle_api_error(request, MethodNotAllowed(message, details=details))
    if isinstance(error.__cause__, ApiError):
        return handle_api_error(request, error.__cause__)
    if isinstance(error, HTTPException) and error.status_code == 400:  # noqa: PLR2004
        return handle_api_error(
            request, InvalidRequest("The body cannot be read; send JSON as UTF-8.")
        )
    return handle_api_error(request, unknown_path_error(request.url.path))


def _allowed(request: Request) -> list[str]:
    methods: set[str] = {"OPTIONS"}
    routes: list[Any] = request.app.routes
    for route in routes:
        match, _ = route.matches(request.scope)
        if match is not Match.NONE:
            methods |= set(getattr(route, "methods", None) or ())
    if "GET" in methods:
        methods.add("HEAD")
    return sorted(methods) if len(methods) > 1 else []
