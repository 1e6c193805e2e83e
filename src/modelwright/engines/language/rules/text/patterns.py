"""The phrases that shape a question, as regular expressions kept in a data file."""

import json
import re
from functools import lru_cache
from importlib.resources import files
from typing import Any


@lru_cache(maxsize=1)
def _known() -> dict[str, Any]:
    raw: dict[str, Any] = json.loads((files(__package__) / "patterns.json").read_text("utf-8"))
    return raw


def pattern(name: str) -> re.Pattern[str]:
    """Compiles one expression."""
    return re.compile(_known()[name])


def patterns(name: str) -> tuple[tuple[str, re.Pattern[str]], ...]:
    """Compiles a list of named expressions, in their order."""
    return tuple((kind, re.compile(expression)) for kind, expression in _known()[name])


def triples(name: str) -> tuple[tuple[re.Pattern[str], ...], ...]:
    """Compiles a list of three expressions each."""
    return tuple(tuple(map(re.compile, told)) for told in _known()[name])


def pairs(name: str) -> tuple[tuple[str, re.Pattern[str], re.Pattern[str]], ...]:
    """Compiles a list of names with two expressions each."""
    return tuple((kind, re.compile(one), re.compile(two)) for kind, one, two in _known()[name])
