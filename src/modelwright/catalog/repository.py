"""Every query of the feature."""

from collections.abc import Collection, Sequence

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from modelwright.catalog.orm import CatalogRecord, SynonymRecord
from modelwright.core.db.queries import lock_one


def find(db: Session, datasets: Collection[str]) -> Sequence[CatalogRecord]:
    """Finds what was said of datasets."""
    return db.scalars(select(CatalogRecord).where(CatalogRecord.dataset.in_(datasets))).all()


def lock(db: Session, dataset: str) -> CatalogRecord | None:
    """Finds what was said of a dataset and keeps everyone else from changing it meanwhile."""
    return lock_one(db, CatalogRecord, CatalogRecord.dataset == dataset)


def synonyms(db: Session, datasets: Collection[str]) -> Sequence[SynonymRecord]:
    """Lists what verified questions showed of datasets."""
    wanted = select(SynonymRecord).where(SynonymRecord.dataset.in_(datasets))
    return db.scalars(wanted.order_by(SynonymRecord.query_id, SynonymRecord.number)).all()


def forget_question(db: Session, query_id: str) -> None:
    """Removes what a verified question showed."""
    db.execute(delete(SynonymRecord).where(SynonymRecord.query_id == query_id))


def forget_dataset(db: Session, dataset: str) -> None:
    """Removes all that is known of a dataset."""
    db.execute(delete(SynonymRecord).where(SynonymRecord.dataset == dataset))
    db.execute(delete(CatalogRecord).where(CatalogRecord.dataset == dataset))
