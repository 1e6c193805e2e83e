"""`/data/analyze`, `/data/analysis` and `/data/visualization`."""

from starlette.responses import Response

from modelwright.analysis.domain import AnalysisInfo, NamedPicture
from modelwright.analysis.schemas import (
    AnalysisAnswer,
    AnalysisCreated,
    CreateAnalysis,
    VisualizationEntry,
    VisualizationList,
)
from modelwright.analysis.service import Analyses
from modelwright.core.http.context import ReadContext, Scope, WriteContext
from modelwright.core.http.paging import Paged, Pagination
from modelwright.core.http.routing import ApiRouter, Service
from modelwright.core.http.schemas import Json

router = ApiRouter("analysis", Scope.DATASETS)
BROWSER_CACHE_SECONDS = 86_400
"""A day: a chart never changes under its address."""
HEADERS = {
    "Content-Security-Policy": "default-src 'none'; sandbox",
    "Cache-Control": f"private, max-age={BROWSER_CACHE_SECONDS}",
    "Vary": "Authorization, X-Api-Key, Cookie",
}
MEDIA: dict[str, Json] = {"application/json": {}, "image/png": {}}


@router.post_("/data/analyze")
def create(ctx: WriteContext, analyses: Service[Analyses], body: CreateAnalysis) -> AnalysisCreated:
    """Starts an analysis of an upload's files."""
    analysis = analyses.create(ctx.db, body.upload_id, body.files, body.analysis_type)
    return AnalysisCreated.model_validate(analysis)


def _read(found: tuple[AnalysisInfo, str], analyses: Analyses) -> AnalysisAnswer:
    analysis, base_url = found
    return AnalysisAnswer.of(analysis, analyses.found(analysis), base_url)


@router.get_("/data/analysis/{job_id}", then=_read)
def read(ctx: ReadContext, analyses: Service[Analyses], job_id: str) -> tuple[AnalysisInfo, str]:
    """Reads an analysis and its result."""
    return analyses.read(ctx.db, job_id), ctx.base_url


@router.get_("/data/visualization")
def visualizations(ctx: ReadContext, analyses: Service[Analyses], page: Paged) -> VisualizationList:
    """Lists the account's visualizations, newest first."""
    found, total = analyses.visualizations(ctx.db, page)
    return VisualizationList(
        visualizations=[VisualizationEntry.of(one, ctx.base_url) for one in found],
        pagination=Pagination.of(page, total),
    )


def _visualization(found: NamedPicture, analyses: Analyses) -> Response:
    content = analyses.content(found)
    place = {"Content-Disposition": f'inline; filename="{found.filename}"'}
    return Response(content, headers={**HEADERS, **place}, media_type=found.medium.content_type)


@router.get_(
    "/data/visualization/{filename}",
    then=_visualization,
    response_class=Response,
    responses={200: {"content": MEDIA}},
)
def visualization(ctx: ReadContext, analyses: Service[Analyses], filename: str) -> NamedPicture:
    """Returns a visualization as a Vega-Lite document (`.json`) or as a picture (`.png`)."""
    return analyses.visualization(ctx.db, filename)
