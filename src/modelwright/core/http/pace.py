"""How slowly a body may come: who sends a byte a minute holds a connection and a place for days."""

from collections.abc import Awaitable, Callable
from time import monotonic
from typing import TypeVar

from anyio import fail_after

from modelwright.core.errors import InvalidRequest

GRACE_SECONDS = 30.0
"""How long a body may stand still, all its pauses together, beside what its bytes allow."""
SLOWEST_BYTES_A_SECOND = 1024
"""Below this a body holds a connection without need."""

T = TypeVar("T")


class TooSlow(InvalidRequest):
    """A body comes more slowly than bodies may."""

    def __init__(self) -> None:
        super().__init__(
            f"The body came more slowly than {SLOWEST_BYTES_A_SECOND} bytes a second; "
            "send it again over a better connection."
        )


class Pace:
    """Ends a body that comes more slowly, on average, than the slowest pace there may be."""

    def __init__(self) -> None:
        self._until = monotonic() + GRACE_SECONDS

    def came(self, count: int) -> None:
        """Gives the time that so many bytes allow for the next ones."""
        self._until += count / SLOWEST_BYTES_A_SECOND

    async def wait(self, more: Callable[[], Awaitable[T]]) -> T:
        """Waits for what comes next; refuses a body that is too slow."""
        try:
            with fail_after(max(0.0, self._until - monotonic())):
                return await more()
        except TimeoutError:
            raise TooSlow from None
