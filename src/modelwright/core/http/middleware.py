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

from modelwright.core.errors import InvalidRequest, PayloadTooLarge, Refusal, Unavailable
from modelwright.core.http.body_limits import guarded
from modelwright.core.http.exception_handlers import answer, no_such_path
from modelwright.core.ids import new_id
from modelwright.core.limits.contract import LIMITS, Limits
from modelwright.core.logging import logger, note

API_VERSION = "v1"
PAGE_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)
"""What a page may do that is words alone."""
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


Direct = Callable[[Scope, Receive], Awaitable[bytes | None]]
"""Answers a request with JSON, past the framework; None leaves it as it was. May refuse."""


class Envelope:
    """Wraps the application; what ends in `direct_ends` is asked of `direct` first."""

    def __init__(
        self,
        app: ASGIApp,
        limits: Limits = LIMITS,
        direct: Direct | None = None,
        direct_ends: tuple[str, ...] = (),
    ) -> None:
        self.app = app
        self.limits = limits
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
                _stamp(message, scope)
            elif asked == "HEAD":
                message = {**message, "body": b""}
            await send(message)

        try:
            await self._answer(asked, scope, receive, send_on)
        except ClientDisconnect:
            status = 499
        except CancelledError:
            await _cut_off(asked, status, scope, receive, send_on)
        except Refusal as refusal:
            await answer(asked, scope["path"], refusal, request_id)(scope, receive, send_on)
        except Exception as fault:
            told = {"path": scope["path"], "request_id": request_id, "exc_info": fault}
            self.log.error("http.failed", **told)  # noqa: TRY400 - structlog
            if status:
                raise
            await answer(asked, scope["path"], _FAULT, request_id)(scope, receive, send_on)
        finally:
            _log(asked, scope, status, started, state)

    async def _answer(self, asked: str, scope: Scope, receive: Receive, send: Send) -> None:
        if self.direct and asked == "POST" and scope["path"].endswith(self.direct_ends):
            found = await self.direct(scope, receive)
            if found is not None:
                headers = [_JSON, (b"content-length", b"%d" % len(found))]
                await send({"type": "http.response.start", "status": 200, "headers": headers})
                await send({"type": "http.response.body", "body": found})
                return
        scope["headers"] = [(name, value) for name, value in scope["headers"] if name != _USER_ID]
        if asked == "HEAD" and not scope["path"].startswith("/storage/"):
            scope["method"] = "GET"
        with structlog.contextvars.bound_contextvars(request_id=scope["state"]["request_id"]):
            await self._pass(asked, scope, receive, send)

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
_JSON = (b"content-type", b"application/json")
_STOPPING = Unavailable("The server is stopping; send it again.", retry_after=10)
_FAULT = Refusal("Something went wrong on our side; the request id names the log entry.")


async def _cut_off(method: str, status: int, scope: Scope, receive: Receive, send: Send) -> None:
    """Ends a request for which the server, which stops, has no more time."""
    if not status:
        request_id = scope["state"]["request_id"]
        await answer(method, scope["path"], _STOPPING, request_id)(scope, receive, send)


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


_ORDINARY = (
    (b"access-control-allow-origin", b"*"),
    (b"access-control-expose-headers", _EXPOSED_ORDINARILY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"cache-control", b"no-store"),
)
"""What an answer has unless it says otherwise."""


def _stamp(message: Message, scope: Scope) -> None:
    headers, state = list(message["headers"]), scope["state"]
    said = {name for name, _ in headers}
    headers.append((b"x-request-id", state["request_id"].encode()))
    headers.append((b"api-version", API_VERSION.encode()))
    headers += [one for one in _ORDINARY if one[0] not in said]
    standing = state.get("standing")
    if standing is not None:
        headers.append((b"x-ratelimit-limit", b"%d" % standing.limit))
        headers.append((b"x-ratelimit-remaining", b"%d" % standing.remaining))
        headers.append((b"x-ratelimit-reset", b"%d" % standing.reset))
    if scope["scheme"] == "https":
        headers.append((b"strict-transport-security", b"max-age=31536000"))
    message["headers"] = headers


def _log(method: str, scope: Scope, status: int, started: float, state: dict[str, Any]) -> None:
    caller = state.get("caller")
    note(
        "http.answered",
        request_id=state["request_id"],
        method=method,
        path=scope["path"],
        status=status,
        ms=round((time.perf_counter() - started) * 1000, 2),
        account=caller.account_id if caller else None,
    )
