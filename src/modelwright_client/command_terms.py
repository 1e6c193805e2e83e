"""Says the server's errors and warnings as the command line does: options, not fields and calls."""

import re
from collections.abc import Mapping

CALLS: Mapping[str, str] = {
    "GET /auth/api-keys": "the console",
    "GET /auth/sessions": "modelwright account sessions",
    "GET /data/sessions": "modelwright sessions list",
    "GET /data/sessions/{session_id}/queries": "modelwright sessions queries SESSION_ID",
    "GET /database/connections": "modelwright connections list",
    "GET /database/ingest": "modelwright ingestions list",
    "GET /jobs": "modelwright jobs list",
    "GET /models": "modelwright models list",
    "GET /models/{model_name}/deployments": "modelwright deployments list MODEL_NAME",
    "GET /models/{model_name}/versions": "modelwright models versions MODEL_NAME",
    "POST /data/upload": "modelwright upload FILE",
    "GET /uploads": "modelwright uploads list",
    "GET /uploads/{upload_id}": "modelwright uploads show UPLOAD",
    "POST /uploads/status": "modelwright upload FILE",
    "POST /uploads/{upload_id}/files/{filename}/parts": "modelwright upload FILE --resume UPLOAD",
    "GET /trash": "modelwright deleted list",
    "DELETE /trash": "modelwright deleted empty",
    "POST /models/{model_name}/plan": "modelwright models plan MODEL_NAME",
    "GET /jobs/{job_id}": "modelwright jobs show JOB",
    "GET /data/export/{export_id}": "modelwright exports show EXPORT_ID",
    "GET /console/session": "the console",
    "DELETE /data/sessions/{session_id}": "modelwright sessions end SESSION_ID",
    "POST /data/sessions": "modelwright ask --upload UPLOAD",
    "POST /data/use-upload": "modelwright ask --upload UPLOAD",
}
"""What does on the command line what a call of the API does."""

OPTIONS: Mapping[str, str] = {
    "choice_id": "--choice",
    "costs": "--costs",
    "dataset_id": "--dataset",
    "decimal": "--decimal",
    "delimiter": "--delimiter",
    "description": "--description",
    "encoding": "--encoding",
    "false_negative": "--costs",
    "false_positive": "--costs",
    "filename": "file",
    "files": "FILES",
    "follows": "--follows",
    "format": "--format",
    "header_rows": "--header-rows",
    "include": "--include",
    "intent": "--intent",
    "item_id": "ID",
    "job_id": "JOB",
    "limit": "--limit",
    "max_iterations": "--max-iterations",
    "max_results": "--limit",
    "metric": "--metric",
    "model_name": "model",
    "model_version": "version",
    "name": "--name",
    "null_values": "--null-value",
    "offset": "--offset",
    "query": "question",
    "sample_weight": "--sample-weight",
    "session_id": "--session",
    "sheet": "--sheet",
    "skip_rows": "--skip-rows",
    "split": "--split",
    "target": "--target",
    "task": "--task",
    "threshold": "--threshold",
    "types": "--type",
    "upload_id": "--upload",
}
"""The option, or the argument, that a field of the API is given by."""

MADE: Mapping[str, str] = {
    "content_type": "the type of the file",
    "object_key": "the key of the stored file",
    "sha256": "the SHA-256 of the file",
    "size_bytes": "the size of the file",
    "status": "the state",
}
"""What the client itself says of a field, which nobody types."""

QUOTED = frozenset(
    {
        "choice_id", "costs", "dataset_id", "decimal", "header_rows", "metric", "null_values",
        "sample_weight", "session_id", "skip_rows", "split", "target", "threshold", "upload_id",
    }
)  # fmt: skip
"""Fields that a sentence may name in backticks; other words in them are values and columns."""

_PHRASES: Mapping[str, str] = {
    "as sheet": "with --sheet",
    "in null_values": "with --null-value",
    "in types": "with --type",
}
"""What says in the words of the API how a file is to be read."""
_PHRASE = re.compile(r"(?<![\w'])(?:" + "|".join(_PHRASES) + r")(?![\w'])")
_CALL = re.compile(r"`?((?:GET|POST|PATCH|DELETE) /[A-Za-z0-9_/{}.:-]*[A-Za-z0-9}])`?")
_FIELD = re.compile(r"(?:^|(?<=[.;] ))((?:[a-z_0-9]+\.)*([a-z_0-9]+))(?=: )|`([a-z_]+)`")
_SPLIT = re.compile(r'`split` (\{"by": "(\w+)", "column": "([^"]*)"\})')
_OF_DATA = "training data"
"""What an error about a row says, whose quoted names are columns and stay."""


def in_command_terms(sentence: str, typed: Mapping[str, str] | None = None) -> str:
    """Rewrites an error or a warning of the server for whoever typed a command.

    Args:
        sentence: The message of the refusal.
        typed: What the options and arguments of the command are called, by the field that each
            gives; of any command where it is not known.

    Returns:
        The sentence with options for fields and commands for calls; what has neither stays.
    """
    said = _CALL.sub(lambda found: _call(found[1]), sentence)
    said = _SPLIT.sub(r"--split '\1'" if typed and "split" in typed else r"--split '\2:\3'", said)
    if _OF_DATA in said:
        return said
    said = _FIELD.sub(lambda found: _field(found, typed or {}), said)
    return _PHRASE.sub(lambda found: _PHRASES[found[0]], said)


def _field(found: re.Match[str], typed: Mapping[str, str]) -> str:
    there = set(typed.values())
    options = {
        name: option
        for name, option in OPTIONS.items()
        if not typed or option in there or not option.startswith("--")
    }
    options.update(typed)
    if found[3]:
        return options.get(found[3], found[0]) if found[3] in QUOTED else found[0]
    names = [part for part in found[1].split(".") if not part.isdigit()]
    known = next((name for name in reversed(names) if name in options or name in MADE), "")
    return options.get(known) or MADE.get(known) or found[0]


def _call(call: str) -> str:
    known = CALLS.get(call) or next(
        (told for template, told in CALLS.items() if _fits(template, call)), call
    )
    return f"`{known}`" if known.startswith("modelwright") else known


def _fits(template: str, call: str) -> bool:
    """Returns whether a call is one of a template with ids in the place of its parameters."""
    pattern = re.sub(r"\\\{\w+\\\}", "[^/]+", re.escape(template))
    return re.fullmatch(pattern, call) is not None
