"""What is no JSON is refused by what is wrong with it, on routes of every kind."""

import pytest
from fastapi.testclient import TestClient

from modelwright.core.decoding import decoded
from modelwright.core.errors import InvalidRequest

FAULTS = {
    b"": "The body is empty; send JSON.",
    b'{"age": 4,}': "The body is not valid JSON: trailing comma in object (byte 10).",
    b'{"age": 4': "The body is not valid JSON: Input data was truncated.",
    b'{"note": "NaN", "age": NaN}': (
        "The body is not valid JSON, which has no NaN or Infinity; a gap is null."
    ),
    b"[" * 5000: "The body is nested too deeply.",
}


@pytest.mark.parametrize("body", FAULTS, ids=["empty", "comma", "cut off", "NaN", "deep"])
def test_a_body_that_is_no_json_is_told_why(body: bytes):
    with pytest.raises(InvalidRequest) as refused:
        decoded(body)
    assert refused.value.message == FAULTS[body]


@pytest.mark.parametrize("path", ["/data/query", "/data/sessions", "/models/churn"])
def test_nan_is_named_on_every_route(api: TestClient, path: str):
    body = b'{"upload_id": NaN}'
    answer = api.post(path, content=body, headers={"Content-Type": "application/json"})
    assert answer.status_code == 400
    assert "no NaN" in answer.json()["error"]["message"]
