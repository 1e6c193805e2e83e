"""How answers of the server look in a terminal.

Commands fetch and this shows, so that the same object looks the same wherever it is printed.
"""

from collections.abc import Mapping, Sequence
from typing import Any, get_args

from modelwright_client import terminal
from modelwright_client.command_terms import in_command_terms
from modelwright_client.jobs import JobEvent
from modelwright_client.predictions import Extra
from modelwright_client.queries import Result
from modelwright_client.types import (
    BatchItem,
    ErrorDetail,
    JobDetail,
    ModelDetail,
    Prediction,
    UploadDetail,
    VersionDescription,
)

MOST_SHOWN = 50
"""Rows of a long answer; `--json` gives all of them."""


def upload(seen: UploadDetail) -> None:
    """Shows an upload, its files and their columns."""
    shown = ("upload_id", "name", "dataset_version", "description", "status", "created_at")
    facts = {name: seen.get(name) for name in shown}
    terminal.facts({**facts, "error": in_command_terms(seen.get("error") or "") or None})
    for file in seen["files"]:
        size = f"{file['rows']} rows, {file['columns']} columns, {file['size_bytes']} bytes"
        terminal.say(f"\n{file['filename']}: {size if file['rows'] is not None else 'not a table'}")
        for notice in file.get("notices", []):
            terminal.say(in_command_terms(notice))
        names = ("name", "type", "nullable", "unique")
        columns: Sequence[Mapping[str, Any]] = file.get("column_info") or []
        terminal.table(names, [[column[name] for name in names] for column in columns])
    used = [f"{user['model_name']} {user['version']}" for user in seen.get("models_using_this", [])]
    terminal.facts({"used by": ", ".join(used)})


def model(seen: ModelDetail) -> None:
    """Shows a model's labels and state."""
    names = ("model_name", "model_version", "name", "intent", "description", "status", "error")
    more = (
        "deployment_status",
        "deployed_versions",
        "dataset_id",
        "tags",
        "endpoint",
        "created_at",
        "updated_at",
    )
    terminal.facts({name: seen.get(name) for name in (*names, *more)})


def description(seen: VersionDescription) -> None:
    """Shows what a version takes and gives, how good it is, and what it looks at."""
    trained = seen["training_info"]
    terminal.facts(
        {
            "input": _fields(seen["input_schema"]),
            "output": _fields(seen["output_schema"]),
            "algorithm": trained["algorithm"],
            "rows": trained["dataset_size"],
            "minutes": trained["training_time_minutes"],
        }
    )
    terminal.say("\nMetrics on rows it never saw", "bold")
    numbers = seen["performance_metrics"].items()
    terminal.facts({name: value for name, value in numbers if isinstance(value, int | float)})
    _warn(seen.get("warnings", ()))
    terminal.say("\nImportance", "bold")
    terminal.bars(trained["feature_importance"])


def prediction(seen: Prediction) -> None:
    """Shows one answer."""
    terminal.facts({**seen["result"], "interval": seen.get("interval")})
    terminal.bars(seen.get("probabilities") or {})
    terminal.facts({"explanation": seen.get("explanation")})
    for warning in seen.get("warnings", []):
        terminal.say(f"{warning['field']}: {warning['message']}")


def batch(seen: Sequence[BatchItem]) -> None:
    """Shows the answers of a batch, and what was included, beside their row numbers."""
    if not seen:
        terminal.say("no rows")
        return
    fields = next((list(item["prediction"]) for item in seen if item["prediction"]), [])
    included = [name for name in get_args(Extra) if any(name in item for item in seen)]
    rows = [
        [number, *map((item["prediction"] or {}).get, fields), *map(item.get, included)]
        for number, item in enumerate(seen, 1)
    ]
    _long_table(("row", *fields, *included), rows)
    for number, item in enumerate(seen, 1):
        if error := item.get("error"):
            terminal.say(f"row {number} has no prediction: {error['message']}")


def job(seen: JobDetail) -> None:
    """Shows one job."""
    terminal.facts(seen)


def line(seen: Mapping[str, Any]) -> None:
    """Shows one line a job has said."""
    terminal.say(f"{seen['timestamp']} {seen['level']} {seen['message']}")


def event(seen: JobEvent) -> None:
    """Shows one event of a job's stream."""
    data = seen["data"]
    if seen["event"] == "log":
        line(data)
    elif seen["event"] == "end":
        terminal.say(f"{data['status']} {data['error'] or ''}".rstrip())
    else:
        terminal.say(f"{data['status']} {data['progress']}% {data['stage']}".rstrip())


def result(seen: Result) -> None:
    """Shows the answer to a question: rows, or a chart's numbers, and the SQL behind it."""
    if seen["result_type"] == "table":
        _long_table(seen["columns"], seen["rows"])
        more = ", there are more" if seen["truncated"] else ""
        terminal.say(f"{seen['row_count']} rows{more}")
    else:
        series = seen["data"]["datasets"]
        terminal.say(f"{seen['title']} ({seen['visualization_type']})", "bold")
        rows = zip(seen["data"]["labels"], *(one["data"] for one in series), strict=True)
        _long_table(("", *(one["label"] for one in series)), [list(row) for row in rows])
    terminal.facts(
        {
            "question": seen.get("question"),
            "understood": seen.get("interpretation"),
            "SQL": seen["generated_sql"],
            "read by": ", ".join(seen.get("read_by", ())) or None,
            "query": seen.get("query_id"),
        }
    )
    _warn(seen.get("warnings", ()))


def choices(offered: Sequence[ErrorDetail]) -> None:
    """Shows what a question may mean, each with its first rows and how it is taken."""
    for one in offered:
        terminal.say(one["message"], "bold")
        terminal.table(one["columns"], one["rows"])
        terminal.facts({"SQL": one["generated_sql"], "take it": f"--choice {one['choice_id']}"})


def _long_table(columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
    """Shows the first rows, and says how many more there are."""
    terminal.table(columns, rows[:MOST_SHOWN])
    if len(rows) > MOST_SHOWN:
        terminal.say(f"… and {len(rows) - MOST_SHOWN} more (--json shows all)")


def _warn(warnings: Sequence[str]) -> None:
    for warning in warnings:
        terminal.say(in_command_terms(warning), "yellow")


def _fields(schema: Mapping[str, str] | None) -> str:
    return ", ".join(f"{name}: {kind}" for name, kind in (schema or {}).items())
