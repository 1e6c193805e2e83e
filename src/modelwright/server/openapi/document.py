"""The OpenAPI document: what FastAPI sees, the plain routes, and what `describing` adds.

Client, reference and contract tests are made from it; what FastAPI leaves out would be missing in
all of them.
"""

import json
import re
from collections.abc import Callable
from contextlib import suppress
from copy import deepcopy
from functools import partial
from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from starlette.routing import Route

import modelwright.builds.openapi
import modelwright.exports.openapi
import modelwright.predictions.openapi
import modelwright.queries.openapi
import modelwright.storage.openapi
from modelwright.core.http.cookies import COOKIE_NAME, CSRF_HEADER
from modelwright.core.http.idempotency import MAX_LENGTH
from modelwright.core.http.schemas import Json
from modelwright.server.openapi import errors, links
from modelwright.server.openapi.examples import Examples, NoExampleError
from modelwright.server.openapi.text import TAGS, description_of

DESCRIPTION = (
    "Upload tables, ask them questions, say what you want predicted, and call the model.\n\n"
    "Send an API key in either header. A request may ask for a version with `API-Version: v1`, and "
    "an `admin` key may act in another account with `X-Account: user_…`. Every answer carries "
    "`X-Request-Id`, limited ones `X-RateLimit-Limit`, `X-RateLimit-Remaining` and "
    "`X-RateLimit-Reset` too. Refusals always have the same body; members of a request that nobody "
    "knows are ignored."
)
PLAIN: Json = (
    modelwright.predictions.openapi.PATHS
    | modelwright.builds.openapi.PATHS
    | modelwright.storage.openapi.PATHS
    | modelwright.queries.openapi.PATHS
    | modelwright.exports.openapi.PATHS
)
"""Routes that FastAPI cannot see."""
COMPONENTS: Json = (
    errors.COMPONENTS
    | modelwright.predictions.openapi.COMPONENTS
    | modelwright.queries.openapi.COMPONENTS
)
"""What those routes answer, and what every route may refuse with."""
SCHEMES: Json = {
    "key": {
        "type": "apiKey",
        "in": "header",
        "name": "x-api-key",
        "description": "An API key.",
    },
    "bearer": {
        "type": "http",
        "scheme": "bearer",
        "description": "The same key as a bearer token.",
    },
    "cookie": {
        "type": "apiKey",
        "in": "cookie",
        "name": COOKIE_NAME,
        "description": "The console's session; works together with its CSRF token only.",
    },
    "csrf": {
        "type": "apiKey",
        "in": "header",
        "name": CSRF_HEADER,
        "description": "The token that belongs to the console's session.",
    },
}
HEADERS: Json = {
    "X-Request-Id": {
        "description": "Id of the request, as in the log.",
        "required": True,
        "schema": {"type": "string", "pattern": "^req_"},
    },
    "API-Version": {
        "description": "The version that answered.",
        "required": True,
        "schema": {"type": "string", "const": "v1"},
    },
    "Retry-After": {
        "description": "Seconds to wait.",
        "required": True,
        "schema": {"type": "integer", "minimum": 1},
    },
}
ONCE: Json = {
    "name": "Idempotency-Key",
    "in": "header",
    "description": "Carries the request out once: sent again within 24 hours, it is only answered.",
    "schema": {"type": "string", "minLength": 1, "maxLength": MAX_LENGTH},
    "example": "order-4711",
}


def document(app: FastAPI) -> Json:
    """Builds the whole document."""
    made: Json = get_openapi(
        title=app.title,
        version=app.version,
        summary="Self-hosted machine learning: tables in, questions and deployed models out.",
        description=DESCRIPTION,
        license_info={"name": "Apache 2.0", "identifier": "Apache-2.0"},
        routes=app.routes,
        servers=[{"url": "/", "description": "This server."}],
    )
    made["paths"] |= deepcopy(PLAIN)
    made["security"] = [{"key": []}, {"bearer": []}, {"cookie": [], "csrf": []}]
    schemas = made["components"]["schemas"]
    schemas |= deepcopy(COMPONENTS)
    for leftover in ("HTTPValidationError", "ValidationError"):
        schemas.pop(leftover, None)
    made["components"] |= {"responses": {}, "headers": HEADERS, "securitySchemes": SCHEMES}
    endpoints = {
        (method.lower(), route.path_format): route.endpoint
        for route in app.routes
        if isinstance(route, Route)
        for method in route.methods or ()
    }
    for path, verbs in made["paths"].items():
        for verb, operation in verbs.items():
            _complete(made, path, verb, operation, endpoints.get((verb, path)))
    links.add(made)
    used = {
        operation["tags"][0] for verbs in made["paths"].values() for operation in verbs.values()
    }
    tags = [tag for tag in TAGS if tag in used] + sorted(used - TAGS.keys())
    made["tags"] = [{"name": tag, "description": TAGS.get(tag, "")} for tag in tags]
    for name, schema in schemas.items():
        _describe_members(schema, name)
    _describe_members(made["paths"], "")
    return _short_titles(made)


def _complete(made: Json, path: str, verb: str, operation: Json, endpoint: Any) -> None:
    """Adds to an operation what FastAPI cannot know: its key, examples and refusals."""
    operation.setdefault("tags", [operation["operationId"].partition(".")[0]])
    needs = getattr(endpoint, "needs", None)
    if needs is None:
        operation["security"] = []
    who = f"Needs a key of level `{needs.level.word}`." if needs else "Needs no key."
    if not operation["summary"].endswith("."):
        operation["summary"] = operation["description"].partition("\n")[0]
    operation["description"] = f"{operation['description']}\n\n{who}"
    if getattr(endpoint, "remembers", False):
        operation.setdefault("parameters", []).append(ONCE)
    examples = Examples(made["components"]["schemas"])
    for parameter in operation.get("parameters", []):
        name, place = parameter["name"], parameter["in"]
        if text := description_of(f"{place}.{name}", name):
            parameter.setdefault("description", text)
        _show(parameter, partial(examples.parameter, parameter))
    body = operation.get("requestBody", {}).get("content", {}).get("application/json", {})
    if body:
        _show(body, partial(examples.request, body["schema"]))
    answers = operation["responses"]
    answers.pop("422", None)
    for status, answer in list(answers.items()):
        if status.startswith("2"):
            _complete_answer(made, answer, examples)
    kinds = errors.kinds_of(path, verb, operation, _members(made, body.get("schema", {})))
    refused = errors.responses(path, verb, kinds, made["components"]["responses"])
    operation["responses"] = refused | answers


def _complete_answer(made: Json, answer: Json, examples: Examples) -> None:
    shared = ("X-Request-Id", "API-Version")
    answer["headers"] = {name: {"$ref": f"#/components/headers/{name}"} for name in shared}
    content = answer.get("content", {}).get("application/json", {})
    if "schema" in content:
        title = content["schema"].get("$ref", "").rpartition("/")[2]
        text = made["components"]["schemas"].get(title, {}).get("description")
        if answer["description"] == "Successful Response":
            answer["description"] = text or "Done."
        _show(content, partial(examples.answer, content["schema"]))


def _show(place: Json, example: Callable[[], Any]) -> None:
    if not {"example", "examples"} & set(place):
        with suppress(NoExampleError):
            place["example"] = example()


def _members(made: Json, schema: Json) -> set[str]:
    options = [schema, *schema.get("anyOf", [])]
    names = [str(one.get("$ref", "")).rpartition("/")[2] for one in options]
    found = [made["components"]["schemas"].get(name, {}) for name in names]
    return {member for one in (*options, *found) for member in one.get("properties", {})}


def _describe_members(found: Any, owner: str) -> None:
    for name, member in found.get("properties", {}).items():
        if text := description_of(f"{owner}.{name}", name):
            member.setdefault("description", text)
    for name, inner in found.items():
        for one in inner if isinstance(inner, list) else [inner]:
            if isinstance(one, dict) and name not in {"example", "examples"}:
                _describe_members(one, owner)


def _short_titles(made: Json) -> Json:
    """Shortens the names that FastAPI gives to schemas of one name in several features.

    Client generators name types by the title, so each title is the component's own name.
    """
    long = re.compile(r"modelwright__(\w+?)__\w+?__(\w+)")
    text = long.sub(lambda found: found[1].rpartition("_")[2].title() + found[2], json.dumps(made))
    shorter: Json = json.loads(text)
    for name, schema in shorter["components"]["schemas"].items():
        schema["title"] = name
    return shorter
