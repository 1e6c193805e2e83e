"""HTTP over a transport that sends what is written in one turn of the event loop together.

An answer's head and body then take one system call, and clients that wait for answers made in the
same turn are woken together, which costs less than waking each as soon as its answer is ready.
"""

import asyncio
import re
from typing import Any, cast

import msgspec
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from modelwright.core.errors import InvalidRequest
from modelwright.core.http.exception_handlers import error_body
from modelwright.core.http.middleware import API_VERSION
from modelwright.core.ids import new_id
from modelwright.core.logging import log_request

LINGER_SECONDS = 5.0
"""How long the rest of a body is waited for, to be thrown away, when a connection is to be closed.
"""
MAX_BUFFER_BYTES = 1 << 16
"""Bytes that are held at most."""
MALFORMED_REQUEST = InvalidRequest(
    "This is no HTTP request, its method is one that nobody knows, its address is too long, or it "
    "does not name one Host."
)
_HOST = re.compile(rb"([\w.-]+|\[[0-9A-Fa-f:.]+\])(:[0-9]*)?")


class CoalescingTransport:
    """A transport that holds what is written until the loop turns, or it is much."""

    def __init__(self, transport: asyncio.Transport, loop: asyncio.AbstractEventLoop) -> None:
        self._transport, self._loop = transport, loop
        self._held = b""
        self._is_closing = False
        self.is_receiving = False
        """Whether the body of a request is still on its way."""

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)

    def write(self, data: bytes) -> None:
        """Holds data, to be sent when the loop turns."""
        if not self._held:
            self._loop.call_soon(self._flush)
        self._held += data
        if len(self._held) > MAX_BUFFER_BYTES:
            self._flush()

    def is_closing(self) -> bool:
        """Returns whether nothing is answered any more."""
        return self._is_closing or self._transport.is_closing()

    def close(self) -> None:
        """Sends what is held and closes, for who still sends a body when that has come.

        A connection that is closed before would be reset, and what was answered lost.
        """
        self._flush()
        self._is_closing = True
        if self.is_receiving:
            self._transport.resume_reading()
            self._loop.call_later(LINGER_SECONDS, self._transport.close)
        else:
            self._transport.close()

    def has_received(self) -> None:
        """Notes that the body has come."""
        self.is_receiving = False
        if self._is_closing:
            self._transport.close()

    def _flush(self) -> None:
        data, self._held = self._held, b""
        if data and not self._transport.is_closing():
            self._transport.write(data)


class CoalescingHttpProtocol(HttpToolsProtocol):
    """uvicorn's protocol over `CoalescingTransport`, which refuses in the contract's words."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begins a connection."""
        super().connection_made(
            cast("asyncio.Transport", CoalescingTransport(transport, self.loop))
        )

    def on_header(self, name: bytes, value: bytes) -> None:
        """Takes a header; one that stands behind a body is none (RFC 9110, 6.5.1)."""
        if not cast("CoalescingTransport", self.transport).is_receiving:
            super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """Goes on where one host is named: answers' addresses are made of it (RFC 9112, 3.2)."""
        hosts = [value for name, value in self.headers if name == b"host"]
        least = 0 if self.parser.get_http_version() == "1.0" else 1
        if not (least <= len(hosts) <= 1 and all(map(_HOST.fullmatch, hosts))):
            raise MALFORMED_REQUEST
        cast("CoalescingTransport", self.transport).is_receiving = True
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """Notes that a request is whole."""
        super().on_message_complete()
        cast("CoalescingTransport", self.transport).has_received()

    def send_400_response(self, msg: str) -> None:  # noqa: ARG002 - ours says more
        """Refuses what is no HTTP."""
        self.refuse(MALFORMED_REQUEST)

    def refuse(self, refusal: InvalidRequest) -> None:
        """Says why what came is no request, and ends the connection."""
        request_id = new_id("req")
        address = self.client[0] if self.client else "unknown"
        log_request("http.refused", request_id=request_id, address=address, why=refusal.message)
        body = msgspec.json.encode(error_body("", refusal, request_id))
        head = [
            "HTTP/1.1 400 Bad Request",
            "content-type: application/json",
            f"content-length: {len(body)}",
            f"x-request-id: {request_id}",
            f"api-version: {API_VERSION}",
            "access-control-allow-origin: *",
            "connection: close",
        ]
        self.transport.write("\r\n".join([*head, "", ""]).encode() + body)
        cast("CoalescingTransport", self.transport).is_receiving = False
        self.transport.close()
