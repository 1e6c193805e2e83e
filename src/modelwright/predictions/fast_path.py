"""Predictions past the framework: what is plain, small, remembered and loaded.

It is answered on the event loop, one row at once and many slice by slice. Everything else is left
to the route, which says the rest of what there is to say.
"""

from collections.abc import Callable
from typing import Any, cast

from msgspec.json import encode
from starlette.requests import ClientDisconnect
from starlette.types import Receive, Scope

from modelwright.core.http.json import decode_json
from modelwright.core.http.pipeline import RequestPipeline
from modelwright.predictions.routes import AT_ONCE_BYTES, INFER, MANY, NEEDS, Known
from modelwright.predictions.service import Predictions

ROUTES = {"infer": INFER, "predictions": MANY}
ENDS = tuple(f"/{verb}" for verb in ROUTES)
PATH_PARTS = 5
"""Parts of the path `/models/{name}/{version}/infer`."""
_SLOW_PATH_HEADERS = {b"cookie", b"x-account", b"api-version", b"transfer-encoding", b"expect"}


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
        (where, verb), predictions, pipeline = asked, self._predictions, self._pipeline
        known = pipeline.cached_by_key_nowait(
            key, NEEDS, where, lambda db: predictions.find(db, *where)
        )
        if known is None or not predictions.has_loaded(known[1]):
            return None
        scope["route"] = ROUTES[verb]
        pipeline.record_cached(scope["state"], known[0])
        body, request_id = await _body(receive), scope["state"]["request_id"]
        if verb == "infer":
            return encode(await self._infer(known, body, request_id))
        return encode(await self._many(known, body, request_id))

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


def _asked(scope: Scope) -> tuple[tuple[str, str], str] | None:
    """Returns model and version, and the verb, of a path that has them, where no more is asked."""
    parts = scope["path"].split("/")
    if len(parts) != PATH_PARTS or parts[1] != "models" or scope["query_string"]:
        return None
    return (parts[2], parts[3]), parts[4]


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
