"""How much of the machine's processors a test was left by all else that runs there."""

import threading
from contextlib import suppress

import psutil

STEP_SECONDS = 0.5
"""How often the processes of a test are looked at."""
NOISE = 0.9
"""From this share on, the machine counts as the test's own."""


class ProcessorShare:
    """Watches what this process and its children take of all that is taken.

    For tests that always have something to do, as their callers ask without pause: then their
    share of what is taken is what they were given.
    """

    def __init__(self) -> None:
        self._seconds: dict[tuple[int, float], float] = {}
        """CPU seconds by number and birth of a process; those that ended keep what they had."""
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self._thread.start()

    def _watch(self) -> None:
        while not self._ended.wait(STEP_SECONDS):
            self._look()

    def _look(self) -> None:
        here = psutil.Process()
        for one in [here, *here.children(recursive=True)]:
            with suppress(psutil.NoSuchProcess):
                self._seconds[one.pid, one.create_time()] = sum(one.cpu_times()[:2])

    def mark(self) -> tuple[float, float]:
        """Returns the seconds that all and the test have taken so far, for `slowness_since`."""
        self._look()
        times = psutil.cpu_times()
        idle = times.idle + getattr(times, "iowait", 0.0)
        return sum(times[:8]) - idle, sum([*self._seconds.values()])

    def slowness_since(self, mark: tuple[float, float]) -> float:
        """Tells how many times as long work took as on a machine of its own; 1 on a quiet one."""
        busy, own = (now - then for now, then in zip(self.mark(), mark, strict=True))
        share = own / busy if busy > 0 else 1.0
        return 1.0 if share >= NOISE else 1.0 / max(share, 0.01)

    def stop(self) -> None:
        """Ends the watch."""
        self._ended.set()
        self._thread.join()
