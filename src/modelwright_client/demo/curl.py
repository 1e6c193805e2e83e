"""Writes requests down as curl lines while they are made: what is printed is what was done."""

import shlex
from pathlib import Path

import httpx

KEY_HEADER = '-H "Authorization: Bearer $MODELWRIGHT_API_KEY"'
JSON_HEADER = "-H 'Content-Type: application/json'"
BREAK = " \\\n  "


class Recorder(httpx.BaseTransport):
    """Passes requests on; `take` gives the lines written since it was last called, each once."""

    def __init__(self, inner: httpx.BaseTransport, source: Path) -> None:
        self._inner = inner
        self._source = source
        self._lines: list[str] = []
        self._known: set[str] = set()

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """Writes the request down and passes it on."""
        line = self._line(request)
        if line not in self._known:
            self._known.add(line)
            self._lines.append(line)
        return self._inner.handle_request(request)

    def take(self) -> list[str]:
        """Returns the new lines."""
        lines, self._lines = self._lines, []
        return lines

    def close(self) -> None:
        """Closes what requests are passed to."""
        self._inner.close()

    def _line(self, request: httpx.Request) -> str:
        address = shlex.quote(str(request.url))
        if request.method == "PUT":
            kind = shlex.quote(f"Content-Type: {request.headers['Content-Type']}")
            source = shlex.quote(_from_here(self._source))
            return BREAK.join((f"curl -T {source}", f"-H {kind}", address))
        parts = [f"curl {address}"]
        if "Authorization" in request.headers:
            parts.append(KEY_HEADER)
        if request.content:
            parts += [JSON_HEADER, f"-d {shlex.quote(request.content.decode())}"]
        return BREAK.join(parts)


def _from_here(source: Path) -> str:
    here = Path.cwd()
    return str(source.relative_to(here) if source.is_relative_to(here) else source)
