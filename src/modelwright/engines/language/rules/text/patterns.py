"""The phrases that shape a question, as regular expressions of the vocabulary."""

import re
from typing import Any

from modelwright.engines.language.vocabulary import word_table


def _known(name: str) -> Any:
    return word_table("patterns")[name]


def pattern(name: str) -> re.Pattern[str]:
    """Compiles one expression."""
    return re.compile("".join(_known(name)))


def patterns(name: str) -> tuple[tuple[str, re.Pattern[str]], ...]:
    """Compiles a list of named expressions, in their order."""
    return tuple((kind, re.compile("".join(parts))) for kind, *parts in _known(name))


def triples(name: str) -> tuple[tuple[re.Pattern[str], ...], ...]:
    """Compiles a list of three expressions each."""
    return tuple(tuple(map(re.compile, told)) for told in _known(name))


def pairs(name: str) -> tuple[tuple[str, re.Pattern[str], re.Pattern[str]], ...]:
    """Compiles a list of names with two expressions each."""
    return tuple((kind, re.compile(one), re.compile(two)) for kind, one, two in _known(name))
