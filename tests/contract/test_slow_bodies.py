"""A body that stands still is ended on every route there is, whoever sends it."""

import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress

import pytest
from fastapi.testclient import TestClient
from tests.contract.walking import Operation, operations
from tests.live_server import serving

from modelwright.bootstrap.container import Container
from modelwright.core.http import body_limits, connection_guard, pace, write_coalescing
from modelwright.core.http.connection_guard import GuardedHttpProtocol
from modelwright.server.app import create_app

SOON = 60.0
FILES = {"files": [{"filename": "a.csv", "content_type": "text/csv"}]}


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pace, "GRACE_SECONDS", 0.3)
    monkeypatch.setattr(body_limits, "ANONYMOUS_BODY_SECONDS", 0.3)
    monkeypatch.setattr(connection_guard, "BODY_SECONDS", 1.0)
    monkeypatch.setattr(connection_guard, "HEAD_SECONDS", 1.0)
    monkeypatch.setattr(write_coalescing, "LINGER_SECONDS", 0.1)


@pytest.fixture
def address(container: Container) -> Iterator[tuple[str, int]]:
    with serving(create_app(container), http=GuardedHttpProtocol, lifespan="off") as address:
        yield address


def begin(line: socket.socket, verb: str, path: str, key: str) -> None:
    """Sends a head that promises a body, and a byte of it."""
    head = [f"{verb.upper()} {path} HTTP/1.1", "Host: localhost", "Content-Length: 1000"]
    head += ["Content-Type: application/json", *([f"x-api-key: {key}"] if key else []), "", ""]
    line.sendall("\r\n".join(head).encode() + b"{")


def ends(line: socket.socket) -> bool:
    """Whether the connection is closed, whatever was said before."""
    with suppress(ConnectionError):
        while line.recv(65536):
            pass
    return True


class TestEveryRoute:
    @pytest.mark.parametrize("is_known", [True, False])
    def test_ends_a_body_that_stands_still(
        self,
        address: tuple[str, int],
        anonymous_client: TestClient,
        make_key: Callable[..., str],
        is_known: bool,
    ):
        key = make_key() if is_known else ""
        found = [one for one in operations(anonymous_client.app) if one.takes_body]
        assert len(found) > 25
        with ExitStack() as stack:
            lines: list[tuple[Operation, socket.socket]] = []
            for one in found:
                line = stack.enter_context(socket.create_connection(address, timeout=SOON))
                begin(line, one.verb, one.url, key)
                lines.append((one, line))
            assert [one.name for one, line in lines if not ends(line)] == []

    def test_ends_a_file_that_stands_still(
        self, address: tuple[str, int], api: TestClient, container: Container
    ):
        upload = api.post("/data/upload", json=FILES).json()
        place = upload["files"][0]["presigned_url"].partition("testserver")[2]
        with socket.create_connection(address, timeout=SOON) as line:
            begin(line, "put", place, "")
            assert ends(line)
        assert list(container.settings.objects_dir.glob(f"uploads/{upload['upload_id']}/*")) == []
