"""Serves the web console: its built files, the one page of all its addresses, a strict policy.

The files come from `make console`; a server without them says so on a page of its own.
"""

from pathlib import Path
from urllib.parse import urlsplit

from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from modelwright.core.http.exception_handlers import handle_api_error, unknown_path_error

FILES = Path(__file__).parents[1] / "console_dist"
TYPES = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".woff2": "font/woff2",
}
PAGE = "index.html"
NOT_BUILT = """<!doctype html><html lang="en"><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><title>Modelwright</title>
<body style="font: 1rem/1.6 system-ui; max-width: 40rem; margin: 15vh auto; padding: 0 1rem">
<h1>The console was not built</h1>
<p>This server works, its web console is missing. Run <code>make console</code> in the project's
folder (it needs to reach the npm registry) and load this page again.</p>
<p>The API answers meanwhile: <a href="/docs">documentation</a>,
<a href="/data/health">health</a>.</p></body></html>"""


class Console:
    """The console's pages over a folder of built files; they may reach these addresses."""

    def __init__(self, *addresses: str, files: Path = FILES) -> None:
        self._files = files
        self._seen: tuple[int, frozenset[str]] = (0, frozenset())
        reached = [urlsplit(address) for address in addresses if address]
        origins = "".join(f" {address.scheme}://{address.netloc}" for address in reached)
        self._policy = (
            "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; "
            f"img-src 'self' data: blob:; font-src 'self'; connect-src 'self'{origins}; "
            "manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
        )

    def routes(self) -> list[Route]:
        """Returns where the console answers."""
        return [
            Route("/console", self._enter, include_in_schema=False),
            Route("/console/{path:path}", self.show, include_in_schema=False),
        ]

    def show(self, request: Request) -> Response:
        """Sends a built file, else the page that finds its own way; refuses unknown assets."""
        path, built = request.path_params["path"], self._look()
        if path not in built and path.startswith("assets/"):
            return handle_api_error(request, unknown_path_error(request.url.path))
        if PAGE not in built:
            return HTMLResponse(NOT_BUILT, 503, self._headers("no-store"))
        return self._send(request, path if path in built else PAGE)

    def _look(self) -> frozenset[str]:
        """Names the built files; looks again when the page was built anew."""
        try:
            built_at = (self._files / PAGE).stat().st_mtime_ns
        except FileNotFoundError:
            return frozenset()
        if built_at != self._seen[0]:
            files = (file for file in self._files.rglob("*") if file.is_file())
            names = frozenset(file.relative_to(self._files).as_posix() for file in files)
            self._seen = (built_at, names)
        return self._seen[1]

    async def _enter(self, _request: Request) -> Response:
        return RedirectResponse("/console/")

    def _send(self, request: Request, path: str) -> Response:
        is_hashed = path.startswith("assets/")
        headers = self._headers("public, max-age=31536000, immutable" if is_hashed else "no-cache")
        kind = TYPES.get(Path(path).suffix, "application/octet-stream")
        if f"{path}.gz" in self._seen[1]:
            headers["Vary"] = "Accept-Encoding"
            if "gzip" in request.headers.get("accept-encoding", ""):
                headers["Content-Encoding"] = "gzip"
                path += ".gz"
        return FileResponse(self._files / path, headers=headers, media_type=kind)

    def _headers(self, caching: str) -> dict[str, str]:
        return {
            "Cache-Control": caching,
            "Content-Security-Policy": self._policy,
            "Referrer-Policy": "same-origin",
            "X-Frame-Options": "DENY",
        }
