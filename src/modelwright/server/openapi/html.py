"""`/docs`: the OpenAPI document as one page of plain HTML that needs no network and no script.

FastAPI's own page loads scripts from elsewhere, which an installation without a network, or a
strict content policy, does not get.
"""

import json
import re
from collections import defaultdict
from html import escape
from typing import Any

from modelwright.core.http.schemas import Json

STYLE = """
:root{color-scheme:light dark;--line:#8884;--soft:#8881}
body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:0 auto;padding:1rem}
nav{display:flex;flex-wrap:wrap;gap:.25rem 1rem}
h2{border-bottom:1px solid var(--line);margin-top:3rem}
details{border:1px solid var(--line);border-radius:8px;margin:.5rem 0;padding:.5rem .75rem}
summary{cursor:pointer}code,pre{font:14px/1.45 ui-monospace,monospace;overflow-wrap:anywhere}
pre{background:var(--soft);border-radius:6px;padding:.75rem;white-space:pre-wrap}
.verb{display:inline-block;min-width:4.5rem;font-weight:600}
table{border-collapse:collapse;width:100%}td,th{text-align:left;padding:.25rem .5rem;
border-bottom:1px solid var(--line);vertical-align:top}
"""


def page(document: Json) -> str:
    """Lays the document out, an operation a fold, grouped by feature in the order of its tags."""
    features: dict[str, list[str]] = defaultdict(list)
    for path, verbs in document["paths"].items():
        for verb, operation in verbs.items():
            features[operation["tags"][0]].append(_operation(document, path, verb, operation))
    tags = [(escape(tag["name"]), tag) for tag in document["tags"]]
    links = "".join(f'<a href="#{name}">{name}</a>' for name, _ in tags)
    parts = "".join(
        f'<section id="{name}"><h2>{name}</h2><p>{_told(tag["description"])}</p>'
        f"{''.join(features[tag['name']])}</section>"
        for name, tag in tags
    )
    title = f"{escape(document['info']['title'])} API {escape(document['info']['version'])}"
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<style>{STYLE}</style></head><body><h1>{title}</h1>"
        f"<p>{_told(document['info']['description'])} "
        '<a href="openapi.json">openapi.json</a></p>'
        f"<nav>{links}</nav>{parts}</body></html>"
    )


def _told(text: str) -> str:
    """Escapes a sentence and sets what stands between backticks as code."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(text))


def _operation(document: Json, path: str, verb: str, operation: Json) -> str:
    body = operation.get("requestBody", {}).get("content", {}).get("application/json", {})
    sent = f"<h4>Body</h4>{_content(document, body)}" if "schema" in body else ""
    return (
        f'<details id="{escape(operation.get("operationId", path))}"><summary>'
        f'<span class="verb">{verb.upper()}</span><code>{escape(path)}</code> '
        f"{_told(operation.get('summary', ''))}</summary>"
        f"<p>{_told(operation.get('description', ''))}</p>"
        f"{_parameters(operation.get('parameters', []))}{sent}"
        f"<h4>Answers</h4>{_answers(document, operation['responses'])}</details>"
    )


def _parameters(parameters: list[Json]) -> str:
    if not parameters:
        return ""
    rows = "".join(
        f"<tr><td><code>{escape(one['name'])}</code></td><td>{escape(one['in'])}"
        f"{', required' if one.get('required') else ''}</td>"
        f"<td>{_told(one.get('description', ''))}</td>"
        f"<td><code>{escape(_bounds(one.get('schema', {})))}</code></td></tr>"
        for one in parameters
    )
    return f"<h4>Parameters</h4><table>{rows}</table>"


def _bounds(schema: Json) -> str:
    rest = {name: value for name, value in schema.items() if name not in {"title", "description"}}
    return json.dumps(rest, ensure_ascii=False)


def _answers(document: Json, answers: Json) -> str:
    rows = ""
    for status, one in answers.items():
        name = one.get("$ref", "").rpartition("/")[2]
        answer = document["components"]["responses"][name] if name else one
        content = answer.get("content", {}).get("application/json", {})
        shown = _content(document, content) if "schema" in content and status == "200" else ""
        text = _told(answer["description"])
        rows += f"<tr><td>{escape(status)}</td><td>{text}{shown}</td></tr>"
    return f"<table>{rows}</table>"


def _content(document: Json, content: Json) -> str:
    schema = _resolved(document, content["schema"], ())
    example = _pre(content["example"]) if "example" in content else ""
    return f"{example}<details><summary>Schema</summary>{_pre(schema)}</details>"


def _pre(value: Any) -> str:
    return f"<pre>{escape(json.dumps(value, indent=2, ensure_ascii=False))}</pre>"


def _resolved(document: Json, schema: Any, within: tuple[str, ...]) -> Any:
    """Replaces references by what they name, once along each branch."""
    if isinstance(schema, list):
        return [_resolved(document, one, within) for one in schema]
    if not isinstance(schema, dict):
        return schema
    name = str(schema.get("$ref", "")).rpartition("/")[2]
    if name and name not in within:
        found = document["components"]["schemas"][name]
        return _resolved(document, found, (*within, name))
    return {
        key: _resolved(document, value, within) for key, value in schema.items() if key != "title"
    }
