"""The words of questions that mean something in any table, read once.

Lists are TOML, a file a topic; the three large ones are JSON, which is read faster.
"""

import json
import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any


@dataclass(frozen=True, slots=True)
class Aggregate:
    """One number of many rows."""

    name: str
    sql: str
    """With `{}` for the column."""
    said: str
    words: tuple[str, ...]

    def of(self, column: str) -> str:
        """Writes its SQL for a quoted column."""
        return self.sql.format(column)


@dataclass(frozen=True, slots=True)
class Cue:
    """Words that stand in a question, and where, in characters."""

    text: str
    start: int
    end: int


def any_case(pattern: str) -> re.Pattern[str]:
    """Compiles a pattern of words of a question, which nobody writes in one case."""
    return re.compile(pattern, re.IGNORECASE)


_LARGE = frozenset({"lexicon", "targets", "related"})
BEHIND_GROUPED = any_case(r"\b(?:by|per|each|every)\s+(?:the\s+)?$")
"""What stands right before the name of a group: `by the month`."""
SWITCHED_OFF = any_case(
    r"\s+(?:(?:is|are|was|were|been|being|turned|switched|set to)\s+)*"
    r"(?:off|disabled|deactivated|inactive)\b"
)
"""What denies the name of a flag that stands before it: `auto renewal switched off`."""


@lru_cache(maxsize=1)
def aggregates() -> tuple[Aggregate, ...]:
    """Returns all aggregates."""
    return tuple(
        Aggregate(one["name"], one["sql"], one["said"], tuple(one["words"]))
        for one in word_values("aggregates.aggregate")
    )


@lru_cache(maxsize=32)
def word_table(name: str) -> Any:
    """Returns a whole file of words."""
    folder = files(__package__)
    if name in _LARGE:
        return json.loads((folder / f"{name}.json").read_text("utf-8"))
    return tomllib.loads((folder / f"{name}.toml").read_text("utf-8"))


def word_list(path: str) -> tuple[str, ...]:
    """Returns a list of words in its order.

    Args:
        path: Its file and its name: `times.months` is the list `months` of `times.toml`.

    Returns:
        The words.
    """
    return tuple(word_values(path))


@lru_cache(maxsize=256)
def word_set(*paths: str) -> frozenset[str]:
    """Returns the words of one or more lists together, each told as for `word_list`."""
    return frozenset(word for path in paths for word in word_values(path))


def alternatives(*paths: str) -> str:
    """Returns the words of lists as alternatives of a regular expression, each as it is written."""
    return "|".join(
        re.escape(word).replace(r"\ ", " ") for path in paths for word in word_list(path)
    )


def word_values(path: str) -> Any:
    """Returns a list, or a table of what each word stands for, told as for `word_list`."""
    file, name = path.split(".", 1)
    return word_table(file)[name]


@lru_cache(maxsize=64)
def cue_words(name: str) -> frozenset[str]:
    """Returns the words of one list of `cues.toml`."""
    return word_set(f"cues.{name}")


@lru_cache(maxsize=64)
def _pattern(name: str) -> re.Pattern[str]:
    return phrase_pattern(word_list(f"cues.{name}"))


def phrase_pattern(words: Sequence[str]) -> re.Pattern[str]:
    """Makes a pattern of whole words or phrases, the longest first."""
    return _phrases(tuple(words))


@lru_cache(maxsize=256)
def _phrases(words: tuple[str, ...]) -> re.Pattern[str]:
    longest_first = sorted(words, key=len, reverse=True)
    told = "|".join(re.escape(one).replace(r"\ ", r"\s+") for one in longest_first)
    return any_case(rf"(?<![\w'-])(?:{told})(?![\w'])")


@lru_cache(maxsize=1)
def aggregate_pattern() -> re.Pattern[str]:
    """Returns the pattern of the words of any aggregate."""
    return phrase_pattern([word for one in aggregates() for word in one.words])


def find_cues(name: str, question: str) -> list[Cue]:
    """Finds the words of one list in a question."""
    return list(_cues(name, question))


@lru_cache(maxsize=1024)
def _cues(name: str, question: str) -> tuple[Cue, ...]:
    return tuple(Cue(one.group().lower(), *one.span()) for one in _pattern(name).finditer(question))
