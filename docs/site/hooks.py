"""Reference pages that are made from the code when the site is built."""  # noqa: INP001 - a hook

import inspect
import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any

import typer.main
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

from modelwright.core.errors import AREA_PREFIXES, ApiArea, ErrorType, code_of
from modelwright.core.limits.contract import LIMITS, Limits
from modelwright_client.cli import command_line

Json = dict[str, Any]
OPENAPI = Path(__file__).parents[1] / "openapi.json"


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Adds the generated pages to those that are written by hand."""
    for path, make in PAGES.items():
        files.append(File.generated(config, path, content=make()))
    return files


def api() -> str:
    """Returns the page of all operations, grouped as the API's document groups them."""
    document = json.loads(OPENAPI.read_text("utf-8"))
    groups: dict[str, list[str]] = defaultdict(list)
    for path, verbs in document["paths"].items():
        for verb, operation in verbs.items():
            groups[operation["tags"][0]].append(_operation(document, path, verb, operation))
    parts = [
        "# HTTP API",
        "",
        (
            "Every operation of the server, from its OpenAPI document. A running server serves the"
            " same as `/openapi.json` and, readable, as `/docs`."
        ),
    ]
    for tag in document["tags"]:
        if tag["name"] in groups:
            parts += ["", f"## {tag['name'].capitalize()}", "", tag["description"], ""]
            parts += groups[tag["name"]]
    return "\n".join(parts) + "\n"


def _operation(document: Json, path: str, verb: str, operation: Json) -> str:
    lines = [f"### `{verb.upper()} {path}`", "", operation["description"], ""]
    if parameters := operation.get("parameters"):
        lines += ["| parameter | in | type | meaning |", "|---|---|---|---|"]
        lines += [
            f"| `{one['name']}`{' (required)' if one.get('required') else ''} | {one['in']} "
            f"| {_type(one['schema'])} | {_cell(one.get('description', ''))} |"
            for one in parameters
        ]
        lines.append("")
    body = operation.get("requestBody", {}).get("content", {}).get("application/json", {})
    if body:
        lines += ["Body:", "", *_members(document, body["schema"])]
    for status, answer in operation["responses"].items():
        content = answer.get("content", {}).get("application/json", {})
        if status.startswith("2") and content:
            lines += [f"Answer ({status}):", "", *_members(document, content["schema"])]
    return "\n".join(lines)


def _members(document: Json, schema: Json) -> list[str]:
    members = dict(_properties(document, schema))
    if not members:
        return [_type(schema), ""]
    required = _resolved(document, schema).get("required", [])
    rows = [
        f"| `{name}`{' (required)' if name in required else ''} | {_type(member)} "
        f"| {_cell(member.get('description', ''))} |"
        for name, member in members.items()
    ]
    return ["| member | type | meaning |", "|---|---|---|", *rows, ""]


def _resolved(document: Json, schema: Json) -> Json:
    while "$ref" in schema:
        schema = document["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
    return schema


def _properties(document: Json, schema: Json) -> Iterator[tuple[str, Json]]:
    schema = _resolved(document, schema)
    for part in schema.get("allOf", []):
        yield from _properties(document, part)
    yield from schema.get("properties", {}).items()


def _type(schema: Json) -> str:
    if "$ref" in schema:
        return f"`{schema['$ref'].rpartition('/')[2]}`"
    if "enum" in schema:
        return ", ".join(f"`{value}`" for value in schema["enum"])
    for choice in ("anyOf", "oneOf"):
        if choice in schema:
            return " or ".join(dict.fromkeys(_type(one) for one in schema[choice]))
    if schema.get("type") == "array":
        return f"array of {_type(schema.get('items', {}))}"
    return str(schema.get("type", "any"))


def _cell(text: str) -> str:
    return re.sub(r"\s+", " ", text).replace("|", "\\|")


def command_lines() -> str:
    """Returns the page of all commands with their options, from the command line itself."""
    root = typer.main.get_command(command_line(""))
    lines = [
        "# Command line",
        "",
        (
            "`modelwright COMMAND --help` says the same. The commands of a client need"
            " `MODELWRIGHT_URL` and `MODELWRIGHT_API_KEY` (or `--url` and `--api-key`); those of an"
            " operator work on the installation in the folder they are started from, or in"
            " `MODELWRIGHT_DATA_DIR`."
        ),
    ]
    for name, command in _commands(root, "modelwright"):
        lines += ["", f"## `{name}`", "", inspect.cleandoc(command.help or ""), ""]
        options = [one for one in command.params if getattr(one, "help", None)]
        if options:
            lines += ["| option | meaning |", "|---|---|"]
            for one in options:
                names = ", ".join(f"`{opt}`" for opt in one.opts)
                lines.append(f"| {names} | {_cell(str(getattr(one, 'help', '')))} |")
    return "\n".join(lines) + "\n"


def _commands(command: Any, path: str) -> Iterator[tuple[str, Any]]:
    if not hasattr(command, "commands"):
        yield path, command
        return
    for name, inner in command.commands.items():
        yield from _commands(inner, f"{path} {name}")


def errors() -> str:
    """Returns the page of error codes by area, from the one table that spells them."""
    lines = [
        "# Errors",
        "",
        (
            "Every error has the body below. `details` names each field that is wrong, and"
            " `request_id` is what the server's log has the request under."
        ),
        "",
        "```json",
        json.dumps(
            {
                "error": {
                    "code": "validation_error",
                    "message": "name: it is blank. Give it at least one letter.",
                    "status": 422,
                    "details": [{"field": "name", "message": "it is blank."}],
                    "request_id": "req_…",
                }
            },
            indent=2,
            ensure_ascii=False,
        ),
        "```",
        "",
        "The same error has another code in some parts of the API:",
        "",
        "| status | " + " | ".join(_paths(area) for area in ORDER) + " |",
        "|---|---|---|---|",
    ]
    lines += [
        f"| {kind.value[0]} | " + " | ".join(f"`{code_of(a, kind)}`" for a in ORDER) + " |"
        for kind in ErrorType
    ]
    return "\n".join(lines) + "\n"


ORDER = (ApiArea.MODELS, ApiArea.DATA, ApiArea.AUTH)


def _paths(area: ApiArea) -> str:
    return ", ".join(dict(AREA_PREFIXES).get(area, ("elsewhere",)))


def limits() -> str:
    """Returns the page of the limits, from the one place that holds them."""
    lines = [
        "# Limits",
        "",
        (
            "What is over a limit is refused with an error that names the limit; nothing is cut off"
            " in silence. Limits an operator can change are [settings](settings.md)."
        ),
        "",
        "| limit | value |",
        "|---|---|",
    ]
    for field in fields(Limits):
        value = getattr(LIMITS, field.name)
        name = field.name.replace("_", " ")
        lines.append(f"| {name} | {_amount(field.name, value)} |")
    return "\n".join(lines) + "\n"


def _amount(name: str, value: float) -> str:
    if "bytes" in name:
        return "the disk's room" if not value else f"{value / 1024**2:,.0f} MiB"
    return f"{value:,}"


PAGES: dict[str, Callable[[], str]] = {
    "reference/api.md": api,
    "reference/cli.md": command_lines,
    "reference/errors.md": errors,
    "reference/limits.md": limits,
}
"""The generated pages, by their place in the documentation."""
