"""What is no JSON is refused by what is wrong with it, on routes of every kind."""

import gzip
from codecs import BOM_UTF8

import pytest
from fastapi.testclient import TestClient
from tests.api_helpers import error_of

from modelwright.core.errors import InvalidRequest, PayloadTooLarge
from modelwright.core.http import json_bodies
from modelwright.core.http.exception_handlers import MAX_ERROR_DETAILS
from modelwright.core.http.json import MAX_JSON_CONTAINERS, decode_json
from modelwright.core.http.json_bodies import MAX_JSON_MARKS

FAULTS = {
    b"": "The body is empty; send JSON.",
    b'{"age": 4,}': "The body is not valid JSON: trailing comma in object (byte 10).",
    b'{"age": 4': "The body is not valid JSON: Input data was truncated.",
    b'{"note": "NaN", "age": NaN}': (
        "The body is not valid JSON, which has no NaN or Infinity; a gap is null."
    ),
    b"[" * 5000: "The body is nested too deeply.",
    gzip.compress(b'{"age": 4}'): "The body is compressed; send it as it is, without encoding.",
    b'{"age": 1e400}': "The body is not valid JSON: Number out of range.",
}


@pytest.mark.parametrize(
    "body", FAULTS, ids=["empty", "comma", "cut off", "NaN", "deep", "gzip", "1e400"]
)
def test_a_body_that_is_no_json_is_told_why(body: bytes):
    with pytest.raises(InvalidRequest) as refused:
        decode_json(body)
    assert refused.value.message == FAULTS[body]


@pytest.mark.parametrize("path", ["/data/query", "/data/sessions"])
def test_a_byte_order_mark_is_left_out_on_routes_of_every_kind(api: TestClient, path: str):
    headers = {"Content-Type": "application/json"}
    answer = api.post(path, content=BOM_UTF8 + b"{}", headers=headers)
    assert "required" in error_of(answer)["message"]


@pytest.mark.parametrize(
    "part", [b"[]", b"{}", b"0", b'"a"'], ids=["arrays", "objects", "numbers", "strings"]
)
@pytest.mark.parametrize("path", ["/data/upload", "/models/churn", "/data/sessions"])
def test_more_parts_than_any_body_needs_are_not_read(
    api: TestClient, path: str, part: bytes, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(json_bodies, "json", None)
    body = b'{"files": [' + b",".join([part] * (MAX_JSON_MARKS + 1)) + b"]}"
    answer = api.post(path, content=body, headers={"Content-Type": "application/json"})
    assert error_of(answer)["status"] == 413
    assert f"{MAX_JSON_MARKS:,}" in error_of(answer)["message"]


def test_rows_of_more_containers_than_may_be_are_not_read():
    decode_json(b"[" + b"[]," * (MAX_JSON_CONTAINERS - 2) + b"[]]")
    with pytest.raises(PayloadTooLarge, match="fewer"):
        decode_json(b"[" + b"[]," * (MAX_JSON_CONTAINERS - 1) + b"[]]")


def test_an_answer_names_few_of_many_wrong_fields(api: TestClient):
    truths = [{"request_id": 1, "actual": []}] * 1000
    answer = api.post("/models/churn/v1.0/feedback", json=truths)
    assert answer.status_code == 422
    assert len(error_of(answer)["details"]) == MAX_ERROR_DETAILS


@pytest.mark.parametrize("path", ["/data/query", "/data/sessions", "/models/churn"])
def test_nan_is_named_on_every_route(api: TestClient, path: str):
    body = b'{"upload_id": NaN}'
    answer = api.post(path, content=body, headers={"Content-Type": "application/json"})
    assert answer.status_code == 400
    assert "no NaN" in answer.json()["error"]["message"]
