"""An error on the command line says what to type, not which call of the API to make."""

import re

import pytest
from tests.error_catalogue import named_calls, quoted_fields, request_fields

from modelwright_client.cli import COMMANDS, command_line
from modelwright_client.command_terms import MADE, OPTIONS, QUOTED, in_command_terms

OPERATIONS = (
    "builds.create",
    "jobs.cancel",
    "jobs.list",
    "jobs.read",
    "models.list",
    "models.read",
    "predictions.many",
    "queries.ask",
    "scoring.start",
    "sessions.use",
    "trash.list",
    "trash.purge",
    "trash.restore",
    "uploads.confirm",
    "uploads.create",
    "uploads.delete",
    "uploads.list",
    "uploads.missing_parts",
    "uploads.read",
    "uploads.reparse",
)
"""What the commands call."""
NEVER_SENT = {
    "input_schema": "of a build, which the command leaves to the plan",
    "output_schema": "of a build, which the command leaves to the plan",
    "plan_id": "of a build, which the command leaves to the plan",
    "tags": "of a model, which the command has no option for",
    "by": "of a split; the command checks it by itself",
    "column": "of a split; a column of the data, under its own name",
    "options": "of a file; what it holds is named",
    "errors": "which the command sets by itself",
    "query_type": "which the command sets by itself",
    "order": "which the command leaves to its default",
    "sort": "which the command leaves to its default",
    "sort_by": "which the command leaves to its default",
    "kind": "of jobs, which the command lists all",
    "sort_dir": "which the command leaves to its default",
}
"""Fields that nobody at a command line can have got wrong."""


def options_of_commands() -> set[str]:
    """All options that any command has."""
    import typer.main

    found: set[str] = set()
    for name in COMMANDS:
        waiting = [typer.main.get_command(command_line(name))]
        while waiting:
            command = waiting.pop()
            waiting += getattr(command, "commands", {}).values()
            found |= {option for one in command.params for option in one.opts}
    return found


class TestCatalogue:
    def test_every_call_that_a_sentence_names_becomes_a_command(self) -> None:
        told = {call: in_command_terms(f"Do it with {call}.") for call in named_calls()}
        assert told
        left = {call for call in told if re.search(r"(GET|POST|PATCH|DELETE) /", told[call])}
        assert left == set()

    @pytest.mark.parametrize("operation", OPERATIONS)
    def test_every_field_that_may_be_refused_is_named_as_it_is_typed(self, operation: str) -> None:
        fields = request_fields()[operation] - NEVER_SENT.keys()
        assert fields - OPTIONS.keys() - MADE.keys() == set()
        for field in fields:
            told = in_command_terms(f"{field}: must be another one.")
            assert told == f"{OPTIONS.get(field) or MADE[field]}: must be another one."

    def test_every_option_that_is_named_is_one(self) -> None:
        named = {option for option in OPTIONS.values() if option.startswith("--")}
        assert named - options_of_commands() == set()

    def test_every_field_in_backticks_is_known(self) -> None:
        assert quoted_fields() - QUOTED <= {"sql", "column", "input_schema", "output_schema"}


@pytest.mark.parametrize(
    ("said", "told"),
    [
        (
            "This upload is failed; make a new one with POST /data/upload.",
            "This upload is failed; make a new one with `modelwright upload FILE`.",
        ),
        ("dataset_id: nothing of yours is named 'x'.", "--dataset: nothing of yours is named 'x'."),
        (
            "intent: no column fits; name it as `target`.",
            "--intent: no column fits; name it as --target.",
        ),
        (
            "`age` is required: training never lacked it.",
            "`age` is required: training never lacked it.",
        ),
        ("files.0.size_bytes: is too much.", "the size of the file: is too much."),
        ("files.2.options.header_rows: is too much.", "--header-rows: is too much."),
        ("files.0: is twice there.", "FILES: is twice there."),
        (
            "Wait until GET /uploads/upload_01a2 says complete.",
            "Wait until `modelwright uploads show UPLOAD` says complete.",
        ),
        (
            'Too good: ask for `split` {"by": "group", "column": "the cow"}.',
            "Too good: ask for --split 'group:the cow'.",
        ),
        ("A build takes `threshold` or `costs`.", "A build takes --threshold or --costs."),
        (
            "Name such values in null_values, or the type float in types.",
            "Name such values with --null-value, or the type float with --type.",
        ),
        (
            "Name cells as sheet, such as 'in types'.",
            "Name cells with --sheet, such as 'in types'.",
        ),
    ],
)
def test_fields_become_options_and_calls_commands(said: str, told: str) -> None:
    assert in_command_terms(said) == told


@pytest.mark.parametrize("field", sorted(QUOTED))
def test_a_field_that_a_command_does_not_take_keeps_its_name(field: str) -> None:
    said = f"Leave `{field}` out."
    assert in_command_terms(said, {"limit": "--limit"}) in {said, f"Leave {OPTIONS[field]} out."}
