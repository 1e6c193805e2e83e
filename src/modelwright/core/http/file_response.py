"""Gives bytes away as an attachment, whole or one range of them; no browser shows it as a page."""

import re
from collections.abc import Callable, Iterator
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse

HEADERS = {
    "Accept-Ranges": "bytes",
    "Content-Security-Policy": "default-src 'none'; sandbox",
    "X-Content-Type-Options": "nosniff",
}
_RANGE_PATTERN = re.compile(r"bytes=([0-9]{0,18})-([0-9]{0,18})")


class RangeError(ValueError):
    """A range that holds no byte of the object."""


def _range_of(header: str | None, size: int) -> tuple[int, int] | None:
    """Reads a Range header as first byte and end, which is not included.

    None means the whole object, which also answers what is not one range of bytes.
    Refuses a range outside the object with RangeError.
    """
    found = _RANGE_PATTERN.fullmatch(header.strip()) if header else None
    if found is None or found.group(1) == found.group(2) == "":
        return None
    first, last = found.groups()
    if first and last and int(first) > int(last):
        return None
    start = int(first) if first else max(0, size - int(last))
    end = min(size, int(last) + 1) if first and last else size
    if start >= end:
        raise RangeError(header)
    return start, end


def disposition(filename: str) -> str:
    """Says that bytes are to be kept as a file of this name."""
    return f"attachment; filename*=UTF-8''{quote(filename, safe='')}"


def attachment(
    request: Request,
    filename: str,
    media_type: str,
    size: int,
    pieces: Callable[[int, int], Iterator[bytes]],
    etag: str = "",
) -> Response:
    """Answers a GET or HEAD with the bytes that `pieces` reads from a start up to an end.

    An `etag` says that the bytes never change; who has them is answered 304.
    """
    fresh = {"ETag": etag, "Cache-Control": "private, no-cache"} if etag else {}
    if etag and etag in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers={**HEADERS, **fresh})
    changed = request.headers.get("if-range", etag) != etag
    asked = None if changed else request.headers.get("range")
    try:
        stretch = _range_of(asked, size)
    except RangeError:
        return _outside(request, size)
    start, end = stretch or (0, size)
    headers = {
        **HEADERS,
        **fresh,
        "Content-Type": media_type,  # as it is: given apart, a charset would be made up for texts
        "Content-Length": str(end - start),
        "Content-Disposition": disposition(filename),
    }
    if stretch:
        headers["Content-Range"] = f"bytes {start}-{end - 1}/{size}"
    status = 206 if stretch else 200
    if request.state.asked == "HEAD":
        return Response(status_code=status, headers=headers)
    return StreamingResponse(pieces(start, end), status, headers)


def _outside(request: Request, size: int) -> Response:
    refusal = {
        "code": "range_not_satisfiable",
        "message": f"Range: the object has {size} bytes.",
        "status": 416,
        "request_id": request.state.request_id,
    }
    return JSONResponse({"error": refusal}, 416, {**HEADERS, "Content-Range": f"bytes */{size}"})
