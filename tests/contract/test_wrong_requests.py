"""Every operation, wrong in one place at a time, says which place and what is allowed there."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from fastapi.testclient import TestClient
from tests.contract.test_texts import mine, taking
from tests.contract.walking import BODIES, Operation, operations, told_of
from tests.contract.wrong_requests import Wrong, put, wrongs

from modelwright.core.http.context import Level

__all__ = ["mine", "taking"]

SAYS_WHAT = re.compile(
    r"must (be|have|match)|\bis none of\b|"  # what any value must be
    r"must not|say in words|name (at least|exactly)"
)
PYDANTIC = re.compile(r"[Ii]nput|unable to|parse|valid (string|integer|number|boolean)")
"""Words of the library, which speak of what it does and not of what the caller is to send."""
READ_BY_A_REPLICA = {"deployments.infer"}
"""Whose parameters are read where the model is: without one there is nothing that reads them."""
AFTER_THE_MODEL = {("predictions.many", "errors"), ("endpoints.many", "errors")}
"""Parameters that are read with the model, which has to be there."""
LEAST_BODIES = 300
LEAST_QUERIES = 100
"""Requests that are sent at least: fewer would say that the walk lost its way."""


def checked(answer: Any, wrong: Wrong, where: str) -> None:
    """Checks that an answer refuses in the contract's form, by the place, with what is allowed."""
    assert answer.status_code in {400, 422}, f"{where}: {answer.status_code} {answer.text[:200]}"
    error = answer.json()["error"]
    assert {"code", "message", "status", "request_id", "details"} == set(error), where
    assert error["status"] in {400, 422}, where
    told = {one["field"]: one["message"] for one in error["details"]}
    assert wrong.field in told, f"{where}: {error}"
    assert wrong.field in error["message"], f"{where}: {error}"
    message = told[wrong.field]
    assert SAYS_WHAT.search(message), f"{where}: {message}"
    assert not PYDANTIC.search(message), f"{where}: {message}"
    lacking = [one for one in wrong.allowed if one not in message]
    assert not lacking, f"{where}: {message} lacks {lacking}"


def bodies(api: TestClient, one: Operation) -> Iterator[tuple[Wrong, Any]]:
    """Lists the wrong bodies of an operation."""
    document = told_of(api.app)
    parts = document["components"]["schemas"]
    content = document["paths"][one.path][one.verb]["requestBody"]["content"]
    schema = content["application/json"]["schema"]
    for wrong in wrongs(schema, parts):
        yield wrong, put(BODIES[one.name], wrong, schema, parts)


def queries(app: Any) -> Iterator[tuple[Operation, Wrong]]:
    """Lists the wrong values of all query parameters, as texts: an address has no others."""
    document = told_of(app)
    parts = document["components"]["schemas"]
    for one in operations(app):
        for told in document["paths"][one.path][one.verb].get("parameters", []):
            if told["in"] == "query" and one.name not in READ_BY_A_REPLICA:
                for wrong in wrongs(told["schema"], parts, (told["name"],)):
                    of_text = wrong.how == "another type" and wrong.value == 5
                    if wrong.value is not None and not of_text:
                        yield one, wrong


def test_a_body_that_is_wrong_in_one_place_is_told_so(
    api: TestClient, taking: list[tuple[Operation, str]]
) -> None:
    sent = 0
    for one, url in taking:
        for wrong, body in bodies(api, one):
            answer = api.request(one.verb, url, json=body)
            checked(answer, wrong, f"{one.name} {wrong.field} {wrong.how}")
            sent += 1
    assert sent >= LEAST_BODIES


def test_a_parameter_that_is_wrong_is_told_so(admin: TestClient) -> None:
    sent = 0
    for one, wrong in queries(admin.app):
        if (one.name, wrong.field) in AFTER_THE_MODEL:
            continue
        body = BODIES.get(one.name) if one.takes_body else None
        answer = admin.request(one.verb, one.url, params={wrong.field: wrong.value}, json=body)
        checked(answer, wrong, f"{one.name} ?{wrong.field} {wrong.how}")
        sent += 1
    assert sent >= LEAST_QUERIES


@pytest.fixture
def admin(as_key: Any, make_key: Any) -> TestClient:
    """Who may ask everything."""
    client: TestClient = as_key(make_key(level=Level.ADMIN))
    return client


@pytest.mark.parametrize(
    "schema",
    [{"type": "integer", "minimum": 1, "maximum": 9}, {"enum": ["a", "b"], "type": "string"}],
)
def test_each_way_to_be_wrong_is_tried(schema: dict[str, Any]) -> None:
    tried = {one.how for one in wrongs(schema, {}, ("x",))}
    assert {"null", "another type"} < tried
    assert len(tried) >= 3
