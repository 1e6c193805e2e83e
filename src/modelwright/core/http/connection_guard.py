"""How long and how much a stranger may keep a connection of the server busy before it is known.

uvicorn's parser keeps whatever comes until a request's head is whole, and waits for it forever.
"""

import asyncio
import math

from modelwright.core.errors import InvalidRequest
from modelwright.core.http import write_coalescing
from modelwright.core.http.pace import SLOWEST_BYTES_A_SECOND

HEAD_BYTES = 64 * 1024
"""A request's head is smaller; what comes in one reading of the socket may be more."""
HEAD_TOO_LARGE = InvalidRequest("The head of the request is too large.")
HEAD_SECONDS = 70.0
"""When a head must be whole, from the connection's beginning or its last answer; longer than
connections without requests are kept."""
BODY_SECONDS = 90.0
"""How long a body may stand still, beside what its bytes allow. Most are ended, and told why, by
their pace far sooner; here are ended those whose reader has no clock of its own."""
BODY_BYTES = 64 * 1024
"""Of a body that is longer, reading may have been paused; its reader has a clock."""


class GuardedHttpProtocol(write_coalescing.CoalescingHttpProtocol):
    """Closes connections whose request does not get past its head, or goes on after its body."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begins a connection."""
        super().connection_made(transport)
        self._unread = 0
        self._body_since, self._body_bytes = math.inf, 0
        self._waits_since = self.loop.time()
        self._next_look = self.loop.call_later(HEAD_SECONDS, self._look)

    def connection_lost(self, exc: Exception | None) -> None:
        """Forgets a connection."""
        self._next_look.cancel()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Reads on; refuses what fills the parser without becoming a head or a body."""
        self._unread += len(data)
        super().data_received(data)
        if self._unread > HEAD_BYTES and not self.transport.is_closing():
            self.refuse(HEAD_TOO_LARGE)

    def on_headers_complete(self) -> None:
        """Notes that a head is whole."""
        self._unread, self._waits_since = 0, math.inf
        self._body_since, self._body_bytes = self.loop.time(), 0
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """Notes that a body goes on."""
        self._unread = 0
        self._body_bytes += len(body)
        super().on_body(body)

    def on_message_complete(self) -> None:
        """Notes that a request is whole."""
        self._unread, self._body_since = 0, math.inf
        super().on_message_complete()

    def on_response_complete(self) -> None:
        """Waits for the next head unless it is there."""
        super().on_response_complete()
        if self.cycle.response_complete:
            self._waits_since = self.loop.time()

    def _look(self) -> None:
        """Looks now and then, which costs requests nothing."""
        now = self.loop.time()
        left = self._waits_since + HEAD_SECONDS - now
        if self._body_bytes <= BODY_BYTES:
            allowed = BODY_SECONDS + self._body_bytes / SLOWEST_BYTES_A_SECOND
            left = min(left, self._body_since + allowed - now)
        if left <= 0:
            self.transport.close()
        else:
            self._next_look = self.loop.call_later(min(left, HEAD_SECONDS), self._look)
