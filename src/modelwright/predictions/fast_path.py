"""Predictions past the framework: what is plain, small, remembered and loaded.

It is answered on the event loop, one row at once and many slice by slice. Everything else is left
to the route, which says the rest of what there is to say.
"""

from collections.abc import Callable
from typing import Any, NamedTuple, cast

from msgspec.json import encode
from sqlalchemy.orm import Session
from starlette.requests import ClientDisconnect
from starlette.types import Receive, Scope

from modelwright.core.http.context import Caller
from modelwright.core.http.json import decode_json
from modelwright.core.http.pipeline import RequestPipeline
from modelwright.deployments.domain import ENVIRONMENTS
from modelwright.endpoints.domain import EndpointTarget
from modelwright.predictions.predict_rows import name_version
from modelwright.predictions.routes import (
    AT_ENDPOINT,
    AT_ONCE_BYTES,
    DEFAULT_ENVIRONMENT,
    INFER,
    INFER_AT_ENDPOINT,
    MANY,
    MANY_AT_ENDPOINT,
    NEEDS,
    Known,
)
from modelwright.predictions.service import Predictions

ROUTES = {"infer": INFER, "predictions": MANY}
ENDPOINT_ROUTES = {"infer": INFER_AT_ENDPOINT, "predictions": MANY_AT_ENDPOINT}
ENDS = tuple(f"/{verb}" for verb in ROUTES)
PATH_PARTS = 5
"""Parts of the path `/models/{name}/{version}/infer`."""
ENDPOINT_PATH_PARTS = 4
"""Parts of the path `/models/{name}/infer`."""
ENVIRONMENT_OF_QUERY = {b"": DEFAULT_ENVIRONMENT} | {
    f"environment={environment}".encode(): environment for environment in ENVIRONMENTS
}
"""The environment that a query names which says nothing else."""
_SLOW_PATH_HEADERS = {b"cookie", b"x-account", b"api-version", b"transfer-encoding", b"expect"}


class _Asked(NamedTuple):
    """What a plain path asks for."""

    verb: str
    where: tuple[str, ...]
    """Model and version, or what `routes` remembers an endpoint by."""
    is_endpoint: bool


class PredictFastPath:
    """Answers a request where that waits for nothing but its body and its turn."""

    def __init__(self, pipeline: RequestPipeline) -> None:
        self._pipeline = pipeline
        self._predictions = cast("Predictions", pipeline.services[Predictions])

    async def __call__(self, scope: Scope, receive: Receive) -> bytes | None:
        """Answers and refuses as the route does; None leaves the request as it was."""
        asked, key = _asked(scope), _key(scope)
        if asked is None or key is None:
            return None
        known = self._known(key, asked)
        if known is None or not self._predictions.has_loaded(known[1]):
            return None
        scope["route"] = (ENDPOINT_ROUTES if asked.is_endpoint else ROUTES)[asked.verb]
        self._pipeline.record_cached(scope["state"], known[0])
        body, request_id = await _body(receive), scope["state"]["request_id"]
        if asked.verb == "infer":
            return encode(await self._infer(known, body, request_id))
        items = await self._many(known, body, request_id)
        return encode(name_version(items, known[1].model_version) if asked.is_endpoint else items)

    def _known(self, key: str, asked: _Asked) -> Known | None:
        """Finds caller and version where both are remembered; None where replicas are to answer."""
        if not asked.is_endpoint:
            return self._remembered(key, asked, self._predictions.find)
        found = self._remembered(key, asked, self._find_in_service)
        if found is None or found[1].deployment is not None:
            return None
        return found[0], found[1].version

    def _find_in_service(self, db: Session, model: str, _: str, environment: str) -> EndpointTarget:
        return self._predictions.find_in_service(db, model, environment)

    def _remembered(
        self, key: str, asked: _Asked, find: Callable[..., Any]
    ) -> tuple[Caller, Any] | None:
        where = asked.where
        return self._pipeline.cached_by_key_nowait(key, NEEDS, where, lambda db: find(db, *where))

    async def _infer(self, known: Known, body: bytes, request_id: str) -> Any:
        predictions, (caller, version) = self._predictions, known
        if predictions.has_loaded(version):
            return await predictions.infer_together(caller, version, decode_json(body), request_id)
        return await self._in_thread(predictions.infer, known, body, request_id)

    async def _many(self, known: Known, body: bytes, request_id: str) -> Any:
        predictions, (caller, version) = self._predictions, known
        async with predictions.queue.place(caller.account_id, len(body)):
            if predictions.has_loaded(version):
                rows = decode_json(body)
                answer = await predictions.many_in_slices(caller, version, rows, request_id)
                if answer is not None:
                    return answer
        return await self._in_thread(predictions.many, known, body, request_id)

    async def _in_thread(
        self, verb: Callable[..., Any], known: Known, body: bytes, request_id: str
    ) -> Any:
        def answer() -> Any:
            return verb(*known, decode_json(body), request_id, include=frozenset())

        return await self._predictions.queue.run(known[0].account_id, len(body), answer)


def _asked(scope: Scope) -> _Asked | None:
    """Reads a path that has a model and a verb, where no more is asked than an environment."""
    parts, query = scope["path"].split("/"), scope["query_string"]
    if parts[1] != "models":
        return None
    if len(parts) == PATH_PARTS and not query:
        return _Asked(parts[4], (parts[2], parts[3]), is_endpoint=False)
    if len(parts) == ENDPOINT_PATH_PARTS and query in ENVIRONMENT_OF_QUERY:
        where = (parts[2], AT_ENDPOINT, ENVIRONMENT_OF_QUERY[query])
        return _Asked(parts[3], where, is_endpoint=True)
    return None


def _key(scope: Scope) -> str | None:
    """Returns the key of a request that has one, in one header, and a small body of JSON."""
    key, is_small = None, False
    for name, value in scope["headers"]:
        if name == b"x-api-key":
            if key is not None:
                return None
            key = value
        elif name == b"authorization":
            if key is not None or value[:7].lower() != b"bearer ":
                return None
            key = value[7:]
        elif name == b"content-length":
            is_small = value.isdigit() and int(value) <= AT_ONCE_BYTES
        elif name in _SLOW_PATH_HEADERS or (
            name == b"content-type" and value != b"application/json"
        ):
            return None
    return key.strip().decode("latin-1") if key and is_small else None


async def _body(receive: Receive) -> bytes:
    """Reads a small body; one that does not come is ended by `core.http.connection_guard`."""
    message = await receive()
    body: bytes = message.get("body", b"")
    while message["type"] == "http.request" and message.get("more_body", False):
        message = await receive()
        body += message.get("body", b"")
    if message["type"] == "http.disconnect":
        raise ClientDisconnect
    return body
