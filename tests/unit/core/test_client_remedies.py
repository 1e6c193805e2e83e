"""What the client and the command line raise says what to do: each sentence in their sources."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.unit.core.test_error_remedies import REMEDY

import modelwright
import modelwright_client

FOLDERS = (
    Path(modelwright_client.__file__).parent,
    Path(modelwright.__file__).parent / "cli",
)
SAYS_WHAT = re.compile(
    r"\bmust\b|\bsuch as\b|\bis none of\b|; there are\b|\b(?:copy|quote|save|write|add|put|is a)\b"
    r"|\btakes JSON\b",
    re.IGNORECASE,
)
"""What is allowed is said as well as what to do."""
NOT_OF_THE_CALLER = {"AttributeError", "NotImplementedError"}
"""What a slip in the caller's program raises, in Python's own words."""
LEAST_SENTENCES = 30
"""Sentences that are looked at, at least."""


def told(node: ast.expr) -> str | None:
    """Spells a text with `{}` for what it fills in; None for what is no text."""
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else None
    if isinstance(node, ast.JoinedStr):
        parts = (one.value if isinstance(one, ast.Constant) else "{}" for one in node.values)
        return "".join(map(str, parts))
    return None


def sentences() -> Iterator[tuple[str, str]]:
    """All sentences that are raised, with their place; not those that end in another one."""
    for folder in FOLDERS:
        for path in sorted(folder.rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text("utf-8"))):
                if not isinstance(node, ast.Raise) or not isinstance(node.exc, ast.Call):
                    continue
                if ast.unparse(node.exc.func) in NOT_OF_THE_CALLER:
                    continue
                for text in map(told, node.exc.args):
                    if text and not text.endswith("{}"):
                        yield f"{path.stem}:{node.lineno}", text


def says_what_to_do(said: str) -> bool:
    """Returns whether a sentence has a remedy, or tells what is allowed."""
    return any(one.search(said) for one in (REMEDY, SAYS_WHAT))


SENTENCES = dict(sentences())


@pytest.mark.parametrize("place", SENTENCES)
def test_every_sentence_says_what_to_do(place: str) -> None:
    assert says_what_to_do(SENTENCES[place]), SENTENCES[place]


def test_enough_of_them_are_looked_at() -> None:
    assert len(SENTENCES) >= LEAST_SENTENCES


@pytest.mark.parametrize("said", ["{} is not an address: {}.", "The answer has no entries."])
def test_a_sentence_without_a_remedy_is_seen(said: str) -> None:
    assert not says_what_to_do(said)
