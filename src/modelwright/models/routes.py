"""`/models`: what models there are and how their versions stand; mounted after `builds`.

What starts builds has longer paths below the same names and is mounted first.
"""

from typing import Annotated, Literal

from fastapi import Header, Query
from starlette.responses import HTMLResponse, Response

from modelwright.core.http.context import ReadContext, Scope, WriteContext
from modelwright.core.http.paging import LongPaged, Paged, Pagination
from modelwright.core.http.routing import ApiRouter, Service
from modelwright.models.card import ModelCard
from modelwright.models.card_page import HEADERS, page, prefers_html
from modelwright.models.domain import ModelMetadata, ModelQuery, Status
from modelwright.models.schemas import (
    AmendModel,
    ModelAmended,
    ModelDeleted,
    ModelDetail,
    ModelList,
    ModelSummary,
    VersionDescription,
    VersionItem,
    VersionList,
    VersionState,
)
from modelwright.models.service import Models

router = ApiRouter("models", Scope.MODELS)


@router.get_("/models")
def list_(
    ctx: ReadContext,
    models: Service[Models],
    page: Paged,
    status: Annotated[Status | None, Query(description="Only models that show this.")] = None,
    sort_by: Literal["created_at", "name"] = "created_at",
    sort_dir: Literal["asc", "desc"] = "desc",
) -> ModelList:
    """Lists the account's models, newest first unless asked otherwise."""
    listing = ModelQuery(status, sort_by, descending=sort_dir == "desc")
    found, total = models.list_(ctx.db, listing, page)
    return ModelList(
        models=[ModelSummary.of(model) for model in found], pagination=Pagination.of(page, total)
    )


@router.get_("/models/{model_name}")
def read(ctx: ReadContext, models: Service[Models], model_name: str) -> ModelDetail:
    """Reads a model."""
    return ModelDetail.detailed(models.read(ctx.db, model_name), ctx.base_url)


@router.patch_("/models/{model_name}")
def amend(
    ctx: WriteContext, models: Service[Models], model_name: str, body: AmendModel
) -> ModelAmended:
    """Changes a model's name, description or tags."""
    face = ModelMetadata(**body.model_dump(exclude_unset=True))
    return ModelAmended.of(models.amend(ctx.db, model_name, face))


@router.delete_("/models/{model_name}")
def delete(ctx: WriteContext, models: Service[Models], model_name: str) -> ModelDeleted:
    """Deletes a model: its builds stop, its deployments end, and its name and datasets are free."""
    last, moment = models.delete(ctx.db, model_name)
    return ModelDeleted(
        model_name=model_name, model_version=last.shown.model_version, deleted_at=moment
    )


@router.get_("/models/{model_name}/versions")
def versions(
    ctx: ReadContext, models: Service[Models], model_name: str, page: LongPaged
) -> VersionList:
    """Lists a model's versions, newest first."""
    model, found, total = models.versions(ctx.db, model_name, page)
    return VersionList(
        model_name=model_name,
        model_version=model.shown.model_version,
        versions=[VersionItem.model_validate(version) for version in found],
        pagination=Pagination.of(page, total),
    )


@router.get_("/models/{model_name}/{model_version}/status")
def status(
    ctx: ReadContext, models: Service[Models], model_name: str, model_version: str
) -> VersionState:
    """Returns the state of a version."""
    _, version = models.version(ctx.db, model_name, model_version)
    return VersionState.of(version, models.build_progress(ctx.db, version))


@router.get_("/models/{model_name}/{model_version}/describe")
def describe(
    ctx: ReadContext, models: Service[Models], model_name: str, model_version: str
) -> VersionDescription:
    """Describes a version: schemas, metrics, and how it was trained."""
    return VersionDescription.of(*models.version(ctx.db, model_name, model_version))


@router.get_(
    "/models/{model_name}/{model_version}/card",
    response_model=ModelCard,
    responses={200: {"content": {"text/html": {"schema": {"type": "string"}}}}},
)
def card(
    ctx: ReadContext,
    models: Service[Models],
    model_name: str,
    model_version: str,
    format_: Annotated[
        Literal["json", "html"] | None,
        Query(alias="format", description="`Accept` decides where it is absent."),
    ] = None,
    accept: Annotated[str, Header(include_in_schema=False)] = "",
) -> ModelCard | Response:
    """Returns the model card of a READY version, as JSON or as a page."""
    told = ModelCard.of(*models.card(ctx.db, model_name, model_version))
    if (format_ or ("html" if prefers_html(accept) else "json")) == "json":
        return told
    return HTMLResponse(page(told.model_dump(mode="json")), headers=HEADERS)
