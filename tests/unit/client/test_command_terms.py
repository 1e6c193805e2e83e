"""An error on the command line says what to type, not which call of the API to make."""

import re
from pathlib import Path

import pytest

import modelwright
from modelwright_client.command_terms import CALLS, in_command_terms

SOURCES = Path(modelwright.__file__).parent.glob("*/errors.py")
NAMED = re.compile(r"(?:GET|POST|PATCH|DELETE) /[a-z_/{}-]*[a-z_}]")


def test_every_call_that_an_error_names_has_its_command() -> None:
    named = {
        call.replace("{{", "{").replace("}}", "}")
        for source in SOURCES
        for call in NAMED.findall(source.read_text())
    }
    assert "POST /data/upload" in named
    assert named - set(CALLS) == set()


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
    ],
)
def test_fields_become_options_and_calls_commands(said: str, told: str) -> None:
    assert in_command_terms(said) == told
