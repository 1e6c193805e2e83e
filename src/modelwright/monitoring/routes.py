"""`…/monitoring` and `…/feedback` of a version."""

from collections.abc import Callable
from typing import Annotated

from fastapi import Query

from modelwright.core.http.context import ReadContext, Scope, WriteContext
from modelwright.core.http.routing import ApiRouter, Prepared, Service
from modelwright.monitoring.domain import DEFAULT_WINDOW_HOURS, MOST_HOURS
from modelwright.monitoring.schemas import FeedbackTaken, Monitored, Truths
from modelwright.monitoring.service import Monitoring

router = ApiRouter("monitoring", Scope.MODELS)


def _get_ready(
    ctx: ReadContext,
    monitoring: Service[Monitoring],
    model_name: str,
    model_version: str,
    **_asked: object,
) -> Callable[[], object]:
    return monitoring.get_ready(ctx.db, model_name, model_version)


@router.get_("/models/{model_name}/{model_version}/monitoring", first=_get_ready)
def read(
    ctx: ReadContext,
    monitoring: Service[Monitoring],
    ready: Prepared[None],  # noqa: ARG001 - it has the counts at hand, and tells nothing
    model_name: str,
    model_version: str,
    window_hours: Annotated[
        int, Query(ge=1, le=MOST_HOURS, description="How far to look back, in whole hours.")
    ] = DEFAULT_WINDOW_HOURS,
) -> Monitored:
    """Compares recent inputs and predictions with the training data and with outcomes."""
    return Monitored.of(*monitoring.read(ctx.db, model_name, model_version, window_hours))


@router.post_(
    "/models/{model_name}/{model_version}/feedback", scope=Scope.PREDICTIONS, first=_get_ready
)
def feedback(
    ctx: WriteContext,
    monitoring: Service[Monitoring],
    ready: Prepared[None],  # noqa: ARG001 - as above
    model_name: str,
    model_version: str,
    body: Truths,
) -> FeedbackTaken:
    """Records the actual outcomes of predictions, by the ids of their requests."""
    truths = [one.truth() for one in body]
    version, accepted, unknown = monitoring.feedback(ctx.db, model_name, model_version, truths)
    return FeedbackTaken(
        model_name=version.model_name,
        model_version=version.model_version,
        accepted=accepted,
        unknown=unknown,
    )
