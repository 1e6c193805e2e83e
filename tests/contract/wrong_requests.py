"""Requests that are wrong in one place, in each way that the schema of that place knows."""

from collections.abc import Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

Schema = Mapping[str, Any]
OF_OTHER_TYPES: dict[str, Any] = {
    "string": 5,
    "integer": "many",
    "number": "much",
    "boolean": "maybe",
    "array": "word",
    "object": "word",
}
"""A value that is not of the type."""
DEEPEST = 3
"""Objects within objects that are looked into."""
Path = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Wrong:
    """A value that does not fit, and the place where it stands."""

    place: Path
    how: str
    value: Any
    allowed: tuple[str, ...] = ()
    """What the message has to say of what is allowed."""

    @property
    def field(self) -> str:
        """The place as details name it."""
        return ".".join(map(str, self.place))


def resolved(schema: Schema, parts: Schema) -> Schema:
    """Follows a reference."""
    while "$ref" in schema:
        schema = parts[schema["$ref"].rpartition("/")[2]]
    return schema


def options(schema: Schema, parts: Schema) -> list[Schema]:
    """Lists what a schema may be."""
    schema = resolved(schema, parts)
    found = schema.get("anyOf") or schema.get("oneOf")
    return [one for each in found for one in options(each, parts)] if found else [schema]


def wrongs(schema: Schema, parts: Schema, place: Path = ()) -> Iterator[Wrong]:
    """Lists the wrong values of a schema's place, and of all within it."""
    fitting = options(schema, parts)
    types = {str(one.get("type")) for one in fitting}
    if "None" in types:
        return
    of_text = "string" in types
    if place:
        if not types & {"null", "object"}:
            yield Wrong(place, "null", None)
        if not of_text or any("enum" in one or "const" in one for one in fitting):
            kind = next(iter(sorted(types - {"null"})))
            yield Wrong(place, "another type", OF_OTHER_TYPES[kind])
        elif not types & {"integer", "number"}:
            yield Wrong(place, "another type", 5)
    if len([one for one in fitting if one.get("type") != "null"]) == 1:
        [one] = [one for one in fitting if one.get("type") != "null"]
        yield from _bounds(one, place)
        yield from _within(one, parts, place)


def _bounds(one: Schema, place: Path) -> Iterator[Wrong]:
    for name in ("enum", "const"):
        if name in one:
            known = one[name] if name == "enum" else [one[name]]
            yield Wrong(place, "an unknown word", "no-such-word", tuple(map(str, known)))
    for name, step in (("minimum", -1), ("exclusiveMinimum", 0)):
        if name in one:
            yield Wrong(place, name, one[name] + step, (str(int(one[name])),))
    for name, step in (("maximum", 1), ("exclusiveMaximum", 0)):
        if name in one:
            yield Wrong(place, name, one[name] + step, (str(int(one[name])),))
    if one.get("minLength", 0) > 0:
        yield Wrong(place, "minLength", "x" * (one["minLength"] - 1), (str(one["minLength"]),))
    if "maxLength" in one:
        yield Wrong(place, "maxLength", "x" * (one["maxLength"] + 1), (str(one["maxLength"]),))
    if one.get("format") in {"date-time", "email"}:
        yield Wrong(place, "format", "no such thing")


def _within(one: Schema, parts: Schema, place: Path) -> Iterator[Wrong]:
    if len(place) > 2 * DEEPEST:
        return
    for name, inner in one.get("properties", {}).items():
        yield from wrongs(inner, parts, (*place, name))
    if place and "items" in one and one["items"]:
        yield from wrongs(one["items"], parts, (*place, 0))


def put(body: Any, wrong: Wrong, schema: Schema, parts: Schema) -> Any:
    """Puts a wrong value into its place of a body, with what has to stand around it."""
    body = deepcopy(body)
    inside = body
    for at, step in enumerate(wrong.place[:-1]):
        schema = _step(schema, parts, step)
        following = wrong.place[at + 1]
        there = step in inside if isinstance(inside, dict) else len(inside) > int(step)
        if not there or not isinstance(inside[step], dict | list):
            made: Any = [None] if isinstance(following, int) else example(schema, parts)
            if isinstance(inside, list):
                inside[:] = [made]
            else:
                inside[step] = made
        inside = inside[step]
    last = wrong.place[-1]
    if isinstance(inside, list):
        inside[:] = [wrong.value]
    else:
        inside[last] = wrong.value
    return body


def _step(schema: Schema, parts: Schema, step: str | int) -> Schema:
    for one in options(schema, parts):
        if isinstance(step, int) and "items" in one:
            return dict(one["items"])
        if step in one.get("properties", {}):
            return dict(one["properties"][step])
    raise KeyError(step)


def example(schema: Schema, parts: Schema) -> Any:
    """Makes a value of a schema with what it requires alone."""
    one = next(one for one in options(schema, parts) if one.get("type") != "null")
    if "const" in one or "enum" in one:
        return one.get("const", next(iter(one.get("enum", [None]))))
    kind = one.get("type")
    if kind == "object":
        members = one.get("properties", {})
        return {name: example(members[name], parts) for name in one.get("required", [])}
    if kind == "array":
        return [example(one["items"], parts)] if one.get("minItems") else []
    if kind in {"integer", "number"}:
        return one.get("minimum", one.get("exclusiveMinimum", 0) + 0.5 * (kind == "number"))
    return {"string": "word", "boolean": True}.get(str(kind))
