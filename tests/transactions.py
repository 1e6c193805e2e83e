"""Sees who asks the storage, the network or a child while a transaction of the thread is open.

On SQLite one transaction that writes keeps all others waiting, and on PostgreSQL each keeps one of
few connections: what waits for somebody else does so before or after it.
"""

import sys
import threading
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, event

import modelwright

SLOW = {"socket.connect", "subprocess.Popen", "os.fork", "shutil.rmtree", "shutil.copyfile"}
"""Events of the interpreter that may wait for somebody, or for very much."""
QUICK = {"sign_put", "sign_get"}
"""What an object store answers by itself."""
SOURCE = Path(modelwright.__file__).parent
FRAMES = 4

_open = threading.local()


def _connections() -> dict[int, bool]:
    """The connections of this thread in a transaction, and whether each writes."""
    if not hasattr(_open, "connections"):
        _open.connections = {}
    return _open.connections


def watch(engine: Engine) -> None:
    """Has an engine's transactions be known."""

    def begin(connection: Connection) -> None:
        writes = connection.get_execution_options().get("writes", True)
        _connections()[id(connection)] = writes

    def end(connection: Connection) -> None:
        _connections().pop(id(connection), None)

    event.listen(engine, "begin", begin)
    event.listen(engine, "commit", end)
    event.listen(engine, "rollback", end)


class Waits:
    """What was asked for inside of transactions, once for each place in the code."""

    def __init__(self) -> None:
        self.writing: set[str] = set()
        self.reading: set[str] = set()

    def note(self, what: str) -> None:
        """Notes something where a transaction is open."""
        if not (standing := _connections().values()):
            return
        frames = [
            one for one in traceback.extract_stack() if Path(one.filename).is_relative_to(SOURCE)
        ]
        place = " < ".join(
            f"{Path(one.filename).relative_to(SOURCE)}:{one.lineno}" for one in frames[:-FRAMES:-1]
        )
        (self.writing if any(standing) else self.reading).add(f"{what}: {place}")


class Watched:
    """An object store whose every call is noted."""

    def __init__(self, inner: Any, waits: Waits) -> None:
        self._inner, self._waits = inner, waits

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._inner, name)
        if name in QUICK or not callable(found):
            return found

        def noted(*given: Any, **named: Any) -> Any:
            self._waits.note(f"objects.{name}")
            return found(*given, **named)

        return noted


_listeners: list[Callable[[str], None]] = []


def _heed(name: str, _given: Any) -> None:
    if _listeners and name in SLOW:
        for listener in _listeners:
            listener(name)


@contextmanager
def noted(waits: Waits) -> Iterator[None]:
    """Notes the interpreter's slow events until the end of the block."""
    if not hasattr(sys, "_modelwright_heeds"):
        sys.addaudithook(_heed)  # which nothing can remove
        sys._modelwright_heeds = True  # type: ignore[attr-defined]
    _listeners.append(waits.note)
    try:
        yield
    finally:
        _listeners.remove(waits.note)
