"""What a replica does with a request: decodes, answers, encodes. Only replicas import this."""

from collections.abc import Callable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import msgspec

from modelwright.core.errors import ApiError
from modelwright.core.http.json import decode_json
from modelwright.engines.automl.monitoring.online_counts import Watch
from modelwright.models.errors import reading
from modelwright.predictions.domain import Include
from modelwright.predictions.predict_rows import (
    answer_many,
    answer_row,
    name_version,
    row_answer,
)
from modelwright_runtime.prediction_batch import PredictionBatch
from modelwright_runtime.predictor import Predictor


def open_(told: Mapping[str, Any]) -> Callable[[Any, bytes], tuple[Any, bytes]]:
    """Loads the artifact that is told of and returns what answers requests with it.

    A request's head has `request_id`, `moment` and `include`, and at an endpoint `is_many`, which
    says what its body, the caller's, is to be and has each of many answers tell the version; an
    answer's head has the `rows` that were answered and what they were `told`, or the `refusal`.
    Of many rows it also has the counts, so that the API need not read them.
    Refuses an artifact that is damaged.
    """
    model, artifact = (told["model_name"], told["model_version"]), Path(told["artifact"])
    with reading(*model):
        predictor, watch = Predictor.load(artifact), Watch.read(artifact)

    def reply(head: Any, body: bytes) -> tuple[Any, bytes]:
        include = frozenset(map(Include, head["include"]))
        request_id = head["request_id"]
        try:
            asked = decode_json(body)
            if head.get("is_many", isinstance(asked, list)):
                items, answers, fitting = answer_many(predictor, asked, include, request_id)
                if "is_many" in head:
                    name_version(items, model[1])
                counted = {"columns": watch.count(fitting)}
                return {**_noted(answers), **counted}, msgspec.json.encode(items)
            asked = predictor.fields(asked)
            answers = answer_row(predictor, asked)
            answer = row_answer(
                predictor, asked, answers, include, request_id, model, head["moment"]
            )
            return _noted(answers), msgspec.json.encode(answer)
        except ApiError as refusal:
            return {"refusal": told_of(refusal)}, b""

    return reply


def _noted(answers: PredictionBatch) -> dict[str, Any]:
    told, link = answers.told.astype("<f8"), answers.raw_prediction.astype("<f8")
    return {"rows": len(told), "told": told.tobytes(), "link": link.tobytes()}


def told_of(refusal: ApiError) -> dict[str, Any]:
    """Puts a refusal into words that travel."""
    return {
        "kind": refusal.kind.name,
        "message": refusal.message,
        "details": [asdict(detail) for detail in refusal.details],
    }
