"""What a process does when it is told to stop, by SIGTERM or SIGINT.

A handler runs in the main thread, between any two of its steps. It must not take a lock that the
main thread may hold: `threading.Event.set` in a handler waits without end where it interrupted
`wait` or `clear` of that event. `queue.SimpleQueue.put` may be interrupted by itself, so handlers
use that.
"""

import signal
import threading
from collections.abc import Callable
from queue import SimpleQueue

STOP_SIGNALS = (signal.SIGTERM, signal.SIGINT)
"""The signals that ask a process to end what it does and leave."""


def on_stop_signal(stop: Callable[[], object]) -> None:
    """Has a function called, in a thread of its own, each time the process is told to stop."""
    told: SimpleQueue[int] = SimpleQueue()
    for number in STOP_SIGNALS:
        signal.signal(number, lambda number, _frame: told.put(number))

    def wait() -> None:
        while told.get():
            stop()

    threading.Thread(target=wait, name="stop signals", daemon=True).start()
