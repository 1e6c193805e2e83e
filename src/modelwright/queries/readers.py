"""Keeps what questions are read against: one profile and index an upload, the last used ones."""

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from threading import Lock
from typing import TYPE_CHECKING

from modelwright.queries.profiling import Profile, Run, profile

if TYPE_CHECKING:
    from modelwright.engines.language.questions import Reader

KEPT = 16
PROFILE_SECONDS = 6.0


@dataclass(frozen=True, slots=True)
class Known:
    """An upload's tables as questions see them."""

    profile: Profile
    reader: "Reader"


class Readers:
    """Makes each upload's reader once, however many ask. Thread-safe."""

    def __init__(self, kept: int = KEPT) -> None:
        self._most = kept
        self._lock = Lock()
        self._kept: OrderedDict[str, Known] = OrderedDict()
        self._making: dict[str, Lock] = {}

    def of(self, upload_id: str, tables: Sequence[str], run: Run, seconds: float) -> Known:
        """Returns the reader of an upload's tables; the first time it takes up to `seconds`."""
        found = self._find(upload_id)
        if found is not None:
            return found
        with self._lock:
            gate = self._making.setdefault(upload_id, Lock())
        with gate:
            found = self._find(upload_id) or self._make(upload_id, tables, run, seconds)
        with self._lock:
            self._making.pop(upload_id, None)
        return found

    def _find(self, upload_id: str) -> Known | None:
        with self._lock:
            found = self._kept.get(upload_id)
            if found is not None:
                self._kept.move_to_end(upload_id)
            return found

    def _make(self, upload_id: str, tables: Sequence[str], run: Run, seconds: float) -> Known:
        from modelwright.engines.language.questions import Reader  # noqa: PLC0415 - heavy

        studied = profile(run, tables, min(seconds, PROFILE_SECONDS))
        known = Known(studied, Reader(studied.tables, studied.values))
        with self._lock:
            self._kept[upload_id] = known
            while len(self._kept) > self._most:
                self._kept.popitem(last=False)
        return known
