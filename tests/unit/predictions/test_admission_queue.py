"""More predictions than may wait are refused at once, and nothing else is held up by them."""

import json
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed, wait
from itertools import cycle, islice

import anyio
import httpx
import pytest
from tests.built_models import GENTOO, Built, put_to_work
from tests.factories import ModelSide
from tests.live_server import serving

from modelwright.bootstrap.container import Container
from modelwright.core.config.settings import Settings
from modelwright.predictions import admission_queue
from modelwright.predictions.errors import QueueFull
from modelwright.predictions.model_cache import PredictorCache
from modelwright.server.app import create_app

WAITING = 4
"""Requests that may wait."""
TOO_MANY = 8
"""Requests beyond all that are taken in."""
MOST = admission_queue.OWN_AT_ONCE + WAITING
PATIENCE = 60.0
BODIES = (("predictions", [GENTOO] * 100), ("infer?include=probabilities", GENTOO))


@pytest.fixture
def settings(settings: Settings) -> Settings:
    return settings.model_copy(update={"predictions_waiting": WAITING})


@pytest.fixture
def served(container: Container, make_key: Callable[..., str]) -> Iterator[httpx.Client]:
    """A client of a real server over the container."""
    with (
        serving(create_app(container)) as (host, port),
        httpx.Client(
            base_url=f"http://{host}:{port}",
            headers={"x-api-key": make_key()},
            limits=httpx.Limits(max_connections=None),
            timeout=PATIENCE,
        ) as client,
    ):
        yield client


class SlowStorage:
    """Lets every model that has to be read wait until it is told to go on."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.goes_on = threading.Event()
        find = PredictorCache.of

        def of(predictors: PredictorCache, artifact: str) -> object:
            assert predictors.has(artifact) or self.goes_on.wait(PATIENCE)
            return find(predictors, artifact)

        monkeypatch.setattr(PredictorCache, "of", of)


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> Iterator[SlowStorage]:
    storage = SlowStorage(monkeypatch)
    yield storage
    storage.goes_on.set()


@pytest.fixture
def callers() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(MOST + TOO_MANY) as pool:
        yield pool


def become_known(served: httpx.Client, model: str) -> None:
    """Has the server know whose key it is; nothing is loaded for what is no JSON."""
    assert served.post(f"{model}/predictions", content=b"[").status_code == 400


class TestQueue:
    def test_what_is_too_much_is_refused_at_once_and_the_rest_is_answered(
        self, served: httpx.Client, penguins: str, slow: SlowStorage, callers: ThreadPoolExecutor
    ):
        become_known(served, penguins)
        asked = [
            callers.submit(served.post, f"{penguins}/{verb}", json=body)
            for verb, body in islice(cycle(BODIES), MOST + TOO_MANY)
        ]
        first = islice(as_completed(asked, PATIENCE), TOO_MANY)
        for answer in [one.result() for one in first]:
            assert answer.status_code == 503
            assert answer.json()["error"]["code"] == "service_unavailable"
            assert answer.headers["retry-after"] == "1"
        slow.goes_on.set()
        statuses = sorted(one.result().status_code for one in asked)
        assert statuses == [200] * MOST + [503] * TOO_MANY
        assert served.post(f"{penguins}/predictions", json=[GENTOO]).status_code == 200

    def test_a_full_line_keeps_nothing_else_waiting(
        self,
        served: httpx.Client,
        container: Container,
        penguins: str,
        model_side: ModelSide,
        mass: Built,
        slow: SlowStorage,
        callers: ThreadPoolExecutor,
    ):
        if container.database.stamp() is None:
            pytest.skip("one row is answered without a thread on the embedded database only")
        cold = put_to_work(model_side, "mass", mass)
        slow.goes_on.set()
        for _ in range(2):
            assert served.post(f"{penguins}/infer", json=GENTOO).status_code == 200
        slow.goes_on.clear()
        asked = [
            callers.submit(served.post, f"{cold}/predictions", json=[GENTOO])
            for _ in range(MOST + TOO_MANY)
        ]
        assert next(as_completed(asked, PATIENCE)).result().status_code == 503
        assert served.post(f"{penguins}/infer", json=GENTOO).status_code == 200
        assert served.get("/models").status_code == 200
        slow.goes_on.set()
        wait(asked)

    def test_one_account_keeps_no_other_waiting(
        self,
        served: httpx.Client,
        penguins: str,
        slow: SlowStorage,
        callers: ThreadPoolExecutor,
        make_key: Callable[..., str],
    ):
        other = {"x-api-key": make_key(email="other@example.org")}
        become_known(served, penguins)
        asked = [
            callers.submit(served.post, f"{penguins}/predictions", json=[GENTOO])
            for _ in range(MOST + TOO_MANY)
        ]
        assert next(as_completed(asked, PATIENCE)).result().status_code == 503
        answer = served.post(f"{penguins}/predictions", json=[GENTOO], headers=other)
        assert answer.status_code == 404
        slow.goes_on.set()
        wait(asked)

    def test_bodies_that_are_too_large_together_are_refused(
        self,
        served: httpx.Client,
        penguins: str,
        slow: SlowStorage,
        callers: ThreadPoolExecutor,
        monkeypatch: pytest.MonkeyPatch,
    ):
        rows = [GENTOO] * 10
        monkeypatch.setattr(admission_queue, "MOST_BYTES", len(json.dumps(rows)))
        asked = [
            callers.submit(served.post, f"{penguins}/predictions", json=rows) for _ in range(2)
        ]
        assert next(as_completed(asked, PATIENCE)).result().status_code == 503
        slow.goes_on.set()
        assert sorted(one.result().status_code for one in asked) == [200, 503]


class TestTurns:
    def test_accounts_take_turns_and_a_full_line_has_room_for_one_that_has_none_in_it(self):
        done, refused, goes_on = [], [], threading.Event()

        async def ask(queue: admission_queue.AdmissionQueue, account: str) -> None:
            try:
                await queue.run(account, 1, lambda: goes_on.wait(PATIENCE) and done.append(account))
            except QueueFull:
                refused.append(account)

        async def all_ask() -> None:
            queue = admission_queue.AdmissionQueue(waiting=WAITING)
            async with anyio.create_task_group() as group:
                for account in (
                    ["a"] * MOST + ["b"] * admission_queue.PREDICTIONS_AT_ONCE + ["c"] * 3
                ):
                    group.start_soon(ask, queue, account)
                await anyio.wait_all_tasks_blocked()
                goes_on.set()

        anyio.run(all_ask)
        assert (
            len(done) == admission_queue.PREDICTIONS_AT_ONCE + 1 + WAITING
        )  # one in a reserved place
        assert Counter(done) == {"a": admission_queue.OWN_AT_ONCE + 1, "b": 4 + 2, "c": 2}
        assert Counter(refused)["c"] == 1

    def test_two_accounts_leave_room_for_the_bodies_of_a_third(self):
        refused, goes_on = [], threading.Event()

        async def ask(queue: admission_queue.AdmissionQueue, account: str) -> None:
            try:
                await queue.run(account, 64 << 20, lambda: goes_on.wait(PATIENCE))
            except QueueFull:
                refused.append(account)

        async def all_ask() -> None:
            queue = admission_queue.AdmissionQueue(waiting=WAITING)
            async with anyio.create_task_group() as group:
                for account in "aaabbbc":
                    group.start_soon(ask, queue, account)
                await anyio.wait_all_tasks_blocked()
                goes_on.set()

        anyio.run(all_ask)
        assert refused == ["a", "a", "b", "b"]

    def test_who_leaves_while_waiting_gives_the_place_back(self):
        async def leave_and_ask() -> str:
            queue, goes_on = admission_queue.AdmissionQueue(waiting=1), threading.Event()
            async with anyio.create_task_group() as group:
                for _ in range(admission_queue.OWN_AT_ONCE):
                    group.start_soon(queue.run, "a", 1, lambda: goes_on.wait(PATIENCE))
                await anyio.wait_all_tasks_blocked()
                with anyio.move_on_after(0.05):
                    await queue.run("a", 1, lambda: "never")
                group.start_soon(queue.run, "a", 1, lambda: "in its place")
                await anyio.wait_all_tasks_blocked()
                goes_on.set()
            return await queue.run("a", admission_queue.MOST_BYTES + 1, lambda: "alone")

        assert anyio.run(leave_and_ask) == "alone"
