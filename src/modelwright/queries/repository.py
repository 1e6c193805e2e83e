"""Every query of the room."""

from collections.abc import Sequence

from sqlalchemy import select
from sqlalchemy.orm import Session

from modelwright.core.db.database import forget_oldest
from modelwright.core.db.queries import page_of
from modelwright.core.http.paging import Page
from modelwright.queries.orm import QueryRow, VerifiedRow


def find(db: Session, query_id: str) -> QueryRow | None:
    """Finds a query of the scope."""
    return db.scalars(select(QueryRow).where(QueryRow.query_id == query_id)).one_or_none()


def page(db: Session, session_id: str, window: Page) -> tuple[Sequence[QueryRow], int]:
    """Lists what was asked of a session, newest first, with the number of all."""
    wanted = select(QueryRow).where(QueryRow.session_id == session_id)
    return page_of(db, wanted, window, QueryRow.query_id.desc())


def forget(db: Session, kept: int, at_once: int) -> None:
    """Removes each account's oldest entries beyond the newest `kept`, so many at a time."""
    forget_oldest(db, QueryRow, kept, at_once)


def verified(db: Session, query_id: str) -> VerifiedRow | None:
    """Finds a verified question of the scope by the query it was verified at."""
    return db.scalars(select(VerifiedRow).where(VerifiedRow.query_id == query_id)).one_or_none()


def answer_to(db: Session, dataset: str, fingerprint: str) -> VerifiedRow | None:
    """Finds the verified answer to a question of a dataset."""
    wanted = select(VerifiedRow).where(
        VerifiedRow.dataset == dataset, VerifiedRow.fingerprint == fingerprint
    )
    return db.scalars(wanted).one_or_none()


def drop(db: Session, row: VerifiedRow) -> None:
    """Drops a verified question."""
    db.delete(row)
    db.flush()


def verified_page(db: Session, window: Page) -> tuple[Sequence[VerifiedRow], int]:
    """Lists verified questions, newest first, with the number of all."""
    order = VerifiedRow.verified_at.desc(), VerifiedRow.query_id.desc()
    return page_of(db, select(VerifiedRow), window, *order)
