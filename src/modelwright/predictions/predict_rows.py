"""Checks rows against a predictor and answers them: the same in the API and in a replica.

A prediction must not depend on where it was made; one implementation is loaded by both.
"""

from collections.abc import Generator
from typing import TYPE_CHECKING, Any

from modelwright.core.errors import ApiArea, ApiError, code_of
from modelwright.core.http.schemas import Json
from modelwright.core.limits.contract import LIMITS
from modelwright.predictions.domain import Include
from modelwright.predictions.errors import (
    field_missing,
    field_wrong,
    not_an_array,
    not_an_object,
    too_many_rows,
)

if TYPE_CHECKING:
    from modelwright_runtime.prediction_batch import PredictionBatch
    from modelwright_runtime.predictor import Encoded, Predictor

Includes = frozenset[Include]
SLICE_ROWS = 64
"""Rows that the event loop answers in one go."""


def answer_row(predictor: "Predictor", row: Any) -> "PredictionBatch":
    """Answers one row; refuses what is no object, and fields missing or of a wrong type."""
    encoded = encoded_row(predictor, row)
    if encoded is not None:
        return predictor.answer_encoded([encoded])
    _check(predictor, row, None)
    return predictor.answer_one(row)


def encoded_row(predictor: "Predictor", row: Any) -> "Encoded | None":
    """Encodes a row about which nothing is odd; None of another, of which there is more to say."""
    return predictor.encode_plain(row) if isinstance(row, dict) else None


def row_answer(
    predictor: "Predictor",
    row: Json,
    answers: "PredictionBatch",
    include: Includes,
    request_id: str,
    model: tuple[str, str],
    moment: str,
) -> Json:
    """Tells what one row was answered.

    `model` is name and version, `moment` the time of the answer as it is told.
    """
    answer = {
        "request_id": request_id,
        "result": predictor.results(answers)[0],
        "model_name": model[0],
        "model_version": model[1],
        "created_at": moment,
    }
    if include:
        answer |= predictor.extras(row, predictor.predictions(answers)[0], include)
    return answer


def answer_many(
    predictor: "Predictor", rows: Any, include: Includes, request_id: str
) -> tuple[list[Json], "PredictionBatch", list[Json]]:
    """Answers rows in their order; gives the items, the answers, and the rows that they are of.

    Refuses more than the limit and the first bad row; with `ROW_ERRORS` bad rows are answered by
    their errors, and the request ids count those that have an answer.
    """
    if not isinstance(rows, list):
        raise not_an_array()
    if len(rows) > LIMITS.batch_rows:
        raise too_many_rows(len(rows))
    rows = [*map(predictor.fields, rows)]
    if Include.ROW_ERRORS not in include:
        return *_answer_all(predictor, rows, include, request_id), rows
    errors = [_error_of(predictor, row, place) for place, row in enumerate(rows)]
    fitting = [row for row, error in zip(rows, errors, strict=True) if error is None]
    items, answers = _answer_all(predictor, fitting, include, request_id)
    left = iter(items)
    told = [next(left) if error is None else error for error in errors]
    return told, answers, fitting


def _answer_all(
    predictor: "Predictor", rows: list[Any], include: Includes, request_id: str
) -> tuple[list[Json], "PredictionBatch"]:
    are_objects = all(type(row) is dict for row in rows)
    answers = predictor.answer_many_plain(rows) if are_objects else None
    if answers is None:
        for place, row in enumerate(rows):
            _check(predictor, row, place)
        answers = predictor.answer_many(rows)
    items = _items(predictor, answers, request_id, 0)
    if include:
        predictions = predictor.predictions(answers)
        beside = predictor.extras_many(rows, predictions, include)
        for item, extras in zip(items, beside, strict=True):
            item.update(extras)
    return items, answers


def name_version(items: list[Json], model_version: str) -> list[Json]:
    """Has each answer of many tell the version that gave it."""
    for item in items:
        item["model_version"] = model_version
    return items


def answer_in_slices(
    predictor: "Predictor", rows: Any, request_id: str
) -> "Generator[None, None, tuple[list[Json], PredictionBatch] | None]":
    """Answers rows as `answer_many` does, a slice at a step; gives None where that has to say more.

    Rows have nothing beside their answers.
    """
    if not isinstance(rows, list) or not 0 < len(rows) <= LIMITS.batch_rows:
        return None
    items: list[Json] = []
    parts: list[PredictionBatch] = []
    for at in range(0, len(rows), SLICE_ROWS):
        if at:
            yield
        some = [*map(predictor.fields, rows[at : at + SLICE_ROWS])]
        are_objects = all(type(row) is dict for row in some)
        answers = predictor.answer_many_plain(some) if are_objects else None
        if answers is None:
            return None
        items += _items(predictor, answers, request_id, at)
        parts.append(answers)
    return items, parts[0].followed_by(parts[1:])


def _items(
    predictor: "Predictor", answers: "PredictionBatch", request_id: str, first: int
) -> list[Json]:
    return [
        {"prediction": result, "request_id": f"{request_id}.{place}"}
        for place, result in enumerate(predictor.results(answers), first)
    ]


def _error_of(predictor: "Predictor", row: Any, place: int) -> Json | None:
    """Tells what is wrong with a row, as an item in its place; None where nothing is."""
    try:
        _check(predictor, row, place)
    except ApiError as refusal:
        error = {
            "code": code_of(ApiArea.MODELS, refusal.kind),
            "message": refusal.message,
            "details": [
                {"field": detail.field, "message": detail.message, **detail.more}
                for detail in refusal.details
            ],
        }
        return {"prediction": None, "error": error}
    return None


def _check(predictor: "Predictor", row: Any, place: int | None) -> None:
    if not isinstance(row, dict):
        raise not_an_object(place, is_array=isinstance(row, list))
    problem = predictor.check(row)
    if problem is None:
        return
    refusal = field_missing if problem.kind == "missing" else field_wrong
    raise refusal(problem.field, problem.message, place)
