"""Every query of the feature.

Names are unique among models that are not in the trash, and two requests may take one at once: the
database decides, and its answer is made a refusal here.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import ColumnElement, Select, case, func, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from modelwright.core.db.database import WITH_TRASH
from modelwright.core.db.queries import lock_in_trash, paginate, rows_in_trash
from modelwright.core.http.paging import Page
from modelwright.core.stored_values import read_member
from modelwright.models.domain import ModelQuery, Status
from modelwright.models.errors import ModelExists
from modelwright.models.orm import ModelRecord, ModelVersionRecord


class ModelAndVersion(NamedTuple):
    """A version with the model that it is of."""

    model: ModelRecord
    version: ModelVersionRecord


def add_model(db: Session, model: ModelRecord) -> None:
    """Adds a model; refuses a name that is taken, also by a request that was a moment faster."""
    if model_named(db, model.model_name):
        raise ModelExists(model.model_name)
    db.add(model)
    flush_name(db, model.model_name)


def flush_name(db: Session, model_name: str) -> None:
    """Writes a model's name; refuses one that a request took that was a moment faster."""
    try:
        db.flush()
    except IntegrityError:
        raise ModelExists(model_name) from None


def model_named(db: Session, model_name: str, *, lock: bool = False) -> ModelRecord | None:
    """Finds a model by its name; `lock` makes others who want to change it wait."""
    query = select(ModelRecord).where(ModelRecord.model_name == model_name)
    return db.scalar(query.with_for_update() if lock else query)


def version_with(db: Session, version_id: str) -> ModelAndVersion | None:
    """Finds a version and its model by the version's id."""
    query = _versions_with_models().where(ModelVersionRecord.version_id == version_id)
    return _one(db, query)


def version_labelled(db: Session, model_name: str, label: str) -> ModelAndVersion | None:
    """Finds a version and its model by name and label."""
    query = _versions_with_models().where(
        ModelRecord.model_name == model_name, ModelVersionRecord.label == label
    )
    return _one(db, query)


def current_version(db: Session, model_name: str) -> ModelAndVersion | None:
    """Finds a model and the version it shows."""
    query = _versions_with_models().where(
        ModelRecord.model_name == model_name, ModelVersionRecord.version == _current_number()
    )
    return _one(db, query)


def newest(db: Session, model_id: str) -> ModelVersionRecord | None:
    """Finds a model's newest version."""
    query = select(ModelVersionRecord).where(ModelVersionRecord.model_id == model_id)
    return db.scalar(query.order_by(ModelVersionRecord.version.desc()).limit(1))


def first_ready(db: Session, model_id: str) -> ModelAndVersion | None:
    """Finds the oldest READY version of a model, and the model."""
    query = _versions_with_models().where(
        ModelVersionRecord.model_id == model_id, ModelVersionRecord.status == Status.READY
    )
    return _one(db, query.order_by(ModelVersionRecord.version).limit(1))


def with_ready_versions(db: Session) -> list[tuple[str, str]]:
    """Lists the models of the scope that have a READY version, by account and model id."""
    query = select(ModelVersionRecord.account_id, ModelVersionRecord.model_id).where(
        ModelVersionRecord.status == Status.READY
    )
    return [(account_id, model_id) for account_id, model_id in db.execute(query.distinct())]


def list_models(
    db: Session, listing: ModelQuery, window: Page
) -> tuple[list[ModelAndVersion], int]:
    """Lists one page of models with the versions they show, and counts them all."""
    query = _versions_with_models().where(ModelVersionRecord.version == _current_number())
    if listing.status is not None:
        query = query.where(ModelVersionRecord.status == listing.status)
    total = db.scalar(query.with_only_columns(func.count(ModelRecord.model_id))) or 0
    key = (
        ModelRecord.created_at if listing.sort_by == "created_at" else func.lower(ModelRecord.name)
    )
    order = (
        [key.desc(), ModelRecord.model_id.desc()]
        if listing.descending
        else [key, ModelRecord.model_id]
    )
    page = query.order_by(*order).limit(window.limit).offset(window.offset)
    return [ModelAndVersion(model, version) for model, version in db.execute(page)], total


def versions(db: Session, model_id: str, page: Page) -> tuple[Sequence[ModelVersionRecord], int]:
    """Lists one page of a model's versions, newest first, and counts them all."""
    query = select(ModelVersionRecord).where(ModelVersionRecord.model_id == model_id)
    return paginate(db, query, page, ModelVersionRecord.version.desc())


def all_versions(db: Session, model_id: str) -> Sequence[ModelVersionRecord]:
    """Lists all of a model's versions, also where it lies in the trash."""
    wanted = select(ModelVersionRecord).where(ModelVersionRecord.model_id == model_id)
    return db.scalars(wanted, execution_options=WITH_TRASH).all()


def trashed(db: Session, before: datetime | None = None) -> Sequence[ModelRecord]:
    """Lists the models in the trash, newest first, or those that came there before a moment."""
    return rows_in_trash(db, ModelRecord, ModelRecord.model_id, before)


def lock_trashed(db: Session, model_id: str) -> ModelRecord | None:
    """Finds a model in the trash and keeps everyone else from changing it."""
    return lock_in_trash(db, ModelRecord, ModelRecord.model_id == model_id)


def artifacts(db: Session) -> list[tuple[str, Status, str | None]]:
    """Lists the versions of the scope, with those in the trash: id, status, key of the artifact."""
    wanted = select(
        ModelVersionRecord.version_id, ModelVersionRecord.status, ModelVersionRecord.artifact
    )
    found = db.execute(wanted, execution_options=WITH_TRASH)
    return [(one, read_member(Status, status), key) for one, status, key in found]


def deployment_statuses(db: Session, model_ids: list[str]) -> dict[str, dict[str, str]]:
    """Lists the deployment statuses that the versions of each model have, newest version first."""
    columns = (
        ModelVersionRecord.model_id,
        ModelVersionRecord.label,
        ModelVersionRecord.deployment_status,
    )
    query = select(*columns).where(
        ModelVersionRecord.model_id.in_(model_ids),
        ModelVersionRecord.deployment_status.is_not(None),
    )
    found: dict[str, dict[str, str]] = {model_id: {} for model_id in model_ids}
    for model_id, label, status in db.execute(query.order_by(ModelVersionRecord.version.desc())):
        found[model_id][label] = status or ""
    return found


def delete_model(db: Session, model: ModelRecord) -> None:
    """Deletes a model with its versions."""
    for version in all_versions(db, model.model_id):
        db.delete(version)
    db.flush()
    db.delete(model)
    db.flush()


def _versions_with_models() -> Select[ModelRecord, ModelVersionRecord]:
    return select(ModelRecord, ModelVersionRecord).join(
        ModelVersionRecord, ModelVersionRecord.model_id == ModelRecord.model_id
    )


def _one(db: Session, query: Select[ModelRecord, ModelVersionRecord]) -> ModelAndVersion | None:
    row = db.execute(query).one_or_none()
    return None if row is None else ModelAndVersion(*row)


def _current_number() -> ColumnElement[int]:
    """The newest READY version's number, before there is one the newest version's."""
    ready = func.max(case((ModelVersionRecord.status == Status.READY, ModelVersionRecord.version)))
    best = select(func.coalesce(ready, func.max(ModelVersionRecord.version)))
    theirs = best.where(ModelVersionRecord.model_id == ModelRecord.model_id)
    return theirs.correlate(ModelRecord).scalar_subquery()
