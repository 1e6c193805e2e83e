"""The envelope of every request: its id, CORS, the API version, body bounds, one log line."""

import re
import time
from typing import Any

import structlog
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from modelwright.core.bodies import guarded
from modelwright.core.errors import InvalidRequest, PayloadTooLarge, Refusal
from modelwright.core.ids import new_id
from modelwright.core.limits import LIMITS, Limits
from modelwright.core.logs import Logger, logger
from modelwright.core.refusing import answer, no_such_path

API_VERSION = "v1"
_DATABASE = re.compile(r"/database(/.*)?", re.DOTALL)
_VISUALIZATION = re.compile(r"/data/visualization/[^/]+")
_METHODS = "OPTIONS, GET, PUT, POST, DELETE, PATCH, HEAD"
_ALLOWED = (
    "Content-Type, X-Api-Key, x-api-key, Authorization, authorization, auth, Origin, Accept, "
    "X-Requested-With, Idempotency-Key, API-Version, Last-Event-ID, X-CSRF-Token, Range"
)
_EXPOSED = "x-api-key,X-Api-Key,authorization,Authorization,content-type,Content-Type"
_EXPOSED_ORDINARILY = (
    _EXPOSED + ",X-Request-Id,API-Version,Retry-After,X-RateLimit-Limit,"
    "X-RateLimit-Remaining,X-RateLimit-Reset,Content-Disposition,Content-Range"
)


class Envelope:
    """Wraps the application."""

    def __init__(self, app: ASGIApp, limits: Limits = LIMITS) -> None:
        self.app = app
        self.limits = limits
        self.log = logger()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handles one connection's event."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        request_id = new_id("req")
        state = scope.setdefault("state", {})
        state["request_id"] = request_id
        scope["headers"] = [(name, value) for name, value in scope["headers"] if name != _USER_ID]
        structlog.contextvars.bind_contextvars(request_id=request_id)
        started = time.perf_counter()
        asked = state["asked"] = scope["method"]
        seen = {"status": 0}
        if asked == "HEAD" and not scope["path"].startswith("/storage/"):
            scope["method"] = "GET"

        async def send_on(message: Message) -> None:
            if message["type"] == "http.response.start":
                seen["status"] = message["status"]
                scope["method"] = asked  # the server below must know that no body follows
                headers = MutableHeaders(scope=message)
                _stamp(headers, request_id, state)
                if scope["scheme"] == "https":
                    headers["strict-transport-security"] = "max-age=31536000"
            elif asked == "HEAD":
                message = {**message, "body": b""}
            await send(message)

        try:
            await self._pass(asked, scope, receive, send_on)
        except ClientDisconnect:
            seen["status"] = 499
        except Exception as fault:
            self.log.error("http.failed", path=scope["path"], exc_info=fault)  # noqa: TRY400 - structlog
            if seen["status"]:
                raise
            await answer(asked, scope["path"], _FAULT, request_id)(scope, receive, send_on)
        finally:
            _log(self.log, asked, scope, seen["status"], started, state)
            structlog.contextvars.unbind_contextvars("request_id")

    async def _pass(self, asked: str, scope: Scope, receive: Receive, send: Send) -> None:
        path = scope["path"]
        request_id = scope["state"]["request_id"]
        if asked == "OPTIONS":
            await _preflight(path, send)
            return
        if "\0" in path:
            await answer(asked, path, no_such_path(path), request_id)(scope, receive, send)
            return
        version = Headers(scope=scope).get("api-version")
        if version and version != API_VERSION:
            refusal: Refusal = InvalidRequest(f"API-Version: this server speaks {API_VERSION}.")
            await answer(asked, path, refusal, request_id)(scope, receive, send)
            return
        if path.startswith("/storage/"):
            await self.app(scope, receive, send)
            return
        bound = self.limits.body_bytes
        if path.endswith("/predictions") or path.startswith("/predict/"):
            bound = self.limits.predictions_body_bytes
        try:
            await self.app(scope, guarded(receive, scope, bound), send)
        except PayloadTooLarge as too_large:
            await answer(asked, path, too_large, request_id)(scope, receive, send)


_USER_ID = b"x-user-id"
_FAULT = Refusal("Something went wrong on our side; the request id names the log entry.")


async def _preflight(path: str, send: Send) -> None:
    methods = "OPTIONS, GET" if _DATABASE.fullmatch(path) else _METHODS
    shown = _VISUALIZATION.fullmatch(path) is not None
    headers = {
        "access-control-allow-origin": "*",
        "access-control-allow-credentials": "true",
        "access-control-max-age": "86400",
        "access-control-allow-methods": methods,
        "access-control-allow-headers": _ALLOWED,
        "access-control-expose-headers": _EXPOSED,
        "content-length": "0",
    }
    if not shown:
        del headers["content-length"]
    raw = [(name.encode(), value.encode()) for name, value in headers.items()]
    status = 200 if shown else 204
    await send({"type": "http.response.start", "status": status, "headers": raw})
    await send({"type": "http.response.body", "body": b""})


def _stamp(headers: MutableHeaders, request_id: str, state: dict[str, Any]) -> None:
    headers["x-request-id"] = request_id
    headers["api-version"] = API_VERSION
    headers.setdefault("access-control-allow-origin", "*")
    headers.setdefault("access-control-expose-headers", _EXPOSED_ORDINARILY)
    headers.setdefault("x-content-type-options", "nosniff")
    headers.setdefault("cache-control", "no-store")
    standing = state.get("standing")
    if standing is not None:
        headers["x-ratelimit-limit"] = str(standing.limit)
        headers["x-ratelimit-remaining"] = str(standing.remaining)
        headers["x-ratelimit-reset"] = str(standing.reset)


def _log(
    log: Logger, method: str, scope: Scope, status: int, started: float, state: dict[str, Any]
) -> None:
    caller = state.get("caller")
    log.info(
        "http.answered",
        method=method,
        path=scope["path"],
        status=status,
        ms=round((time.perf_counter() - started) * 1000, 2),
        account=caller.account_id if caller else None,
    )
