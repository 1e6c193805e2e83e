"""Keeps the compiled predictors that were used last; each is loaded once, however many wait."""

import threading
from collections import OrderedDict
from typing import TYPE_CHECKING

from modelwright.storage.objects import Objects

if TYPE_CHECKING:
    from modelwright_client.predictor.predicting import Predictor

KEPT = 32


class Predictors:
    """A bounded store of loaded artifacts, the least recently used one leaving first."""

    def __init__(self, objects: Objects, kept: int = KEPT) -> None:
        self._objects = objects
        self._most = kept
        self._lock = threading.Lock()
        self._kept: OrderedDict[str, Predictor] = OrderedDict()
        self._loading: dict[str, threading.Lock] = {}

    def of(self, artifact: str) -> "Predictor":
        """Returns the predictor of an artifact's key; refuses a missing artifact."""
        found = self._find(artifact)
        if found is not None:
            return found
        with self._lock:
            gate = self._loading.setdefault(artifact, threading.Lock())
        with gate:
            found = self._find(artifact) or self._load(artifact)
        with self._lock:
            self._loading.pop(artifact, None)
        return found

    def has(self, artifact: str) -> bool:
        """Says whether a predictor is loaded."""
        return artifact in self._kept

    def _find(self, artifact: str) -> "Predictor | None":
        with self._lock:
            found = self._kept.get(artifact)
            if found is not None:
                self._kept.move_to_end(artifact)
            return found

    def _load(self, artifact: str) -> "Predictor":
        from modelwright_client.predictor.predicting import Predictor  # noqa: PLC0415 - heavy

        with self._objects.local(artifact) as folder:
            predictor = Predictor.load(folder)
        with self._lock:
            self._kept[artifact] = predictor
            while len(self._kept) > self._most:
                self._kept.popitem(last=False)
        return predictor
