"""Small batches are answered on the event loop, slice by slice, with others in between."""

import asyncio
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest
from fastapi.testclient import TestClient
from tests.api_helpers import error_of, used
from tests.built_models import GENTOO
from tests.live_server import serving

from modelwright.bootstrap.container import Container
from modelwright.predictions import admission_queue, predict_rows, time_slicing
from modelwright.predictions.errors import QueueFull
from modelwright.predictions.model_cache import PredictorCache
from modelwright.predictions.time_slicing import TimeSlicer
from modelwright.server.app import create_app
from modelwright.usage.domain import Kind

SMALL = {"bill_length_mm": 39.1, "bill_depth_mm": 18.7, "body_mass_g": 3750}
ROWS = [
    GENTOO | (SMALL if place % 3 else {}) | {"flipper_length_mm": 172 + place % 60}
    for place in range(150)
]
"""Three slices of birds of more than one species."""


@pytest.fixture
def seconds(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The moment it is, last; the clock stands where nothing is added."""
    moments = [0.0]
    monkeypatch.setattr(time_slicing, "perf_counter", lambda: moments[-1])
    return moments


@pytest.fixture
def hops(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """What was done in threads of the line."""
    seen: list[object] = []
    run_sync = vars(admission_queue)["run_sync"]

    async def noted(work: Callable[[], Any], **options: Any) -> Any:
        seen.append(work)
        return await run_sync(work, **options)

    monkeypatch.setattr(admission_queue, "run_sync", noted)
    return seen


@pytest.fixture
def known(api: TestClient, container: Container, penguins: str, hops: list[object]) -> str:
    """A model that is loaded, and a caller who is known."""
    if container.database.stamp() is None:
        pytest.skip("only the embedded database says when something was committed")
    assert api.post(f"{penguins}/predictions", json=[GENTOO]).status_code == 200
    hops.clear()
    return penguins


def told(answer: Any) -> list[Any]:
    return [item["prediction"] for item in answer.json()]


class TestSlices:
    def test_works_take_turns(self, seconds: list[float]):
        seen: list[str] = []

        def work(name: str, count: int) -> Generator[None, None, str]:
            for _ in range(count):
                seen.append(name)
                yield
            return name

        async def both() -> Sequence[str]:
            shared = TimeSlicer()
            return await asyncio.gather(shared.run(work("long", 3)), shared.run(work("short", 1)))

        assert asyncio.run(both()) == ["long", "short"]
        assert seen == ["long", "short", "long", "long"]

    def test_takes_so_much_of_the_loop_s_time_and_no_more(self, seconds: list[float]):
        turns: list[int] = []

        def work() -> Generator[None, None, None]:
            for _ in range(6):
                seconds.append(seconds[-1] + 1.0)
                turns[-1] += 1
                yield

        async def others(taking: float) -> None:
            while True:
                seconds.append(seconds[-1] + taking)
                turns.append(0)
                await asyncio.sleep(0)

        async def beside(taking: float) -> list[int]:
            turns[:] = [0]
            other = asyncio.create_task(others(taking))
            await TimeSlicer().run(work())
            other.cancel()
            return [one for one in turns if one]

        assert asyncio.run(beside(0.001)) == [1] * 6
        assert asyncio.run(beside(3.0 / time_slicing.TIME_SHARE)) == [3, 3]

    def test_a_work_that_fails_fails_alone(self):
        def failing() -> Generator[None, None, None]:
            yield
            raise ArithmeticError("this work")

        def fine() -> Generator[None, None, str]:
            yield
            yield
            return "fine"

        async def both() -> Sequence[object]:
            shared = TimeSlicer()
            works = shared.run(failing()), shared.run(fine())
            return await asyncio.gather(*works, return_exceptions=True)

        failed, answer = asyncio.run(both())
        assert repr(failed) == "ArithmeticError('this work')"
        assert answer == "fine"

    def test_nothing_more_is_done_for_a_caller_who_leaves(self):
        done: list[int] = []

        def work(begun: asyncio.Event) -> Generator[None, None, None]:
            for place in range(1000):
                done.append(place)
                begun.set()
                yield

        async def leave() -> None:
            shared, begun = TimeSlicer(), asyncio.Event()
            asked = asyncio.create_task(shared.run(work(begun)))
            await begun.wait()
            asked.cancel()
            await asyncio.sleep(0)
            done.clear()
            await shared.run(one_slice())

        asyncio.run(leave())
        assert done == []


def one_slice() -> Generator[None, None, None]:
    yield


class TestSmallBatches:
    def test_are_answered_without_a_thread_and_alike(
        self, api: TestClient, known: str, hops: list[object]
    ):
        answer = api.post(f"{known}/predictions", json=ROWS)
        assert hops == []
        by_thread = api.post(f"{known}/predictions?include=", json=ROWS)
        assert len(hops) == 1
        assert told(answer) == told(by_thread)
        assert len({one["species"] for one in told(answer)}) > 1
        request = answer.headers["x-request-id"]
        ids = [item["request_id"] for item in answer.json()]
        assert ids == [f"{request}.{place}" for place in range(150)]

    def test_are_counted_and_watched(self, api: TestClient, known: str):
        before = used(api, Kind.PREDICTIONS)
        api.post(f"{known}/predictions", json=ROWS)
        assert used(api, Kind.PREDICTIONS) == before + 150
        assert api.get(f"{known}/monitoring").json()["rows"] == 151

    def test_name_the_row_that_is_wrong_in_any_slice(
        self, api: TestClient, known: str, hops: list[object]
    ):
        rows: list[Any] = [*ROWS[:140], GENTOO | {"year": "2007"}, *ROWS[141:]]
        answer = api.post(f"{known}/predictions", json=rows)
        assert answer.status_code == 422
        assert error_of(answer)["details"][0]["field"] == "140.year"
        assert len(hops) == 1

    @pytest.mark.parametrize("body", [b"[", b"[{}, 1]", b"{}", b"[]"])
    def test_are_refused_as_in_a_thread(self, api: TestClient, known: str, body: bytes):
        headers = {"content-type": "application/json"}
        answers = [
            api.post(f"{known}/predictions{query}", content=body, headers=headers).json()
            for query in ("", "?include=")
        ]
        for answer in answers:
            if isinstance(answer, dict):
                answer["error"].pop("request_id")
        assert answers[0] == answers[1]

    def test_of_a_model_that_had_to_go_meanwhile_are_answered_in_a_thread(
        self, api: TestClient, known: str, hops: list[object], monkeypatch: pytest.MonkeyPatch
    ):
        there = iter([True, False])
        monkeypatch.setattr(PredictorCache, "has", lambda *_: next(there))
        assert told(api.post(f"{known}/predictions", json=ROWS[:2])) != []
        assert len(hops) == 1

    def test_are_refused_where_the_line_is_full(
        self, api: TestClient, known: str, monkeypatch: pytest.MonkeyPatch
    ):
        def full(*_: object) -> None:
            raise QueueFull

        monkeypatch.setattr(admission_queue.AdmissionQueue, "_stand", full)
        assert api.post(f"{known}/predictions", json=ROWS).status_code == 503

    def test_are_no_larger_than_a_slice_may_be(
        self, api: TestClient, known: str, monkeypatch: pytest.MonkeyPatch
    ):
        seen: list[int] = []
        items = predict_rows._items

        def noted(predictor: Any, answers: Any, *rest: Any) -> Any:
            seen.append(len(answers.told))
            return items(predictor, answers, *rest)

        monkeypatch.setattr(predict_rows, "_items", noted)
        api.post(f"{known}/predictions", json=ROWS)
        assert seen == [64, 64, 22]


def test_batches_at_once_get_each_their_own_answers(
    container: Container, penguins: str, make_key: Callable[..., str]
):
    batches = [ROWS[place:] + ROWS[:place] for place in range(12)]
    with (
        serving(create_app(container)) as (host, port),
        httpx.Client(
            base_url=f"http://{host}:{port}{penguins}/",
            headers={"x-api-key": make_key()},
            timeout=60,
        ) as client,
        ThreadPoolExecutor(len(batches)) as callers,
    ):
        first = told(client.post("predictions", json=ROWS))
        answers = list(callers.map(lambda rows: client.post("predictions", json=rows), batches))
    for place, answer in enumerate(answers):
        assert told(answer) == first[place:] + first[:place]
