"""The envelope of every request: its id, CORS, the API version, body bounds, one log line."""

import re
import time
from asyncio import CancelledError
from collections.abc import Awaitable, Callable
from typing import Any

import structlog
from starlette.datastructures import Headers
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from modelwright.core.errors import ApiError, InvalidRequest, PayloadTooLarge, Unavailable
from modelwright.core.http.allowed_hosts import AllowedHosts
from modelwright.core.http.body_limits import limit_body
from modelwright.core.http.exception_handlers import error_response, unknown_path_error
from modelwright.core.ids import new_id
from modelwright.core.limits.contract import LIMITS, Limits
from modelwright.core.logging import log_request, logger

API_VERSION = "v1"
CONTENT_SECURITY_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)
"""What a page may do that is words alone."""
_DATABASE_PATHS = re.compile(r"/database(/.*)?", re.DOTALL)
_VISUALIZATION_PATHS = re.compile(r"/data/visualization/[^/]+")
_ALLOWED_METHODS = "OPTIONS, GET, PUT, POST, DELETE, PATCH, HEAD"
_ALLOWED_HEADERS = (
    "Content-Type, X-Api-Key, x-api-key, Authorization, authorization, auth, Origin, Accept, "
    "X-Requested-With, Idempotency-Key, API-Version, Last-Event-ID, X-CSRF-Token, Range"
)
_PREFLIGHT_EXPOSED_HEADERS = (
    "x-api-key,X-Api-Key,authorization,Authorization,content-type,Content-Type"
)
_EXPOSED_HEADERS = (
    _PREFLIGHT_EXPOSED_HEADERS + ",X-Request-Id,API-Version,Retry-After,X-RateLimit-Limit,"
    "X-RateLimit-Remaining,X-RateLimit-Reset,Content-Disposition,Content-Range"
)


FastPath = Callable[[Scope, Receive], Awaitable[bytes | None]]
"""Answers a request with JSON, past the framework; None leaves it as it was. May refuse."""


class RequestMiddleware:
    """Wraps the application; what ends in `direct_ends` is asked of `direct` first."""

    def __init__(
        self,
        app: ASGIApp,
        limits: Limits = LIMITS,
        direct: FastPath | None = None,
        direct_ends: tuple[str, ...] = (),
        hosts: AllowedHosts | None = None,
    ) -> None:
        self.app = app
        self.limits = limits
        self.hosts = hosts
        self.direct, self.direct_ends = direct, direct_ends
        self.log = logger()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handles one connection's event."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        request_id = new_id("req")
        state = scope.setdefault("state", {})
        state["request_id"] = request_id
        started = time.perf_counter()
        asked = state["asked"] = scope["method"]
        status = 0

        async def send_on(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                scope["method"] = asked  # the server below must know that no body follows
                _add_headers(message, scope)
            elif asked == "HEAD":
                message = {**message, "body": b""}
            await send(message)

        try:
            await self._answer(asked, scope, receive, send_on)
        except ClientDisconnect:
            status = 499
        except CancelledError:
            await _abort(asked, status, scope, receive, send_on)
        except ApiError as error:
            await error_response(asked, scope["path"], error, request_id)(scope, receive, send_on)
        except Exception as fault:
            details = {"path": scope["path"], "request_id": request_id, "exc_info": fault}
            self.log.error("http.failed", **details)  # noqa: TRY400 - structlog
            if status:
                raise
            await error_response(asked, scope["path"], _INTERNAL_ERROR, request_id)(
                scope, receive, send_on
            )
        finally:
            _log_request(asked, scope, status, started, state)

    async def _answer(self, asked: str, scope: Scope, receive: Receive, send: Send) -> None:
        if self.direct and asked == "POST" and scope["path"].endswith(self.direct_ends):
            found = await self.direct(scope, receive)
            if found is not None:
                headers = [_JSON_CONTENT_TYPE, (b"content-length", b"%d" % len(found))]
                await send({"type": "http.response.start", "status": 200, "headers": headers})
                await send({"type": "http.response.body", "body": found})
                return
        if self.hosts is not None:
            self.hosts.check(scope)
        scope["headers"] = [
            (name, value) for name, value in scope["headers"] if name != _USER_ID_HEADER
        ]
        if asked == "HEAD" and not scope["path"].startswith("/storage/"):
            scope["method"] = "GET"
        with structlog.contextvars.bound_contextvars(request_id=scope["state"]["request_id"]):
            await self._pass(asked, scope, receive, send)

    async def _pass(self, asked: str, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers what needs no route, and bounds the body of everything else."""
        path = scope["path"]
        request_id = scope["state"]["request_id"]
        if asked == "OPTIONS":
            await _preflight(path, send)
            return
        if "\0" in path:
            await error_response(asked, path, unknown_path_error(path), request_id)(
                scope, receive, send
            )
            return
        version = Headers(scope=scope).get("api-version")
        if version and version != API_VERSION:
            error: ApiError = InvalidRequest(f"API-Version: this server speaks {API_VERSION}.")
            await error_response(asked, path, error, request_id)(scope, receive, send)
            return
        if path.startswith("/storage/"):
            await self.app(scope, receive, send)
            return
        bound = self.limits.body_bytes
        if path.endswith("/predictions") or path.startswith("/predict/"):
            bound = self.limits.predictions_body_bytes
        try:
            await self.app(scope, limit_body(receive, scope, bound), send)
        except PayloadTooLarge as too_large:
            await error_response(asked, path, too_large, request_id)(scope, receive, send)


_USER_ID_HEADER = b"x-user-id"
_JSON_CONTENT_TYPE = (b"content-type", b"application/json")
_SHUTTING_DOWN = Unavailable("The server is stopping; send it again.", retry_after=10)
_INTERNAL_ERROR = ApiError("Something went wrong on our side; the request id names the log entry.")


async def _abort(method: str, status: int, scope: Scope, receive: Receive, send: Send) -> None:
    """Ends a request for which the server, which stops, has no more time."""
    if not status:
        request_id = scope["state"]["request_id"]
        await error_response(method, scope["path"], _SHUTTING_DOWN, request_id)(
            scope, receive, send
        )


async def _preflight(path: str, send: Send) -> None:
    methods = "OPTIONS, GET" if _DATABASE_PATHS.fullmatch(path) else _ALLOWED_METHODS
    shown = _VISUALIZATION_PATHS.fullmatch(path) is not None
    headers = {
        "access-control-allow-origin": "*",
        "access-control-allow-credentials": "true",
        "access-control-max-age": "86400",
        "access-control-allow-methods": methods,
        "access-control-allow-headers": _ALLOWED_HEADERS,
        "access-control-expose-headers": _PREFLIGHT_EXPOSED_HEADERS,
        "content-length": "0",
    }
    if not shown:
        del headers["content-length"]
    raw = [(name.encode(), value.encode()) for name, value in headers.items()]
    status = 200 if shown else 204
    await send({"type": "http.response.start", "status": status, "headers": raw})
    await send({"type": "http.response.body", "body": b""})


_DEFAULT_HEADERS = (
    (b"access-control-allow-origin", b"*"),
    (b"access-control-expose-headers", _EXPOSED_HEADERS.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"cache-control", b"no-store"),
)
"""What an answer has unless it says otherwise."""


def _add_headers(message: Message, scope: Scope) -> None:
    headers, state = list(message["headers"]), scope["state"]
    said = {name for name, _ in headers}
    headers.append((b"x-request-id", state["request_id"].encode()))
    headers.append((b"api-version", API_VERSION.encode()))
    headers += [one for one in _DEFAULT_HEADERS if one[0] not in said]
    standing = state.get("standing")
    if standing is not None:
        headers.append((b"x-ratelimit-limit", b"%d" % standing.limit))
        headers.append((b"x-ratelimit-remaining", b"%d" % standing.remaining))
        headers.append((b"x-ratelimit-reset", b"%d" % standing.reset))
    if scope["scheme"] == "https":
        headers.append((b"strict-transport-security", b"max-age=31536000"))
    message["headers"] = headers


def _log_request(
    method: str, scope: Scope, status: int, started: float, state: dict[str, Any]
) -> None:
    caller = state.get("caller")
    log_request(
        "http.answered",
        request_id=state["request_id"],
        method=method,
        path=scope["path"],
        status=status,
        ms=round((time.perf_counter() - started) * 1000, 2),
        account=caller.account_id if caller else None,
    )
