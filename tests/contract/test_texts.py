"""Odd but possible requests to every operation: each is answered, none is a fault of the server."""

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from fastapi.testclient import TestClient
from tests.contract.walking import BODIES, Operation, operations, told_of
from tests.factories import CHURN, ModelSide

from modelwright.core.http.context import Level

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
def mine(model_side: ModelSide) -> dict[str, str]:
    """A resource of each kind that a path can name, so that bodies are looked at."""
    upload_id = model_side.upload(CHURN)
    version = model_side.ready("m")
    return {
        "model_name": "m",
        "model_version": version.model_version,
        "environment": "production",
        "upload_id": upload_id,
        "dataset_name": upload_id,
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
        if one.name == "keys.rotate":  # another than the one that asks
            made = api.post("/auth/api-keys", json=BODIES["keys.create"]).json()
            return one.path.format(keyId=made["key_id"])
        nobodys = {"deployment_id": "dep_none", "query_id": "qry_none", "item_id": "none"}
        return one.path.format(**mine, **nobodys)

    return [(one, url(one)) for one in operations(api.app) if one.takes_body and one.verb != "put"]


def bodies_of(api: TestClient, one: Operation) -> list[Any]:
    """The schemas that an operation's body may have, as the document tells them."""
    body = told_of(api.app)["paths"][one.path][one.verb]["requestBody"]
    schema = body["content"]["application/json"]["schema"]
    return [schema, *schema.get("anyOf", [])]


def members_of(api: TestClient, one: Operation, what: str) -> list[str]:
    """What those schemas list, or what they point to does."""
    schemas = told_of(api.app)["components"]["schemas"]
    options = bodies_of(api, one)
    names = [option.get("$ref", "").rpartition("/")[2] for option in options]
    found = [*options, *(schemas.get(name, {}) for name in names)]
    return [field for option in found for field in option.get(what, [])]


def fields_of(api: TestClient, one: Operation) -> list[str]:
    """The members of an operation's body."""
    return members_of(api, one, "properties")


def required_of(api: TestClient, one: Operation) -> list[str]:
    """The members that an operation's body must have."""
    return members_of(api, one, "required")


def told(answer: Any) -> tuple[int, str]:
    """What an answer comes to."""
    return answer.status_code, answer.json()["error"]["code"] if answer.status_code >= 400 else ""


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

    @pytest.mark.parametrize(
        ("content", "word"),
        [(b"[" * 100_000, "deep"), (b'{"size_bytes": ' + b"9" * 5000 + b"}", "digits")],
    )
    def test_why_it_cannot_be_read_is_told(self, api: TestClient, content: bytes, word: str):
        headers = {"content-type": "application/json"}
        answer = api.post("/data/upload", content=content, headers=headers)
        assert word in answer.json()["error"]["message"]

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

    def test_a_nul_in_a_query_parameter_is_422_as_databases_do_not_take_it(
        self, as_key: Callable[[str], TestClient], make_key: Callable[..., str]
    ):
        admin = as_key(make_key(level=Level.ADMIN))
        paths = told_of(admin.app)["paths"]
        for one in operations(admin.app):
            for told in paths[one.path][one.verb].get("parameters", []):
                if told["in"] == "query" and not one.takes_body and not one.is_public:
                    answer = admin.get(f"{one.url}?{told['name']}=%00")
                    error = answer.json()["error"]
                    assert error["status"] == 422, f"{one.name}: {answer.text}"
                    assert error["details"][0]["field"] == told["name"], one.name

    @pytest.mark.parametrize("header", ["X-Account", "Last-Event-ID", "Idempotency-Key", "Range"])
    def test_odd_headers_are_answered(self, api: TestClient, header: str):
        key = {"name": "a", "permission_level": "read_only"}
        for odd in (b"\xff\xfe", b" ", b"x" * 9000, b"'\"\\"):
            for verb, path in (("get", "/auth/user"), ("get", "/jobs/x/events")):
                answered(api.request(verb, path, headers={header.encode(): odd}), header)
            answered(api.post("/auth/api-keys", json=key, headers={header.encode(): odd}), header)


class TestNull:
    """Null in an optional member is as if that were not there, unless it takes something away."""

    def test_in_an_optional_member_is_as_nothing_said(
        self, api: TestClient, send: Post, taking: list[tuple[Operation, str]]
    ):
        for one, url in taking:
            body = BODIES[one.name]
            for field in set(fields_of(api, one)) - set(required_of(api, one)):
                plain = {name: value for name, value in body.items() if name != field}
                answer, other = send(one, url, {**plain, field: None}), send(one, url, plain)
                assert told(answer) == told(other), f"{one.name} {field}: {answer.text}"

    def test_in_a_required_member_is_a_wrong_type(
        self, api: TestClient, send: Post, taking: list[tuple[Operation, str]]
    ):
        for one, url in taking:
            for field in required_of(api, one):
                answer = send(one, url, {**BODIES[one.name], field: None})
                error = answer.json()["error"]
                assert error["status"] == 422, one.name
                assert field in error["message"], f"{one.name}: {error['message']}"

    def test_is_told_by_the_document(self, api: TestClient, taking: list[tuple[Operation, str]]):
        schemas = told_of(api.app)["components"]["schemas"]
        for one, _ in taking:
            for schema in bodies_of(api, one):
                known = schemas.get(schema.get("$ref", "").rpartition("/")[2], {})
                for name, member in known.get("properties", {}).items():
                    is_optional = name not in known.get("required", [])
                    assert ({"type": "null"} in member.get("anyOf", [])) == is_optional, name


NAMED: dict[str, Any] = {
    "keys.create": "name",
    "keys.amend": "name",
    "uploads.create": "name",
    "sessions.create": "name",
    "builds.create": "name",
    "models.amend": "name",
    "connections.create": "name",
    "ingestions.create": "dataset_name",
}


class TestNames:
    @pytest.mark.parametrize("blank", ["", " ", "\t", "\u00a0\u2003\u3000"])
    def test_a_blank_one_is_422(self, send: Post, taking: list[tuple[Operation, str]], blank: str):
        for one, url in taking:
            if one.name in NAMED:
                member = NAMED[one.name]
                answer = send(one, url, {**BODIES[one.name], member: blank})
                error = answer.json()["error"]
                assert error["status"] == 422, f"{one.name}: {answer.text}"
                assert error["details"][0]["field"] == member

    def test_a_blank_tag_or_file_name_is_422(self, send: Post, taking: list[tuple[Operation, str]]):
        blank: dict[str, dict[str, Any]] = {
            "uploads.create": {"files": [{"filename": " ", "content_type": "text/csv"}]},
            "models.amend": {"tags": ["\u2003"]},
            "builds.create": {"tags": [" "]},
        }
        for one, url in taking:
            if one.name in blank:
                answer = send(one, url, {**BODIES[one.name], **blank[one.name]})
                assert answer.json()["error"]["status"] == 422, f"{one.name}: {answer.text}"
                assert "blank" in answer.json()["error"]["message"], one.name

    def test_no_sentence_shows_a_regular_expression(
        self, api: TestClient, send: Post, taking: list[tuple[Operation, str]]
    ):
        for one, url in taking:
            fields = fields_of(api, one)
            files = [{"filename": "a.csv", "content_type": "no type"}]
            for given in ({"files": files}, dict.fromkeys(fields, "\t?/")):
                assert "pattern" not in send(one, url, given).text, one.name
