"""`/models/{model_name}/{model_version}/score`; the files are the feature exports'."""

from modelwright.core.http.context import Scope, WriteContext
from modelwright.core.http.routing import ApiRouter, Service
from modelwright.scoring.schemas import ScoreUpload, ScoringStarted
from modelwright.scoring.service import Scoring

router = ApiRouter("scoring", Scope.PREDICTIONS)


@router.post_("/models/{model_name}/{model_version}/score")
def start(
    ctx: WriteContext,
    scoring: Service[Scoring],
    model_name: str,
    model_version: str,
    body: ScoreUpload,
) -> ScoringStarted:
    """Predicts every row of an upload in the background; the result is an export."""
    export = scoring.start(
        ctx.db,
        model_name,
        model_version,
        body.upload_id,
        wanted=body.wanted(),
        include=body.extras(),
    )
    return ScoringStarted.of(export, model_name, model_version)
