"""Every query of the room."""

from collections.abc import Sequence

from sqlalchemy import delete, func, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from modelwright.core.paging import Page
from modelwright.queries.tables import QueryRow, VerifiedRow


def add(db: Session, row: QueryRow) -> None:
    """Adds an entry of the history."""
    db.add(row)


def find(db: Session, query_id: str) -> QueryRow | None:
    """Finds a query of the scope."""
    return db.scalars(select(QueryRow).where(QueryRow.query_id == query_id)).one_or_none()


def page(db: Session, session_id: str, window: Page) -> tuple[Sequence[QueryRow], int]:
    """Lists what was asked of a session, newest first, with the number of all."""
    counted = select(func.count(QueryRow.query_id)).where(QueryRow.session_id == session_id)
    wanted = select(QueryRow).where(QueryRow.session_id == session_id)
    ordered = wanted.order_by(QueryRow.query_id.desc()).limit(window.limit).offset(window.offset)
    return db.scalars(ordered).all(), db.scalar(counted) or 0


def forget(db: Session, kept: int, at_once: int) -> None:
    """Removes each account's oldest entries beyond the newest `kept`, so many at a time."""
    many = (
        select(QueryRow.account_id, func.count())
        .group_by(QueryRow.account_id)
        .having(func.count() > kept)
    )
    for account_id, count in db.execute(many).all():
        oldest = (
            select(QueryRow.query_id)
            .where(QueryRow.account_id == account_id)
            .order_by(QueryRow.query_id)
            .limit(min(count - kept, at_once))
        )
        ids = db.scalars(oldest).all()
        db.execute(delete(QueryRow).where(QueryRow.query_id.in_(ids)))


def verified(db: Session, query_id: str) -> VerifiedRow | None:
    """Finds a verified question of the scope by the query it was verified at."""
    return db.scalars(select(VerifiedRow).where(VerifiedRow.query_id == query_id)).one_or_none()


def answer_to(db: Session, dataset: str, fingerprint: str) -> VerifiedRow | None:
    """Finds the verified answer to a question of a dataset."""
    wanted = select(VerifiedRow).where(
        VerifiedRow.dataset == dataset, VerifiedRow.fingerprint == fingerprint
    )
    return db.scalars(wanted).one_or_none()


def keep(db: Session, row: VerifiedRow) -> bool:
    """Keeps a verified question; tells whether nobody else just did."""
    try:
        with db.begin_nested():
            db.add(row)
    except IntegrityError:
        return False
    return True


def drop(db: Session, row: VerifiedRow) -> None:
    """Drops a verified question."""
    db.delete(row)
    db.flush()


def verified_page(db: Session, window: Page) -> tuple[Sequence[VerifiedRow], int]:
    """Lists verified questions, newest first, with the number of all."""
    total = db.scalar(select(func.count(VerifiedRow.query_id))) or 0
    order = (VerifiedRow.verified_at.desc(), VerifiedRow.query_id.desc())
    wanted = select(VerifiedRow).order_by(*order).limit(window.limit).offset(window.offset)
    return db.scalars(wanted).all(), total
