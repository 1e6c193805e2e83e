"""How features describe their plain routes, which FastAPI cannot see, in the OpenAPI document."""

from modelwright.core.http.schemas import Json

TEXT: Json = {"type": "string"}
"""The schema of a text."""


def reference(name: str) -> Json:
    """Points to a schema of the document's components."""
    return {"$ref": f"#/components/schemas/{name}"}


def json_content(schema: Json) -> Json:
    """Says that a body is JSON of a schema."""
    return {"application/json": {"schema": schema}}


def bytes_content(media_type: str) -> Json:
    """Says that a body is the bytes of a file."""
    return {media_type: {"schema": {"type": "string", "format": "binary"}}}


def path_parameters(*names: str) -> list[Json]:
    """Describes the texts in a path."""
    return [{"name": name, "in": "path", "required": True, "schema": TEXT} for name in names]


def file_responses(what: str, content: Json) -> Json:
    """Describes what `core.http.file_response` answers for a file: the whole of it, or a range."""
    return {
        "200": {"description": f"The whole {what}.", "content": content},
        "206": {"description": "The range that was asked for.", "content": content},
        "416": {"description": f"The {what} has no such bytes."},
    }
