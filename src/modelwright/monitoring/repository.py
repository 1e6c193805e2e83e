"""Every query of the feature.

Counts of an hour are one row that every API process adds to: it is locked while it is changed, or
counts would be lost.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import delete, func, select
from sqlalchemy.orm import Session

from modelwright.monitoring.domain import FoundPrediction, ToldTruth
from modelwright.monitoring.orm import FeedbackRecord, OnlineCountRecord, StoredPredictionRecord

NAMES_PER_QUERY = 500
"""Names in one query."""
MAX_ANSWERING_MS = 120_000
"""How long before its answer a request may have come, for its prediction to be found."""


def counts(db: Session, version_id: str, hour: datetime) -> OnlineCountRecord | None:
    """Finds an hour's counts and keeps others from changing them until the transaction ends."""
    query = select(OnlineCountRecord).where(
        OnlineCountRecord.version_id == version_id, OnlineCountRecord.hour == hour
    )
    return db.scalars(query.with_for_update().execution_options(populate_existing=True)).first()


def since(db: Session, version_id: str, hour: datetime) -> Sequence[OnlineCountRecord]:
    """Lists a version's counts since an hour, oldest first."""
    query = select(OnlineCountRecord).where(
        OnlineCountRecord.version_id == version_id, OnlineCountRecord.hour >= hour
    )
    return db.scalars(query.order_by(OnlineCountRecord.hour)).all()


def kept_around(
    db: Session, version_id: str, milliseconds: int, but: Iterable[int]
) -> Sequence[tuple[int, bytes]]:
    """Lists number and content of what may hold a request of a moment, but those named."""
    query = select(StoredPredictionRecord.kept_id).where(
        StoredPredictionRecord.version_id == version_id,
        StoredPredictionRecord.first_ms <= milliseconds,
        StoredPredictionRecord.last_ms >= milliseconds,
        StoredPredictionRecord.last_ms <= milliseconds + MAX_ANSWERING_MS,
    )
    wanted = [number for number in db.scalars(query) if number not in but]
    held = select(StoredPredictionRecord.kept_id, StoredPredictionRecord.content).where(
        StoredPredictionRecord.kept_id.in_(wanted)
    )
    return [(number, content) for number, content in db.execute(held)] if wanted else []


def feedback_of(
    db: Session, version_id: str, requests: Sequence[str]
) -> dict[str, FoundPrediction]:
    """Finds the predictions of which truths were told before, by request."""
    query = select(FeedbackRecord.request_id, FeedbackRecord.predicted, FeedbackRecord.link)
    query = query.where(FeedbackRecord.version_id == version_id)
    return {
        request_id: FoundPrediction(predicted, link)
        for some in _some(requests)
        for request_id, predicted, link in db.execute(
            query.where(FeedbackRecord.request_id.in_(some))
        )
    }


def save_feedback(db: Session, version_id: str, rows: Mapping[str, Mapping[str, Any]]) -> None:
    """Writes truths by request; one told before is told anew."""
    query = select(FeedbackRecord).where(FeedbackRecord.version_id == version_id)
    there: dict[str, FeedbackRecord] = {}
    for some in _some(list(rows)):
        for row in db.scalars(query.where(FeedbackRecord.request_id.in_(some))):
            there[row.request_id] = row
    for request_id, values in rows.items():
        before = there.get(request_id)
        if before is None:
            db.add(FeedbackRecord(version_id=version_id, request_id=request_id, **values))
        else:
            before.actual, before.told_at = values["actual"], values["told_at"]
    db.flush()


def _some(names: Sequence[str]) -> Iterable[Sequence[str]]:
    return (names[at : at + NAMES_PER_QUERY] for at in range(0, len(names), NAMES_PER_QUERY))


def feedback(db: Session, version_id: str, moment: datetime, most: int) -> list[ToldTruth]:
    """Lists the newest truths of predictions since a moment."""
    query = (
        select(FeedbackRecord.predicted, FeedbackRecord.link, FeedbackRecord.actual)
        .where(FeedbackRecord.version_id == version_id, FeedbackRecord.asked_at >= moment)
        .order_by(FeedbackRecord.asked_at.desc())
        .limit(most)
    )
    return [ToldTruth(*row) for row in db.execute(query)]


def delete_old(db: Session, moment: datetime) -> None:
    """Removes what is older than a moment."""
    db.execute(delete(OnlineCountRecord).where(OnlineCountRecord.hour < moment))
    db.execute(delete(FeedbackRecord).where(FeedbackRecord.asked_at < moment))
    milliseconds = int(moment.timestamp() * 1000)
    db.execute(delete(StoredPredictionRecord).where(StoredPredictionRecord.last_ms < milliseconds))


def trim(db: Session, most: int) -> None:
    """Removes each version's oldest predictions beyond so many."""
    totals = select(StoredPredictionRecord.version_id).group_by(StoredPredictionRecord.version_id)
    for version_id in db.scalars(totals.having(func.sum(StoredPredictionRecord.rows) > most)).all():
        newest_first = func.sum(StoredPredictionRecord.rows).over(
            order_by=StoredPredictionRecord.kept_id.desc()
        )
        running = (
            select(StoredPredictionRecord.kept_id, newest_first.label("total"))
            .where(StoredPredictionRecord.version_id == version_id)
            .subquery()
        )
        last = db.scalar(select(func.max(running.c.kept_id)).where(running.c.total > most))
        gone = delete(StoredPredictionRecord).where(
            StoredPredictionRecord.version_id == version_id, StoredPredictionRecord.kept_id <= last
        )
        db.execute(gone.execution_options(synchronize_session=False))
