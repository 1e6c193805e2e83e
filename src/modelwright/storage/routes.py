"""`/storage/…`: signed addresses take and give objects; plain routes, so that bodies stream."""

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from modelwright.core.http.file_response import attachment
from modelwright.core.http.pipeline import RequestPipeline
from modelwright.core.http.routing import ApiRouter
from modelwright.storage.service import Storage
from modelwright.storage.url_signer import MOUNT, Grant

router = ApiRouter("storage")
PATH = MOUNT + "/{key:path}"


async def put(request: Request) -> Response:
    """Takes the bytes of one object."""
    storage, key = _storage(request), request.path_params["key"]
    grant = storage.admit(request.method, key, request.query_params)
    declared = request.headers.get("content-length", "0")
    await storage.receive(grant, request.stream(), int(declared) if declared.isdigit() else 0)
    return Response(status_code=200)


async def get(request: Request) -> Response:
    """Returns the bytes of one object, or one range of them, as an attachment."""
    storage, key = _storage(request), request.path_params["key"]
    grant = storage.admit(request.method, key, request.query_params)
    return await run_in_threadpool(_given, request, storage, grant)


def _given(request: Request, storage: Storage, grant: Grant) -> Response:
    size = storage.size(grant)
    return attachment(
        request,
        grant.filename,
        "application/octet-stream",
        size,
        lambda start, end: storage.send(grant, start, end),
    )


router.add_route(PATH, put, methods=["PUT"], include_in_schema=False)
router.add_route(PATH, get, methods=["GET", "HEAD"], include_in_schema=False)


def _storage(request: Request) -> Storage:
    pipeline: RequestPipeline = request.app.state.pipeline
    return pipeline.service(Storage)
