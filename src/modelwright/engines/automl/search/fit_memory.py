"""Holds a fit to its memory, in a process that is there for fits alone."""

import os
from collections.abc import Callable
from concurrent.futures import Future, wait
from threading import Thread, Timer

import psutil

from modelwright.engines.automl.search.fit_messages import encode

LOOK_SECONDS = 0.1
"""How often it is looked at how much memory the process has."""
ANSWER_SECONDS = 1.0
"""What the answer may take to leave the process before that ends."""


def run_within(
    memory_mb: int, run: Callable[[], bytes], end: Callable[[], object] = lambda: os._exit(1)
) -> bytes:
    """Runs a fit, as long as the process has no more memory than it may have.

    What a library has begun cannot be stopped, so that the process ends soon after the answer; a
    fit that it was given meanwhile is lost, as with a machine, and begun again elsewhere.

    Args:
        memory_mb: What the process may have, in MiB.
        run: Gives the outcome; see `run_encoded`.
        end: Ends the process.

    Returns:
        The outcome; in place of that of a fit that needed more, the reason why it failed.
    """
    process, outcome = psutil.Process(), Future[bytes]()

    def fit() -> None:
        try:
            outcome.set_result(run())
        except BaseException as error:  # noqa: BLE001 - whoever waits for it is told
            outcome.set_exception(error)

    Thread(target=fit, daemon=True).start()
    while not wait([outcome], LOOK_SECONDS).done:
        if process.memory_info().rss > memory_mb << 20:
            Timer(ANSWER_SECONDS, end).start()
            return encode(f"it needed more than {memory_mb} MB of memory")
    return outcome.result()
