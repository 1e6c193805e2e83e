"""The part of the OpenAPI document that FastAPI cannot see: the plain route of queries.

The route answers a table or a chart past FastAPI, which describes neither; clients are generated
from the document all the same.
"""

from modelwright.core.http.openapi import TEXT, json_content, reference
from modelwright.core.http.schemas import Json
from modelwright.core.limits.contract import LIMITS
from modelwright.engines.chart_spec import ChartType
from modelwright.queries.schemas import AskQuery

_FOUND: Json = {
    "query_id": TEXT,
    "session_id": TEXT,
    "columns": {"type": "array", "items": TEXT},
    "rows": {"type": "array", "items": {"type": "array", "items": {}}},
    "row_count": {"type": "integer", "description": "The rows of this answer."},
    "truncated": {"type": "boolean", "description": "Whether there was more."},
    "execution_time_ms": {"type": "number"},
    "generated_sql": {**TEXT, "description": "The SQL that ran."},
    "interpretation": {
        **TEXT,
        "description": "What was understood, in a sentence; only of questions in words.",
    },
    "verified": {
        "type": "boolean",
        "description": "Whether verified SQL answered; only of questions in words.",
    },
    "question": {
        "type": ["string", "null"],
        "description": "The whole question, where it went on from an earlier one.",
    },
    "confidence": {
        "type": ["number", "null"],
        "description": "How likely the reading is right, 0 to 1; null where nobody guessed.",
    },
    "read_by": {
        "type": "array",
        "items": TEXT,
        "description": "The readers that agree on this reading.",
    },
    "units": {
        "type": ["array", "null"],
        "items": TEXT,
        "description": "The unit of each column, empty where none is known; null without any.",
    },
    "warnings": {
        "type": "array",
        "items": TEXT,
        "description": "Warnings about the answer.",
    },
}
_OPTIONAL = {"interpretation", "verified", "question", "confidence", "read_by", "units"}


def _result(kind: str, more: Json) -> Json:
    members = {**_FOUND, "result_type": {"const": kind}, **more}
    required = [name for name in members if name not in _OPTIONAL]
    text = f"The answer to a query, as a {'table' if kind == 'table' else 'chart'}."
    return {"type": "object", "description": text, "required": required, "properties": members}


_CHART: Json = {
    "visualization_type": {"type": "string", "enum": [kind.value for kind in ChartType]},
    "title": TEXT,
    "data": reference("ChartData"),
}
COMPONENTS: Json = {
    "TableResult": _result("table", {}),
    "ChartResult": _result("visualization", _CHART),
    "ChartData": {
        "type": "object",
        "description": "Labels, and a number for each of them in every series.",
        "required": ["labels", "datasets"],
        "properties": {
            "labels": {"type": "array", "items": {}},
            "datasets": {"type": "array", "items": reference("ChartSeries")},
        },
    },
    "ChartSeries": {
        "type": "object",
        "description": "One series of a chart.",
        "required": ["label", "data"],
        "properties": {
            "label": TEXT,
            "data": {"type": "array", "items": {"type": ["number", "null"]}},
        },
    },
}
"""What the document's `components` gain."""
PATHS: dict[str, Json] = {
    "/data/query": {
        "post": {
            "tags": ["queries"],
            "operationId": "queries.ask",
            "summary": "Answers a query with a table or a chart.",
            "description": (
                "One SELECT over the session's tables, or a question in words; within "
                f"{LIMITS.query_seconds:g} seconds, {LIMITS.queries_per_minute} a minute."
            ),
            "requestBody": {
                "required": True,
                "content": json_content(AskQuery.model_json_schema()),
            },
            "responses": {
                "200": {
                    "description": "The answer.",
                    "content": json_content(
                        {"oneOf": [reference("TableResult"), reference("ChartResult")]}
                    ),
                }
            },
        }
    }
}
"""What the document's `paths` gain."""
