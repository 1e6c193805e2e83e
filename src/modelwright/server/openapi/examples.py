"""Makes an example of a schema from its own examples, its choices and the words of its members.

Examples written by hand go stale with the schema, and nobody sees it.
"""

from typing import Any

from modelwright.core.http.schemas import Json
from modelwright.server.openapi.text import BODIES, examples_for

_TYPES: dict[str, tuple[type, ...]] = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "object": (dict,),
    "array": (list,),
}


class NoExampleError(LookupError):
    """A member of which no example is known; the message names it."""


class Examples:
    """Examples of the schemas of one document."""

    def __init__(self, schemas: Json) -> None:
        self._schemas = schemas

    def answer(self, schema: Json) -> Any:
        """Makes an answer with all its members; refuses a member without a word."""
        return self._of(schema, "", "", whole=True)

    def request(self, schema: Json) -> Any:
        """Makes a request: the one that `bodies` has, else one with what is required."""
        options = [schema, *schema.get("anyOf", [])]
        names = [str(one.get("$ref", one.get("title", ""))).rpartition("/")[2] for one in options]
        known = next((BODIES[name] for name in names if name in BODIES), None)
        return known or self._of(schema, "", "", whole=False)

    def parameter(self, parameter: Json) -> Any:
        """Makes a value of a parameter."""
        name, place = parameter["name"], parameter["in"]
        return self._of(parameter["schema"], name, place, whole=False)

    def _of(self, schema: Json, name: str, owner: str, *, whole: bool) -> Any:
        if "examples" in schema:
            return schema["examples"][0]
        for known in examples_for(f"{owner}.{name}", name):
            if self._fits(schema, known):
                return known
        if "$ref" in schema:
            found, title = self._resolved(schema), schema["$ref"].rpartition("/")[2]
            return self._of(found, name if "enum" in found else "", title, whole=whole)
        for option in schema.get("anyOf") or schema.get("oneOf") or []:
            if option.get("type") != "null":
                return self._of(option, name, owner, whole=whole)
        return self._made(schema, name, owner, whole=whole)

    def _made(self, schema: Json, name: str, owner: str, *, whole: bool) -> Any:
        if "const" in schema or "enum" in schema:
            return schema["const"] if "const" in schema else schema["enum"][0]
        if "properties" in schema:
            kept: list[str] = list(schema["properties"]) if whole else schema.get("required", [])
            owner = schema.get("title", owner)
            members = schema["properties"]
            return {one: self._of(members[one], one, owner, whole=whole) for one in kept}
        if schema.get("type") == "array":
            return [self._of(schema["items"], name, owner, whole=whole)]
        if isinstance(schema.get("additionalProperties"), dict):
            return {"age": self._of(schema["additionalProperties"], name, owner, whole=whole)}
        if schema.get("default") is not None:
            return schema["default"]
        raise NoExampleError(f"{owner}.{name}" if owner else name)

    def _fits(self, schema: Json, value: Any) -> bool:
        schema = self._resolved(schema)
        options = schema.get("anyOf", schema.get("oneOf"))
        if options is not None:
            return any(self._fits(option, value) for option in options)
        if "const" in schema or "enum" in schema:
            return value in schema.get("enum", [schema.get("const")])
        types = schema.get("type", [])
        types = [types] if isinstance(types, str) else types
        if types and not any(_is(value, kind) for kind in types):
            return False
        if isinstance(value, list):
            return all(self._fits(schema.get("items", {}), one) for one in value)
        if isinstance(value, dict):
            return set(schema.get("required", [])) <= set(value)
        return True

    def _resolved(self, schema: Json) -> Json:
        while "$ref" in schema:
            schema = self._schemas[schema["$ref"].rpartition("/")[2]]
        return schema


def _is(value: Any, kind: str) -> bool:
    is_truth = isinstance(value, bool)
    return isinstance(value, _TYPES.get(kind, ())) and is_truth == (kind == "boolean")
