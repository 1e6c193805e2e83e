"""Rows that come in one turn of the event loop go through their model together.

Under load many are there at once, and most of what a model costs a row it costs but once a run.
"""

from asyncio import Future, get_running_loop
from collections import defaultdict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from modelwright_runtime.prediction_batch import PredictionBatch
    from modelwright_runtime.predictor import Encoded, Predictor

MAX_BATCH_ROWS = 64
"""Rows of one run; more would save nothing and keep the loop."""


class MicroBatcher:
    """What waits for the loop's turn; belongs to one event loop.

    Nobody waits who asks alone: rows are gathered once several came in the turn before.
    """

    def __init__(self) -> None:
        self._asked = 0
        self._is_crowded = False
        self._waiting: dict[Predictor, list[tuple[Encoded, Future[PredictionBatch]]]] = defaultdict(
            list
        )

    async def answer(self, predictor: "Predictor", row: "Encoded") -> "PredictionBatch":
        """Answers an encoded row; raises what answering it alone raises."""
        loop = get_running_loop()
        if not self._asked:
            loop.call_soon(self._turn)
        self._asked += 1
        if not self._is_crowded:
            return predictor.answer_encoded([row])
        told: Future[PredictionBatch] = loop.create_future()
        self._waiting[predictor].append((row, told))
        return await told

    def _turn(self) -> None:
        self._is_crowded, self._asked = self._asked > 1, 0
        waiting = list(self._waiting.items())
        self._waiting.clear()
        for predictor, rows in waiting:
            for at in range(0, len(rows), MAX_BATCH_ROWS):
                _answer(predictor, rows[at : at + MAX_BATCH_ROWS])


def _answer(predictor: "Predictor", rows: "list[tuple[Encoded, Future[PredictionBatch]]]") -> None:
    try:
        answers = predictor.answer_encoded([row for row, _ in rows])
    except Exception as fault:  # noqa: BLE001 - one by one tells whose row it was
        if len(rows) > 1:
            for one in rows:
                _answer(predictor, [one])
        elif not rows[0][1].done():
            rows[0][1].set_exception(fault)
        return
    for place, (_, told) in enumerate(rows):
        if not told.done():  # its caller may have left
            told.set_result(answers.one(place))
