"""`infer` past the framework: what is plain, remembered and loaded is answered on the event loop.

Everything else is left to the route, which says the rest of what there is to say.
"""

from typing import cast

from msgspec.json import encode
from starlette.requests import ClientDisconnect
from starlette.types import Receive, Scope

from modelwright.core.decoding import decoded
from modelwright.core.door import Door
from modelwright.predictions.routes import AT_ONCE_BYTES, INFER, NEEDS
from modelwright.predictions.service import Predictions

END = "/infer"
PARTS = 5
_NOT_PLAIN = {b"cookie", b"x-account", b"api-version", b"transfer-encoding", b"expect"}


class Direct:
    """Answers a request where that waits for nothing but its body."""

    def __init__(self, door: Door) -> None:
        self._door = door
        self._predictions = cast("Predictions", door.services[Predictions])

    async def __call__(self, scope: Scope, receive: Receive) -> bytes | None:
        """Answers and refuses as `infer` does; None leaves the request as it was."""
        asked, key = _asked(scope), _key(scope)
        if asked is None or key is None:
            return None
        predictions, door = self._predictions, self._door
        known = door.at_once(key, NEEDS, asked, lambda db: predictions.find(db, *asked))
        if known is None or not predictions.has_loaded(known[1]):
            return None
        caller, version = known
        scope["route"] = INFER
        door.admitted(scope["state"], caller)
        body, request_id = await _body(receive), scope["state"]["request_id"]

        if predictions.has_loaded(version):
            row = decoded(body)
            return encode(await predictions.infer_together(caller, version, row, request_id))

        def answer() -> bytes:
            row = decoded(body)
            return encode(predictions.infer(caller, version, row, request_id, include=frozenset()))

        return await predictions.queue.run(caller.account_id, len(body), answer)


def _asked(scope: Scope) -> tuple[str, str] | None:
    parts = scope["path"].split("/")
    if len(parts) != PARTS or parts[1] != "models" or scope["query_string"]:
        return None
    return parts[2], parts[3]


def _key(scope: Scope) -> str | None:
    """Gives the key of a request that has one, in one header, and a small body of JSON."""
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
        elif name in _NOT_PLAIN or (name == b"content-type" and value != b"application/json"):
            return None
    return key.strip().decode("latin-1") if key and is_small else None


async def _body(receive: Receive) -> bytes:
    message = await receive()
    body: bytes = message.get("body", b"")
    while message["type"] == "http.request" and message.get("more_body", False):
        message = await receive()
        body += message.get("body", b"")
    if message["type"] == "http.disconnect":
        raise ClientDisconnect
    return body
