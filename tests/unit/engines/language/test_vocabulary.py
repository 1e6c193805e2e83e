"""The vocabulary: each list of words is read by some module, and is said once."""

import tomllib
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from modelwright.engines.language import vocabulary
from modelwright.engines.language.vocabulary import (
    alternatives,
    word_list,
    word_set,
    word_values,
)

FOLDER = Path(vocabulary.__file__).parent
READ_WHOLE = {"aggregates", "cues", "units"}
READ_BY_NAME = {"grammar", "patterns"}
"""Files whose lists are read by their names alone, without that of the file."""


def word_lists() -> Iterator[tuple[str, list[str]]]:
    for path, held in lists():
        if isinstance(held, list) and all(isinstance(one, str) for one in held):
            yield path, held


def lists() -> Iterator[tuple[str, Any]]:
    for path in sorted(FOLDER.glob("*.toml")):
        for name, held in tomllib.loads(path.read_text("utf-8")).items():
            yield f"{path.stem}.{name}", held


class TestLists:
    def test_each_is_read(self) -> None:
        code = "\n".join(path.read_text("utf-8") for path in FOLDER.parent.rglob("*.py"))
        idle = []
        for path, _ in lists():
            file, name = path.split(".", 1)
            said = name if file in READ_BY_NAME else path
            if file not in READ_WHOLE and f'"{said}"' not in code.replace("'", '"'):
                idle.append(path)
        assert idle == []

    def test_none_is_said_twice(self) -> None:
        """Two lists of the same words are one list."""
        by_words = defaultdict(list)
        for path, held in word_lists():
            by_words[frozenset(held)].append(path)
        assert [paths for paths in by_words.values() if len(paths) > 1] == []

    def test_none_holds_a_word_twice(self) -> None:
        twice = [path for path, held in word_lists() if len(held) > len(set(held))]
        assert twice == []


class TestReading:
    def test_a_list_keeps_its_order(self) -> None:
        assert word_list("times.months")[:3] == ("january", "february", "march")

    def test_sets_are_joined(self) -> None:
        joined = word_set("superlatives.late", "superlatives.early")
        assert joined == {"newest", "latest", "oldest", "earliest"}

    def test_a_table_says_what_words_stand_for(self) -> None:
        assert word_values("times.how_often")["weekly"] == "week"

    def test_alternatives_are_those_of_all_lists(self) -> None:
        assert alternatives("averages.median", "averages.means") == "median|average|avg|mean"
