"""The OpenAPI document is committed as it is served, and leaves nothing untold."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
from fastapi.testclient import TestClient
from tests.contract.walking import told_of

from modelwright.server.openapi.examples import Examples, NoExampleError
from modelwright_client import types

COMMITTED = Path(__file__).parents[2] / "docs" / "openapi.json"
Json = dict[str, Any]
OPEN = ("/console/", "/storage/", "/data/health")


@pytest.fixture
def document(anonymous_client: TestClient) -> Json:
    return told_of(anonymous_client.app)


def operations(document: Json) -> Iterator[tuple[str, str, Json]]:
    for path, verbs in document["paths"].items():
        for verb, operation in verbs.items():
            yield path, verb, operation


def schemas(document: Json) -> Iterator[tuple[str, Json]]:
    """Every schema with members, by the place it is in."""
    parts = [("components", document["components"]["schemas"])]
    parts += [(operation["operationId"], operation) for _, _, operation in operations(document)]
    for place, found in parts:
        yield from _within(place, found)


def _within(place: str, found: Any) -> Iterator[tuple[str, Json]]:
    if isinstance(found, dict):
        if isinstance(found.get("properties"), dict):
            yield found.get("title", place), found
        for name, inner in found.items():
            if name not in {"example", "examples"}:
                yield from _within(f"{place}.{name}", inner)
    elif isinstance(found, list):
        for inner in found:
            yield from _within(place, inner)


def bodies(document: Json) -> Iterator[tuple[str, Json]]:
    """The JSON that is sent and answered, by operation."""
    for _, _, operation in operations(document):
        places = [operation.get("requestBody", {})]
        places += [one for status, one in operation["responses"].items() if status.startswith("2")]
        for place in places:
            if "schema" in place.get("content", {}).get("application/json", {}):
                yield operation["operationId"], place["content"]["application/json"]


def valid(document: Json, schema: Json, example: Any) -> bool:
    whole = {**schema, "components": document["components"]}
    return bool(jsonschema_rs.Draft202012Validator(whole).is_valid(example))


class TestFreshness:
    def test_the_committed_document_is_the_served_one(self, document: Json):
        is_fresh = json.loads(COMMITTED.read_text()) == json.loads(json.dumps(document))
        assert is_fresh, "docs/openapi.json is not what the server serves: run `make openapi`."

    def test_the_types_of_the_client_are_those_of_the_committed_document(self):
        site = COMMITTED.parent / "site"
        made = subprocess.run(
            [sys.executable, "-c", "import client_types; print(client_types.generated(), end='')"],
            cwd=site,
            capture_output=True,
            text=True,
            check=True,
        )
        is_fresh = made.stdout == Path(types.__file__).read_text("utf-8")
        assert is_fresh, "modelwright_client/types.py is not of docs/openapi.json: `make openapi`."


class TestWords:
    def test_every_operation_says_what_it_does_who_may_and_what_it_answers(self, document: Json):
        for path, verb, operation in operations(document):
            where = f"{verb} {path}"
            assert operation["summary"].endswith("."), where
            assert len(operation["description"]) > len(operation["summary"]), where
            assert operation["tags"], where
            for status, answer in operation["responses"].items():
                assert "$ref" in answer or answer["description"], f"{where} {status}"

    def test_every_tag_is_described(self, document: Json):
        assert [one["name"] for one in document["tags"] if not one["description"]] == []

    def test_every_parameter_is_described_and_shown(self, document: Json):
        lacking = [
            f"{operation['operationId']}.{one['name']}"
            for _, _, operation in operations(document)
            for one in operation.get("parameters", [])
            if not one.get("description") or not valid(document, one["schema"], one.get("example"))
        ]
        assert lacking == [], "Say them in wire.py or describing/words.toml."

    def test_every_member_is_described(self, document: Json):
        lacking = {
            f"{title}.{name}"
            for title, schema in schemas(document)
            for name, member in schema["properties"].items()
            if not member.get("description")
        }
        assert lacking == set(), "Say them in wire.py or describing/words.toml."


class TestExamples:
    def test_every_body_and_answer_is_shown(self, document: Json):
        examples = Examples(document["components"]["schemas"])
        lacking = set()
        for name, content in bodies(document):
            if "example" not in content:
                with pytest.raises(NoExampleError) as missing:
                    examples.answer(content["schema"])
                lacking.add(f"{name}: {missing.value}")
        assert lacking == set(), "Give examples in wire.py or describing/words.toml."

    def test_every_example_is_as_its_schema_says(self, document: Json):
        wrong = [
            name
            for name, content in bodies(document)
            if not valid(document, content["schema"], content["example"])
        ]
        assert wrong == []


class TestRefusals:
    def test_every_operation_tells_the_refusals_its_shape_makes_possible(self, document: Json):
        for _, verb, operation in operations(document):
            name, told = operation["operationId"], set(operation["responses"])
            wanted = {"400", "500"}
            if operation.get("security") != []:
                wanted |= {"401", "403", "429"}
            collapsed = name.startswith("keys.") or name in {"uploads.create", "health.read"}
            if not collapsed:
                wanted |= {"404"} if any_in(operation, "path") else set()
                wanted |= {"413", "422"} if "requestBody" in operation else set()
                wanted |= {"422"} if any_in(operation, "query") else set()
                wanted |= {"409"} if verb != "get" and operation["tags"] != ["users"] else set()
            assert wanted <= told, name

    def test_only_what_needs_no_key_says_so(self, document: Json):
        for path, _, operation in operations(document):
            assert (operation.get("security") == []) == path.startswith(OPEN), path
        assert document["security"] == [{"key": []}, {"bearer": []}, {"cookie": [], "csrf": []}]


def any_in(operation: Json, place: str) -> bool:
    return any(one["in"] == place for one in operation.get("parameters", []))


class TestLinks:
    @pytest.mark.parametrize(
        ("maker", "users"),
        [
            ("uploads.create", {"uploads.read", "uploads.delete"}),
            ("keys.create", {"keys.read", "keys.amend", "keys.revoke"}),
            ("sessions.create", {"sessions.read", "queries.list", "sessions.end"}),
            ("exports.create", {"exports.read", "jobs.read", "jobs.cancel"}),
            ("analysis.create", {"analysis.read", "jobs.read"}),
            ("connections.create", {"connections.read", "connections.delete"}),
            ("ingestions.create", {"ingestions.read", "ingestions.retrigger", "ingestions.delete"}),
            ("builds.create", {"models.read", "models.delete", "models.status", "jobs.follow"}),
            ("deployments.deploy", {"deployments.undeploy", "deployments.infer"}),
        ],
    )
    def test_what_is_made_can_be_read_and_deleted(
        self, document: Json, maker: str, users: set[str]
    ):
        made = next(one for _, _, one in operations(document) if one["operationId"] == maker)
        assert users <= set(made["responses"]["200"]["links"])
        assert "analysis.read" not in made["responses"]["200"]["links"] or "analysis" in maker
