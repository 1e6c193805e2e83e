"""The error table, on every operation there is; one that lacks a case fails the walk."""

import json
from typing import Any

import pytest
from fastapi.testclient import TestClient
from tests.contract.walking import BODIES, Operation, operations, told_of

from modelwright.core.http.context import Level


def refused(answer: Any, status: int, code: str, operation: Operation) -> None:
    where = f"{operation.name}: {answer.status_code} {answer.text[:300]}"
    error = answer.json()["error"]
    assert (error["status"], error["code"]) == (status, code), where
    gateway = status in {401, 405, 429} or code == "insufficient_permissions"
    collapsed = operation.is_mapped and not gateway
    assert answer.status_code == (min(status // 100 * 100, 500) if collapsed else status), where
    assert error["request_id"] == answer.headers["x-request-id"]
    assert error["message"], where


@pytest.fixture
def keyed(anonymous_client: TestClient) -> list[Operation]:
    """Every operation that needs a key."""
    return [one for one in operations(anonymous_client.app) if not one.is_public]


class TestAuthentication:
    def test_without_a_key_is_401(self, anonymous_client: TestClient, keyed: list[Operation]):
        for one in keyed:
            answer = anonymous_client.request(one.verb, one.url)
            refused(answer, 401, "unauthorized", one)
            assert answer.headers["www-authenticate"] == "Bearer"


class TestUnknown:
    def test_an_unknown_id_is_404(self, api: TestClient, keyed: list[Operation]):
        for one in keyed:
            if "{" in one.path and one.name not in NAMED_BY_THE_CALLER:
                answer = api.request(one.verb, one.url, json=body(one))
                refused(answer, 404, "not_found", one)

    def test_an_unknown_path_is_404_everywhere(self, api: TestClient, keyed: list[Operation]):
        for path in {"/" + one.path.split("/")[1] for one in keyed}:
            answer = api.get(f"{path}/no/such/path/at/all")
            assert answer.json()["error"]["code"] == "not_found"
            assert answer.status_code == 404


NAMED_BY_THE_CALLER = {"builds.create", "builds.plan"}
"""Their path names what is to be made."""


def body(operation: Operation) -> Any:
    return BODIES[operation.name] if operation.takes_body else None


class TestBodies:
    def test_every_operation_with_a_body_has_a_case(self, keyed: list[Operation]):
        lacking = {one.name for one in keyed if one.takes_body} - set(BODIES)
        assert lacking == set()

    def test_malformed_json_is_400(self, api: TestClient, keyed: list[Operation]):
        for one in keyed:
            if one.takes_body and "{" not in one.path:
                headers = {"content-type": "application/json"}
                answer = api.request(one.verb, one.url, content=b'{"a": ', headers=headers)
                refused(answer, 400, "invalid_request", one)

    @pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity"])
    def test_what_json_cannot_say_is_400(
        self, api: TestClient, keyed: list[Operation], number: str
    ):
        for one in keyed:
            if one.takes_body and "{" not in one.path:
                told = json.dumps({**body(one), "unknown": float(number)})
                headers = {"content-type": "application/json"}
                answer = api.request(one.verb, one.url, content=told, headers=headers)
                refused(answer, 400, "invalid_request", one)

    def test_a_body_without_a_content_type_is_read_as_json(
        self, api: TestClient, keyed: list[Operation]
    ):
        for one in keyed:
            for field in required_of(api, one) if "{" not in one.path else ():
                given = {name: value for name, value in body(one).items() if name != field}
                answer = api.request(one.verb, one.url, content=json.dumps(given))
                assert "content-type" not in answer.request.headers
                refused(answer, 400, "invalid_request", one)
                assert field in answer.json()["error"]["message"]

    def test_a_body_that_is_no_object_is_422_and_told_so(
        self, api: TestClient, keyed: list[Operation]
    ):
        for one in keyed:
            if required_of(api, one):
                answer = api.request(one.verb, one.url, json="word")
                code = one.spelt("validation_failed", "validation_error", "validation_failed")
                refused(answer, 422, code, one)
                assert answer.json()["error"]["message"] == "body: must be an object."

    def test_another_content_type_is_400(self, api: TestClient, keyed: list[Operation]):
        for one in keyed:
            if one.takes_body and "{" not in one.path:
                headers = {"content-type": "text/csv"}
                answer = api.request(one.verb, one.url, content=b"a,b", headers=headers)
                refused(answer, 400, "invalid_request", one)
                assert "application/json" in answer.json()["error"]["message"]

    def test_a_missing_field_is_400_and_named(self, api: TestClient, keyed: list[Operation]):
        for one in keyed:
            required = required_of(api, one)
            for field in required if "{" not in one.path else ():
                given = {name: value for name, value in body(one).items() if name != field}
                answer = api.request(one.verb, one.url, json=given)
                refused(answer, 400, "invalid_request", one)
                assert answer.json()["error"]["message"] == f"{field} is required."

    def test_a_field_of_a_wrong_type_is_422_and_named(
        self, api: TestClient, keyed: list[Operation]
    ):
        for one in keyed:
            for field in required_of(api, one):
                wrong = {**body(one), field: {"wrong": True}}
                answer = api.request(one.verb, one.url, json=wrong)
                code = one.spelt("validation_failed", "validation_error", "validation_failed")
                refused(answer, 422, code, one)
                assert field in answer.json()["error"]["message"]


def required_of(api: TestClient, operation: Operation) -> list[str]:
    made = told_of(api.app)
    told = made["paths"][operation.path][operation.verb].get("requestBody", {})
    schema = told.get("content", {}).get("application/json", {}).get("schema", {})
    name = schema.get("$ref", "").rpartition("/")[2]
    return list(made["components"]["schemas"].get(name, {}).get("required", []))


class TestMethods:
    def test_a_wrong_method_is_405_and_names_the_right_ones(
        self, api: TestClient, keyed: list[Operation]
    ):
        for path in {one.path for one in keyed}:
            here = {one.verb for one in keyed if one.path == path}
            one = next(one for one in keyed if one.path == path)
            answer = api.request("put" if "put" not in here else "trace", one.url)
            refused(answer, 405, "method_not_allowed", one)
            allowed = set(answer.headers["allow"].lower().split(", "))
            assert here <= allowed, path


class TestPages:
    @pytest.mark.parametrize("query", ["limit=0", "limit=101000", "limit=x", "offset=-1"])
    def test_a_page_out_of_bounds_is_422(self, api: TestClient, keyed: list[Operation], query: str):
        for one in paged(api, keyed):
            code = one.spelt("validation_failed", "validation_error", "validation_failed")
            refused(api.get(f"{one.url}?{query}"), 422, code, one)

    def test_every_list_has_the_envelope(self, api: TestClient, keyed: list[Operation]):
        for one in paged(api, keyed):
            if "{" not in one.path and one.needs is Level.READ_ONLY:
                told = api.get(one.url).json()["pagination"]
                assert {"total", "limit", "offset", "has_more"} == set(told), one.name


def paged(api: TestClient, keyed: list[Operation]) -> list[Operation]:
    paths = told_of(api.app)["paths"]
    return [
        one
        for one in keyed
        if one.needs is not Level.ADMIN
        if "limit" in {p["name"] for p in paths[one.path][one.verb].get("parameters", [])}
    ]
