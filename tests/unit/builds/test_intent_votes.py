"""What a language model takes for the target of an intent, beside what the rules take for it."""

import json
from collections.abc import Sequence
from typing import Any

import pytest
from fastapi.testclient import TestClient
from tests.factories import CHURN, ModelSide

from modelwright.bootstrap.container import Container
from modelwright.builds.intent_votes import IntentVotes
from modelwright.builds.service import Builds
from modelwright.core.clock import SystemClock
from modelwright.engines.language.llm.completion import (
    Completion,
    CompletionFailed,
    CompletionRequest,
    Token,
)
from modelwright.language_models.service import LanguageModels

pytestmark = pytest.mark.usefixtures("in_process_children")
SURE = -0.01
UNSURE = -1.2
"""Logarithms of a word's probability."""


class Model:
    """A model that answers what it is told to, as surely as it is told to."""

    name = "small-model"
    sees_values = True
    answers_json = False

    def __init__(self, answer: str | None, logprob: float = SURE) -> None:
        self.answer = answer
        self.logprob = logprob
        self.asked: list[CompletionRequest] = []

    def complete(self, request: CompletionRequest) -> Completion:
        self.asked.append(request)
        if self.answer is None:
            raise CompletionFailed("It is away.")
        return Completion(self.answer, (Token(self.answer, self.logprob),))

    def sample(self, _: CompletionRequest) -> Sequence[Completion]:
        return ()

    def probe(self) -> None:
        pass


class JsonModel(Model):
    answers_json = True


@pytest.fixture
def plan(api: TestClient, model_side: ModelSide, container: Container) -> Any:
    """Plans an intent of the churn table while a model votes."""
    churn = model_side.upload(CHURN)

    def make(model: Model, intent: str, **more: object) -> Any:
        voters = LanguageModels([model], SystemClock(), 5.0)
        container.service(Builds)._votes = IntentVotes(voters)
        body = {"intent": intent, "dataset_id": churn, **more}
        return api.post("/models/m/plan", json=body)

    return make


class TestVote:
    def test_that_agrees_changes_nothing(self, plan: Any):
        model = Model("churn")
        answer = plan(model, "Predict churn")
        assert answer.status_code == 200, answer.text
        assert answer.json()["target"] == "churn"
        assert not any("small-model" in one for one in answer.json()["warnings"])
        request = model.asked[0]
        opening, asking = request.turns
        assert "churn" in opening.content
        assert "Predict churn" in asking.content
        assert json.dumps("churn") in request.constraint.grammar
        assert '"NONE"' in request.constraint.grammar

    def test_that_is_sure_of_another_column_makes_a_question_of_it(self, plan: Any):
        answer = plan(Model("age"), "Predict churn")
        assert answer.status_code == 422
        (detail,) = answer.json()["error"]["details"]
        assert detail["field"] == "intent"
        assert "churn or, as small-model reads it, for age" in detail["message"]

    def test_that_is_not_sure_is_told_beside_the_plan(self, plan: Any):
        answer = plan(Model("age", UNSURE), "Predict churn").json()
        assert answer["target"] == "churn"
        assert any("would rather predict age" in one for one in answer["warnings"])

    def test_of_an_unclear_intent_is_told_with_the_refusal(self, plan: Any):
        answer = plan(Model("churn"), "what about the blue gizmos")
        assert answer.status_code == 422
        assert 'small-model takes it for churn: if so, ask "Predict churn"' in answer.text.replace(
            '\\"', '"'
        )
        unsure = plan(Model("churn", UNSURE), "what about the blue gizmos")
        assert "small-model" not in unsure.text

    def test_is_not_asked_for_wishes_that_cannot_be_met(self, plan: Any):
        model = Model("churn")
        answer = plan(model, "cluster the customers")
        assert answer.status_code == 422
        assert model.asked == []

    def test_is_not_asked_where_the_request_names_the_column(self, plan: Any):
        model = Model("age")
        assert plan(model, "whatever", target="churn").json()["target"] == "churn"
        assert model.asked == []

    def test_of_a_model_that_fails_is_told_as_missing(self, plan: Any):
        answer = plan(Model(None), "Predict churn").json()
        assert answer["target"] == "churn"
        assert any("small-model did not say" in one for one in answer["warnings"])

    @pytest.mark.parametrize("said", ['{"column": "churn"}', '{"column": null}'])
    def test_of_an_endpoint_is_json(self, plan: Any, said: str):
        model = JsonModel(said)
        answer = plan(model, "Predict churn")
        assert answer.json()["target"] == "churn"
        constraint = model.asked[0].constraint
        assert constraint.json_schema is not None
        assert "churn" in constraint.json_schema["properties"]["column"]["enum"]
