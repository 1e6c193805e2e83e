"""Rows that are asked for at once go through a model together, and each gets its own answer."""

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest
from tests.built_models import GENTOO, Built
from tests.live_server import serving

from modelwright.bootstrap.container import Container
from modelwright.predictions.micro_batching import MAX_BATCH_ROWS, MicroBatcher
from modelwright.server.app import create_app
from modelwright_runtime.prediction_batch import PredictionBatch
from modelwright_runtime.predictor import Encoded, Predictor


@pytest.fixture
def predictor(mass: Built) -> Predictor:
    return Predictor.load(mass.folder)


@pytest.fixture
def runs(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many rows went through a model each time."""
    seen: list[int] = []
    answer = Predictor.answer_encoded

    def counted(predictor: Predictor, rows: Sequence[Encoded]) -> PredictionBatch:
        seen.append(len(rows))
        if any(row["sex"] == "broken" for _, row in rows):
            raise ArithmeticError("this row")
        return answer(predictor, rows)

    monkeypatch.setattr(Predictor, "answer_encoded", counted)
    return seen


def encoded(predictor: Predictor, count: int) -> list[Encoded]:
    """Rows of birds that differ in their flippers."""
    row = {name: GENTOO.get(name, "female") for name in predictor.input_schema}
    rows = [row | {"flipper_length_mm": 172 + place} for place in range(count)]
    found = [one for one in map(predictor.encode_plain, rows) if one is not None]
    assert len(found) == count
    return found


async def ask(predictor: Predictor, rows: Sequence[Encoded]) -> list[Any]:
    """Asks for all rows in one turn of the loop, when it was crowded before."""
    together = await crowded(predictor)
    return await asyncio.gather(
        *(together.answer(predictor, row) for row in rows), return_exceptions=True
    )


async def crowded(predictor: Predictor) -> MicroBatcher:
    """Gives what has answered two rows in one turn."""
    together = MicroBatcher()
    await asyncio.gather(*(together.answer(predictor, row) for row in encoded(predictor, 2)))
    await asyncio.sleep(0)
    return together


class TestTogether:
    def test_answers_in_one_run_what_each_row_is_answered_alone(
        self, predictor: Predictor, runs: list[int]
    ):
        rows = encoded(predictor, 20)
        told = asyncio.run(ask(predictor, rows))
        assert runs == [1, 1, 20]
        alone = [predictor.results(predictor.answer_encoded([row])) for row in rows]
        assert [predictor.results(one) for one in told] == alone
        assert len({str(one) for one in alone}) > 1

    def test_nobody_waits_who_asks_alone(self, predictor: Predictor, runs: list[int]):
        async def one_by_one() -> None:
            together = await crowded(predictor)
            for row in encoded(predictor, 2):
                await together.answer(predictor, row)
                await asyncio.sleep(0)
            with pytest.raises(StopIteration):  # it ran to its end
                together.answer(predictor, encoded(predictor, 1)[0]).send(None)

        asyncio.run(one_by_one())
        assert runs == [1] * 5

    def test_runs_no_more_rows_at_once_than_it_may(self, predictor: Predictor, runs: list[int]):
        told = asyncio.run(ask(predictor, encoded(predictor, MAX_BATCH_ROWS + 3)))
        assert runs == [1, 1, MAX_BATCH_ROWS, 3]
        assert all(len(one.told) == 1 for one in told)

    def test_keeps_models_apart(self, predictor: Predictor, species: Built, runs: list[int]):
        other = Predictor.load(species.folder)

        async def both() -> list[PredictionBatch]:
            together = await crowded(predictor)
            ours = [together.answer(predictor, row) for row in encoded(predictor, 2)]
            theirs = [together.answer(other, row) for row in encoded(other, 3)]
            return await asyncio.gather(*ours, *theirs)

        told = asyncio.run(both())
        assert runs == [1, 1, 2, 3]
        assert [one.goal.task for one in told] == ["regression"] * 2 + ["multiclass"] * 3

    def test_a_row_that_fails_fails_alone(self, predictor: Predictor, runs: list[int]):
        rows = encoded(predictor, 3)
        rows[1] = (rows[1][0], {**rows[1][1], "sex": "broken"})
        told = asyncio.run(ask(predictor, rows))
        assert [type(one) for one in told] == [PredictionBatch, ArithmeticError, PredictionBatch]

    def test_a_caller_who_leaves_keeps_nobody_waiting(self, predictor: Predictor):
        async def leave() -> PredictionBatch:
            together = await crowded(predictor)
            first, second = encoded(predictor, 2)
            gone = asyncio.ensure_future(together.answer(predictor, first))
            stays = asyncio.ensure_future(together.answer(predictor, second))
            await asyncio.sleep(0)
            gone.cancel()
            return await stays

        assert len(asyncio.run(leave()).told) == 1


def test_callers_at_once_get_each_their_own_answer(
    container: Container, weights: str, make_key: Callable[..., str]
):
    bird = GENTOO | {"species": "Gentoo"}
    rows = [bird | {"flipper_length_mm": 172 + place} for place in range(40)]
    with (
        serving(create_app(container)) as (host, port),
        httpx.Client(
            base_url=f"http://{host}:{port}{weights}/",
            headers={"x-api-key": make_key()},
            timeout=60,
        ) as client,
        ThreadPoolExecutor(len(rows)) as callers,
    ):
        batch = client.post("predictions", json=rows).json()
        client.post("infer", json=bird)
        told = list(callers.map(lambda row: client.post("infer", json=row).json(), rows))
    assert [one["result"] for one in told] == [one["prediction"] for one in batch]
    assert len({str(one["result"]) for one in told}) > 1
    assert len({one["request_id"] for one in told}) == len(rows)
