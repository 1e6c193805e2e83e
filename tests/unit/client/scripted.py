"""A small real HTTP server that answers from a list, for behaviour no healthy server shows."""

import json
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Self
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

from modelwright_client import Client, Retry


@dataclass
class Answer:
    body: Any = None
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)

    @classmethod
    def refusal(cls, status: int, code: str = "code", **headers: str) -> Self:
        error = {"code": code, "message": f"It says {code}.", "status": status}
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return cls({"error": error}, status, named)

    @property
    def content(self) -> bytes:
        if isinstance(self.body, bytes):
            return self.body
        return self.body.encode() if isinstance(self.body, str) else json.dumps(self.body).encode()


@dataclass
class Asked:
    method: str
    path: str
    query: str
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


class Scripted:
    """Answers in the order given, the last one for ever; keeps what it was asked."""

    def __init__(self, *answers: Answer) -> None:
        self.answers = list(answers)
        self.asked: list[Asked] = []

    def __call__(self, environ: dict[str, Any], start: Callable[..., Any]) -> Iterable[bytes]:
        self.asked.append(_asked(environ))
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        headers = {"Content-Type": "application/json", **answer.headers}
        start(f"{answer.status} x", list(headers.items()))
        return [answer.content]

    @property
    def seen(self) -> list[str]:
        return [f"{asked.method} {asked.path}" for asked in self.asked]


def _asked(environ: dict[str, Any]) -> Asked:
    headers = {
        name.removeprefix("HTTP_").replace("_", "-").lower(): value
        for name, value in environ.items()
        if name.startswith(("HTTP_", "CONTENT_"))
    }
    body = environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH") or 0))
    return Asked(
        environ["REQUEST_METHOD"], environ["PATH_INFO"], environ["QUERY_STRING"], headers, body
    )


class _Silent(WSGIRequestHandler):
    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - its parent's name
        pass


@contextmanager
def serving(app: Any) -> Iterator[str]:
    """Runs a WSGI application on a free port; yields its address."""
    server: WSGIServer = make_server("127.0.0.1", 0, app, handler_class=_Silent)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@contextmanager
def client_of(app: Any, pauses: list[float] | None = None) -> Iterator[Client]:
    """Connects a client that never truly sleeps; `pauses` collects how long it would have."""
    noted = pauses if pauses is not None else []
    with serving(app) as url, Client(url, "mw_key", retry=Retry(sleep=noted.append)) as client:
        yield client
