"""Every query of the feature."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import delete, select, update
from sqlalchemy.orm import Session

from modelwright.core.db.queries import changed_rows, find_one
from modelwright.scoring.domain import ScoringStep
from modelwright.scoring.orm import ScoringRecord, ScoringStepRecord


def find(db: Session, export_id: str) -> ScoringRecord | None:
    """Finds the order of an export of the scope."""
    return find_one(db, ScoringRecord, ScoringRecord.export_id == export_id)


def of_versions(db: Session, version_ids: Sequence[str]) -> Sequence[ScoringRecord]:
    """Lists the orders for some versions."""
    return db.scalars(select(ScoringRecord).where(ScoringRecord.version_id.in_(version_ids))).all()


def steps(db: Session, export_id: str) -> Sequence[ScoringStepRecord]:
    """Lists the steps of an export in their order."""
    wanted = select(ScoringStepRecord).where(ScoringStepRecord.export_id == export_id)
    ordered = wanted.order_by(ScoringStepRecord.number)
    return db.scalars(ordered.execution_options(populate_existing=True)).all()


def change_step(db: Session, export_id: str, seen: ScoringStep, **values: Any) -> bool:
    """Changes a step that is not done and still as it was seen; tells whether it was."""
    one = ScoringStepRecord
    holder = one.holder.is_(None) if seen.holder is None else one.holder == seen.holder
    change = update(one).where(
        one.export_id == export_id,
        one.number == seen.number,
        one.key.is_(None),
        one.is_lenient == seen.is_lenient,
        one.tries == seen.tries,
        holder,
    )
    return bool(changed_rows(db, change.values(**values)))


def release_step(db: Session, export_id: str, number: int, holder: str) -> None:
    """Takes a step back from who has it and did not do it."""
    one = ScoringStepRecord
    found = update(one).where(
        one.export_id == export_id, one.number == number, one.holder == holder, one.key.is_(None)
    )
    changed_rows(db, found.values(holder=None))


def begin_again_leniently(db: Session, export_id: str, file: int) -> int:
    """Has the steps of a file done again whose rows were all taken to have a prediction.

    Returns how many they are.
    """
    one = ScoringStepRecord
    strict = update(one).where(
        one.export_id == export_id, one.file == file, one.is_lenient.is_(False)
    )
    return changed_rows(db, strict.values(is_lenient=True, holder=None, key=None, made=None))


def delete_steps(db: Session, export_id: str) -> None:
    """Removes the steps of an export."""
    db.execute(delete(ScoringStepRecord).where(ScoringStepRecord.export_id == export_id))
