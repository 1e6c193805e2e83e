"""Loads compiled predictors from storage, and keeps those that were used last."""

from typing import TYPE_CHECKING

from modelwright.core.caching import SingleFlightCache
from modelwright.storage.object_store import ObjectStore

if TYPE_CHECKING:
    from modelwright_runtime.predictor import Predictor

MAX_CACHED_PREDICTORS = 32
"""Models that one process keeps in memory, the last used ones."""


class PredictorCache:
    """Predictors by their artifacts' keys."""

    def __init__(self, objects: ObjectStore, kept: int = MAX_CACHED_PREDICTORS) -> None:
        self._objects = objects
        self._kept: SingleFlightCache[Predictor] = SingleFlightCache(kept)

    def of(self, artifact: str) -> "Predictor":
        """Returns the predictor of an artifact's key; refuses a missing artifact."""
        return self._kept.get(artifact, lambda: self._load(artifact))

    def has(self, artifact: str) -> bool:
        """Returns whether a predictor is loaded."""
        return artifact in self._kept

    def _load(self, artifact: str) -> "Predictor":
        from modelwright_runtime.predictor import Predictor  # noqa: PLC0415 - heavy

        with self._objects.local(artifact) as folder:
            return Predictor.load(folder)
