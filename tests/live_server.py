"""A real server, for what shows only on the wire."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import uvicorn


@contextmanager
def serving(app: Any, *, http: Any = "httptools", **config: Any) -> Iterator[tuple[str, int]]:
    """Serves an app on loopback; gives its host and port."""
    listener = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(app, http=http, log_config=None, **config))
    thread = threading.Thread(target=server.run, args=([listener],), daemon=True)
    thread.start()
    yield listener.getsockname()[:2]
    server.should_exit = True
    thread.join()
