"""What starts builds, what they said and what they made; mounted before `models`.

Paths such as `/models/build-logs` would be taken for the name of a model by the routes of `models`,
if these came first.
"""

from collections.abc import Callable
from hashlib import sha256
from typing import Annotated

from fastapi import Query
from starlette.requests import Request
from starlette.responses import Response

from modelwright.builds.schemas import (
    BuildLogEntry,
    BuildLogs,
    BuildStarted,
    CreateModel,
    CreateVersion,
    Planned,
    Retrain,
    RetrainStarted,
    VersionStarted,
)
from modelwright.builds.service import Builds, PlanOrder
from modelwright.core.http.context import ReadContext, RequestContext, Scope, WriteContext
from modelwright.core.http.file_response import attachment
from modelwright.core.http.paging import LogPaged, Pagination
from modelwright.core.http.pipeline import RequestPipeline
from modelwright.core.http.routing import ApiRouter, Service
from modelwright.core.http.schemas import Text
from modelwright.models.domain import ModelMetadata

router = ApiRouter("builds", Scope.MODELS)

FACE = {"name", "description", "tags"}


@router.get_("/models/build-logs")
def logs(
    ctx: ReadContext,
    builds: Service[Builds],
    page: LogPaged,
    job_id: Annotated[Text | None, Query(description="Only what this build said.")] = None,
) -> BuildLogs:
    """Lists the log lines of builds, oldest first."""
    lines, total = builds.logs(ctx.db, page, job_id)
    entries = [
        BuildLogEntry.showing(line, model_name=line.resource["model_name"]) for line in lines
    ]
    return BuildLogs(logs=entries, pagination=Pagination.of(page, total))


@router.post_("/models/{model_name}")
def create(
    ctx: WriteContext, builds: Service[Builds], model_name: str, body: CreateModel
) -> BuildStarted:
    """Makes a model and starts its first build."""
    face = ModelMetadata(name=body.name, description=body.description, tags=body.tags)
    request = body.model_dump(exclude=FACE | {"plan_id"})
    started = builds.create(ctx.db, ctx.caller, model_name, face, request, plan_id=body.plan_id)
    return BuildStarted.of(*started)


@router.post_("/models/{model_name}/retrain")
def retrain(
    ctx: WriteContext, builds: Service[Builds], model_name: str, body: Retrain | None = None
) -> RetrainStarted:
    """Starts the build of a new minor version; a READY version stays in service meanwhile."""
    changes = (body or Retrain()).model_dump()
    changes["intent"] = changes.pop("goal")
    return RetrainStarted.of(*builds.retrain(ctx.db, ctx.caller, model_name, changes))


@router.post_("/models/{model_name}/versions")
def create_version(
    ctx: WriteContext, builds: Service[Builds], model_name: str, body: CreateVersion
) -> VersionStarted:
    """Starts the build of a new major version."""
    changes = body.model_dump()
    return VersionStarted.of(*builds.create_version(ctx.db, ctx.caller, model_name, changes))


def _planned(found: tuple[PlanOrder, Callable[[], bool]], builds: Builds) -> Planned:
    return Planned.model_validate(builds.plan(*found))


@router.post_("/models/{model_name}/plan", writes=False, remembers=False, stops=True, then=_planned)
def plan(
    ctx: ReadContext, builds: Service[Builds], model_name: str, body: CreateModel
) -> tuple[PlanOrder, Callable[[], bool]]:
    """Plans a build and stores nothing: target, task, columns left out, with reasons."""
    request = body.model_dump(exclude=FACE | {"plan_id"})
    return builds.to_plan(ctx.db, ctx.caller, model_name, request), ctx.is_gone


def artifact(request: Request) -> Response:
    """Returns a READY version's artifact, or one range of its bytes."""
    pipeline: RequestPipeline = request.app.state.pipeline
    builds = pipeline.service(Builds)
    name, version = request.path_params["model_name"], request.path_params["model_version"]

    def find(ctx: RequestContext) -> str:
        return builds.artifact(ctx.db, name, version)

    key = pipeline.run(request, router.reads, find, writes=False)
    size = builds.size(key, name, version)
    return attachment(
        request,
        f"{name}-{version}.zip",
        "application/zip",
        size,
        lambda start, end: builds.send(key, start, end),
        f'"{sha256(key.encode()).hexdigest()[:32]}"',
    )


router.add_plain("GET", "/models/{model_name}/{model_version}/artifact", artifact)
