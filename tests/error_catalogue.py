"""What the server's sentences to callers name: calls of the API and fields of its requests."""

import ast
import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import modelwright

ROOT = Path(modelwright.__file__).parent
DOCUMENT = Path(__file__).parents[1] / "docs" / "openapi.json"
CALL = re.compile(r"(?:GET|POST|PUT|PATCH|DELETE) /[a-zA-Z_/{}.-]*[a-zA-Z_}]")
NOT_SAID = {"openapi", "migrations"}
"""Folders whose texts no refusal carries."""
LETTERS = {"GET /data/export/{}"}
"""Calls that only a mail names."""


@cache
def sentences() -> list[str]:
    """All texts of the server that are no docstrings; what they fill in is `{}`."""
    said = (path for path in sorted(ROOT.rglob("*.py")) if not NOT_SAID & set(path.parts))
    return [text for path in said for text in _texts(ast.parse(path.read_text()))]


def named_calls() -> set[str]:
    """The calls of the API that sentences name."""
    return {call for said in sentences() for call in CALL.findall(said)} - LETTERS


def quoted_fields() -> set[str]:
    """The words in backticks that are fields of a request."""
    known = set().union(*request_fields().values())
    return {
        word for said in sentences() for word in re.findall(r"`([a-z_]+)`", said) if " " in said
    } & known


def request_fields() -> dict[str, set[str]]:
    """The fields of the body, the query and the path of each operation."""
    document = json.loads(DOCUMENT.read_text())
    return {
        operation["operationId"]: _fields(document, operation)
        for verbs in document["paths"].values()
        for operation in verbs.values()
    }


def _fields(document: Any, operation: Any) -> set[str]:
    found = {
        one["name"] for one in operation.get("parameters", []) if one["in"] in {"path", "query"}
    }
    for content in operation.get("requestBody", {}).get("content", {}).values():
        found |= _members(document, content["schema"], ())
    return found


def _members(document: Any, schema: Any, inside: tuple[str, ...]) -> set[str]:
    if "$ref" in schema:
        name = schema["$ref"].split("/")[-1]
        if name in inside:
            return set()
        return _members(document, document["components"]["schemas"][name], (*inside, name))
    found = set(schema.get("properties", {}))
    inner = [*schema.get("properties", {}).values(), schema.get("items")]
    inner += [one for name in ("anyOf", "oneOf", "allOf") for one in schema.get(name, [])]
    return found.union(*(_members(document, one, inside) for one in inner if isinstance(one, dict)))


def _texts(tree: ast.AST) -> Iterator[str]:
    kept_out = {
        id(first.value)
        for node in ast.walk(tree)
        if isinstance(body := getattr(node, "body", None), list)
        for first in body
        if isinstance(first, ast.Expr)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            kept_out |= {id(part) for part in ast.walk(node) if part is not node}
            text = "".join(
                str(part.value) if isinstance(part, ast.Constant) else "{}" for part in node.values
            )
            yield text
        elif (
            isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and id(node) not in kept_out
        ):
            yield node.value
