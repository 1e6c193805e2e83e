"""Every query of the feature."""

from collections.abc import Sequence

from sqlalchemy import select
from sqlalchemy.orm import Session

from modelwright.core.db.database import delete_oldest
from modelwright.core.db.queries import find_one, paginate
from modelwright.core.http.paging import Page
from modelwright.queries.orm import QueryRecord, VerifiedQueryRecord


def find(db: Session, query_id: str) -> QueryRecord | None:
    """Finds a query of the scope."""
    return find_one(db, QueryRecord, QueryRecord.query_id == query_id)


def page(db: Session, session_id: str, window: Page) -> tuple[Sequence[QueryRecord], int]:
    """Lists what was asked of a session, newest first, with the number of all."""
    wanted = select(QueryRecord).where(QueryRecord.session_id == session_id)
    return paginate(db, wanted, window, QueryRecord.query_id.desc())


def answered_since(db: Session, session_id: str, query: str, query_id: str) -> QueryRecord | None:
    """Finds the newest answer to what was asked in the same words after a query."""
    row = QueryRecord
    wanted = select(row).where(
        row.session_id == session_id,
        row.query == query,
        row.query_id > query_id,
        row.sql.is_not(None),
    )
    return db.scalars(wanted.order_by(row.query_id.desc()).limit(1)).first()


def delete_old(db: Session, kept: int, at_once: int) -> None:
    """Removes each account's oldest entries beyond the newest `kept`, so many at a time."""
    delete_oldest(db, QueryRecord, kept, at_once)


def verified(db: Session, query_id: str) -> VerifiedQueryRecord | None:
    """Finds a verified question of the scope by the query it was verified at."""
    return find_one(db, VerifiedQueryRecord, VerifiedQueryRecord.query_id == query_id)


def answer_to(db: Session, dataset: str, fingerprint: str) -> VerifiedQueryRecord | None:
    """Finds the verified answer to a question of a dataset."""
    row = VerifiedQueryRecord
    return find_one(db, row, row.dataset == dataset, row.fingerprint == fingerprint)


def taught(db: Session, dataset: str, most: int) -> Sequence[VerifiedQueryRecord]:
    """Lists the newest verified questions of a dataset."""
    order = VerifiedQueryRecord.verified_at.desc(), VerifiedQueryRecord.query_id.desc()
    wanted = select(VerifiedQueryRecord).where(VerifiedQueryRecord.dataset == dataset)
    return db.scalars(wanted.order_by(*order).limit(most)).all()


def drop(db: Session, row: VerifiedQueryRecord) -> None:
    """Drops a verified question."""
    db.delete(row)
    db.flush()


def verified_page(db: Session, window: Page) -> tuple[Sequence[VerifiedQueryRecord], int]:
    """Lists verified questions, newest first, with the number of all."""
    order = VerifiedQueryRecord.verified_at.desc(), VerifiedQueryRecord.query_id.desc()
    return paginate(db, select(VerifiedQueryRecord), window, *order)
