"""Says the server's errors in the terms of the command line: options, not fields and calls."""

import re
from collections.abc import Mapping

CALLS: Mapping[str, str] = {
    "POST /data/upload": "modelwright upload FILE",
    "GET /uploads": "modelwright uploads list",
    "GET /uploads/{upload_id}": "modelwright uploads show UPLOAD",
    "POST /uploads/status": "modelwright upload FILE",
    "POST /uploads/{upload_id}/files/{filename}/parts": "modelwright upload FILE --resume UPLOAD",
    "GET /trash": "modelwright deleted list",
    "DELETE /trash": "modelwright deleted empty",
    "POST /models/{model_name}/plan": "the console",
    "GET /jobs/{job_id}": "modelwright jobs show JOB",
    "DELETE /data/sessions/{session_id}": "the console",
    "POST /data/sessions": "modelwright ask --upload UPLOAD",
    "POST /data/use-upload": "modelwright ask --upload UPLOAD",
}
"""What does on the command line what a call of the API does."""

OPTIONS: Mapping[str, str] = {
    "dataset_id": "--dataset",
    "description": "--description",
    "environment": "--environment",
    "format": "--format",
    "include": "--include",
    "intent": "--intent",
    "max_results": "--limit",
    "metric": "--metric",
    "model_name": "model",
    "model_version": "version",
    "name": "--name",
    "query": "question",
    "session_id": "--session",
    "target": "--target",
    "upload_id": "--upload",
}
"""The option, or the argument, that a field of the API is given by."""

_CALL = re.compile(r"`?((?:GET|POST|PATCH|DELETE) /[A-Za-z0-9_/{}.:-]*[A-Za-z0-9}])`?")
_FIELD = re.compile(r"(?:^|(?<=[.;] ))([a-z_]+)(?=: )|`(dataset_id|session_id|target|upload_id)`")
_OF_DATA = "training data"
"""What an error about a row says, whose quoted names are columns and stay."""


def in_command_terms(sentence: str) -> str:
    """Rewrites an error of the server for whoever typed a command.

    Args:
        sentence: The message of the refusal.

    Returns:
        The sentence with options for fields and commands for calls; what has neither stays.
    """
    said = _CALL.sub(lambda found: _call(found[1]), sentence)
    if _OF_DATA in said:
        return said
    return _FIELD.sub(lambda found: OPTIONS.get(found[1] or found[2], found[0]), said)


def _call(call: str) -> str:
    known = CALLS.get(call, call)
    return f"`{known}`" if known.startswith("modelwright") else known
