"""One account's slow requests leave threads for another's."""

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import anyio
import httpx
import pytest
from tests.factories import ModelSide
from tests.live_server import serving

from modelwright.bootstrap.container import Container
from modelwright.core.http.account_threads import MAX_THREADS_PER_ACCOUNT, AccountThreadLimiter
from modelwright.datasets.preview_reader import PreviewReader
from modelwright.server.app import create_app

PATIENCE = 60.0
MANY = 60
"""More than all threads."""


@pytest.fixture
def address(container: Container) -> Iterator[str]:
    """A real server over the container."""
    with serving(create_app(container)) as (host, port):
        yield f"http://{host}:{port}"


class TestOthers:
    def test_are_answered_while_one_account_has_all_that_it_may(
        self,
        address: str,
        model_side: ModelSide,
        make_key: Callable[..., str],
        monkeypatch: pytest.MonkeyPatch,
    ):
        go_on, read = threading.Event(), PreviewReader.read

        def slowly(*given: object) -> object:
            assert go_on.wait(PATIENCE)
            return read(*given)  # type: ignore[arg-type]

        monkeypatch.setattr(PreviewReader, "read", slowly)
        upload = model_side.upload("a,b\n1,2\n")
        keys = make_key(), make_key(email="other@example.org")
        with (
            httpx.Client(
                base_url=address, timeout=PATIENCE, limits=httpx.Limits(max_connections=None)
            ) as client,
            ThreadPoolExecutor(MANY) as callers,
        ):

            def get(path: str, key: str) -> int:
                return client.get(path, headers={"x-api-key": key}).status_code

            assert [get("/models", key) for key in keys] == [200, 200]
            about = client.get(f"/uploads/{upload}", headers={"x-api-key": keys[0]}).json()
            path = f"/data/uploads/{upload}/files/{about['files'][0]['filename']}/preview"
            asked = [callers.submit(get, path, keys[0]) for _ in range(MANY)]
            assert get("/models", keys[1]) == 200
            assert not any(one.done() for one in asked)
            go_on.set()
            assert {one.result(PATIENCE) for one in asked} == {200}
            assert get("/models", keys[0]) == 200


class TestHops:
    def test_who_leaves_while_waiting_keeps_nobody_from_the_place(self):
        go_on, hops = threading.Event(), AccountThreadLimiter()

        async def ask() -> int:
            async with anyio.create_task_group() as group:
                for _ in range(MAX_THREADS_PER_ACCOUNT):
                    group.start_soon(hops.run, "a", lambda: go_on.wait(PATIENCE))
                await anyio.wait_all_tasks_blocked()
                with anyio.move_on_after(0.05):
                    await hops.run("a", lambda: None)
                assert await hops.run("b", lambda: 1) == 1
                go_on.set()
            return await hops.run("a", lambda: 2)

        assert anyio.run(ask) == 2
        assert not hops._busy
        assert not hops._lines
