"""Notes predictions in memory and turns them into counts and packed predictions.

Noting is all that a prediction waits for: an append under a lock. The rest is done once a second.
"""

import base64
import threading
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from modelwright.core.caching import SingleFlightCache
from modelwright.monitoring.domain import NotedRequest
from modelwright.storage.object_store import ObjectStore

if TYPE_CHECKING:
    from modelwright.engines.automl.monitoring.online_counts import Counts, Watch

_Thing = TypeVar("_Thing")
MAX_ROWS_PER_REQUEST = 50_000
"""Rows that wait to be counted; of requests beyond, only the answers are."""
MAX_BUFFERED = 200_000
"""Requests that wait while the database is away; those beyond are not noted."""
MAX_CACHED_COUNTS = 64
"""Versions whose bins are kept in memory."""
REQUESTS_AT_ONCE = 250
"""Requests that are worked on before whoever waits for an answer goes first."""
REST_SECONDS = 0.002
"""For how long whoever waits for an answer goes first."""


class PredictionBuffer:
    """What was noted and is not yet in the database."""

    def __init__(self, most_rows: int = MAX_ROWS_PER_REQUEST) -> None:
        self._lock = threading.Lock()
        self._most_rows = most_rows
        self._rows = 0
        self._pending: list[NotedRequest] = []
        self._writing: list[NotedRequest] = []

    def record(self, noted: NotedRequest) -> None:
        """Takes one request's predictions; of too many lets the rows go, then all of it."""
        with self._lock:
            if len(self._pending) >= MAX_BUFFERED:
                return
            if self._rows >= self._most_rows:
                noted = noted._replace(rows=(), body=b"")
            self._rows += _weight(noted)
            self._pending.append(noted)

    def begin(self) -> Sequence[NotedRequest]:
        """Returns all that waits; it counts as waiting until `settle`."""
        with self._lock:
            self._writing, self._pending, self._rows = self._pending, [], 0
            return self._writing

    def settle(self, left: Sequence[NotedRequest] = ()) -> None:
        """Ends what `begin` began; what is left waits again."""
        with self._lock:
            self._writing = []
            self._pending[:0] = left
            self._rows += sum(map(_weight, left))

    def of(self, version_id: str) -> list[NotedRequest]:
        """Lists what waits of one version."""
        with self._lock:
            return [one for one in (*self._writing, *self._pending) if one.version_id == version_id]


def _weight(noted: NotedRequest) -> int:
    return len(noted.rows) if noted.rows else bool(noted.body)


class OnlineCountsCache:
    """What is watched of versions, read from their artifacts once."""

    def __init__(self, objects: ObjectStore) -> None:
        self._objects = objects
        self._kept: SingleFlightCache[Watch] = SingleFlightCache(MAX_CACHED_COUNTS)

    def of(self, artifact: str) -> "Watch":
        """Returns the watch of an artifact's key; refuses a missing artifact."""
        return self._kept.get(artifact, lambda: self._read(artifact))

    def _read(self, artifact: str) -> "Watch":
        from modelwright.engines.automl.monitoring.online_counts import Watch  # noqa: PLC0415 - numpy is heavy

        with self._objects.local(artifact) as folder:
            return Watch.read(folder)


def by_version(noted: Iterable[NotedRequest]) -> Mapping[str, list[NotedRequest]]:
    """Groups what was noted."""
    groups: dict[str, list[NotedRequest]] = defaultdict(list)
    for one in noted:
        groups[one.version_id].append(one)
    return groups


def in_chunks(things: Sequence[_Thing]) -> Iterator[Sequence[_Thing]]:
    """Yields things in parts, with a pause between them in which requests are answered."""
    for at in range(0, len(things), REQUESTS_AT_ONCE):
        if at:
            time.sleep(REST_SECONDS)
        yield things[at : at + REQUESTS_AT_ONCE]


def with_arrays(noted: Iterable[NotedRequest], width: int) -> list[NotedRequest]:
    """Returns what was noted with the answers of replicas, which came as base64, as arrays."""
    import numpy as np  # noqa: PLC0415 - heavy, kept out of start-up

    def read(text: Any) -> Any:
        return np.frombuffer(base64.b64decode(text), "<f8")

    return [
        one._replace(told=read(one.told), link=read(one.link).reshape(-1, width))
        if isinstance(one.told, str)
        else one
        for one in noted
    ]


def counted(watch: "Watch", noted: Sequence[NotedRequest]) -> "Counts":
    """Counts rows and answers of one version; of very many rows an evenly spread part."""
    import numpy as np  # noqa: PLC0415 - heavy, kept out of start-up

    from modelwright.engines.automl.monitoring.online_counts import merged  # noqa: PLC0415 - numpy is heavy

    rows: list[Any] = []
    for one in noted:
        rows.extend(one.rows or ())
        if one.body:
            rows.append(one.body)
    told = np.concatenate([one.told for one in noted])
    link = np.concatenate([one.link for one in noted])
    counts: Counts = {"examined": 0, "columns": {}, "told": watch.count_told(told, link)}
    for some in in_chunks(rows[:: watch.step(len(rows))]):
        read = [msgspec.json.decode(one) if isinstance(one, bytes) else one for one in some]
        counts = merged(counts, {**watch.count(read), "told": []})
    for one in noted:
        if one.columns is not None:
            counts = merged(counts, {**one.columns, "told": []})
    return counts
