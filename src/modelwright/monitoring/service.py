"""`Monitoring`: records predictions, writes them once a second, takes feedback, measures drift."""

import threading
from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import Any

from sqlalchemy.orm import Session

from modelwright.core.clock import Clock
from modelwright.core.db.database import ALL_ACCOUNTS, Database
from modelwright.core.db.queries import insert_if_absent
from modelwright.core.logging import logger
from modelwright.core.regular_flush import RegularFlush
from modelwright.models.domain import ServedVersion
from modelwright.models.errors import reading
from modelwright.models.service import Models
from modelwright.monitoring import repository
from modelwright.monitoring.domain import (
    FIRST_ROW,
    Feedback,
    FeedbackKey,
    FoundPrediction,
    NotedRequest,
    fits,
    since,
)
from modelwright.monitoring.errors import invalid_feedback
from modelwright.monitoring.orm import OnlineCountRecord, StoredPredictionRecord
from modelwright.monitoring.packing import pack, unpack
from modelwright.monitoring.prediction_buffer import (
    OnlineCountsCache,
    PredictionBuffer,
    by_version,
    counted,
    with_arrays,
)
from modelwright.monitoring.report import Report, report
from modelwright.storage.errors import ObjectMissing
from modelwright.storage.object_store import ObjectStore
from modelwright.usage.domain import hour_of

MAX_MEASURED_ROWS = 100_000
"""Truths that metrics are made of, the newest ones."""


class Monitoring:
    """Records predictions and outcomes, and reports drift.

    `days` is how long anything is kept, `kept` how many predictions are.
    """

    def __init__(
        self,
        database: Database,
        clock: Clock,
        objects: ObjectStore,
        models: Models,
        *,
        days: int,
        kept: int,
    ) -> None:
        self._database = database
        self._clock = clock
        self._models = models
        self._days = days
        self._kept = kept
        self.buffer = PredictionBuffer()
        self._watches = OnlineCountsCache(objects)
        regular = RegularFlush("monitoring", self.flush)
        self.flush_regularly, self.stop = regular.run, regular.stop
        self._flushing = threading.Lock()
        self.record = self.buffer.record

    def read(
        self, db: Session, model_name: str, model_version: str, hours: int
    ) -> tuple[ServedVersion, Report]:
        """Compares what was asked in the last hours with training, and answers with truths.

        Refuses an unknown version and one that is not READY.
        """
        version, watch = self._find(db, model_name, model_version)
        now = self._clock.now()
        first = since(now, hours)
        rows, kept = 0, []
        for row in repository.since(db, version.version_id, first):
            rows += row.rows
            kept.append(row.counts)
        waiting = self.buffer.of(version.version_id)
        made = self._made(waiting) if waiting else None
        if made is not None:
            rows += made[0].rows
            kept.append(made[0].counts)
        truths = repository.feedback(db, version.version_id, first, MAX_MEASURED_ROWS)
        return version, report(watch, rows, kept, truths, first, now)

    def get_ready(self, db: Session, model_name: str, model_version: str) -> Callable[[], object]:
        """Returns what has a version's counts at hand, outside of any transaction.

        Its artifact is read for that, which may take long where it lies in a bucket. Refuses an
        unknown version and one that is not READY; what it returns, an artifact that is gone.
        """
        version = self._models.serving(db, model_name, model_version)

        def read() -> None:
            with reading(model_name, model_version):
                self._watches.of(version.artifact)

        return read

    def feedback(
        self, db: Session, model_name: str, model_version: str, truths: Sequence[Feedback]
    ) -> tuple[ServedVersion, int, list[str]]:
        """Takes truths; returns how many were taken, and the requests that nobody knows.

        A truth told again replaces the one before. Refuses one that is not of the target's type.
        """
        version, watch = self._find(db, model_name, model_version)
        kind = self._kind(db, version, watch.target)
        for place, truth in enumerate(truths):
            if not fits(kind, truth.actual):
                raise invalid_feedback(place, kind, watch.target)
        numbers = watch.numbers()
        told = {truth.request_id: truth.actual for truth in truths}
        found = self._found(db, version.version_id, watch.goal.width, list(told))
        now = self._clock.now()
        rows = {}
        for request_id, actual in told.items():
            if request_id not in found:
                continue
            name, one = found[request_id]
            rows[name] = {
                "predicted": one.told,
                "link": one.link,
                "actual": numbers.get(actual, -1.0) if numbers else float(actual),
                "asked_at": FeedbackKey.of(name).moment,  # type: ignore[union-attr]
                "told_at": now,
            }
        repository.save_feedback(db, version.version_id, rows)
        return version, len(rows), [one for one in told if one not in found]

    def flush(self) -> None:
        """Writes what was noted; what cannot be written now is kept for the next time."""
        with self._flushing:
            noted = self.buffer.begin()
            left = noted
            try:
                made = [self._made(group) for group in by_version(noted).values()]
                if made:
                    with self._database.transaction(ALL_ACCOUNTS) as db:
                        for counts, kept in filter(None, made):
                            _write(db, counts, kept)
                left = ()
            finally:
                self.buffer.settle(left)

    def sweep(self, db: Session) -> None:
        """Forgets what is too old, and the oldest predictions where there are too many."""
        repository.delete_old(db, self._clock.now() - timedelta(days=self._days))
        repository.trim(db, self._kept)

    def _made(
        self, noted: Sequence[NotedRequest]
    ) -> tuple[OnlineCountRecord, StoredPredictionRecord | None] | None:
        """Makes the rows of what was noted of one version; None where that cannot be done."""
        first = noted[0]
        owned = {"account_id": first.account_id, "version_id": first.version_id}
        try:
            watch = self._watches.of(first.artifact)
            noted = with_arrays(noted, watch.goal.width)
            counts, packed = counted(watch, noted), pack(noted) if self._kept else None
        except ObjectMissing:
            return None
        except Exception:  # noqa: BLE001 - what cannot be counted must not hold up the rest
            logger().exception("monitoring.not_counted", version_id=first.version_id)
            return None
        rows, hour = sum(len(one.told) for one in noted), hour_of(self._clock.now())
        kept = None if packed is None else StoredPredictionRecord(**owned, **packed._asdict())
        return OnlineCountRecord(**owned, hour=hour, rows=rows, counts=counts), kept

    def _find(self, db: Session, model_name: str, model_version: str) -> tuple[ServedVersion, Any]:
        version = self._models.serving(db, model_name, model_version)
        with reading(model_name, model_version):
            return version, self._watches.of(version.artifact)

    def _kind(self, db: Session, version: ServedVersion, target: str) -> str:
        facts = self._models.version(db, version.model_name, version.model_version)[1]
        return (facts.output_schema or {})[target]

    def _found(
        self, db: Session, version_id: str, width: int, requests: Sequence[str]
    ) -> dict[str, tuple[str, FoundPrediction]]:
        """Finds predictions by their requests: those told of before, waiting, and kept.

        Each comes with the name of its truth: of a single row that without the row's number.
        """
        names = {one: one.removesuffix(FIRST_ROW) for one in requests}
        before = repository.feedback_of(db, version_id, [*{*names, *names.values()}])
        known: dict[bytes, list[FoundPrediction]] = {}
        waiting = pack(with_arrays(self.buffer.of(version_id), width))
        if waiting is not None:
            known.update(unpack(waiting.content))
        found: dict[str, tuple[str, FoundPrediction]] = {}
        seen: set[int] = set()
        for request_id, whole in names.items():
            told = whole if whole in before else request_id
            if told in before:
                found[request_id] = told, before[told]
                continue
            asked = FeedbackKey.of(request_id)
            if asked is None:
                continue
            if asked.key not in known:
                for number, content in repository.kept_around(
                    db, version_id, asked.milliseconds, seen
                ):
                    seen.add(number)
                    known.update(unpack(content))
            answers = known.get(asked.key, [])
            if asked.fits(len(answers)):
                name = whole if len(answers) == 1 else request_id
                found[request_id] = name, answers[asked.row or 0]
        return found


def _write(db: Session, fresh: OnlineCountRecord, kept: StoredPredictionRecord | None) -> None:
    """Adds to an hour's counts, and keeps predictions; not of a version that is gone."""
    from modelwright.engines.automl.monitoring.online_counts import merged  # noqa: PLC0415 - numpy is heavy

    row = repository.counts(db, fresh.version_id, fresh.hour)
    if row is None and not insert_if_absent(db, fresh):
        row = repository.counts(db, fresh.version_id, fresh.hour)
        if row is None:
            return
    if row is not None:
        row.rows += fresh.rows
        row.counts = merged(row.counts, fresh.counts)
    if kept is not None:
        insert_if_absent(db, kept)
