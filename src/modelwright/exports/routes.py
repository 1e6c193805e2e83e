"""`/data/export`; the files themselves by a plain route, so that they stream."""

from starlette.requests import Request
from starlette.responses import Response

from modelwright.core.http.context import ReadContext, RequestContext, Scope, WriteContext
from modelwright.core.http.file_response import attachment
from modelwright.core.http.pipeline import RequestPipeline
from modelwright.core.http.routing import ApiRouter, Service
from modelwright.exports.domain import ExportFile, SignedDownload, Status
from modelwright.exports.schemas import CreateExport, Export
from modelwright.exports.service import Exports

router = ApiRouter("exports", Scope.DATASETS)


@router.post_("/data/export")
def create(ctx: WriteContext, exports: Service[Exports], body: CreateExport) -> Export:
    """Starts an export of an upload's files."""
    return Export.of(exports.create(ctx.db, body.to_request(ctx.caller.email)), [])


@router.get_("/data/export/{export_id}")
def read(ctx: ReadContext, exports: Service[Exports], export_id: str) -> Export:
    """Reads the state of an export and the addresses of its files."""
    export = exports.read(ctx.db, export_id)
    addresses: list[SignedDownload] = []
    if export.status is Status.COMPLETED:
        numbers = range(len(export.pieces))
        addresses = [exports.sign(export, number, ctx.base_url) for number in numbers]
    return Export.of(export, addresses)


def download(request: Request) -> Response:
    """Returns one file of an export, or one range of its bytes."""
    pipeline: RequestPipeline = request.app.state.pipeline
    exports = pipeline.service(Exports)
    path = request.path_params

    def find(ctx: RequestContext) -> tuple[str, ExportFile]:
        return exports.find(ctx.db, path["export_id"], path["filename"])

    key, piece = pipeline.run(request, router.reads, find, writes=False)
    return attachment(
        request,
        piece.filename,
        piece.media_type,
        piece.size_bytes or 0,
        lambda start, end: exports.send(key, start, end),
    )


router.add_plain("GET", "/data/export/{export_id}/{filename}", download)
