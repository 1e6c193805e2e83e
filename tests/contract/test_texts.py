"""Odd but possible requests to every operation: each is answered, none is a fault of the server."""

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from fastapi.testclient import TestClient
from tests.contract.walking import BODIES, Operation, operations, told_of
from tests.modelling import CHURN, ModelSide

ODD = {
    "surrogate": "\ud800",
    "nul": "a\0b",
    "long": "x" * 20_000,
    "empty": "",
}
WRONG = {
    "null": None,
    "huge": 10**40,
    "fraction": 1.5,
    "array": [["\ud800"], "a\0"],
    "object": {"\ud800": "string", "a\0b": {"c": 1}},
}
BODIES_OF_ANY_KIND = [b"null", b"[]", b'"x"', b"1", b"{}", b"[[[[]]]]", b"NaN", b'{"a":1e999}']
UNREADABLE = {
    "cut off": b'{"name": ',
    "no UTF-8": b'{"name": "\xff"}',
    "too deep": b"[" * 50_000,
    "nothing": b" ",
}


@pytest.fixture
def mine(side: ModelSide) -> dict[str, str]:
    """A resource of each kind that a path can name, so that bodies are looked at."""
    upload_id = side.upload(CHURN)
    version = side.ready("m")
    return {
        "model_name": "m",
        "model_version": version.model_version,
        "upload_id": upload_id,
        "filename": "table0.csv",
    }


@pytest.fixture
def taking(api: TestClient, mine: dict[str, str]) -> list[tuple[Operation, str]]:
    """Every operation with a JSON body, and where it is."""

    def url(one: Operation) -> str:
        if one.name in {"builds.create", "builds.plan"}:
            return one.path.format(model_name="new")
        if one.name == "keys.amend":
            key_id = api.get("/auth/api-keys").json()["keys"][0]["key_id"]
            return one.path.format(keyId=key_id)
        return one.path.format(**mine, deployment_id="dep_none")

    return [(one, url(one)) for one in operations(api.app) if one.takes_body and one.verb != "put"]


def fields_of(api: TestClient, one: Operation) -> list[str]:
    """The members of an operation's body, as the document tells them."""
    made = told_of(api.app)
    body = made["paths"][one.path][one.verb]["requestBody"]
    schema = body["content"]["application/json"]["schema"]
    options = [schema, *schema.get("anyOf", [])]
    names = [option.get("$ref", "").rpartition("/")[2] for option in options]
    found = [*options, *(made["components"]["schemas"].get(name, {}) for name in names)]
    return [field for option in found for field in option.get("properties", {})]


def spoilt(body: Any, fields: list[str], values: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """A body with one member after the other replaced by each value."""
    for field in fields:
        for kind, value in values.items():
            yield f"{field} {kind}", {**body, field: value}


def answered(answer: Any, where: str) -> None:
    """Checks that an answer is a success or a refusal in the contract's form."""
    text = answer.content.decode()
    assert answer.status_code < 500, f"{where}: {text}"
    told = json.loads(text)
    if answer.status_code >= 400:
        assert told["error"]["status"] in {400, 401, 403, 404, 409, 413, 422, 429}, where
        assert told["error"]["message"], where


Post = Callable[[Operation, str, Any], Any]


@pytest.fixture
def send(api: TestClient) -> Post:
    """Sends a body as ASCII JSON, which can spell what UTF-8 cannot."""

    def carry_out(one: Operation, url: str, body: Any) -> Any:
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        headers = {"content-type": "application/json"}
        return api.request(one.verb, url, content=content, headers=headers)

    return carry_out


class TestBodies:
    @pytest.mark.parametrize("values", [ODD, WRONG], ids=["texts", "types"])
    def test_a_member_of_any_kind_is_answered(
        self, api: TestClient, send: Post, taking: list[tuple[Operation, str]], values: Any
    ):
        for one, url in taking:
            body = BODIES[one.name]
            if isinstance(body, dict):
                for what, given in spoilt(body, fields_of(api, one), values):
                    answered(send(one, url, given), f"{one.name}: {what}")

    def test_a_body_of_any_kind_is_answered(self, send: Post, taking: list[tuple[Operation, str]]):
        for one, url in taking:
            for content in BODIES_OF_ANY_KIND:
                answered(send(one, url, content), f"{one.name}: {content!r}")

    @pytest.mark.parametrize("content", UNREADABLE.values(), ids=UNREADABLE)
    def test_a_body_nobody_can_read_is_400(
        self, send: Post, taking: list[tuple[Operation, str]], content: bytes
    ):
        for one, url in taking:
            if one.name == "deployments.infer":
                continue  # its replica reads the body
            answer = send(one, url, content)
            error = answer.json()["error"]
            told = (answer.status_code, error["code"], error["status"])
            assert told == (400, "invalid_request", 400), f"{one.name}: {answer.text}"

    def test_a_file_of_an_upload_may_be_odd(self, send: Post, taking: list[tuple[Operation, str]]):
        [(one, url)] = [each for each in taking if each[0].name == "uploads.create"]
        for member in ("filename", "content_type", "size_bytes"):
            for kind, value in {**ODD, **WRONG, "behind": "text/csv; a\0\ud800"}.items():
                file = {"filename": "a.csv", "content_type": "text/csv", member: value}
                answered(send(one, url, {"files": [file]}), f"{member} {kind}")


class TestPathsAndQueries:
    @pytest.mark.parametrize(
        "odd", ["%00", "%ED%A0%80", "%FF", "a%0Ab", "x" * 5000, "%F0%9F%98%80"]
    )
    def test_an_odd_id_is_404(self, api: TestClient, odd: str):
        for one in operations(api.app):
            if "{" in one.path and not one.takes_body and not one.is_public:
                answer = api.request(one.verb, one.url.replace("nothing-of-mine", odd))
                error = answer.json()["error"]
                assert (error["code"], error["status"]) == ("not_found", 404), one.name

    def test_odd_values_of_every_query_parameter_are_answered(self, api: TestClient):
        paths = told_of(api.app)["paths"]
        for one in operations(api.app):
            for told in paths[one.path][one.verb].get("parameters", []):
                if told["in"] != "query" or one.takes_body:
                    continue
                for odd in (
                    "%00",
                    "%ED%A0%80",
                    "",
                    "9" * 400,
                    "-9",
                    "1e3",
                    "0001-01-01",
                    "9999-12-31",
                ):
                    answered(
                        api.get(f"{one.url}?{told['name']}={odd}"),
                        f"{one.name} {told['name']} {odd}",
                    )

    @pytest.mark.parametrize("header", ["X-Account", "Last-Event-ID", "Idempotency-Key", "Range"])
    def test_odd_headers_are_answered(self, api: TestClient, header: str):
        key = {"name": "a", "permission_level": "read_only"}
        for odd in (b"\xff\xfe", b" ", b"x" * 9000, b"'\"\\"):
            for verb, path in (("get", "/auth/user"), ("get", "/jobs/x/events")):
                answered(api.request(verb, path, headers={header.encode(): odd}), header)
            answered(api.post("/auth/api-keys", json=key, headers={header.encode(): odd}), header)
